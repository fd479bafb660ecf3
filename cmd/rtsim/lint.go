package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"rtsim/scenarios"
	"rtsim/scenarios/file"
)

// newLintCommand reads and checks files and runs nothing.
func newLintCommand() *cobra.Command {
	quiet := false
	cmd := &cobra.Command{
		Use:   "lint FILE...",
		Short: "Read and check files, run nothing",
		Long: `Reads workload and scenario files and checks what can be checked without running
them. A file that says what only a scenario file may is read as one. Prints each problem as
file:line:column: what is wrong; what would be right. - is standard input.`,
		Example: "  rtsim lint workload.yaml scenario.yaml\n  rtsim lint --quiet *.yaml",
		Args: func(_ *cobra.Command, files []string) error {
			if len(files) == 0 {
				return errors.New("lint has no file to check; write rtsim lint FILE..., " +
					"or - for standard input")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error { return lint(cmd, files, quiet) },
	}
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "print nothing about files that are right")
	return cmd
}

// lint checks files; if all are right it says so of each.
func lint(cmd *cobra.Command, files []string, quiet bool) error {
	var wrong fileErrors
	for _, name := range files {
		data, err := readInput(cmd, name)
		if err == nil {
			err = lintOne(name, data)
		}
		if err != nil {
			wrong = append(wrong, err)
		}
	}
	if len(wrong) > 0 {
		return wrong
	}
	if quiet {
		return nil
	}
	for _, name := range files {
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: ok\n", name); err != nil {
			return fmt.Errorf("printing: %w", err)
		}
	}
	return nil
}

// lintOne checks a workload or scenario file.
func lintOne(name string, data []byte) error {
	s, err := file.ReadAny(name, data, file.Designs(scenarios.WrongDesign))
	if err == nil {
		_, err = scenarios.FindProfile(name, data, s.Costs)
	}
	return err
}
