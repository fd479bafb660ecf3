package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rtsim/scenarios"
	"rtsim/sim"
)

// What draw, trace and explain share: the part of a run that is looked at, and by which of its
// times a message is long.

// spanFlags are the part of a run that is looked at.
type spanFlags struct{ from, to timeFlag }

// add declares the flags, with what they say.
func (f *spanFlags) add(cmd *cobra.Command, from, to string) {
	cmd.Flags().Var(&f.from, "from", from)
	cmd.Flags().Var(&f.to, "to", to)
}

// given says whether any of them is.
func (f *spanFlags) given() bool { return f.from.given || f.to.given }

// check says what is wrong with them.
func (f *spanFlags) check() error {
	if f.to.given && f.to.t <= f.from.t {
		return fmt.Errorf("--from %s --to %s: nothing lies between; write a later --to", f.from.t,
			f.to.t)
	}
	return nil
}

// worlds reads a workload file, or a scenario with the designs asked for. None runs on after the
// part, and a scenario not longer than fallback unless --duration or --to says so.
func (f *spanFlags) worlds(cmd *cobra.Command, name string, run *runFlags, fallback sim.Time) (
	[]scenarios.World, error) {
	data, err := readScenario(cmd, name)
	if err != nil {
		return nil, err
	}
	o := run.options()
	if f.to.given && (o.Duration == 0 || f.to.t < o.Duration) {
		o.Duration = f.to.t
	}
	return scenarios.Worlds(name, data, run.designs, o, fallback)
}

// metricFlag is which of its times makes a message long.
type metricFlag string

var metrics = []string{scenarios.MetricSend, scenarios.MetricReceive}

// add declares the flag; before says of what it is.
func (f *metricFlag) add(cmd *cobra.Command, before string) {
	cmd.Flags().StringVar((*string)(f), "metric", scenarios.MetricSend,
		before+"which `time`: send or receive")
	completeFlag(cmd, "metric", metrics)
}

// check says what is wrong with it.
func (f metricFlag) check() error {
	if !slices.Contains(metrics, string(f)) {
		return fmt.Errorf("--metric %s: write %s", f, strings.Join(metrics, " or "))
	}
	return nil
}

// completeFlag tells the shell which words a flag takes.
func completeFlag(cmd *cobra.Command, flag string, words []string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words,
		cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag was declared before
	}
}
