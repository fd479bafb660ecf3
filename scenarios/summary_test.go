package scenarios

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

func TestMissing(t *testing.T) {
	// Look at the parts: consecutive seeds are one part, designs that lack the same seeds share
	// it, and together they are exactly the runs without a result.
	done := &Result{}
	p := &Plan{Asked: []string{"a", "b", "c"}, Seeds: []uint64{5, 6, 7, 8}}
	for _, c := range []struct {
		results []*Result
		rests   []Rest
	}{
		{[]*Result{done, done, done, done, done, done, done, done, done, done, done, done}, nil},
		{make([]*Result, 12), []Rest{{[]string{"a", "b", "c"}, 5, 8}}},
		{[]*Result{done, done, nil, done, nil, nil, nil, nil, nil, nil, nil, nil},
			[]Rest{{[]string{"a"}, 7, 7}, {[]string{"b", "c"}, 5, 8}}},
		{[]*Result{nil, done, nil, nil, done, done, done, done, nil, done, done, nil},
			[]Rest{{[]string{"a", "c"}, 5, 5}, {[]string{"a"}, 7, 8}, {[]string{"c"}, 8, 8}}},
	} {
		assert.Equal(t, c.rests, p.Missing(c.results))
	}
}

// smallPlan is three designs, two seeds, 20 ms.
func smallPlan(t *testing.T) *Plan {
	c, err := Prepare("orin-queue", Options{Duration: 20 * sim.Millisecond,
		Set: []file.Setting{{Name: "rt_priority", Value: "60"},
			{Name: "rt_priority", Value: "41"}}})
	require.NoError(t, err)
	asked, found, err := FindDesigns([]string{"futex-oneshot", "doorbell", "ideal-spin"})
	require.NoError(t, err)
	return &Plan{Case: c, Asked: asked, Designs: found, Seeds: []uint64{1, 2}, Jobs: 1}
}

func TestInterruptedPlan(t *testing.T) {
	// Look at what is kept after a plan of six runs was stopped when three were finished: these
	// three, a summary of the design that is whole, and a table of that one.
	whole := smallPlan(t)
	all, err := whole.Execute(t.Context())
	require.NoError(t, err)

	ctx, cancel := context.WithCancel(t.Context())
	p := smallPlan(t)
	p.Done = func(n int) {
		if n == 3 {
			cancel()
		}
	}
	results, err := p.Execute(ctx)
	require.ErrorIs(t, err, context.Canceled)
	c := p.Compare("v", results)
	require.Len(t, c.Results, 3)
	for i, r := range c.Results {
		assert.Equal(t, all[i].Digest, r.Digest)
	}
	require.Len(t, c.Summary, 1)
	assert.Equal(t, "futex-oneshot", c.Summary[0].Design)
	assert.Len(t, NewTable(c).Rows, 1)
	assert.Equal(t, []Rest{{[]string{"doorbell"}, 2, 2}, {[]string{"ideal-spin"}, 1, 2}},
		p.Missing(results))
	assert.Equal(t, map[string]string{"rt_priority": "41"}, c.Set, "the last setting counts")
}

func TestProgress(t *testing.T) {
	// Look at the end: all that was to be simulated is done, and no more, though runs drain.
	p := smallPlan(t)
	done, all, _ := p.Progress()
	assert.Zero(t, done)
	assert.Equal(t, 6*20*sim.Millisecond, all)
	_, err := p.Execute(t.Context())
	require.NoError(t, err)
	done, _, _ = p.Progress()
	assert.Equal(t, all, done)
}

func TestSummary(t *testing.T) {
	// Look at the numbers: a summary's are those of its results, a merged histogram has all their
	// values, and the first design that exists is what the others are held against.
	p := smallPlan(t)
	results, err := p.Execute(t.Context())
	require.NoError(t, err)
	results[0], results[1] = &Result{Design: "futex-oneshot", Unsupported: "why"},
		&Result{Design: "futex-oneshot", Unsupported: "why"}
	c := p.Compare("v", results)
	require.Len(t, c.Summary, 3)
	assert.Nil(t, c.Summary[0].Against)
	assert.Nil(t, c.Summary[1].Against)
	assert.Equal(t, "doorbell", c.Summary[2].Against.Design)
	a, b := results[2], results[3]
	assert.Equal(t, max(a.Send.MaxNs, b.Send.MaxNs), c.Summary[1].Send.MaxNs)
	merged := c.Histogram(&c.Summary[1], "receive")
	assert.Equal(t, a.Receive.Count+b.Receive.Count, merged.Count())
	assert.Equal(t, max(a.Receive.MaxNs, b.Receive.MaxNs), merged.Max())
	table := NewTable(c).Text()
	assert.Contains(t, table, "futex-oneshot  unsupported: why\n")
}

func TestMicros(t *testing.T) {
	// Look at the last digit, to the nearest, and at what is just above 100 us: never shown as it.
	for ns, text := range map[sim.Time]string{
		-1: "-", 0: "0 ns", 999: "999 ns", 1000: "1.0 us", 1049: "1.0 us", 1050: "1.1 us",
		11_095: "11.1 us", 99_949: "99.9 us", 99_951: "100.0 us", 100_000: "100.0 us",
		100_001: "100.1 us", 100_049: "100.1 us", 100_151: "100.2 us", 999_949: "999.9 us",
		999_950: "1.000 ms", 1_003_499: "1.003 ms", 1_003_500: "1.004 ms",
	} {
		assert.Equal(t, text, Micros(ns), "%d ns", ns)
	}
}

func TestCrashIsOneRun(t *testing.T) {
	// Look at the error: a design that breaks an invariant is named with its seed, the message and
	// the stack, and does not take the process with it.
	p := smallPlan(t)
	broken := designs.Design{Name: "futex-oneshot", Variant: "futex-oneshot",
		Paths: p.Designs[0].Paths}
	broken.Paths.Send = model.Do(model.ActWorkPop, model.NoCost, "pops a list that it has not")
	p.Designs = []*designs.Design{&broken}
	p.Asked = p.Asked[:1]
	_, err := p.Execute(t.Context())
	var crash *Crash
	require.True(t, errors.As(err, &crash), "%v", err)
	assert.EqualValues(t, 1, crash.Seed)
	assert.Equal(t, "futex-oneshot", crash.Design)
	assert.NotEmpty(t, crash.Message)
	assert.Contains(t, crash.Stack, "model.")
}

func TestFindDesigns(t *testing.T) {
	// Look at the names: each once, as asked; all is every variant, nothing every bare design;
	// and an error has every unknown name.
	asked, found, err := FindDesigns([]string{"doorbell/always-wake", "doorbell", "doorbell"})
	require.NoError(t, err)
	assert.Equal(t, []string{"doorbell/always-wake", "doorbell"}, asked)
	assert.Same(t, found[0], found[1])
	asked, _, err = FindDesigns([]string{"doorbell", "all"})
	require.NoError(t, err)
	assert.Len(t, asked, len(designs.All()))
	_, found, err = FindDesigns(nil)
	require.NoError(t, err)
	assert.Equal(t, designs.Bare(), found)
	_, _, err = FindDesigns([]string{"dorbell", "doorbell", "futex-plane"})
	assert.EqualError(t, err, "unknown design \"dorbell\"; did you mean doorbell?\n"+
		"unknown design \"futex-plane\"; did you mean futex-plain or "+
		"futex-persistent?")
}
