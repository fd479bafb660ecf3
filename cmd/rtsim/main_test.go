package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios/file"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"rtsim": main})
}

// Look at testdata/script: each script runs the built command.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script",
		RequireExplicitExec: true, Cmds: scriptCommands})
}

// runWith runs a command line on a root command that has one command more.
func runWith(t *testing.T, ctx context.Context, more *cobra.Command, args ...string) (
	status int, stdout, stderr string) {
	t.Helper()
	root := newRootCommand()
	root.AddCommand(more)
	var out, errs bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&errs)
	root.SetArgs(args)
	status = statusOf(ctx, execute(ctx, root, args), &errs)
	return status, out.String(), errs.String()
}

// Look at a panic: message, stack, seed, the command that repeats it, and status 1.
func TestBrokenInvariant(t *testing.T) {
	cmd := &cobra.Command{Use: "break", RunE: func(*cobra.Command, []string) error {
		panic("S has two owners at 5us")
	}}
	cmd.Flags().Uint64("seed", 1, "")
	cmd.Flags().String("set", "", "")
	status, stdout, stderr := runWith(t, t.Context(), cmd,
		"break", "--seed", "42", "--set", "a=b c")
	assert.Equal(t, 1, status)
	assert.Empty(t, stdout)
	assert.Contains(t, stderr, "S has two owners at 5us")
	assert.Contains(t, stderr, "main_test.go:")
	assert.Contains(t, stderr, "\nseed: 42\n")
	assert.Contains(t, stderr, "\nrepeat it: rtsim break --seed 42 --set 'a=b c'\n")
	assert.Equal(t, 1, strings.Count(stderr, "an invariant broke"))
}

// Look at the statuses that a command chooses, and at what is printed with each.
func TestStatuses(t *testing.T) {
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx    context.Context
		err    error
		status int
		stderr string
	}{
		{t.Context(), nil, 0, ""},
		{t.Context(), errors.New("no"), 1, "rtsim: no\n"},
		{t.Context(), exitError{status: statusFailed}, 2, ""},
		{t.Context(), exitError{statusOpen, errors.New("one claim is open")}, 3,
			"rtsim: one claim is open\n"},
		{interrupted, fmt.Errorf("stopped: %w", context.Canceled), 130,
			"rtsim: interrupted\nTo go on, start it again:\n  rtsim x\n"},
		{interrupted, nil, 0, ""},
		{interrupted, brokenError{"an invariant broke"}, 1, "rtsim: an invariant broke\n"},
	} {
		cmd := &cobra.Command{Use: "x", RunE: func(*cobra.Command, []string) error { return c.err }}
		status, stdout, stderr := runWith(t, c.ctx, cmd, "x")
		assert.Equal(t, c.status, status, "%v", c.err)
		assert.Empty(t, stdout)
		assert.Equal(t, c.stderr, stderr)
	}
}

// Look at the examples in rtsim help workload: each is a correct file.
func TestHelpExamples(t *testing.T) {
	text, ok := topicText("workload")
	require.True(t, ok)
	examples := 0
	for _, block := range strings.Split(text, "\n\n") {
		if !strings.HasPrefix(block, "    cpus:") {
			continue
		}
		examples++
		_, err := file.Read("example", []byte(block))
		assert.NoError(t, err)
	}
	assert.Equal(t, 2, examples)
}

// Look at every topic: it has a text that fits a terminal.
func TestTopics(t *testing.T) {
	for _, topic := range topicNames {
		text, ok := topicText(topic.name)
		require.True(t, ok)
		assert.NotEmpty(t, text)
		for _, line := range strings.Split(text, "\n") {
			assert.LessOrEqual(t, len([]rune(line)), 100, "%s: %s", topic.name, line)
		}
	}
}

// Look at an interruption of a command that waits for its input: status 130 within a second, and
// how to go on.
func TestInterrupted(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := &exec.Cmd{Path: self, Args: []string{"rtsim", "lint", "-"}}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = in.Write(make([]byte, 1<<20)) // more than a pipe holds: it is reading
	require.NoError(t, err)
	start := time.Now()
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &exit)
	assert.Equal(t, 130, exit.ExitCode())
	assert.Less(t, time.Since(start), 5*time.Second)
	assert.Contains(t, stderr.String(), "\nTo go on, start it again:\n  rtsim lint -\n")
}
