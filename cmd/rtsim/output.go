package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/term"

	"rtsim/scenarios/whole"
)

// output is a file to write.
type output struct {
	name string
	data []byte
}

// writeOutputs writes files into a directory, which it makes if there is none. Each is written
// whole or not at all, and none is if one cannot be; old ones are replaced.
func writeOutputs(dir string, files []output) error {
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		var all []whole.File
		for _, f := range files {
			all = append(all, whole.File{Name: filepath.Join(dir, f.name), Data: f.data})
		}
		err = whole.WriteAll(all)
	}
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
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
