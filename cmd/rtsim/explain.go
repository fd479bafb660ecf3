package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rtsim/scenarios"
	"rtsim/scenarios/blame"
	"rtsim/sim"
)

// explainFlags are the flags of explain.
type explainFlags struct {
	runFlags
	calibration string
	metric      metricFlag
	worst       int
	stretch     stretchFlags
}

// worstMost bounds what is kept and printed.
const worstMost = 1000

// newExplainCommand says why the worst messages of a design were late.
func newExplainCommand() *cobra.Command {
	f := &explainFlags{}
	cmd := &cobra.Command{
		Use:   "explain SCENARIO --design D | FILE.ftrace --task NAME --from T --to T",
		Short: "Say why the worst messages of a design were late, every nanosecond by cause",
		Long: `Runs a design on a scenario and says of its worst messages why they were late: in a
sentence, and in a tree in which the parts below a line add up to it. Then, of all messages above
a threshold, how much of their time each cause and each lock is to blame for, and which kinds of
chain there were. The run is the one that compare measures: the digests are the same.

Of a machine's trace, as ftrace prints it, a stretch of one task's time is explained.

A send is explained from the begin of the call to its return, a receive from the begin of the call
to where the receiver's loop handles the message: the sender's time up to the wake-up, then the
receiver's. ` + causesHelp,
		Example: "  rtsim explain orin-queue --design futex-oneshot\n" +
			"  rtsim explain orin-queue --design msg-ring --metric receive --worst 3\n" +
			"  rtsim explain orin-queue --design futex-oneshot --json | jq .worst[0].sentence",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("explain needs one scenario; write " +
					"rtsim explain " + defaultScenario + " --design futex-oneshot")
			}
			return nil
		},
		ValidArgsFunction: completeScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := readMachine(cmd, args[0])
			switch {
			case err != nil:
				return err
			case t != nil:
				return explainTrace(cmd, args[0], t, f)
			}
			return explain(cmd, args[0], f)
		},
	}
	f.add(cmd, scenarios.DefaultDuration.String())
	f.addAnswers(cmd)
	addCalibration(cmd, &f.calibration)
	f.stretch.add(cmd)
	flags := cmd.Flags()
	f.metric.add(cmd, "")
	flags.IntVar(&f.worst, "worst", 1, "how many messages to explain, the worst first")
	return cmd
}

const causesHelp = `The causes:

  runs       a step of a path, or of the task's own program
  blocked    asleep for a lock; below it what its holder did meanwhile
  spins      on a CPU, for a lock or for a work item that is not linked yet
  handover   the lock is free, and who was woken for it is on the way to take it
  claimed    asleep, and somebody else has taken the wake-up on himself; below it what he did
  preempted  ready, and somebody else is on the CPU
  ipi        ready, and the interrupt that will make room is on its way
  irq        a hard interrupt has the CPU
  idle-exit  the CPU leaves idle`

// explain runs and shows.
func explain(cmd *cobra.Command, scenario string, f *explainFlags) error {
	q, err := f.question(cmd, scenario)
	if err != nil {
		return err
	}
	stop := f.progress(cmd, q)
	e, err := q.Explain(cmd.Context())
	stop()
	if err != nil {
		return runError(scenario, err)
	}
	e.Version = version()
	err = f.showExplanation(cmd, e, explanationText(e, f.quiet))
	f.remarkUnasked(cmd, e.Asked)
	return err
}

// showExplanation writes the files and prints the document or the text.
func (f *explainFlags) showExplanation(cmd *cobra.Command, e any, text string) error {
	written := ""
	if f.out != "" {
		document, err := marshal(e)
		if err != nil {
			return fmt.Errorf("explain.json: %w", err)
		}
		files := []output{{"explain.json", document}, {"explain.txt", []byte(text)}}
		if err := writeOutputs(f.out, files); err != nil {
			return err
		}
		written = f.writtenText(files)
	}
	if f.json {
		return printDocument(cmd.OutOrStdout(), e)
	}
	return printText(cmd.OutOrStdout(), text+written)
}

// question checks the flags and reads the scenario.
func (f *explainFlags) question(cmd *cobra.Command, scenario string) (
	*scenarios.Question, error) {
	wrong := []error{f.checkOne(), f.calibrate(f.calibration), f.metric.check()}
	if f.worst < 1 || f.worst > worstMost {
		wrong = append(wrong, fmt.Errorf("--worst %d: write 1 to %d", f.worst, worstMost))
	}
	if f.stretch.given() {
		wrong = append(wrong, errors.New("--task, --from and --to are for a trace; a scenario's "+
			"messages are found by --metric and --worst"))
	}
	asked, chosen, unknown := scenarios.FindDesigns(f.designs)
	switch {
	case unknown != nil:
		wrong = append(wrong, unknown)
	case len(f.designs) == 0:
		wrong = append(wrong, errors.New("a message is a design's; add --design, as in "+
			"--design futex-oneshot"))
	case len(chosen) > 1:
		wrong = append(wrong, fmt.Errorf("one design at a time; leave %s out", fewOf(asked[1:])))
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	data, err := readScenario(cmd, scenario)
	if err != nil {
		return nil, err
	}
	c, err := scenarios.Load(scenario, data, f.options())
	if err == nil {
		err = c.Measurable()
	}
	if err != nil {
		return nil, err
	}
	if err := c.Exist(asked, chosen, f.designs); err != nil {
		return nil, err
	}
	return &scenarios.Question{Case: c, Design: chosen[0], Asked: asked[0], Seed: f.seed,
		Metric: string(f.metric), Worst: f.worst}, nil
}

// fewOf lists names, but not more than a person reads.
func fewOf(names []string) string {
	const few = 3
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d others", strings.Join(names[:few], ", "), len(names)-few)
}

// explanationText is what a person reads.
func explanationText(e *scenarios.Explanation, quiet bool) string {
	if len(e.Worst) == 0 {
		return fmt.Sprintf("%s: no message that is measured was sent and ended within %s.\n",
			e.Design, e.DurationNs)
	}
	text := ""
	for i := range e.Worst {
		w := &e.Worst[i]
		text += fmt.Sprintf("%s, %s of message %d at %s: %s\n  %s.\n\n%s\n", e.Design, e.Metric,
			w.Message, seconds(w.AtNs), blame.Us(w.TotalNs), w.Sentence, blame.Tree(w.Parts))
	}
	for i, t := range e.Over {
		if i > 0 {
			text += "\n"
		}
		text += tallyText(t, e)
	}
	if !quiet {
		text += "\n" + explanationLegend
	}
	return text
}

const explanationLegend = "Times below a line add up to it, per cent are of all. A priority in " +
	"brackets is the\neffective rt_priority, fair the fair class.\n"

// kindsShown is how many kinds of chain are printed; --json has all.
const kindsShown = 8

// tallyText says what the messages above a threshold have in common.
func tallyText(t *blame.Tally, e *scenarios.Explanation) string {
	if t.Messages == 0 {
		return fmt.Sprintf("None of %d messages is over %s.\n", e.Messages, t.ThresholdNs)
	}
	text := fmt.Sprintf("%d of %d messages are over %s. Of their time, %s together:\n\n",
		t.Messages, e.Messages, t.ThresholdNs, blame.Us(t.TotalNs))
	own, bottom := make([]sim.Time, len(t.Causes)), make([]sim.Time, len(t.Causes))
	for i, c := range t.Causes {
		own[i], bottom[i] = c.Ns, c.BottomNs
	}
	ownShares, bottomShares := blame.Apportion(own, 1000), blame.Apportion(bottom, 1000)
	rows := [][]string{{"  cause", "of the message", "at the bottom of its chain"}}
	for i, c := range t.Causes {
		if c.Ns+c.BottomNs > 0 {
			rows = append(rows, []string{"  " + c.Cause, percent(ownShares[i]),
				percent(bottomShares[i])})
		}
	}
	text += aligned(rows) + "\n"
	if len(t.Locks) > 0 {
		rows = [][]string{{"  lock", "waited for"}}
		for _, l := range t.Locks {
			shares := blame.Apportion([]sim.Time{l.Ns, t.TotalNs - l.Ns}, 1000)
			rows = append(rows, []string{"  " + l.Lock, percent(shares[0])})
		}
		text += aligned(rows) + "\n"
	}
	text += fmt.Sprintf("  %d kinds of chain, by what was longest at each level:\n", len(t.Kinds))
	for i, k := range t.Kinds {
		if i == kindsShown {
			text += fmt.Sprintf("  and %d more\n", len(t.Kinds)-i)
			break
		}
		text += fmt.Sprintf("  %6d x  %s, at most %s\n", k.Messages, k.Kind, blame.Us(k.MaxNs))
	}
	return text
}

// percent prints thousandths.
func percent(n int64) string { return fmt.Sprintf("%d.%d %%", n/10, n%10) }

// seconds prints an instant exactly.
func seconds(t sim.Time) string { return fmt.Sprintf("%d.%09d s", t/sim.Second, t%sim.Second) }
