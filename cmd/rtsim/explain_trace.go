package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"rtsim/scenarios"
	"rtsim/scenarios/blame"
)

// stretchFlags say which stretch of a trace is to be explained.
type stretchFlags struct {
	task string
	spanFlags
}

func (f *stretchFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.task, "task", "", "of a trace: whose time, a task's `name`")
	f.spanFlags.add(cmd, "of a trace: from this instant of its clock on",
		"of a trace: up to this instant")
}

// given says whether any of them is.
func (f *stretchFlags) given() bool { return f.task != "" || f.spanFlags.given() }

// check says what is missing.
func (f *stretchFlags) check(name string) error {
	if f.task == "" || !f.from.given || !f.to.given {
		return fmt.Errorf("%s is a trace; say whose time, as in --task NAME --from 55.032714s "+
			"--to 55.034001s", name)
	}
	return f.spanFlags.check()
}

// explainTrace explains a stretch of a task's time in a machine's trace.
func explainTrace(cmd *cobra.Command, name string, t *machineTrace, f *explainFlags) error {
	err := errors.Join(f.checkOne(), notRun(cmd, name), f.stretch.check(name))
	if err != nil {
		return err
	}
	e, err := scenarios.ExplainTrace(name, t.records, t.names, f.stretch.task, f.stretch.from.t,
		f.stretch.to.t)
	if err != nil {
		return err
	}
	w := &e.Worst[0]
	text := fmt.Sprintf("%s, %s from %s: %s\n  %s.\n\n%s", name, e.Task, seconds(w.AtNs),
		blame.Us(w.TotalNs), w.Sentence, blame.Tree(w.Parts))
	if !f.quiet {
		text += "\n" + explanationLegend
	}
	return f.showExplanation(cmd, e, text)
}
