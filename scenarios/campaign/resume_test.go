package campaign

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios"
	"rtsim/scenarios/whole"
	"rtsim/sim"
)

// smallSweep is 3 values, 2 designs, 2 seeds, kept in a directory.
func smallSweep(t *testing.T, dir string, change func(*Base)) *SweepPlan {
	t.Helper()
	asked, chosen, err := scenarios.FindDesigns([]string{"doorbell", "futex-plain"})
	require.NoError(t, err)
	data, _ := scenarios.Builtin("orin-queue")
	b := &Base{Version: "v1", Build: "v1 here", Scenario: "orin-queue", Data: data,
		Options: scenarios.Options{Duration: 20 * sim.Millisecond}, Asked: asked, Designs: chosen,
		Seeds: []uint64{1, 2}, Jobs: 2, Keep: dir}
	if change != nil {
		change(b)
	}
	p, err := NewSweep(b, []string{"low_pubs=0..2"}, []string{"send.max", "receive.p99.99"})
	require.NoError(t, err)
	return p
}

func TestInterruptedSweepEndsTheSame(t *testing.T) {
	// Look at the second sweep: what it finds of the first is as if it had made it, whatever half
	// written file the first left, and what it finds broken it makes again.
	full, err := smallSweep(t, "", nil).Execute(t.Context())
	require.NoError(t, err)
	require.Nil(t, full.Cells[0].Values[1], "40 messages have no percentile 99.99")

	dir := t.TempDir()
	p := smallSweep(t, dir, nil)
	p.runs = p.runs[:7]
	_, err = p.execute(t.Context())
	require.NoError(t, err)
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	require.NoError(t, err)
	require.Len(t, names, 7)
	require.NoError(t, os.WriteFile(names[0], []byte(`{"schema":"rtsim.run/1"`), 0o666))
	other, err := os.ReadFile(names[2])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(names[1], other, 0o666))
	half := filepath.Join(dir, whole.BeingWritten+"x.json")
	require.NoError(t, os.WriteFile(half, nil, 0o666))

	p = smallSweep(t, dir, nil)
	rest, err := p.Execute(t.Context())
	require.NoError(t, err)
	assert.Equal(t, full.Cells, rest.Cells)
	assert.Equal(t, full.Text(), rest.Text())
	assert.NoFileExists(t, half)
	mended, err := os.ReadFile(names[0])
	require.NoError(t, err)
	assert.Contains(t, string(mended), `"digest":`)
	done, all, runs := p.Progress()
	assert.EqualValues(t, 12*20*sim.Millisecond, all)
	assert.Equal(t, all, done)
	assert.Equal(t, 12, runs)
}

func TestKeptRunsAreOfTheSameInputs(t *testing.T) {
	// Look at how many files there are: whatever a run depends on gives another one, and how many
	// run side by side does not.
	dir := t.TempDir()
	want := 0
	for _, c := range []struct {
		change func(*Base)
		more   int
	}{
		{nil, 12},
		{func(b *Base) { b.Jobs = 1 }, 0},
		{func(b *Base) { b.Build = "v1 there" }, 12},
		{func(b *Base) { b.Version = "as it is printed" }, 0},
		{func(b *Base) { b.Options.Duration++ }, 12},
		{func(b *Base) { b.Data = append([]byte("# changed\n"), b.Data...) }, 12},
		{func(b *Base) { b.Options.Thresholds = []sim.Time{1000} }, 12},
		{func(b *Base) { b.Seeds = []uint64{2, 3} }, 6},
		{func(b *Base) { b.Asked[0] = "doorbell/always-wake" }, 6},
	} {
		_, err := smallSweep(t, dir, c.change).Execute(t.Context())
		require.NoError(t, err)
		want += c.more
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Len(t, entries, want)
	}
}

func TestCancelledSweepSaysSo(t *testing.T) {
	// Look at the error: it is the context's, and there is no sweep.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, err := smallSweep(t, t.TempDir(), nil).Execute(ctx)
	require.ErrorIs(t, err, context.Canceled)
	assert.Nil(t, s)
}
