package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptKilled is killed DIR N ARGS: it runs rtsim and kills it once the directory has N files,
// before it is done.
func scriptKilled(ts *testscript.TestScript, _ bool, args []string) {
	self, err := os.Executable()
	ts.Check(err)
	dir := ts.MkAbs(args[0])
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	var stderr bytes.Buffer
	cmd := &exec.Cmd{Path: self, Args: append([]string{"rtsim"}, args[2:]...),
		Dir: ts.Getenv("WORK"), Stderr: &stderr}
	ts.Check(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			ts.Fatalf("it ended by itself: %v; %s", err, &stderr)
		case <-time.After(5 * time.Millisecond):
		}
		if entries, err := os.ReadDir(dir); err == nil && len(entries) >= n {
			ts.Check(cmd.Process.Kill())
			<-ended
			return
		}
	}
}

// scriptSameTree is sametree DIR DIR: both have the same files with the same bytes.
func scriptSameTree(ts *testscript.TestScript, neg bool, args []string) {
	read := func(dir string) map[string]string {
		files := map[string]string{}
		root := os.DirFS(ts.MkAbs(dir))
		ts.Check(fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(root, path)
			files[filepath.ToSlash(path)] = string(data)
			return err
		}))
		return files
	}
	a, b := read(args[0]), read(args[1])
	same := len(a) == len(b)
	for name, data := range a {
		if other, ok := b[name]; !ok || other != data {
			same = false
			ts.Logf("%s differs", name)
		}
	}
	if same == neg {
		ts.Fatalf("%d files and %d", len(a), len(b))
	}
}
