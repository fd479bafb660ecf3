package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
)

// shells are those that cobra writes completion scripts for.
var shells = []struct {
	name  string
	write func(root *cobra.Command, out io.Writer) error
}{
	{"bash", func(root *cobra.Command, out io.Writer) error {
		return root.GenBashCompletionV2(out, true)
	}},
	{"zsh", (*cobra.Command).GenZshCompletion},
	{"fish", func(root *cobra.Command, out io.Writer) error {
		return root.GenFishCompletion(out, true)
	}},
	{"powershell", (*cobra.Command).GenPowerShellCompletionWithDesc},
}

// newCompletionCommand prints a shell's completion script.
func newCompletionCommand() *cobra.Command {
	var names []string
	for _, s := range shells {
		names = append(names, s.name)
	}
	return &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Print a completion script for bash, zsh, fish or powershell",
		Example:   "  source <(rtsim completion bash)",
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			const right = "write rtsim completion bash, zsh, fish or powershell"
			if len(args) != 1 {
				return errors.New("completion needs the name of one shell; " + right)
			}
			i := slices.Index(names, args[0])
			if i < 0 {
				return fmt.Errorf("no completion for %q; %s", args[0], right)
			}
			if err := shells[i].write(cmd.Root(), cmd.OutOrStdout()); err != nil {
				return fmt.Errorf("printing: %w", err)
			}
			return nil
		},
	}
}
