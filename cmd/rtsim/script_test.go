package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptCommands are what scripts can do besides what every testscript can.
var scriptCommands = map[string]func(*testscript.TestScript, bool, []string){
	"json":      scriptJSON,
	"same":      scriptSame,
	"interrupt": scriptInterrupt,
	"killed":    scriptKilled,
	"sametree":  scriptSameTree,
}

// scriptJSON is json FILE PATH [VALUE]: the file is one document that has something at the path,
// keys and indices joined by points, and this is the value, in compact JSON, if one is given.
func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: json FILE PATH [VALUE]")
	}
	got := valueAt(ts, args[0], args[1])
	if holds := len(args) == 2 || got == args[2]; holds == neg {
		ts.Fatalf("%s: %s is %s", args[0], args[1], got)
	}
}

// scriptSame is same FILE PATH FILE PATH: two documents have the same value there.
func scriptSame(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 4 {
		ts.Fatalf("usage: same FILE PATH FILE PATH")
	}
	a, b := valueAt(ts, args[0], args[1]), valueAt(ts, args[2], args[3])
	if (a == b) == neg {
		ts.Fatalf("%s and %s", a, b)
	}
}

func valueAt(ts *testscript.TestScript, name, path string) string {
	decoder := json.NewDecoder(strings.NewReader(ts.ReadFile(name)))
	decoder.UseNumber()
	var value any
	ts.Check(decoder.Decode(&value))
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		ts.Fatalf("%s: more than one document", name)
	}
	for key := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[key]
		case []any:
			i, err := strconv.Atoi(key)
			ts.Check(err)
			if i >= len(v) {
				ts.Fatalf("%s: %s: only %d items", name, path, len(v))
			}
			value = v[i]
		}
		if value == nil {
			ts.Fatalf("%s: nothing at %s", name, path)
		}
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	ts.Check(encoder.Encode(value))
	return strings.TrimSuffix(text.String(), "\n")
}

// interruptedWithin is a second, and time for a busy machine to notice.
const interruptedWithin = 3 * time.Second

// scriptInterrupt is interrupt ARGS: it runs rtsim, interrupts it once some runs are finished, and
// asks for status 130 soon after. Nothing says from outside when that is, so it waits, longer each
// time.
func scriptInterrupt(ts *testscript.TestScript, _ bool, args []string) {
	self, err := os.Executable()
	ts.Check(err)
	for wait := 250 * time.Millisecond; ; wait *= 2 {
		var stdout, stderr bytes.Buffer
		cmd := &exec.Cmd{Path: self, Args: append([]string{"rtsim"}, args...),
			Dir: ts.Getenv("WORK"), Stdout: &stdout, Stderr: &stderr}
		ts.Check(cmd.Start())
		time.Sleep(wait)
		start := time.Now()
		ts.Check(cmd.Process.Signal(os.Interrupt))
		var exit *exec.ExitError
		err := cmd.Wait()
		if errors.As(err, &exit) && !exit.Exited() && wait < 20*time.Second {
			continue // the signal came before the program could take it
		}
		if !errors.As(err, &exit) || exit.ExitCode() != statusInterrupted {
			ts.Fatalf("after %s: %v; %s", wait, err, &stderr)
		}
		if spent := time.Since(start); spent > interruptedWithin {
			ts.Fatalf("stopped only after %s", spent)
		}
		if strings.Contains(stderr.String(), "runs were finished") {
			_, _ = ts.Stdout().Write(stdout.Bytes())
			_, _ = ts.Stderr().Write(stderr.Bytes())
			return
		}
		if wait > 20*time.Second {
			ts.Fatalf("no run is finished after %s: %s", wait, &stderr)
		}
	}
}
