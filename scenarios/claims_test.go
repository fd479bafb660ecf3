package scenarios_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

func runFor(t *testing.T, d *designs.Design, scenario string, seed uint64,
	set ...file.Setting) *scenarios.Result {
	t.Helper()
	r, err := scenarios.Run(d.Variant, scenario, seed, scenarios.Options{
		Duration: 2 * sim.Second, Set: set})
	require.NoError(t, err)
	require.Zero(t, r.Lost, d.Variant)
	require.EqualValues(t, 4000, r.Messages, d.Variant)
	require.Equal(t, r.Messages-2, r.Receive.Count, "%s: two are sent before 1 ms", d.Variant)
	return r
}

// cleanPath is longer than any design's own path to the receiver with every step at its jittered
// greatest, one other waker's raw sections on each CPU, a tick and a device interrupt in it.
const cleanPath = 40 * sim.Microsecond

func TestQuietHasNoTail(t *testing.T) {
	// Look at the design: without the low-priority processes nobody holds what the real-time tasks
	// need, so every design must show its clean path, whatever the bursts do.
	for _, d := range designs.All() {
		r := runFor(t, d, "quiet", 1, file.Setting{Name: "burst_duty", Value: "0.8"})
		assert.Less(t, r.Send.MaxNs, cleanPath, d.Variant)
		assert.Less(t, r.Receive.MaxNs, cleanPath, d.Variant)
	}
}

func TestBoundedDesignsAreBounded(t *testing.T) {
	// Look at the burst setting: the proposals' sends must not see the bursts at all, since no lock
	// on their path can be held by a preempted task; the futex's must.
	for _, name := range []string{"futex-persistent", "doorbell", "ideal-spin", "futex-oneshot"} {
		d, ok := designs.Find(name)
		require.True(t, ok)
		worst := sim.Time(0)
		for _, duty := range []string{"0.2", "0.5", "0.8"} {
			for _, shape := range []string{"uniform", "log-uniform"} {
				r := runFor(t, d, "orin-queue", 1, file.Setting{Name: "burst_duty", Value: duty},
					file.Setting{Name: "burst_shape", Value: shape},
					file.Setting{Name: "burst_max", Value: "5ms"})
				worst = max(worst, r.Send.MaxNs)
			}
		}
		if name == "futex-oneshot" {
			assert.Greater(t, worst, sim.Millisecond, name)
		} else {
			assert.Less(t, worst, cleanPath, name)
		}
	}
}

func TestPriorityAboveInterruptsMovesTheDelay(t *testing.T) {
	// Look at who waits: at 60 the boosted holder beats the bursts, so the send's tail goes, and
	// the interrupt threads are preempted by lower-priority tasks instead, which at 40 they never
	// are.
	d, ok := designs.Find("futex-oneshot")
	require.True(t, ok)
	above := file.Setting{Name: "rt_priority", Value: "60"}
	assert.Greater(t, runFor(t, d, "orin-queue", 1).Send.MaxNs, 100*sim.Microsecond)
	assert.Less(t, runFor(t, d, "orin-queue", 1, above).Send.MaxNs, 100*sim.Microsecond)
	assert.Zero(t, burstsPreempted(t, d))
	assert.Positive(t, burstsPreempted(t, d, above))
}

// burstsPreempted counts how often a lower-priority task takes the CPU from a burst that is not
// over, in two seconds.
func burstsPreempted(t *testing.T, d *designs.Design, set ...file.Setting) int {
	t.Helper()
	c, err := scenarios.Prepare("orin-queue", scenarios.Options{Set: set})
	require.NoError(t, err)
	w := c.Workload(d)
	m := model.New(w, c.Profile.Table(), 1)
	m.Keep(trace.SchedSwitch)
	require.NoError(t, m.Run(2*sim.Second))
	burst := func(id int32) bool {
		return slices.ContainsFunc(w.Loads, func(l model.LoadDecl) bool {
			return l.Kind == model.LoadBurst && int32(l.Task) == id
		})
	}
	n := 0
	for _, r := range m.Trace {
		if r.A >= 0 && burst(r.A) && trace.Sleep(r.B) == trace.Runnable && r.Task >= 0 {
			require.Less(t, int(r.Task), len(w.Tasks))
			require.Less(t, w.Tasks[r.Task].Priority, w.Tasks[r.A].Priority)
			n++
		}
	}
	return n
}
