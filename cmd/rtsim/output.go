package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/term"
)

// output is a file to write.
type output struct {
	name string
	data []byte
}

// writeOutputs writes files into a directory, which it makes if there is none. Each is written
// whole or not at all, and none is if one cannot be; old ones are replaced.
func writeOutputs(dir string, files []output) (err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	var written []string
	defer func() {
		for _, name := range written {
			err = errors.Join(err, os.Remove(name))
		}
	}()
	for _, f := range files {
		name, err := writeTemporary(dir, f)
		if name != "" {
			written = append(written, name)
		}
		if err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	for _, f := range files {
		if err := os.Rename(written[0], filepath.Join(dir, f.name)); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		written = written[1:]
	}
	return nil
}

// writeTemporary writes a file under a name that no other process writes.
func writeTemporary(dir string, f output) (name string, err error) {
	name = filepath.Join(dir, fmt.Sprintf(".%s.%d", f.name, os.Getpid()))
	t, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return "", err
	}
	_, err = t.Write(f.data)
	return name, errors.Join(err, t.Close())
}

// printDocument prints one JSON document.
func printDocument(out io.Writer, document any) error {
	data, err := marshal(document)
	if err == nil {
		_, err = out.Write(data)
	}
	if err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}

// marshal gives a JSON document as people can read it too.
func marshal(document any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(document)
	return b.Bytes(), err
}

// printText prints a text.
func printText(out io.Writer, text string) error {
	if _, err := io.WriteString(out, text); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}

// isTerminal says whether a person sees what is written.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
