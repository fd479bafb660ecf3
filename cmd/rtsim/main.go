// Command rtsim runs, draws, compares and explains workloads on a simulated PREEMPT_RT kernel.
//
// Here are only flags and printing: one file a command, each with a function newXCommand that is
// listed in commands below. A command returns its error; run prints it, once, and chooses the
// exit status.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

// commands are the commands of rtsim, in the order of its help. One line a command.
var commands = []func() *cobra.Command{
	newCompareCommand,
	newSweepCommand,
	newSensitivityCommand,
	newListCommand,
	newScheduleCommand,
	newDrawCommand,
	newExplainCommand,
	newCheckCommand,
	newTraceCommand,
	newLintCommand,
	newVersionCommand,
	newCompletionCommand,
}

// patience is how long a command may take to stop once it is told to. A command that waits for
// its input cannot notice; for that one it is said here how to go on.
const patience = 900 * time.Millisecond

// errLate is of a command that did not stop in time.
var errLate = errors.New("interrupted; nothing of this run is kept")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop() // a second signal ends the process at once
		time.Sleep(patience)
		printError(os.Stderr, goOn(exitError{statusInterrupted, errLate}, os.Args[1:]))
		os.Exit(statusInterrupted)
	})
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run runs one command line and gives its exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return statusOf(ctx, execute(ctx, root, args), stderr)
}

// newRootCommand builds the whole tree of commands.
func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "rtsim",
		Short: "How late can a real-time task be, and because of whom?",
		Long: `rtsim replays kernel paths step by step on simulated CPUs, under the scheduling and
locking rules of PREEMPT_RT, and compares designs on the same arrivals.`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noSuchCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true // ours refuses a shell that it does not know
	root.SetVersionTemplate("rtsim {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(newHelpCommand())
	root.SetUsageTemplate(root.UsageTemplate() + topicsUsage)
	cobra.EnableCommandSorting = false
	for _, command := range commands {
		root.AddCommand(command())
	}
	return root
}
