package bound

import (
	"strings"
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

// Look at what takes the one owner away: fair tasks, SCHED_RR, a section that waits for another
// lock, a kworker. Where the analysis says one, no run has two on a CPU; of fair tasks one has.
func TestOneOwnerOnACPU(t *testing.T) {
	for _, c := range []struct {
		design, policy string
		one            bool
	}{
		{"futex-plain", "fifo-5", true}, {"futex-oneshot", "fifo-1", true},
		{"eventfd", "fifo-10", true}, {"msg-ring-cache", "fifo-5", true},
		{"eventfd", "other", false}, {"futex-plain", "rr-10", false},
		{"signalfd", "fifo-5", false}, {"msg-ring", "fifo-5", false},
	} {
		s, err := scenarios.Prepare("orin-queue", scenarios.Options{Duration: sim.Second,
			Set: []file.Setting{{Name: "low_policy", Value: c.policy},
				{Name: "low_pubs", Value: "2"}, {Name: "burst_duty", Value: "0.8"}}})
		require.NoError(t, err)
		d, _ := designs.Find(c.design)
		a, why := analyse(&System{Scenario: s.Scenario, Design: d.In(s.Era), Profile: s.Profile,
			Fixed: s.Fixed()}, s.Scenario.Sender)
		require.Empty(t, why)
		assert.Equal(t, c.one, a.oneOwner(), "%s, %s", c.design, c.policy)
		most := mostOwned(t, s, d)
		switch {
		case c.one:
			assert.Equal(t, 1, most, "%s, %s", c.design, c.policy)
		case c.policy == "other":
			assert.Equal(t, 2, most, "%s, %s", c.design, c.policy)
		}
	}
}

// mostOwned is how many locks that the level waits for were owned on one of CPUs 0 and 1 at most.
func mostOwned(t *testing.T, c *scenarios.Case, d *designs.Design) (most int) {
	w := c.Workload(d)
	m := model.New(w, c.Profile.Table(), 5)
	m.Keep(trace.LockAcquired, trace.LockReleased)
	require.NoError(t, m.Run(c.Options().Duration))
	names, owned := scenarios.NamesOf(w, m.Program()).Locks, map[int16]int{}
	for _, r := range m.Trace {
		name, raw := names[r.A], !m.Sleeps(r.A)
		if raw || r.CPU > 1 || strings.HasPrefix(name, "uring_lock") ||
			strings.HasPrefix(name, "cpu_sheaves") {
			continue
		}
		if r.Kind == trace.LockReleased {
			owned[r.CPU]--
			continue
		}
		owned[r.CPU]++
		most = max(most, owned[r.CPU])
	}
	return most
}
