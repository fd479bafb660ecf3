package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtsim/scenarios"
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
	if word == "" {
		return nil // every command begins with that
	}
	cmd.SuggestionsMinimumDistance = 2
	return cmd.SuggestionsFor(word)
}

// flagError says which flags are near an unknown one, and which command an error is about.
func flagError(cmd *cobra.Command, err error) error {
	if words := cmd.Flags().Args(); !cmd.HasParent() && len(words) > 0 {
		return noSuchCommand(cmd, words) // its flags say nothing then
	}
	of := ""
	if cmd.HasParent() {
		of = cmd.Name() + ": "
	}
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) && rightValues[invalid.GetFlag().Value.Type()] != "" {
		return fmt.Errorf("%s--%s %s: write %s", of, invalid.GetFlag().Name,
			quoteUnlessPlain(invalid.GetValue()), rightValues[invalid.GetFlag().Value.Type()])
	}
	if !errors.As(err, &unknown) {
		return fmt.Errorf("%s%w", of, err)
	}
	name := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		return fmt.Errorf("%sunknown flag -%s; %s --help lists the flags", of, name,
			cmd.CommandPath())
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
	return fmt.Errorf("%sunknown flag --%s%s", of, name,
		didYouMean(near, cmd.CommandPath()+" --help lists the flags"))
}

// rightValues say what to write for a flag, by its type, where the flags' own errors would show a
// conversion of numbers.
var rightValues = map[string]string{
	"uint64": fmt.Sprintf("a whole number from 0 to %d", uint64(math.MaxUint64)),
	"int":    fmt.Sprintf("a whole number up to %d", math.MaxInt32),
	"bool":   "true or false, or nothing for true",
}

// quoteUnlessPlain gives a value as a shell would need it.
func quoteUnlessPlain(value string) string {
	if value == "" || strings.ContainsFunc(value, scenarios.NeedsQuotes) {
		return strconv.Quote(value)
	}
	return value
}

// noEmptyFlags refuses flags that are given with nothing, which would be taken for not given.
func noEmptyFlags(cmd *cobra.Command) error {
	var wrong []error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		if len(values) == 0 || slices.Contains(values, "") {
			wrong = append(wrong, fmt.Errorf("%s: --%s has an empty value; write one, or leave "+
				"the flag out", cmd.Name(), f.Name))
		}
	})
	return errors.Join(wrong...)
}
