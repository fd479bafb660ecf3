package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rtsim/plots"
	"rtsim/scenarios"
	"rtsim/sim"
)

// reportName is the file of the report.
const reportName = "report.html"

// report is the file of a comparison for people, with its figures. It is the only one that needs
// runs again: one of each design's, up to its longest send.
func (f *compareFlags) report(cmd *cobra.Command, p *scenarios.Plan, c *scenarios.Comparison,
	figures []plots.Named) (output, error) {
	r := plots.Report{Comparison: c, Case: p.Case, Designs: p.Designs, Figures: figures,
		Remarks: []string{readingText(c), calibrationText(c)}, Repeat: f.reportCommand(c)}
	q := p.Questions(c.Results, columnsChosen)
	stop := f.progress(cmd, q)
	answers, err := q.Explain(cmd.Context())
	stop()
	var crash *scenarios.Crash
	switch {
	case errors.Is(err, context.Canceled):
		return output{}, err
	case errors.As(err, &crash):
		again := f.repeatFor(c.DurationNs)
		args := append([]string{"explain", c.Scenario}, again...)
		return output{}, brokenError{crashText(crash, args)}
	case err != nil:
		r.Remarks = append(r.Remarks, "No send is explained: "+err.Error()+".")
		answers = nil
	}
	for _, e := range answers {
		e.Version = c.Version
		r.Answers = append(r.Answers, plots.Answer{Explanation: e, Repeat: f.explainCommand(e)})
	}
	data, err := r.HTML()
	return output{reportName, data}, err
}

// reportCommand is the command line that makes a comparison again.
func (f *compareFlags) reportCommand(c *scenarios.Comparison) string {
	args := []string{"compare", c.Scenario}
	if len(f.designs) > 0 {
		args = append(args, "--design", strings.Join(f.designs, ","))
	}
	args = append(args, "--seed", fmt.Sprint(f.seed), "--seeds", fmt.Sprint(f.seeds))
	return shellLine(append(args, f.repeatFor(c.DurationNs)...))
}

// explainCommand is the command line that explains a design again.
func (f *compareFlags) explainCommand(e *scenarios.Explanation) string {
	args := []string{"explain", e.Scenario, "--design", e.Design, "--seed", fmt.Sprint(e.Seed)}
	return shellLine(append(args, f.repeatFor(e.DurationNs)...))
}

// repeatFor is repeat with a duration of its own.
func (f *compareFlags) repeatFor(duration sim.Time) []string {
	own := f.runFlags
	own.duration = timeFlag{duration, true}
	return own.repeat()
}
