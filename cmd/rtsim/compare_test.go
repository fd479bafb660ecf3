package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// compareIn is a comparison in a folder of its own, and the command that prints it.
func compareIn(t *testing.T) (cmd *cobra.Command, f *compareFlags, stdout *bytes.Buffer) {
	f = &compareFlags{}
	f.out, f.seeds, f.seed, f.jobs = filepath.Join(t.TempDir(), "out"), 2, 1, 1
	f.designs = []string{"doorbell", "ideal-spin"}
	require.NoError(t, f.duration.Set("10ms"))
	cmd, stdout = &cobra.Command{}, &bytes.Buffer{}
	cmd.SetContext(t.Context())
	cmd.SetOut(stdout)
	cmd.SetErr(stdout)
	return cmd, f, stdout
}

// Look at an interruption while figures are drawn: the results are written and printed.
func TestInterruptedFigures(t *testing.T) {
	cmd, f, stdout := compareIn(t)
	p, err := f.plan(cmd, defaultScenario)
	require.NoError(t, err)
	results, err := p.Execute(t.Context())
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	cmd.SetContext(ctx)
	err = f.show(cmd, p, p.Compare("v", results))
	var exit exitError
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, statusInterrupted, exit.status)
	assert.ErrorContains(t, err, "all runs were finished, but not the figures")
	assert.Contains(t, stdout.String(), "ideal-spin")
	assert.FileExists(t, filepath.Join(f.out, "results.json"))
	assert.NoFileExists(t, filepath.Join(f.out, "send.svg"))
}

// Look at the command lines: together they make exactly what is missing, with the same settings.
func TestRest(t *testing.T) {
	cmd, f, _ := compareIn(t)
	f.pdf, f.json = true, true
	f.set = settingsFlag{{Name: "switch", Value: "1us"}}
	f.thresholds = timesFlag{5 * sim.Microsecond}
	p, err := f.plan(cmd, defaultScenario)
	require.NoError(t, err)
	results := make([]*scenarios.Result, 4)
	results[0] = &scenarios.Result{}
	f.out = "o"
	assert.Equal(t, []string{
		"  rtsim compare orin-queue --design doorbell --seed 2 --seeds 1 --duration 10ms " +
			"--threshold 5us --set switch=1us --out o/rest-1 --json --pdf",
		"  rtsim compare orin-queue --design ideal-spin --seed 1 --seeds 2 --duration 10ms " +
			"--threshold 5us --set switch=1us --out o/rest-2 --json --pdf",
	}, f.rest(p, results))
}

// Look at a crash: message, stack, seed, and the command that repeats that one run.
func TestCrashText(t *testing.T) {
	f := &compareFlags{}
	require.NoError(t, f.duration.Set("90s"))
	require.NoError(t, f.set.Set("low_policy=fifo-1"))
	text := crashText(&scenarios.Crash{Design: "doorbell/always-wake", Seed: 12,
		Message: "S has two owners at 5us", Stack: "goroutine 7:\n"},
		append([]string{"compare", "my file.yaml"}, f.repeat()...))
	for _, line := range []string{"S has two owners at 5us\n", "\ngoroutine 7:\n",
		"\nseed: 12\n", "\ndesign: doorbell/always-wake\n",
		"\nrepeat it: rtsim compare 'my file.yaml' --duration 90s --set low_policy=fifo-1 " +
			"--design doorbell/always-wake --seed 12 --seeds 1"} {
		assert.Contains(t, text, line)
	}
	status := statusOf(t.Context(), brokenError{text}, &bytes.Buffer{})
	assert.Equal(t, statusError, status)
}

// Look at the folder: an old file is replaced, and if one cannot be written all stay as they were.
func TestWriteOutputs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	require.NoError(t, writeOutputs(dir, []output{{"one", []byte("1")}, {"two", []byte("2")}}))
	require.Error(t, writeOutputs(dir, []output{{"one", []byte("new")}, {"no/folder", nil}}))
	one, err := os.ReadFile(filepath.Join(dir, "one"))
	require.NoError(t, err)
	assert.Equal(t, "1", string(one))
	require.NoError(t, writeOutputs(dir, []output{{"one", []byte("new")}}))
	one, err = os.ReadFile(filepath.Join(dir, "one"))
	require.NoError(t, err)
	assert.Equal(t, "new", string(one))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 2, "nothing temporary is left")
}

// Look at what is not a terminal: no progress. And at the text of progress: a share, what is left.
func TestProgress(t *testing.T) {
	cmd, f, stdout := compareIn(t)
	p, err := f.plan(cmd, defaultScenario)
	require.NoError(t, err)
	showProgress(stdout, p)()
	assert.Empty(t, stdout.String())
	assert.Equal(t, "  0 % of 4 runs of 10ms", progressText(p, time.Minute))
	_, err = p.Execute(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "100 % of 4 runs of 10ms, 0s left", progressText(p, time.Minute))
}

// Look at the columns: numbers flush right below a header, words flush left, and a long single
// cell that widens nothing.
func TestAligned(t *testing.T) {
	const sentence = "a sentence that is longer than all"
	assert.Equal(t, "name     n  what\na       10  x\nlonger   5  yy\n"+sentence+"\n",
		aligned([][]string{{"name", "n", "what"}, {"a", "10", "x"}, {"longer", "5", "yy"},
			{sentence}}))
	assert.Equal(t, "", aligned(nil))
	assert.Equal(t, "aa bb\ncc\n", wrap("aa bb cc", 5))
}

// Look at the flags' texts: each can be read back.
func TestFlagTexts(t *testing.T) {
	var set settingsFlag
	require.NoError(t, set.Set("a=b=c"))
	assert.Equal(t, settingsFlag{file.Setting{Name: "a", Value: "b=c"}}, set)
	assert.Equal(t, "a=b=c", set.String())
	assert.Error(t, set.Set("=b"))
	assert.Error(t, set.Set("a="))
	var times timesFlag
	require.NoError(t, times.Set("1500ns"))
	require.NoError(t, times.Set("2ms"))
	assert.Equal(t, "1.5us 2ms", times.String())
}
