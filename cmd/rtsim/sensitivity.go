package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"rtsim/plots"
	"rtsim/scenarios/campaign"
)

// sensitivityFlags are the flags of sensitivity.
type sensitivityFlags struct {
	runFlags
	metrics []string
	pdf     bool
}

// newSensitivityCommand moves each assumption alone and shows which conclusions survive.
func newSensitivityCommand() *cobra.Command {
	f := &sensitivityFlags{}
	cmd := &cobra.Command{
		Use:   "sensitivity [SCENARIO]",
		Short: "Move each assumption to the ends of its range; which conclusions survive",
		Long: `Runs designs on a scenario, by default every one on ` + defaultScenario + `, with
each assumed parameter and cost at the least and at the greatest value of its range, one at a time,
and says which conclusions survive all of that, and which are overturned by what. These are some
hundred runs a design, so a short --duration is in place; they are kept as those of rtsim sweep.`,
		Example: "  rtsim sensitivity --duration 5s\n" +
			"  rtsim sensitivity storm --design futex-oneshot,doorbell --duration 2s --seeds 3",
		ValidArgsFunction: completeScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			scenario, err := oneScenario(cmd, args)
			if err != nil {
				return err
			}
			return sensitivity(cmd, scenario, f)
		},
	}
	f.add(cmd, "60s")
	cmd.Flags().StringSliceVar(&f.metrics, "metric", []string{"send.over.100us", "send.max"},
		"what the tables and figures show, `a,b`: "+campaign.MetricForm)
	cmd.Flags().BoolVar(&f.pdf, "pdf", false, "write the figures as PDF too")
	return cmd
}

// sensitivity plans, executes, and shows.
func sensitivity(cmd *cobra.Command, scenario string, f *sensitivityFlags) error {
	dir := f.outDir()
	b, err := f.base(cmd, scenario, dir)
	if err != nil {
		return err
	}
	p, err := campaign.NewSensitivity(b, f.metrics)
	if err != nil {
		return err
	}
	stop := f.progress(cmd, p)
	s, err := p.Execute(cmd.Context())
	stop()
	if err != nil {
		var own []string
		for _, m := range f.metrics {
			own = append(own, "--metric", m)
		}
		return f.campaignError(&p.Work, dir, f.commandLine(cmd, scenario, own...), err)
	}
	return f.show(cmd, s, dir)
}

// show prints an analysis and writes its files.
func (f *sensitivityFlags) show(cmd *cobra.Command, s *campaign.Sensitivity, dir string) error {
	written := ""
	if dir != "" {
		document, err := marshal(s)
		if err != nil {
			return fmt.Errorf("results.json: %w", err)
		}
		drawings, err := plots.Tornados(s)
		if err != nil {
			return err
		}
		figures, err := rendered(cmd.Context(), drawings, f.pdf)
		if errors.Is(err, context.Canceled) {
			return exitError{statusInterrupted, errNoFigures}
		}
		if err != nil {
			return err
		}
		files := append([]output{{"results.json", document}, {"table.md", []byte(s.Markdown())}},
			figures...)
		if err := writeResults(dir, files); err != nil {
			return err
		}
		written = writtenText(dir, files)
	}
	if f.json {
		return printDocument(cmd.OutOrStdout(), s)
	}
	text := s.Text()
	if !f.quiet {
		text += "\nA conclusion is overturned by a setting at which the opposite holds in every " +
			"seed; that there is\nnone, by one in any seed. Tables show what moves each design " +
			"furthest, means over the seeds.\n" + written
	}
	return printText(cmd.OutOrStdout(), text)
}
