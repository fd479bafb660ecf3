package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rtsim/scenarios"
	"rtsim/sim"
)

// addCalibration declares the flag of a command that runs a scenario.
func addCalibration(cmd *cobra.Command, to *string) {
	names := scenarios.CalibrationNames()
	cmd.Flags().StringVar(to, "calibration", "", "settings as fitted with `name`: "+
		strings.Join(names, ", "))
	if err := cmd.RegisterFlagCompletionFunc("calibration",
		cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag was declared above
	}
}

// calibrate adds the settings of the calibration that was asked for to the user's own, which are of
// other names. It is called once.
func (f *runFlags) calibrate(name string) error {
	if name == "" {
		return nil
	}
	c, ok := scenarios.FindCalibration(name)
	if !ok {
		known := scenarios.CalibrationNames()
		return fmt.Errorf("unknown calibration %q%s", name,
			didYouMean(scenarios.Near(name, known), "known are "+strings.Join(known, ", ")))
	}
	if err := f.checkCalibrated(); err != nil {
		return err
	}
	f.set = slices.Concat(c.Set, f.set)
	return nil
}

// checkCalibrated refuses to set what the calibrations do, for these would be none then. The
// defaults are a calibration too, which holds all that others set.
func (f *runFlags) checkCalibrated() error {
	var names []string
	for _, c := range scenarios.Calibrations() {
		for _, s := range c.Set {
			if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	var own []string
	for _, s := range f.set {
		if slices.Contains(names, s.Name) {
			own = append(own, "--set "+s.Name+"="+s.Value)
		}
	}
	if own == nil {
		return nil
	}
	return errors.New(strings.Join(own, " ") + ": a calibration sets " +
		strings.Join(names, ", ") + "; leave this out, or the calibration")
}

// compareCalibrations compares with each calibration and shows the ranges.
func compareCalibrations(cmd *cobra.Command, scenario string, f *compareFlags) error {
	plans, err := f.plans(cmd, scenario)
	if err != nil {
		return err
	}
	var compared []*scenarios.Comparison
	for _, p := range plans {
		results, err := f.execute(cmd, p)
		if errors.Is(err, context.Canceled) {
			return exitError{statusInterrupted, errors.New("interrupted; --calibrations keeps " +
				"nothing then, compare --calibration NAME keeps the runs that are finished")}
		}
		if err != nil {
			return err
		}
		compared = append(compared, p.Compare(version(), results))
	}
	return f.showRanges(cmd, scenarios.NewRanges(scenarios.Calibrations(), compared))
}

// plans is plan for each calibration; the scenario is read once.
func (f *compareFlags) plans(cmd *cobra.Command, scenario string) ([]*scenarios.Plan, error) {
	_, _, wrong := scenarios.FindDesigns(f.designs)
	wrong = errors.Join(wrong, f.checkCalibrated())
	if f.calibration != "" {
		wrong = errors.Join(wrong, errors.New("--calibrations has every calibration; leave "+
			"--calibration out"))
	}
	if f.pdf {
		wrong = errors.Join(wrong, errors.New("--calibrations draws nothing; leave --pdf out"))
	}
	if err := errors.Join(f.check(), f.checkDefaultOut(), wrong); err != nil {
		return nil, err
	}
	data, err := readScenario(cmd, scenario)
	if err != nil {
		return nil, err
	}
	var plans []*scenarios.Plan
	for _, c := range scenarios.Calibrations() {
		p, err := f.planOf(scenario, data, slices.Concat(c.Set, f.set))
		if err != nil {
			return nil, fmt.Errorf("with calibration %s: %w", c.Name, err)
		}
		plans = append(plans, p)
	}
	return plans, nil
}

// showRanges prints the ranges and writes their files.
func (f *compareFlags) showRanges(cmd *cobra.Command, r *scenarios.Ranges) error {
	written := ""
	if dir := f.outDir(); dir != "" {
		document, err := marshal(r)
		if err != nil {
			return fmt.Errorf("results.json: %w", err)
		}
		files := []output{{"results.json", document},
			{"table.md", []byte(r.Table().Markdown())}}
		if err := writeResults(dir, files); err != nil {
			return err
		}
		written = writtenText(dir, files)
	}
	if f.json {
		return printDocument(cmd.OutOrStdout(), r)
	}
	text := r.Table().Text()
	if !f.quiet {
		text += "\nEach figure is its range over the calibrations " +
			strings.Join(scenarios.CalibrationNames(), ", ") + ";\ncounts are means over the " +
			"seeds. Only send > 100us and send max of a fitted row are fitted; all other " +
			"figures\nare predictions.\n"
		reasons := ""
		for i := range r.Calibrations {
			reasons += reasonsText(r.Calibrations[i].Summary, " at "+r.Calibrations[i].Name)
		}
		text += reasons + countedText(reasons, r.DurationNs)
		text += written
	}
	return printText(cmd.OutOrStdout(), text)
}

// calibrationText says whether the settings are those of a calibration, and what that means.
func calibrationText(c *scenarios.Comparison) string {
	if c.Calibration == "" {
		return "The settings are not those of a calibration, so no row is fitted or predicted.\n"
	}
	reasons := reasonsText(c.Summary, "")
	return "The settings are those of calibration " + c.Calibration + ", fitted to the published " +
		"rows: of 1.2 million\nsends in ten minutes 10,285 over 100 us with futex-oneshot, 55 " +
		"with msg-ring, the longest 1.0 ms.\nOnly send > 100us and send max of a " +
		"fitted row are fitted; all other figures are predictions.\n" +
		reasons + countedText(reasons, c.DurationNs)
}

// reasonsText says of each row that is not explained, why.
func reasonsText(summary []scenarios.Summary, where string) (text string) {
	for i := range summary {
		if s := &summary[i]; s.Reason != "" {
			text += wrapped(s.Variant + " is not explained" + where + ": " + s.Reason + ".")
		}
	}
	return text
}

// reasonsDuration is how much was simulated for the counts in the reasons, and for the rows that
// they speak of.
const reasonsDuration = 600 * sim.Second

// countedText says that the counts in reasons, if there are any, are not those of the table.
func countedText(reasons string, d sim.Time) string {
	if reasons == "" || d == reasonsDuration {
		return ""
	}
	return fmt.Sprintf("These counts are of ten minutes, those of the table of %s.\n", d)
}
