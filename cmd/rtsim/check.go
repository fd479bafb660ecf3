package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"rtsim/scenarios"
	"rtsim/scenarios/claim"
	"rtsim/scenarios/explore"
	"rtsim/scenarios/judge"
)

// checkFlags are the flags of check.
type checkFlags struct {
	runFlags
	calibration string
	verbose     bool
	search      int
}

// newCheckCommand judges the claims that a scenario file states.
func newCheckCommand() *cobra.Command {
	f := &checkFlags{}
	cmd := &cobra.Command{
		Use:   "check [FILE|SCENARIO]",
		Short: "Judge the claims that a scenario states: proved, refuted, estimated, or open",
		Long: `Judges the claims that a scenario file states (rtsim help scenario), by default those
of ` + defaultScenario + `, and says of each on what evidence:

  PROVED     an analytic bound is within the limit, and its certificate was checked
  REFUTED    a run violates the claim: a command repeats it, and a small file shows the same
  ESTIMATED  a probability is within its limit, with the confidence that is asked for
  EXHAUSTED  no violation with up to so many actions of an adversary
  OPEN       none of these: the worst run that was found, and the bound if there is one

First every design runs for --duration with each of the seeds, or until each of its claims is
refuted; then come bounds, searches and estimates for what is left. Their effort is counted in
runs, so that a verdict does not depend on the machine or on --jobs.

The exit status is 2 if a claim is refuted, else 3 if one is open or only exhausted, else 0.
--out writes each refuted claim's small file, the bounds' certificates, and check.json.`,
		Example: "  rtsim check\n" +
			"  rtsim check orin-queue --design doorbell --verbose\n" +
			"  rtsim check my.yaml --seeds 20 --json | jq .claims",
		ValidArgsFunction: completeScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			scenario, err := oneScenario(cmd, args)
			if err != nil {
				return err
			}
			return check(cmd, scenario, f)
		},
	}
	f.add(cmd, scenarios.DefaultDuration.String())
	addCalibration(cmd, &f.calibration)
	cmd.Flags().IntVar(&f.search, "search", explore.DefaultEvaluations,
		"how many `runs` an adversary looks at for a claim that is open; 0: none. An estimate of\n"+
			"rare events is as much shorter, if this is less")
	cmd.Flags().BoolVarP(&f.verbose, "verbose", "v", false,
		"draw each witness, and say what a verdict assumes")
	return cmd
}

// check reads the claims, judges them, and shows the verdicts.
func check(cmd *cobra.Command, scenario string, f *checkFlags) error {
	q, skipped, err := f.inquiry(cmd, scenario)
	if err != nil {
		return err
	}
	stop := f.progress(cmd, q)
	judged, err := q.Execute(cmd.Context())
	stop()
	var crash *scenarios.Crash
	switch {
	case errors.As(err, &crash):
		return brokenError{crashText(crash, append([]string{"check", scenario}, f.repeat()...))}
	case cmd.Context().Err() != nil:
		return f.interrupted(cmd, q)
	case err != nil:
		return err
	}
	r := q.Report(version(), judged, skipped)
	written, err := f.write(r)
	if err != nil {
		return err
	}
	if f.json {
		err = printDocument(cmd.OutOrStdout(), r)
	} else {
		err = printText(cmd.OutOrStdout(), checkText(r, f.verbose, f.quiet)+written)
	}
	if err == nil {
		err = statusOfClaims(judged)
	}
	return err
}

// inquiry checks the flags, reads the scenario, and finds its claims.
func (f *checkFlags) inquiry(cmd *cobra.Command, scenario string) (
	*judge.Inquiry, []judge.Skipped, error) {
	_, _, unknown := scenarios.FindDesigns(f.designs)
	var negative error
	if f.search < 0 {
		negative = fmt.Errorf("--search %d: write 0 for none, or at least 1", f.search)
	}
	err := errors.Join(f.check(), f.calibrate(f.calibration), negative, unknown)
	if err != nil {
		return nil, nil, err
	}
	data, err := readScenario(cmd, scenario)
	if err != nil {
		return nil, nil, err
	}
	c, err := scenarios.Load(scenario, data, f.options())
	if err != nil {
		return nil, nil, err
	}
	q, skipped, err := judge.New(c, f.designs)
	if err != nil {
		return nil, nil, err
	}
	q.Jobs, q.Searches = f.parallel(), f.search
	if f.search == 0 {
		q.Searches = -1
	}
	if f.search != explore.DefaultEvaluations {
		q.Flags = append(q.Flags, "--search", fmt.Sprint(f.search))
	}
	for i := range f.seeds {
		q.Seeds = append(q.Seeds, f.seed+uint64(i))
	}
	for _, s := range c.Options().Set {
		q.Settings = append(q.Settings, "--set", s.Name+"="+s.Value)
	}
	return q, skipped, nil
}

// statusOfClaims is the exit status: a claim that failed comes before one that is open.
func statusOfClaims(judged []*claim.Judgement) error {
	is := func(verdicts ...claim.Verdict) bool {
		return slices.ContainsFunc(judged, func(j *claim.Judgement) bool {
			return slices.Contains(verdicts, j.Verdict)
		})
	}
	switch {
	case is(claim.Refuted):
		return exitError{status: statusFailed}
	case is(claim.Open, claim.Exhausted):
		return exitError{status: statusOpen}
	}
	return nil
}

// interrupted says how far it came. What was judged is printed, unless that is to be JSON.
func (f *checkFlags) interrupted(cmd *cobra.Command, q *judge.Inquiry) error {
	done, all := q.Pieces()
	text := ""
	if judged := q.Judged(); len(judged) > 0 && !f.json {
		text = checkText(q.Report(version(), judged, q.Unjudged("interrupted")), f.verbose, true)
	}
	err := fmt.Errorf("interrupted: %d of %d runs were finished, and %d of %d claims judged; "+
		"nothing is kept; fewer --design take less", done, all, len(q.Judged()),
		len(q.Items))
	if printed := printText(cmd.OutOrStdout(), text); printed != nil {
		err = errors.Join(err, printed)
	}
	return exitError{statusInterrupted, err}
}
