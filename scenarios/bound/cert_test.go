package bound_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/scenarios/bound"
	"rtsim/scenarios/bound/cert"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// shorter makes the window of the first point of a kind of some task shorter by 1 ns.
func shorter(c *cert.Certificate, what, task string) {
	for i := range c.Points {
		if p := &c.Points[i]; p.What == what && p.Task == task {
			p.Window--
			return
		}
	}
	panic("no such point")
}

// Look at how little is wrong with each: the checker refuses a certificate that says 1 ns too
// little, forgets a task, a CPU or a term, or is another scenario's.
func TestWrongCertificatesAreRefused(t *testing.T) {
	for _, c := range []struct {
		name, design string
		spoil        func(c *cert.Certificate)
		why          string
	}{
		{"a dropped term", "futex-oneshot", func(c *cert.Certificate) { c.Terms = c.Terms[1:] },
			"add up"},
		{"a term and the value lower", "futex-oneshot", func(c *cert.Certificate) {
			c.Terms[0].Ns--
			c.Value--
		}, "the call takes up to"},
		{"a negative term", "doorbell", func(c *cert.Certificate) {
			c.Terms = append(c.Terms, cert.Term{Name: "luck", Ns: -5000})
			c.Value -= 5000
		}, "negative"},
		{"a raw lock's CPU that counts for nothing", "doorbell", func(c *cert.Certificate) {
			c.Value -= c.Terms[1].Ns / 2
			c.Terms[1].Ns -= c.Terms[1].Ns / 2
		}, "the call takes up to"},
		{"a forgotten CPU", "futex-persistent", func(c *cert.Certificate) {
			c.Points = slices.DeleteFunc(c.Points, func(p cert.Point) bool {
				return p.Task == "low-pub-1" || p.Task == "low-sub-1"
			})
		}, "it says nothing of the hold of node->lock by low-"},
		{"a wrong hold", "futex-persistent", func(c *cert.Certificate) {
			shorter(c, "hold", "low-pub-0")
		}, "low-pub-0 holds node->lock for longer"},
		{"an owner that is too quick", "futex-oneshot", func(c *cert.Certificate) {
			shorter(c, "release", "low-pub-0")
		}, "low-pub-0 needs"},
		{"an owner less", "futex-plain", func(c *cert.Certificate) {
			c.Points = slices.DeleteFunc(c.Points, func(p cert.Point) bool {
				return p.What == "release" && p.Task == "low-sub-1"
			})
		}, "it says nothing of the release of hb->lock by low-sub-1"},
		{"nobody queued before", "futex-oneshot", func(c *cert.Certificate) {
			c.Points = slices.DeleteFunc(c.Points, func(p cert.Point) bool {
				return p.What == "turn"
			})
		}, "it says nothing of the turn"},
		{"a turn that is too quick", "futex-oneshot", func(c *cert.Certificate) {
			shorter(c, "turn", "receiver")
		}, "receiver needs"},
		{"interrupts of the sender's CPU left out", "ideal-spin", func(c *cert.Certificate) {
			c.Terms = c.Terms[:1]
			c.Value = c.Terms[0].Ns
		}, "the call takes up to"},
		{"another metric", "doorbell", func(c *cert.Certificate) { c.Metric = "response" },
			"not checked"},
	} {
		s := system(t, "orin-queue", c.design)
		b := compute(t, s, "send")
		require.NoError(t, check(s, b), c.name)
		c.spoil(b.Certificate)
		assert.ErrorContains(t, check(s, b), c.why, c.name)
	}
	assert.ErrorContains(t, check(system(t, "orin-queue", "doorbell"), &bound.Bound{}), "no cert")
}

// Look at the scenario: a certificate holds for the one it was made for, and not for a worse one.
func TestCertificatesOfAnotherScenarioAreRefused(t *testing.T) {
	b := compute(t, system(t, "orin-queue", "futex-oneshot"), "send")
	for _, set := range []file.Setting{{Name: "burst_max", Value: "2ms"},
		{Name: "burst_gap_min", Value: "8us"}, {Name: "futex_base", Value: "150ns"},
		{Name: "low_subs", Value: "2"}, {Name: "irq_max", Value: "6us"}} {
		s := system(t, "orin-queue", "futex-oneshot", set)
		assert.Error(t, check(s, b), set.Name)
	}
	s := system(t, "orin-queue", "futex-oneshot")
	s.Scenario.FairServers = []model.FairServerDecl{{Runtime: 1, Period: 2}}
	assert.ErrorContains(t, check(s, b), "fair server")
}

// Look at the same of walks that visit several endpoints, each with a lock, and of the slab.
func TestWrongCertificatesOfSeveralLocks(t *testing.T) {
	for _, c := range []struct {
		name, design string
		spoil        func(c *cert.Certificate)
		why          string
	}{
		{"a release for somebody else only", "eventfd", func(c *cert.Certificate) {
			c.Points = slices.DeleteFunc(c.Points, func(p cert.Point) bool {
				return p.What == "release" && p.Task == "low-pub-0" && p.For == "sender"
			})
		}, `it says nothing of the release of wqh.lock by low-pub-0 for "sender"`},
		{"an owner of a slab's lock that is too quick", "msg-ring-cache",
			func(c *cert.Certificate) { shorter(c, "release", "low-sub-1") }, "low-sub-1 needs"},
		{"a slab's loop that goes round less often", "msg-ring-cache",
			func(c *cert.Certificate) {
				c.Terms[0].Ns -= 300
				c.Value -= 300
			}, "the call takes up to"},
		{"a visit less", "eventfd", func(c *cert.Certificate) {
			for i := range c.Terms {
				c.Terms[i].Ns -= c.Terms[i].Ns / 3
			}
			c.Value = 0
			for _, t := range c.Terms {
				c.Value += t.Ns
			}
		}, "the call takes up to"},
	} {
		s := system(t, "orin-queue", c.design)
		b := compute(t, s, "send")
		require.NoError(t, check(s, b), c.name)
		c.spoil(b.Certificate)
		assert.ErrorContains(t, check(s, b), c.why, c.name)
	}
}

// Look at signalfd, whose owners wait for other locks in their sections: with gaps of 1 ms it has a
// bound by formula (a), and its certificate has releases for those who are boosted.
func TestNestedWaitsAreChecked(t *testing.T) {
	s := system(t, "orin-queue", "signalfd", file.Setting{Name: "burst_gap_min", Value: "1ms"})
	b := compute(t, s, "send")
	require.Empty(t, b.Certificate.Formula)
	require.NoError(t, check(s, b))
	for i := range b.Certificate.Points {
		p := &b.Certificate.Points[i]
		if p.Lock != "list_lock" || p.For != "low-sub-0" {
			continue
		}
		p.Window--
		assert.ErrorContains(t, check(s, b), "needs", "%v", *p)
		p.Window++
	}
	shorter(b.Certificate, "release", "low-sub-0")
	assert.ErrorContains(t, check(s, b), "low-sub-0 needs")
}

// Look at the shortened window: each fixed point of a certificate is checked, of each lock and each
// task, so none may say 1 ns too little.
func TestEachFixedPointIsChecked(t *testing.T) {
	for _, d := range designs.All() {
		s := system(t, "orin-queue", d.Variant)
		b := compute(t, s, "send")
		if b.Unbounded != "" || check(s, b) != nil {
			continue
		}
		for i := range b.Certificate.Points {
			p := &b.Certificate.Points[i]
			p.Window--
			assert.Error(t, check(s, b), "%s: %v", d.Variant, *p)
			p.Window++
		}
		assert.NoError(t, check(s, b), d.Variant)
	}
}

// Look at the refusal, which comes at once: to readers that come back every 70 us the sender's walk
// has 305 rounds, of which each walks those who wait in as many. These are 100,000 states of each
// step, each known by its rounds in a byte, in which 305 were 49.
func TestWalksOfHundredsAreNotChecked(t *testing.T) {
	const text = `
cpus: 4
queues: [Q]
tasks:
  - {name: S, priority: 40, cpus: [2], program: "every 57us; send Q; goto 0"}
  - {name: R, priority: 40, cpus: [3], program: "open Q; receive Q; goto 1"}
  - {name: L0, policy: other, cpus: [1], program: "open Q; receive Q; goto 1"}
  - name: L
    policy: other
    count: 3
    cpus: [0]
    program: "open Q; for 40us; receive Q; end; close Q; sleep 30us; goto 0"
load:
  - {burst: B, cpu: 1, priority: 50, shape: uniform, least: 20us, greatest: 1ms, duty: 0.3,
     gap_min: 50us}
  - {device: D, cpu: 1, every: 25us, least: 1us, greatest: 9us}
measure: {sender: S, receiver: R}
`
	name := filepath.Join(t.TempDir(), "walks.yaml")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	s := system(t, name, "eventfd")
	b := compute(t, s, "send")
	require.Empty(t, b.Unbounded)
	assert.Greater(t, b.Value, 10*sim.Millisecond)
	assert.ErrorContains(t, check(s, b), "rounds of the loop")
}
