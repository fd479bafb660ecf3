package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"rtsim/plots"
	"rtsim/scenarios"
	"rtsim/scenarios/campaign"
)

// What sweep and sensitivity have in common: many runs, kept as they are finished.

// keptRuns is the directory of the finished runs in that of the files.
const keptRuns = "runs"

// campaignFlags are the flags of both.
type campaignFlags struct {
	runFlags
	metrics []string
	pdf     bool
}

// addShown declares the flags of what is shown.
func (f *campaignFlags) addShown(cmd *cobra.Command, metrics []string, about string) {
	cmd.Flags().StringSliceVar(&f.metrics, "metric", metrics,
		about+", `a,b`: "+campaign.MetricForm)
	cmd.Flags().BoolVar(&f.pdf, "pdf", false, "write the figures as PDF too")
}

// finding is what a campaign found. Its tables and figures are made only if they are written.
type finding struct {
	document      any // results.json
	text, reading string
	tables        func() ([]output, error)
	figures       func() ([]plots.Named, error)
}

// show writes the files of what was found, unless dir is "", and prints it.
func (f *campaignFlags) show(cmd *cobra.Command, dir string, found *finding) error {
	written := ""
	if dir != "" {
		files, err := f.files(cmd.Context(), found)
		if err == nil {
			err = writeResults(dir, files)
		}
		if err != nil {
			return err
		}
		written = writtenText(dir, files)
	}
	if f.json {
		return printDocument(cmd.OutOrStdout(), found.document)
	}
	text := found.text
	if !f.quiet {
		text += "\n" + found.reading + written
	}
	return printText(cmd.OutOrStdout(), text)
}

// files are what is written of a finding.
func (f *campaignFlags) files(ctx context.Context, found *finding) ([]output, error) {
	document, err := marshal(found.document)
	if err != nil {
		return nil, fmt.Errorf("results.json: %w", err)
	}
	tables, err := found.tables()
	if err != nil {
		return nil, err
	}
	drawings, err := found.figures()
	if err != nil {
		return nil, err
	}
	figures, err := rendered(ctx, drawings, f.pdf)
	if errors.Is(err, context.Canceled) {
		return nil, exitError{statusInterrupted, errNoFigures}
	}
	return slices.Concat([]output{{"results.json", document}}, tables, figures), err
}

// base reads the scenario and chooses designs and seeds.
func (f *runFlags) base(cmd *cobra.Command, scenario, dir string) (*campaign.Base, error) {
	asked, chosen, unknown := scenarios.FindDesigns(f.designs)
	if err := errors.Join(f.check(), f.checkDefaultOut(), unknown); err != nil {
		return nil, err
	}
	data, err := readScenario(cmd, scenario)
	if err != nil {
		return nil, err
	}
	b := &campaign.Base{Version: version(), Build: build(), Scenario: scenario, Data: data,
		Options: f.options(), Asked: asked, Designs: chosen, Jobs: f.parallel()}
	for i := range f.seeds {
		b.Seeds = append(b.Seeds, f.seed+uint64(i))
	}
	if dir != "" {
		b.Keep = filepath.Join(dir, keptRuns)
	}
	return b, nil
}

// errNoFigures is an interruption after the last run.
var errNoFigures = errors.New("interrupted: all runs were finished and are kept, but not the " +
	"figures; start it again to have them")

// build tells two programs apart. A revision does not if the tree was modified, so the program's
// own bytes do.
var build = sync.OnceValue(func() string {
	name, err := os.Executable()
	if err != nil {
		return version()
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return version()
	}
	sum := sha256.Sum256(data)
	return version() + " " + hex.EncodeToString(sum[:8])
})

// campaignError turns the error of a campaign into what the command ends with: after an
// interruption what is kept and how to go on, after a broken invariant how to repeat it.
func (f *runFlags) campaignError(w *campaign.Work, dir string, args []string, err error) error {
	var failure *campaign.Failure
	var crash *scenarios.Crash
	switch {
	case errors.Is(err, context.Canceled):
		done, all := w.Finished()
		what := fmt.Sprintf("interrupted: %d of %d runs were finished", done, all)
		if dir == "" {
			return exitError{statusInterrupted, errors.New(what + "; --json keeps runs only with " +
				"--out, so nothing is kept")}
		}
		return exitError{statusInterrupted, fmt.Errorf("%s, and are kept in %s%s, start it "+
			"again:\n  %s", what, filepath.Join(dir, keptRuns), toGoOn, shellLine(args))}
	case errors.As(err, &failure) && errors.As(err, &crash):
		again := []string{"compare", args[1]}
		own := *f
		own.set = failure.Set
		return brokenError{crashText(crash, append(again, own.repeat()...))}
	}
	return err
}

// commandLine is how a command was called, for who wants to go on.
func (f *campaignFlags) commandLine(cmd *cobra.Command, scenario string, own ...string) []string {
	args := append([]string{cmd.Name(), scenario}, own...)
	for _, m := range f.metrics {
		args = append(args, "--metric", m)
	}
	if len(f.designs) > 0 {
		args = append(args, "--design", strings.Join(f.designs, ","))
	}
	args = append(args, "--seed", fmt.Sprint(f.seed), "--seeds", fmt.Sprint(f.seeds))
	args = append(args, f.repeat()...)
	if f.out != "" {
		args = append(args, "--out", f.out)
	}
	if f.json {
		args = append(args, "--json")
	}
	return args
}
