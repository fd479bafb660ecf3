package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"rtsim/model/trace"
	"rtsim/scenarios"
	"rtsim/scenarios/ftrace"
)

// machineTrace is a trace that was read: of a machine, or one that rtsim wrote.
type machineTrace struct {
	records []trace.Record
	names   *trace.Names
}

// headMost is how much of a file tells whether it is a trace.
const headMost = 4096

// readMachine reads a file, or standard input if it is named -, if it is a trace; else it gives
// nil, and what was read of standard input is still there.
func readMachine(cmd *cobra.Command, name string) (*machineTrace, error) {
	if _, builtin := scenarios.Builtin(name); builtin || name == "" {
		return nil, nil
	}
	in := cmd.InOrStdin()
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, nil // whoever reads a scenario of that name says what is wrong
		}
		defer f.Close()
		in = f
	}
	buffered := bufio.NewReaderSize(in, headMost)
	if name == "-" {
		cmd.SetIn(buffered)
	}
	head, _ := buffered.Peek(headMost)
	if !ftrace.Is(head) {
		return nil, nil
	}
	records, names, err := ftrace.Read(name, buffered)
	if err != nil {
		return nil, err
	}
	return &machineTrace{records, names}, nil
}

// notRun refuses flags that say how to run something: a trace was run already.
func notRun(cmd *cobra.Command, name string) error {
	var wrong []error
	for _, flag := range []string{"design", "set", "duration", "seed", "seeds", "threshold",
		"calibration", "answer", "metric", "worst"} {
		if f := cmd.Flags().Lookup(flag); f != nil && f.Changed {
			wrong = append(wrong, fmt.Errorf("%s is a trace and is not run; leave --%s out", name,
				flag))
		}
	}
	return errors.Join(wrong...)
}

// drawMachine draws a trace.
func drawMachine(cmd *cobra.Command, name string, t *machineTrace, f *drawFlags) error {
	if err := notRun(cmd, name); err != nil {
		return err
	}
	first, last := t.records[0].At, t.records[len(t.records)-1].At
	if f.span.from.given && f.span.from.t > last || f.span.to.given && f.span.to.t <= first {
		return fmt.Errorf("%s: the trace goes from %s to %s; draw a part of that", name, first,
			last)
	}
	p := scenarios.Picture{From: f.span.from.t, To: f.span.to.t, Column: f.column.t}
	if !f.span.from.given {
		p.From = first
	}
	p = p.Chosen(t.records, columnsChosen)
	if err := tooWide(p); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	text := scenarios.DrawTrace(t.records, t.names, p)
	return f.show(cmd, []drawing{{"", p.From, p.To, p.Column,
		strings.Split(strings.TrimSuffix(text, "\n"), "\n")}}, nil)
}
