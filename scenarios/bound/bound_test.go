package bound_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/bound"
	"rtsim/scenarios/bound/cert"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// system is a scenario with a design, ready to be bounded.
func system(t testing.TB, scenario, design string, set ...file.Setting) *bound.System {
	c, err := scenarios.Prepare(scenario, scenarios.Options{Set: set})
	require.NoError(t, err)
	d, ok := designs.Find(design)
	require.True(t, ok)
	return &bound.System{Scenario: c.Scenario, Design: d.In(c.Era), Profile: c.Profile,
		Fixed: c.Fixed()}
}

func compute(t testing.TB, s *bound.System, metric string) *bound.Bound {
	b, err := bound.Compute(s, metric)
	require.NoError(t, err)
	return b
}

// check is what the checker of certificates says.
func check(s *bound.System, b *bound.Bound) error {
	return cert.Check(b.Certificate, s.Scenario, s.Design, s.Profile, s.Fixed)
}

// Look at the limits: no send of the proposals that take no sleeping lock is over 100 us, and the
// checker agrees; those that take one are bounded by milliseconds, the published 1.0 ms among them.
func TestSendsOfTheExperiment(t *testing.T) {
	for _, c := range []struct {
		design      string
		above, most sim.Time
		certified   bool
	}{
		{"futex-plain", sim.Millisecond, 100 * sim.Millisecond, true},
		{"futex-oneshot", sim.Millisecond, 100 * sim.Millisecond, true},
		{"eventfd", sim.Millisecond, 100 * sim.Millisecond, true},
		{"futex-persistent", 8 * sim.Microsecond, 100 * sim.Microsecond, true},
		{"futex-persistent/rcu-walk", 3 * sim.Microsecond, 100 * sim.Microsecond, true},
		{"doorbell", 3 * sim.Microsecond, 100 * sim.Microsecond, true},
		{"msg-ring-cache", sim.Millisecond, 100 * sim.Millisecond, true},
		{"msg-ring-cache/credits", 3 * sim.Microsecond, 100 * sim.Microsecond, true},
		{"ideal-spin", 44, 10 * sim.Microsecond, true},
	} {
		s := system(t, "orin-queue", c.design)
		b := compute(t, s, "send")
		assert.Empty(t, b.Unbounded, c.design)
		assert.GreaterOrEqual(t, b.Value, c.above, c.design)
		assert.LessOrEqual(t, b.Value, c.most, c.design)
		assert.Equal(t, c.certified, check(s, b) == nil, "%s: %v", c.design, check(s, b))
	}
}

// Look at who is named: where there is no bound, it says whom it can't bound, and why.
func TestSendsWithoutABound(t *testing.T) {
	for _, c := range []struct{ scenario, design, why string }{
		{"orin-queue", "msg-ring", "kworker/5, which may hold up sender, runs on CPU 5, and so " +
			"does receiver (40)"},
		{"orin-queue", "msg-ring-cache/lock-free", `"cmpxchg(&cache->first, head, next): another`},
		{"orin-queue", "signalfd", "over 10s"},
		{"storm", "futex-oneshot", "runs on CPU 5"},
	} {
		b := compute(t, system(t, c.scenario, c.design), "send")
		assert.Contains(t, b.Unbounded, "no bound is derived")
		assert.Contains(t, b.Unbounded, c.why, c.design)
		assert.Nil(t, b.Certificate)
	}
}

// Look at each ladder: a bound never falls when bursts, interrupts, waiters or costs grow, or gaps
// shrink (P28). The latency itself may.
func TestBoundsAreMonotone(t *testing.T) {
	for name, values := range map[string][]string{
		"burst_max":           {"100us", "300us", "1ms", "5ms"},
		"burst_gap_min":       {"1ms", "100us", "20us", "10us"},
		"irq_max":             {"5us", "6us", "7us"},
		"tick_every":          {"10ms", "4ms", "1ms"},
		"low_subs":            {"0", "1", "2", "3"},
		"low_pubs":            {"1", "2", "4"},
		"futex_base":          {"100ns", "140ns", "400ns"},
		"switch":              {"700ns", "1200ns", "1500ns"},
		"unlock_slow":         {"500ns", "1us", "2us"},
		"subscribers":         {"1"},
		"low_policy":          {"fifo-10", "other"},
		"wake_enqueue":        {"300ns", "420ns", "1200ns"},
		"cost_jitter_percent": {"0", "10", "20"},
	} {
		for _, design := range []string{"futex-plain", "futex-oneshot", "futex-persistent",
			"doorbell", "eventfd"} {
			last := sim.Time(0)
			for _, v := range values {
				b := compute(t, system(t, "orin-queue", design, file.Setting{Name: name, Value: v}),
					"send")
				require.Empty(t, b.Unbounded, "%s, %s=%s", design, name, v)
				require.GreaterOrEqual(t, b.Value, last, "%s, %s=%s", design, name, v)
				last = b.Value
			}
		}
	}
}
