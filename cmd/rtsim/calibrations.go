package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rtsim/scenarios"
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

// calibrate puts the settings of the calibration that was asked for before the user's own. It is
// called once.
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
	f.set = slices.Concat(c.Set, f.set)
	return nil
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
		for i := range r.Calibrations {
			text += reasonsText(r.Calibrations[i].Summary, " at "+r.Calibrations[i].Name)
		}
		text += written
	}
	return printText(cmd.OutOrStdout(), text)
}

// calibrationText says whether the settings are those of a calibration, and what that means.
func calibrationText(c *scenarios.Comparison) string {
	if c.Calibration == "" {
		return "The settings are not those of a calibration, so no row is fitted or predicted.\n"
	}
	return "The settings are those of calibration " + c.Calibration + ", fitted to the published " +
		"rows: of 1.2 million\nsends in ten minutes 10,285 over 100 us with futex-oneshot, 55 " +
		"with msg-ring, the longest 1.0 ms.\nOnly send > 100us and send max of a " +
		"fitted row are fitted; all other figures are predictions.\n" +
		reasonsText(c.Summary, "")
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
