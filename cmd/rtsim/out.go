package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"rtsim/designs"
	"rtsim/scenarios/whole"
)

// checkOut says why files could not be written into a directory, before anything is run for them.
// It leaves nothing behind.
func checkOut(dir string) error {
	at := filepath.Clean(dir)
	info, err := os.Stat(at)
	for errors.Is(err, fs.ErrNotExist) && filepath.Dir(at) != at { // it would be made
		at = filepath.Dir(at)
		info, err = os.Stat(at)
	}
	switch {
	case err != nil:
		return fmt.Errorf("--out %s: %w; name another directory", dir, withoutName(err))
	case !info.IsDir():
		return fmt.Errorf("--out %s: %s is a file; name a directory", dir, at)
	}
	probe, err := os.CreateTemp(at, ".rtsim-*")
	if err != nil {
		return fmt.Errorf("--out %s: nothing can be written into %s: %w; name another directory",
			dir, at, withoutName(err))
	}
	err = errors.Join(probe.Close(), os.Remove(probe.Name()))
	if at != filepath.Clean(dir) || err != nil {
		return err
	}
	return inTheWay(dir)
}

// inTheWay reports what has the name of a file that is to be written, and cannot be replaced or
// written into: a directory, a socket.
func inTheWay(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("--out %s: %w", dir, withoutName(err))
	}
	for _, e := range entries {
		if !isTable.MatchString(e.Name()) && !isFigure(e.Name()) {
			continue
		}
		if e.IsDir() {
			return fmt.Errorf("--out %s: %s is a directory there; move it, or name another "+
				"directory", dir, e.Name())
		}
		if err := whole.Check(filepath.Join(dir, e.Name())); err != nil {
			return fmt.Errorf("--out %s: %w", dir, err)
		}
	}
	return nil
}

// withoutName is an error of a file without the operation and the file's name.
func withoutName(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// isTable is what files but figures are called.
var isTable = regexp.MustCompile(
	`^(results\.(json|csv)|table\.md|report\.html|schedule\.json|draw\.txt)$`)

// isQuantity is what the figures of all designs are called.
var isQuantity = regexp.MustCompile(`^(send|receive|irq-start)(-[0-9]+)?$`)

// isOfCampaign is what the figures of sweep and sensitivity are called: metric, then a design.
var isOfCampaign = regexp.MustCompile(`^(tornado-)?((send|receive|response|irq-start|` +
	`low-preempt-off)-(max|count|over-[0-9a-zµ-]+|p[0-9-]+)|messages|lost|refused|corrupted)` +
	`(-[a-z0-9+-]+)?$`)

// isFigure says whether a file has the name of a figure that rtsim writes.
func isFigure(name string) bool {
	format := filepath.Ext(name)
	stem := strings.TrimSuffix(name, format)
	if !slices.Contains([]string{".svg", ".png", ".pdf"}, format) {
		return false
	}
	design, ok := strings.CutPrefix(stem, "hist-")
	known := isQuantity.MatchString(stem) || isOfCampaign.MatchString(stem)
	return known || ok && slices.ContainsFunc(designs.Names(),
		func(d string) bool { return strings.ReplaceAll(d, "/", "-") == design })
}

// writeResults writes the files of a comparison or a sweep, and removes the figures and the report
// of an earlier comparison that would stay beside them as if they were of this one. It does so only
// in a directory in which rtsim has written results before, and only to files with the names of its
// own figures, or of the report, never to a device or a FIFO.
func writeResults(dir string, files []output) error {
	isOurs := isResults(filepath.Join(dir, "results.json"))
	if err := writeOutputs(dir, files); err != nil || !isOurs {
		return err
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		written := slices.ContainsFunc(files, func(f output) bool { return f.name == e.Name() })
		isFile := e.Type().IsRegular() || e.Type()&fs.ModeSymlink != 0
		if (isFigure(e.Name()) || e.Name() == reportName) && isFile && !written {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

// isResults says whether a file has results of rtsim. It reads no device and no FIFO.
func isResults(name string) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	old, err := os.ReadFile(name)
	return err == nil && bytes.Contains(old[:min(len(old), 100)], []byte(`"schema": "rtsim.`))
}
