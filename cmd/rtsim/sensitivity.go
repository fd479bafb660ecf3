package main

import (
	"github.com/spf13/cobra"

	"rtsim/plots"
	"rtsim/scenarios/campaign"
)

// sensitivityFlags are the flags of sensitivity.
type sensitivityFlags struct{ campaignFlags }

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
	f.addShown(cmd, []string{"send.over.100us", "send.max"}, "what the tables and figures show")
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
		return f.campaignError(&p.Work, dir, f.commandLine(cmd, scenario), err)
	}
	return f.show(cmd, dir, &finding{document: s, text: s.Text(), reading: sensitivityReading,
		tables: func() ([]output, error) {
			return []output{{"table.md", []byte(s.Markdown())}}, nil
		},
		figures: func() ([]plots.Named, error) { return plots.Tornados(s) }})
}

// sensitivityReading says how to read the tables.
const sensitivityReading = "A conclusion is overturned by a setting at which the opposite holds " +
	"in every seed; that there is\nnone, by one in any seed. Tables show what moves each design " +
	"furthest, means over the seeds.\n"
