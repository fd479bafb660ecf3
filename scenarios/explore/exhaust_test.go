package explore

import (
	"context"
	"flag"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios"
	"rtsim/sim"
)

// small is a scenario with two contenders for the bucket's lock, and bursts of up to 50 us with
// gaps of some length. Nothing takes time but the section of the lock, 10 us.
const small = `
cpus: 4
costs: zero
queues: [Q]
tasks:
  - {name: low-0, priority: 10, cpus: [0], program: "every 200us; send Q; goto 0"}
  - {name: low-1, priority: 10, cpus: [1], program: "every 200us; send Q; goto 0"}
  - {name: sender, priority: 40, cpus: [2], program: "every 200us jitter 20us; send Q; goto 0"}
  - {name: receiver, priority: 40, cpus: [3], program: "open Q; receive Q; goto 1"}
load:
  - burst: irq-{cpu}
    each_cpu: [0, 1]
    priority: 50
    shape: uniform
    least: 20us
    greatest: 50us
    duty: 0.1
    gap_min: %s
measure: {sender: sender, receiver: receiver}
`

// exhaustRows is how many rows the closed form is tested on; the second takes ten seconds.
var exhaustRows = flag.Int("exhaust.rows", 1, "how many rows of the closed form, 1 or 2")

// smallProblem is a send of futex-plain in it.
func smallProblem(t *testing.T, gap string) *Problem {
	t.Helper()
	c, err := scenarios.Load("small", []byte(fmt.Sprintf(small, gap)),
		scenarios.Options{Duration: sim.Second})
	require.NoError(t, err)
	section, ok := c.Profile.Find("futex_base")
	require.True(t, ok)
	section.Typical, section.Greatest = 10*sim.Microsecond, 10*sim.Microsecond
	d, err := scenarios.FindDesign("futex-plain")
	require.NoError(t, err)
	return &Problem{Case: c, Design: d, Metric: scenarios.MetricSend, Seed: 1}
}

const smallHorizon = 400 * sim.Microsecond

func exhaust(t *testing.T, p *Problem, k int) Exhausted {
	t.Helper()
	e, err := Exhaust(context.Background(), p, k, smallHorizon, 1_000_000)
	require.NoError(t, err)
	require.True(t, e.Complete, e.Why)
	return e
}

// The closed form. The sender waits for a section of H = 10 us whose owner a burst of B = 50 us
// preempts as soon as it has begun, and again after each gap of G while the section lasts:
// H + ceil(H/G) B, and then needs H itself. Its release has to be moved to where the owner takes
// the lock, which is one action, and each burst is one.
func TestExhaustMeetsTheClosedForm(t *testing.T) {
	for _, row := range []struct {
		gap    string
		bursts int
	}{{"10us", 1}, {"5us", 2}}[:*exhaustRows] {
		p := smallProblem(t, row.gap)
		const h, b = 10 * sim.Microsecond, 50 * sim.Microsecond
		want := h + sim.Time(row.bursts)*b + h
		last := sim.Time(0)
		for k := range row.bursts + 2 {
			e := exhaust(t, p, k)
			t.Logf("G %s, k %d: %s, %d states, %d met before", row.gap, k, e.Best.Total, e.Nodes,
				e.Hits)
			assert.GreaterOrEqual(t, e.Best.Total, last, "more actions, no less")
			last = e.Best.Total
		}
		assert.Equal(t, want, last)
		f, _, err := Search(context.Background(), p, Plan{Seed: 1, Evaluations: 1500,
			Window: smallHorizon})
		require.NoError(t, err)
		assert.LessOrEqual(t, f.Total, want, "a search is not above the closed form")
		t.Logf("G %s: a search finds %s", row.gap, f.Total)
	}
}

// Look at the results: recognizing states that were met before changes the number of states, and
// nothing that is found; nor does it when the states themselves are kept and not their hashes.
func TestExhaustWithoutHashing(t *testing.T) {
	p := smallProblem(t, "10us")
	with := exhaust(t, p, 2)
	x, err := newExplorer(context.Background(), p, 2, smallHorizon)
	require.NoError(t, err)
	without, err := x.all()
	require.NoError(t, err)
	assert.Equal(t, with.Best.Total, without.Best.Total)
	assert.Zero(t, without.Hits)
	assert.Positive(t, with.Hits)
	t.Logf("%d states with, %d without", with.Nodes, without.Nodes)
}

// Look at the reason: a scenario with costs that jitter asks for more than an exploration answers.
func TestExhaustSaysWhatIsOpen(t *testing.T) {
	c, err := scenarios.Prepare("orin-queue", scenarios.Options{})
	require.NoError(t, err)
	d, err := scenarios.FindDesign("doorbell")
	require.NoError(t, err)
	p := &Problem{Case: c, Design: d, Metric: scenarios.MetricReceive, Seed: 1}
	e, err := Exhaust(context.Background(), p, 0, 2*sim.Millisecond, 1_000_000)
	require.NoError(t, err)
	assert.False(t, e.Complete)
	assert.Contains(t, e.Why, "the run asks for more than bursts and releases, as ")
	assert.Positive(t, e.Best.Total)
	assert.GreaterOrEqual(t, e.Best.Begin, sim.Millisecond, "what begins before is not measured")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = Exhaust(ctx, p, 1, sim.Millisecond, 1_000_000)
	assert.ErrorIs(t, err, context.Canceled)
	_, err = Exhaust(ctx, p, -1, sim.Millisecond, 1_000_000)
	assert.EqualError(t, err, "-1 actions until 1ms: write 0 or more, and a time above 0")
}
