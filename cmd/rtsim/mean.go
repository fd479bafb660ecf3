package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// What an unknown command or flag was probably meant to be.

// didYouMean gives the near names as the end of an error, or what to do if there is none.
func didYouMean(near []string, instead string) string {
	if len(near) == 0 {
		return "; " + instead
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// noSuchCommand refuses a word that is no command.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unknown command %q%s", args[0],
		didYouMean(suggestions(cmd, args[0]), "rtsim help lists the commands"))
}

// suggestions gives the commands that are near a word.
func suggestions(cmd *cobra.Command, word string) []string {
	cmd.SuggestionsMinimumDistance = 2
	return cmd.SuggestionsFor(word)
}

// flagError says which flags are near an unknown one, and which command an error is about.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return fmt.Errorf("%s: %w", cmd.Name(), err)
	}
	name := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		return fmt.Errorf("%s: unknown flag -%s; %s --help lists the flags",
			cmd.Name(), name, cmd.CommandPath())
	}
	// Names of commands and of flags are near by the same measure: cobra's, over a command of
	// which the flags are the subcommands.
	flags := &cobra.Command{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		flags.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	near := suggestions(flags, name)
	for i := range near {
		near[i] = "--" + near[i]
	}
	return fmt.Errorf("%s: unknown flag --%s%s", cmd.Name(), name,
		didYouMean(near, cmd.CommandPath()+" --help lists the flags"))
}
