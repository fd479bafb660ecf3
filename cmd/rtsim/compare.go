package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"rtsim/plots"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
)

// compareFlags are the flags of compare.
type compareFlags struct {
	runFlags
	pdf          bool
	calibration  string
	calibrations bool
	export       []string
}

// newCompareCommand runs designs on a scenario and shows how late their messages are.
func newCompareCommand() *cobra.Command {
	f := &compareFlags{}
	cmd := &cobra.Command{
		Use:   "compare [SCENARIO]",
		Short: "Run designs on the same arrivals and compare how late they are",
		Long: `Runs designs on a scenario, by default every one on ` + defaultScenario + `, prints
a table, and writes it with all results, figures and a report into --out
(default ` + defaultOut + `/).
Figures that an earlier comparison left there, of designs that are not run now, are removed.
The report is report.html, one file that loads nothing. It explains each design's longest send, up
to which its run is repeated for it; without --out, --json repeats nothing.

--calibration sets what was fitted to the published measurement at one duty of the bursts, which
is not published; your own --set is of other names. The defaults of ` + defaultScenario + `
are those of duty-0.35. --calibrations compares with each of them and prints the range of every
figure; it writes no figures and no report, which --calibration NAME does. The column row says
which rows were fitted to published ones, and which are
predictions.`,
		Example: "  rtsim compare\n" +
			"  rtsim compare --design futex-oneshot,doorbell --seeds 10\n" +
			"  rtsim compare --set rt_priority=60 --json | jq .summary\n" +
			"  rtsim compare --calibrations --duration 10m --seeds 3",
		ValidArgsFunction: completeScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			scenario, err := oneScenario(cmd, args)
			if err != nil {
				return err
			}
			if f.calibrations {
				if err := f.checkExport(); err != nil {
					return err
				}
				return compareCalibrations(cmd, scenario, f)
			}
			return compare(cmd, scenario, f)
		},
	}
	f.add(cmd, scenarios.DefaultDuration.String())
	f.addAnswers(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.pdf, "pdf", false, "write the figures as PDF too")
	flags.StringSliceVar(&f.export, "export", nil, "write distributions for other tools too: "+
		strings.Join(scenarios.ExportFormats, ", "))
	addCalibration(cmd, &f.calibration)
	flags.BoolVar(&f.calibrations, "calibrations", false, "compare with each of these; ranges")
	return cmd
}

// compare plans, executes, and shows.
func compare(cmd *cobra.Command, scenario string, f *compareFlags) error {
	p, err := f.plan(cmd, scenario)
	if err != nil {
		return err
	}
	results, err := f.execute(cmd, p)
	switch {
	case errors.Is(err, context.Canceled):
		return f.interrupted(cmd, p, results)
	case err != nil:
		return err
	}
	var asked []scenarios.Asked
	for _, r := range results {
		asked = append(asked, r.Asked)
	}
	f.remarkUnasked(cmd, asked...)
	return f.show(cmd, p, p.Compare(version(), results))
}

// execute runs a plan and shows its progress. A broken invariant's error says how to repeat it.
func (f *compareFlags) execute(cmd *cobra.Command, p *scenarios.Plan) (
	[]*scenarios.Result, error) {
	stop := f.progress(cmd, p)
	results, err := p.Execute(cmd.Context())
	stop()
	var crash *scenarios.Crash
	if errors.As(err, &crash) {
		own := f.runFlags
		own.set = p.Case.Options().Set
		args := append([]string{"compare", p.Case.Scenario.Name}, own.repeat()...)
		return nil, brokenError{crashText(crash, args)}
	}
	return results, err
}

// plan reads the scenario and chooses designs and seeds.
func (f *compareFlags) plan(cmd *cobra.Command, scenario string) (*scenarios.Plan, error) {
	_, _, unknown := scenarios.FindDesigns(f.designs)
	err := errors.Join(f.check(), f.checkDefaultOut(), f.checkExport(),
		f.calibrate(f.calibration), unknown)
	if err != nil {
		return nil, err
	}
	data, err := readScenario(cmd, scenario)
	if err != nil {
		return nil, err
	}
	return f.planOf(scenario, data, f.set)
}

// planOf is plan for a scenario that was read, with these settings.
func (f *compareFlags) planOf(scenario string, data []byte, set []file.Setting) (
	*scenarios.Plan, error) {
	o := f.options()
	o.Set = set
	c, err := scenarios.Load(scenario, data, o)
	if err == nil {
		err = c.Measurable()
	}
	if err != nil {
		return nil, err
	}
	asked, chosen, err := scenarios.FindDesigns(f.designs)
	if err == nil {
		err = c.Exist(asked, chosen, f.designs)
	}
	if err != nil {
		return nil, err
	}
	p := &scenarios.Plan{Case: c, Asked: asked, Designs: chosen, Jobs: f.parallel()}
	for i := range f.seeds {
		p.Seeds = append(p.Seeds, f.seed+uint64(i))
	}
	return p, nil
}

// show prints a comparison and writes its files.
func (f *compareFlags) show(cmd *cobra.Command, p *scenarios.Plan,
	c *scenarios.Comparison) error {
	out := cmd.OutOrStdout()
	written := ""
	if dir := f.outDir(); dir != "" {
		files, err := tables(c)
		if err != nil {
			return err
		}
		figures, err := f.figures(cmd, p, c)
		if errors.Is(err, context.Canceled) {
			return f.keep(cmd, c, "all runs were finished, but not the figures and the report; "+
				"start it again to have them", nil)
		}
		if err != nil {
			return err
		}
		exports, err := f.exports(c)
		if err != nil {
			return err
		}
		files = append(append(files, figures...), exports...)
		if err := writeResults(dir, files); err != nil {
			return err
		}
		written = writtenText(dir, files)
	}
	if f.json {
		return printDocument(out, c)
	}
	text := scenarios.NewTable(c).Text()
	if !f.quiet {
		text += "\n" + readingText(c) + calibrationText(c) + written
	}
	return printText(out, text)
}

// readingText says how to read the table.
func readingText(c *scenarios.Comparison) string {
	return "Counts are of values strictly above 100 us, times are of the worst or of a share of " +
		"all messages.\nThe paired difference is to the first design's sends, on the same " +
		"arrivals; with several\nseeds counts are means with the least and the greatest.\n" +
		"The last column counts a design's costs that nobody has measured; " +
		"rtsim list --parameters\n" + c.Scenario + " shows all costs with their sources, " +
		"--set changes one.\n"
}

// writtenText says what was written, in the order of the files.
func writtenText(dir string, files []output) string {
	const width = 100
	text := "Written to " + filepath.Clean(dir) + string(filepath.Separator) + ":"
	column := len(text)
	for _, f := range files {
		if column+1+len(f.name) > width {
			text, column = text+"\n ", 1
		}
		text += " " + f.name
		column += 1 + len(f.name)
	}
	return text + "\n"
}

// writtenText says what was written below --out, unless remarks are not wanted.
func (f *runFlags) writtenText(files []output) string {
	if f.quiet {
		return ""
	}
	return writtenText(f.out, files)
}

// tables are the files with a comparison's numbers.
func tables(c *scenarios.Comparison) ([]output, error) {
	document, err := marshal(c)
	if err != nil {
		return nil, fmt.Errorf("results.json: %w", err)
	}
	lines, err := c.CSV()
	if err != nil {
		return nil, fmt.Errorf("results.csv: %w", err)
	}
	return []output{{"results.json", document}, {"results.csv", []byte(lines)},
		{"table.md", []byte(scenarios.NewTable(c).Markdown())}}, nil
}

// figures are the files with a comparison's figures, and the report, unless the context ends.
func (f *compareFlags) figures(cmd *cobra.Command, p *scenarios.Plan, c *scenarios.Comparison) (
	[]output, error) {
	drawings, err := plots.Latencies(c)
	if err != nil {
		return nil, err
	}
	files, err := rendered(cmd.Context(), drawings, f.pdf)
	if err != nil {
		return nil, err
	}
	report, err := f.report(cmd, p, c, drawings)
	return append([]output{report}, files...), err
}

// rendered are figures as files, unless the context ends.
func rendered(ctx context.Context, drawings []plots.Named, pdf bool) ([]output, error) {
	var files []output
	for _, d := range drawings {
		formats := []struct {
			name   string
			format func() ([]byte, error)
		}{{"svg", d.Drawing.SVG}, {"png", d.Drawing.PNG}, {"pdf", d.Drawing.PDF}}
		if !pdf {
			formats = formats[:2]
		}
		for _, format := range formats {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			data, err := format.format()
			if err != nil {
				return nil, err
			}
			files = append(files, output{d.Name + "." + format.name, data})
		}
	}
	return files, nil
}

// crashText describes a broken invariant and the command that repeats the run that broke it.
func crashText(c *scenarios.Crash, repeat []string) string {
	repeat = append(repeat, "--design", c.Design, "--seed", fmt.Sprint(c.Seed), "--seeds", "1")
	return fmt.Sprintf("an invariant broke, which is a bug of rtsim: %s\n\n%s\n"+
		"design: %s\nseed: %d\nversion: %s\nrepeat it: %s", c.Message,
		strings.TrimRight(c.Stack, "\n")+"\n", c.Design, c.Seed, version(), shellLine(repeat))
}
