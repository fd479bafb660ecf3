package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"rtsim/scenarios"
)

// defaultScenario is run unless another is named.
const defaultScenario = "orin-queue"

// oneScenario gives the scenario that the arguments name, or the default one.
func oneScenario(cmd *cobra.Command, args []string) (string, error) {
	switch len(args) {
	case 0:
		return defaultScenario, nil
	case 1:
		return args[0], nil
	}
	return "", fmt.Errorf("%s has one scenario at a time; leave %s out", cmd.Name(),
		strings.Join(args[1:], " "))
}

// readScenario gives the bytes of a scenario: of a built-in one, of a file, or of standard input.
func readScenario(cmd *cobra.Command, name string) ([]byte, error) {
	if data, ok := scenarios.Builtin(name); ok {
		return data, nil
	}
	if name == "" {
		return nil, errors.New("the scenario has an empty name; built in: " +
			strings.Join(scenarios.BuiltinNames(), ", "))
	}
	data, err := readInput(cmd, name)
	if errors.Is(err, fs.ErrNotExist) {
		near := scenarios.Near(name, scenarios.BuiltinNames())
		return nil, fmt.Errorf("no scenario and no file is named %q%s", name,
			didYouMean(near, "built in: "+strings.Join(scenarios.BuiltinNames(), ", ")))
	}
	return data, err
}

// completeScenario completes a scenario or a file.
func completeScenario(_ *cobra.Command, args []string, _ string) (
	[]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return scenarios.BuiltinNames(), cobra.ShellCompDirectiveDefault
}
