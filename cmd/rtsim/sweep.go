package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"rtsim/plots"
	"rtsim/scenarios/campaign"
)

// sweepFlags are the flags of sweep.
type sweepFlags struct {
	campaignFlags
	vary []string
}

// sweepMetrics are shown unless others are asked for.
var sweepMetrics = []string{"send.max", "send.over.100us", "receive.over.100us"}

// newSweepCommand moves one or two settings over a range and shows what that changes.
func newSweepCommand() *cobra.Command {
	f := &sweepFlags{}
	cmd := &cobra.Command{
		Use:   "sweep [SCENARIO]",
		Short: "Move one or two settings over a range; where designs overtake each other",
		Long: `Runs designs on a scenario, by default every one on ` + defaultScenario + `, with
one parameter or cost at each value of a range, or two on a grid, and prints each metric at each
point and where one design overtakes another. rtsim help sweep says how to read it.

Finished runs are kept in --out (default ` + defaultOut + `/): start it again after an interruption
and it goes on where it was.`,
		Example: "  rtsim sweep --vary burst_duty=0.1..0.9:9 --duration 10s --seeds 3\n" +
			"  rtsim sweep fan-out --vary subscribers=1..64:7,log --metric send.max\n" +
			"  rtsim sweep --vary burst_duty=0.1..0.9:5 --vary low_pubs=1..5 --duration 5s",
		ValidArgsFunction: completeScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			scenario, err := oneScenario(cmd, args)
			if err != nil {
				return err
			}
			return sweep(cmd, scenario, f)
		},
	}
	f.add(cmd, "60s")
	flags := cmd.Flags()
	flags.StringArrayVar(&f.vary, "vary", nil, "a `range`, "+campaign.AxisForm+"; once or twice")
	f.addShown(cmd, sweepMetrics, "what is shown")
	if err := cmd.RegisterFlagCompletionFunc("vary", func(*cobra.Command, []string, string) (
		[]string, cobra.ShellCompDirective) {
		return settingNames(), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}); err != nil {
		panic(err) // the flag was declared above
	}
	return cmd
}

// sweep plans, executes, and shows.
func sweep(cmd *cobra.Command, scenario string, f *sweepFlags) error {
	dir := f.outDir()
	b, err := f.base(cmd, scenario, dir)
	if err != nil {
		return err
	}
	p, err := campaign.NewSweep(b, f.vary, f.metrics)
	if err != nil {
		return err
	}
	stop := f.progress(cmd, p)
	s, err := p.Execute(cmd.Context())
	stop()
	if err != nil {
		var own []string
		for _, v := range f.vary {
			own = append(own, "--vary", v)
		}
		return f.campaignError(&p.Work, dir, f.commandLine(cmd, scenario, own...), err)
	}
	return f.show(cmd, dir, &finding{document: s, text: s.Text(), reading: sweepReading(s),
		tables:  func() ([]output, error) { return sweepTables(s) },
		figures: func() ([]plots.Named, error) { return plots.Sweep(s) }})
}

// sweepReading says how to read the tables.
func sweepReading(s *campaign.Sweep) string {
	text := "Figures are means over the seeds; results.csv has each seed. Designs change places " +
		"where all\nseeds agree, between two values that were run; about is interpolated.\n"
	if len(s.Seeds) == 1 {
		text += "With one seed a change may be chance; --seeds 3 shows which stay.\n"
	}
	return text
}

// sweepTables are the files with a sweep's numbers besides results.json.
func sweepTables(s *campaign.Sweep) ([]output, error) {
	lines, err := s.CSV()
	if err != nil {
		return nil, fmt.Errorf("results.csv: %w", err)
	}
	return []output{{"results.csv", []byte(lines)}, {"table.md", []byte(s.Markdown())}}, nil
}
