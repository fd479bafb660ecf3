package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"rtsim/scenarios"
)

// interrupted keeps what is complete of a comparison and says how to go on.
func (f *compareFlags) interrupted(cmd *cobra.Command, p *scenarios.Plan,
	results []*scenarios.Result) error {
	c := p.Compare(version(), results)
	if len(c.Results) == 0 {
		return exitError{statusInterrupted, errors.New("interrupted before a run was finished; " +
			"nothing is kept")}
	}
	what := fmt.Sprintf("%d of %d runs were finished", len(c.Results), len(results))
	if f.outDir() == "" { // the finished runs are not kept either
		results = make([]*scenarios.Result, len(results))
	}
	return f.keep(cmd, c, what, f.rest(p, results))
}

// keep writes and prints what is complete. rest are the command lines that make the rest.
func (f *compareFlags) keep(cmd *cobra.Command, c *scenarios.Comparison, what string,
	rest []string) error {
	dir := f.outDir()
	if dir == "" {
		what += "; --json writes files only with --out, so nothing is kept and all " +
			"are to be run again"
	} else {
		files, err := tables(c)
		if err == nil {
			err = writeResults(dir, files)
		}
		if err == nil && !f.json && len(c.Summary) > 0 {
			err = printText(cmd.OutOrStdout(), scenarios.NewTable(c).Text())
		}
		if err != nil {
			return exitError{statusInterrupted, fmt.Errorf("interrupted: %w", err)}
		}
		what += "\n" + strings.TrimSuffix(writtenText(dir, files), "\n")
	}
	if len(rest) > 0 {
		what += toGoOn + ":\n" + strings.Join(rest, "\n")
	}
	return exitError{statusInterrupted, errors.New("interrupted: " + what)}
}

// rest gives the command lines that make the runs that are missing. Their files go elsewhere, so
// that those of the finished runs stay.
func (f *compareFlags) rest(p *scenarios.Plan, results []*scenarios.Result) (
	lines []string) {
	dir := f.outDir()
	for i, r := range p.Missing(results) {
		args := append([]string{"compare", p.Case.Scenario.Name, "--design",
			strings.Join(r.Asked, ","), "--seed", fmt.Sprint(r.First),
			"--seeds", fmt.Sprint(r.Last - r.First + 1)}, f.repeat()...)
		if dir != "" {
			args = append(args, "--out", filepath.Join(dir, fmt.Sprintf("rest-%d", i+1)))
		}
		if f.json {
			args = append(args, "--json")
		}
		if f.pdf {
			args = append(args, "--pdf")
		}
		lines = append(lines, "  "+shellLine(args))
	}
	return lines
}
