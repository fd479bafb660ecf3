package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"rtsim/scenarios"
)

// newScheduleCommand runs a workload file and prints who ran when.
func newScheduleCommand() *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:   "schedule FILE",
		Short: "Run a workload file and print the schedule it gives",
		Long: `Runs a workload file and prints which task is on which CPU from when to when, and
when each lock is taken. - is standard input. A scenario needs a --design and a --duration.`,
		Example: "  rtsim schedule workload.yaml\n" +
			"  rtsim schedule --json workload.yaml | jq .cpus\n" +
			"  rtsim schedule workload.yaml --set costs=orin-7.4",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("schedule needs one file; write rtsim schedule FILE, " +
					"or - for standard input")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return schedule(cmd, args[0], f) },
	}
	f.add(cmd, "to the end of what the file declares")
	f.addAnswers(cmd)
	return cmd
}

// schedule runs and prints one workload.
func schedule(cmd *cobra.Command, name string, f *runFlags) error {
	if err := f.checkOne(); err != nil {
		return err
	}
	data, err := readScenario(cmd, name)
	if err != nil {
		return err
	}
	worlds, err := scenarios.Worlds(name, data, f.designs, f.options(), 0)
	if err != nil {
		return err
	}
	if len(worlds) > 1 {
		return errors.New("schedule shows one design at a time; rtsim draw shows several, " +
			"rtsim compare counts")
	}
	w := &worlds[0]
	m, err := w.Run(cmd.Context(), f.seed)
	if err != nil {
		return runError(name, err)
	}
	f.remarkUnasked(cmd, w.Asked)
	s := scenarios.ScheduleOf(w.Workload, m)
	written := ""
	if f.out != "" {
		document, err := marshal(s)
		if err != nil {
			return fmt.Errorf("schedule.json: %w", err)
		}
		files := []output{{"schedule.json", document}}
		if err := writeOutputs(f.out, files); err != nil {
			return err
		}
		written = f.writtenText(files)
	}
	if f.json {
		return printDocument(cmd.OutOrStdout(), s)
	}
	return printText(cmd.OutOrStdout(), scheduleText(s, f.quiet)+written)
}

// runError says which file an error of a run is about, or that the run was interrupted.
func runError(name string, err error) error {
	if errors.Is(err, context.Canceled) {
		return exitError{statusInterrupted, fmt.Errorf("interrupted in the run of %s; nothing is "+
			"kept; --duration runs less of it", name)}
	}
	return fmt.Errorf("%s: %w", name, err)
}

// checkOne is check for a command that makes one run.
func (f *runFlags) checkOne() error {
	var several error
	if f.seeds > 1 {
		several = fmt.Errorf("--seeds %d: this is one run; choose its --seed", f.seeds)
	}
	return errors.Join(f.check(), several)
}

// scheduleText shows who is on each CPU, then who takes which lock.
func scheduleText(s *scenarios.Schedule, quiet bool) string {
	text := ""
	for c, slices := range s.CPUs {
		text += fmt.Sprintf("CPU %d\n", c)
		rows := [][]string{}
		for _, slice := range slices {
			rows = append(rows, []string{"  " + slice.Task, slice.Kind, slice.From.String(), "to",
				slice.To.String(), "  " + (slice.To - slice.From).String()})
		}
		if len(rows) == 0 {
			rows = [][]string{{"  idle"}}
		}
		text += aligned(rows)
	}
	if len(s.Acquired) > 0 {
		rows := [][]string{}
		for _, a := range s.Acquired {
			rows = append(rows, []string{"  " + a.Task, a.Lock, a.At.String()})
		}
		text += "Locks taken\n" + aligned(rows)
	}
	if quiet {
		return text
	}
	return text + "\nspin: on the CPU, but waiting for a lock whose owner runs. Digest: " +
		s.Digest + "\n"
}
