package scenarios

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/sim"
)

// runOrin runs a design once on orin-queue as `rtsim compare` does: machine, records, measuring.
func runOrin(tb testing.TB, d *designs.Design, c *Case) *Result {
	tb.Helper()
	r, err := c.run(context.Background(), d, d.Variant, 1, nil)
	require.NoError(tb, err)
	return r
}

func orinCase(tb testing.TB, duration sim.Time) *Case {
	tb.Helper()
	c, err := Prepare("orin-queue", Options{Duration: duration})
	require.NoError(tb, err)
	return c
}

// BenchmarkOrinQueue simulates one second an iteration; the digest tells whether two builds did
// the same work.
func BenchmarkOrinQueue(b *testing.B) {
	for _, d := range designs.All() {
		b.Run(d.Variant, func(b *testing.B) {
			c, steps, digest := orinCase(b, sim.Second), int64(0), ""
			for b.Loop() {
				r := runOrin(b, d, c)
				steps, digest = steps+r.Steps, r.Digest
			}
			b.Logf("digest %s", digest)
			ns := float64(b.Elapsed().Nanoseconds())
			b.ReportMetric(ns/float64(steps), "ns/step")
			b.ReportMetric(1e9*float64(steps)/ns, "steps/s")
			b.ReportMetric(1e9*float64(b.N)/ns, "simulated-s/s")
		})
	}
}

func TestOrinQueueMeasuredIsUnmeasured(t *testing.T) {
	// Look at the design: what the benchmark runs, in batches that are read and thrown away, must
	// be the run in one piece that nobody reads.
	const duration = 20 * sim.Millisecond
	c := orinCase(t, duration)
	for _, d := range designs.All() {
		r := runOrin(t, d, c)
		m := model.New(c.Workload(d), c.Profile.Table(), 1)
		require.NoError(t, m.Run(duration))
		for end := duration; m.Steps() < r.Steps; end += batch { // the last messages are awaited
			require.NoError(t, m.Run(end))
		}
		require.Equal(t, m.Digest().String(), r.Digest, d.Variant)
		require.Equal(t, m.Steps(), r.Steps, d.Variant)
	}
}

func TestOrinQueueNeedsNoMemory(t *testing.T) {
	// Look at the counts: once the buffers have grown, a step allocates nothing, so a run of any
	// length needs what this one has taken, the collected included: under 64 MB.
	const warm, stretch = 200 * sim.Millisecond, 20 * sim.Millisecond
	for _, d := range designs.All() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c := orinCase(t, warm)
		c.options.Duration = sim.Never // the sender goes on
		w := c.Workload(d)
		m := model.New(w, c.Profile.Table(), 1)
		m.Keep(measuredKinds...)
		meter := newMeasurer(w, taskOf(w, c.Scenario.Sender), taskOf(w, c.Scenario.Receiver),
			c.limits)
		end := sim.Time(0)
		run := func() {
			end += stretch
			require.NoError(t, m.Run(end))
			meter.take(m.Trace)
			m.Trace = m.Trace[:0]
		}
		for end < warm {
			run()
		}
		steps := m.Steps()
		require.Zero(t, testing.AllocsPerRun(5, run), d.Variant)
		require.Greater(t, m.Steps(), steps+1000, "the stretch was not idle")
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20), d.Variant)
	}
}
