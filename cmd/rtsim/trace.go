package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rtsim/scenarios"
	"rtsim/scenarios/tracepoint"
	"rtsim/scenarios/whole"
	"rtsim/sim"
)

// traceFlags are the flags of trace.
type traceFlags struct {
	runFlags
	format, output string
	metric         metricFlag
	worst          int
	span           spanFlags
}

// newTraceCommand writes a trace for the viewers that people use.
func newTraceCommand() *cobra.Command {
	f := &traceFlags{}
	cmd := &cobra.Command{
		Use:   "trace FILE|SCENARIO",
		Short: "Write a trace for Perfetto, Chrome's viewer or readers of ftrace",
		Long: `Runs a workload file, or a scenario with a --design, and writes what happened as a
trace: by default the worst send of a scenario with what came before it, and all of a workload
file. rtsim help trace says what is in it.`,
		Example: "  rtsim trace orin-queue --design futex-oneshot -o worst.perfetto-trace\n" +
			"  rtsim trace orin-queue --design msg-ring --format ftrace --worst 3 -o - | less\n" +
			"  rtsim trace workload.yaml --format chrome -o workload.json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("trace needs one file or scenario; write rtsim trace SCENARIO " +
					"--design D -o FILE")
			}
			return nil
		},
		ValidArgsFunction: completeScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			return writeTrace(cmd, args[0], f)
		},
	}
	f.add(cmd, scenarios.DefaultDuration.String()+", or to the end of what a workload declares")
	f.addAnswers(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", scenarios.TraceFormats[0],
		"one of "+strings.Join(scenarios.TraceFormats, ", "))
	flags.StringVarP(&f.output, "output", "o", "", "write to this `file`; -: standard output")
	flags.IntVar(&f.worst, "worst", 1, "around so many of the longest messages; 0: all")
	f.metric.add(cmd, "by ")
	f.span.add(cmd, "from this instant on, instead of --worst", "up to this instant")
	completeFlag(cmd, "format", scenarios.TraceFormats)
	return cmd
}

// checkTrace says what is wrong with the flags, all of it.
func (f *traceFlags) checkTrace(cmd *cobra.Command) error {
	wrong := []error{f.checkOne(), f.metric.check(), f.span.check()}
	say := func(bad bool, format string, args ...any) {
		if bad {
			wrong = append(wrong, fmt.Errorf(format, args...))
		}
	}
	say(!slices.Contains(scenarios.TraceFormats, f.format), "--format %q: write one of %s",
		f.format, strings.Join(scenarios.TraceFormats, ", "))
	say(f.output == "", "trace needs a file to write; add -o FILE, or -o - for standard output")
	if f.output != "" && f.output != "-" {
		err := whole.Check(f.output)
		say(err != nil, "-o: %w", err)
	}
	say(f.worst < 0 || f.worst > worstMost, "--worst %d: write 0 to %d", f.worst, worstMost)
	say(cmd.Flags().Changed("worst") && f.span.given(),
		"--worst chooses what is written, and so do --from and --to; leave one out")
	say(f.json, "--json: a trace is no report; --format chrome writes JSON")
	say(f.out != "", "--out %s: a trace is one file; name it with -o", f.out)
	return errors.Join(wrong...)
}

// writeTrace runs, twice if the worst messages are to be found first, and writes.
func writeTrace(cmd *cobra.Command, name string, f *traceFlags) error {
	if err := f.checkTrace(cmd); err != nil {
		return err
	}
	machine, err := readMachine(cmd, name)
	if err != nil {
		return err
	}
	if machine != nil {
		return fmt.Errorf("%s is a trace already; rtsim draw and rtsim explain read it", name)
	}
	worlds, err := f.span.worlds(cmd, name, &f.runFlags, scenarios.DefaultDuration)
	if err != nil {
		return err
	}
	if len(worlds) > 1 {
		return errors.New("a trace is of one design; name one with --design")
	}
	w := &worlds[0]
	windows, worst, err := f.windows(cmd, w)
	if err != nil {
		return runError(name, err)
	}
	write := func(out io.Writer) error {
		trace, err := scenarios.NewTraceWriter(f.format, out, w.Names(), worst)
		if err != nil {
			return err
		}
		return w.Trace(cmd.Context(), f.seed, trace, windows)
	}
	if f.output == "-" {
		err = write(cmd.OutOrStdout())
	} else {
		err = whole.Write(f.output, write)
	}
	if err != nil {
		return runError(name, err)
	}
	f.remarkUnasked(cmd, w.Asked)
	return f.say(cmd, worst)
}

// windows chooses what is written, and gives the messages that it is around.
func (f *traceFlags) windows(cmd *cobra.Command, w *scenarios.World) (
	[]tracepoint.Window, []scenarios.Message, error) {
	all := []tracepoint.Window{{From: f.span.from.t, To: sim.Never}}
	asked := cmd.Flags().Changed("worst")
	switch {
	case f.span.given(), f.worst == 0, w.Sender < 0 && !asked:
		if f.span.to.given {
			all[0].To = f.span.to.t
		}
		return all, nil, nil
	}
	worst, err := w.Worst(cmd.Context(), f.seed, f.worst, f.metric == scenarios.MetricReceive)
	if err != nil {
		return nil, nil, err
	}
	if len(worst) == 0 {
		return nil, nil, errors.New("no message was over before the end; run longer, with " +
			"--duration, or add --worst 0")
	}
	return scenarios.Around(worst), worst, nil
}

// say says what was written, unless the trace itself was printed.
func (f *traceFlags) say(cmd *cobra.Command, worst []scenarios.Message) error {
	if f.quiet || f.output == "-" {
		return nil
	}
	text := "Written to " + f.output + ".\n"
	for _, m := range worst {
		text += fmt.Sprintf("  message %d: %s of %s, begun at %s\n", m.Number, f.metric,
			m.End-m.Begin, m.Begin)
	}
	return printText(cmd.OutOrStdout(), text)
}
