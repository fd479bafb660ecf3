package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// fileErrors are the errors of several files, each a file's problems or why it cannot be read.
type fileErrors []error

// Error gives the errors in the order of the files.
func (es fileErrors) Error() string {
	texts := make([]string, len(es))
	for i, e := range es {
		texts[i] = e.Error()
	}
	return strings.Join(texts, "\n")
}

// Unwrap gives the errors.
func (es fileErrors) Unwrap() []error { return es }

// mostRead bounds what is read of a file: one byte more than any file that a reader accepts.
const mostRead = 8<<20 + 1

// readInput gives the bytes of a file, or of standard input if it is named -.
func readInput(cmd *cobra.Command, name string) ([]byte, error) {
	if name == "" {
		return nil, errors.New(`"": no file has an empty name; name a workload file, or - for ` +
			"standard input")
	}
	in := cmd.InOrStdin()
	if name != "-" {
		opened, err := os.Open(name)
		if err != nil {
			return nil, unreadable(name, err)
		}
		defer opened.Close()
		in = opened
	}
	data, err := io.ReadAll(io.LimitReader(in, mostRead))
	if err != nil {
		return nil, unreadable(name, err)
	}
	return data, nil
}

// unreadable says why a file cannot be read, without saying its name twice.
func unreadable(name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s: cannot be read: %w; name a workload file, or - for standard input",
		name, err)
}
