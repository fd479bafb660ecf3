package campaign

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// others is how many CPUs but the sender's walk the node: CPUs-1.
const others = 5

// walkCosts are what the listing of the send path says that a waiter costs: most if he sleeps and
// has no mark, least if he has been woken and marked by a walk before. end is the test that ends a
// walk, besides what the call costs in addition.
func walkCosts(t *testing.T, d *designs.Design) (most, least, end, besides sim.Time) {
	t.Helper()
	profile, ok := designs.FindProfile("orin-7.4")
	require.True(t, ok)
	listings, err := scenarios.Listings(d, profile)
	require.NoError(t, err)
	send := listings[0]
	require.Equal(t, "send", send.Path)
	require.Len(t, send.Rounds, 1)
	most = send.Rounds[0].TypicalNs
	loop, skip := -1, -1 // depths of the walk, and of a body that is not entered the second time
	for _, line := range send.Lines {
		if skip >= 0 && line.Depth > skip {
			continue
		}
		skip = -1
		if line.Kind == "while" {
			loop, end = line.Depth, line.Ns
		}
		switch {
		case loop >= 0 && (line.Kind == "while" || line.Depth > loop):
			least += line.Ns
		default:
			besides += line.Ns
		}
		if strings.Contains(line.Text, "cmpxchg(pending)") ||
			strings.Contains(line.Text, "ttwu_state_match") {
			skip = line.Depth
		}
	}
	return most, least, end, besides
}

func TestWaitersBehindARawLock(t *testing.T) {
	// Look at the number of waiters from which a send takes 50 us, and 100 us. The node's lock is
	// raw: first come, first served, and nobody who holds it is preempted. So who comes last waits
	// for (CPUs-1) walks of N waiters: the first pays the whole of a waiter, c, and since they are
	// woken and marked then, and cannot run before CPU 5's own walk is over, the others and the
	// sender himself pay the least. No send may be above CPUs * N * c and the rest of the call.
	d, err := scenarios.FindDesign("futex-persistent/raw-walk")
	require.NoError(t, err)
	most, least, end, besides := walkCosts(t, d)
	require.Less(t, least, most)
	data, err := os.ReadFile("testdata/waiters.yaml")
	require.NoError(t, err)
	p, err := NewSweep(&Base{Scenario: "waiters", Data: data, Jobs: 2,
		Asked: []string{"futex-persistent/raw-walk"}, Designs: []*designs.Design{d},
		Options: scenarios.Options{Duration: 40 * sim.Millisecond,
			Thresholds: []sim.Time{50 * sim.Microsecond},
			Set:        []file.Setting{{Name: "cost_jitter_percent", Value: "0"}}},
		Seeds: []uint64{1}}, []string{"waiters=1..64:64"}, []string{"send.max"})
	require.NoError(t, err)
	s, err := p.Execute(t.Context())
	require.NoError(t, err)

	expected := func(n sim.Time) sim.Time { // he comes 1 us after the others
		return n*most + others*n*least + (others+1)*end + besides - sim.Microsecond
	}
	for point, text := range s.Axes[0].Values {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		longest := s.Value(point, 0, 0).Mean
		assert.InDelta(t, float64(expected(sim.Time(n))), longest, 20, "%d waiters", n)
		assert.LessOrEqual(t, longest, float64((others+1)*(sim.Time(n)*most+end)+besides))
	}
	require.Len(t, s.Passings, 2)
	for i, level := range []sim.Time{50 * sim.Microsecond, 100 * sim.Microsecond} {
		passing := s.Passings[i]
		assert.EqualValues(t, level, passing.Level)
		from, err := strconv.Atoi(passing.From)
		require.NoError(t, err)
		to, err := strconv.Atoi(passing.To)
		require.NoError(t, err)
		assert.LessOrEqual(t, expected(sim.Time(from)), level)
		assert.Greater(t, expected(sim.Time(to)), level)
	}
}
