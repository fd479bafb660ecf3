package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"rtsim/scenarios"
	"rtsim/scenarios/file"
)

// The exit statuses, as rtla's; rtsim help exit says them to users.
const (
	statusDone        = 0
	statusError       = 1
	statusFailed      = 2 // a claim failed
	statusOpen        = 3 // no claim failed, but one is open or only exhausted
	statusInterrupted = 130
)

// exitError ends a command with a status that is not an error's. err is printed unless it is nil.
type exitError struct {
	status int
	err    error
}

// Error gives the text of the error inside, or the status.
func (e exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return e.err.Error()
}

// Unwrap gives the error inside.
func (e exitError) Unwrap() error { return e.err }

// brokenError is an invariant that broke: a panic of the simulator, not a mistake of the user.
type brokenError struct{ text string }

// Error gives the message, the stack, the seed and the command.
func (e brokenError) Error() string { return e.text }

// execute runs the command that the arguments name, and turns a panic into an error that says how
// to repeat it. An interruption says how to go on.
func execute(ctx context.Context, root *cobra.Command, args []string) (err error) {
	found := root
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		found = cmd
		return noEmptyFlags(cmd)
	}
	defer func() {
		if cause := recover(); cause != nil {
			err = broken(cause, debug.Stack(), found, args)
		}
	}()
	return goOn(root.ExecuteContext(ctx), args)
}

// toGoOn is before the commands that go on after an interruption.
const toGoOn = "\nTo go on"

// goOn adds the command to an interruption that keeps nothing: it is to be run again. One that
// keeps something says by itself what is left.
func goOn(err error, args []string) error {
	var exit exitError
	if !errors.As(err, &exit) && errors.Is(err, context.Canceled) {
		exit = exitError{statusInterrupted, errors.New("interrupted")}
		err = exit
	}
	if !errors.As(err, &exit) || exit.status != statusInterrupted || exit.err == nil ||
		strings.Contains(exit.Error(), toGoOn) {
		return err
	}
	return exitError{exit.status, fmt.Errorf("%w%s, start it again:\n  %s", exit.err, toGoOn,
		shellLine(args))}
}

// broken describes a panic: what broke, where, with which seed, and the command that repeats it.
func broken(cause any, stack []byte, cmd *cobra.Command, args []string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "an invariant broke, which is a bug of rtsim: %v\n\n%s\n", cause, stack)
	if seed := cmd.Flags().Lookup("seed"); seed != nil {
		fmt.Fprintf(&b, "seed: %s\n", seed.Value)
	}
	fmt.Fprintf(&b, "version: %s\nrepeat it: %s", version(), shellLine(args))
	return brokenError{b.String()}
}

// shellLine gives the command line of these arguments, ready to paste into a shell.
func shellLine(args []string) string { return scenarios.CommandLine(args) }

// statusOf prints a command's error, if any, and gives the exit status.
func statusOf(ctx context.Context, err error, stderr io.Writer) int {
	if err == nil {
		return statusDone
	}
	var exit exitError
	isExit := errors.As(err, &exit)
	if !isExit || exit.err != nil {
		printError(stderr, err)
	}
	var bug brokenError
	switch {
	case isExit:
		return exit.status
	case ctx.Err() != nil && !errors.As(err, &bug):
		return statusInterrupted
	}
	return statusError
}

// printError prints an error. Problems of files begin with their place, so that editors find it;
// those of --set have none.
func printError(stderr io.Writer, err error) {
	var problems file.Errors
	var several fileErrors
	isFiles := errors.As(err, &problems) && problems[0].Line > 0
	if isFiles || errors.As(err, &several) {
		fmt.Fprintln(stderr, err)
		return
	}
	fmt.Fprintln(stderr, "rtsim:", err)
}
