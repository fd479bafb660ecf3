package bound_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios/bound"
	"rtsim/scenarios/bound/cert"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// rare is orin-queue with bursts of at most 200 us, 1 ms apart, so that a call of less meets one of
// each CPU.
func rare(t *testing.T, design string) *bound.System {
	return system(t, "orin-queue", design, file.Setting{Name: "burst_max", Value: "200us"},
		file.Setting{Name: "burst_gap_min", Value: "1ms"},
		file.Setting{Name: "cost_jitter_percent", Value: "0"})
}

// Look at the two terms: eventfd waits for three locks, but there are two CPUs with bursts. A burst
// is its handler, 1.5 us, the switch to it and back, 1.2 us each, and 200 us: 203.9 us.
func TestOneBurstOfEachCPU(t *testing.T) {
	for _, design := range []string{"eventfd", "msg-ring-cache"} {
		s := rare(t, design)
		b := compute(t, s, "send")
		require.NoError(t, check(s, b))
		bursts := map[string]sim.Time{}
		for _, term := range b.Terms {
			if len(term.Name) > 6 && term.Name[:6] == "bursts" {
				bursts[term.Name] = term.Ns
			}
		}
		assert.Equal(t, map[string]sim.Time{"bursts on CPU 0": 203_900,
			"bursts on CPU 1": 203_900}, bursts, design)
	}
}

// Look at how little is wrong with each certificate of formula (b).
func TestWrongCertificatesOfTheWholeCall(t *testing.T) {
	less := func(c *cert.Certificate, name string, ns sim.Time) {
		for i := range c.Terms {
			if c.Terms[i].Name == name {
				c.Terms[i].Ns -= ns
				c.Value -= ns
				return
			}
		}
		panic("no term " + name)
	}
	for _, c := range []struct {
		name  string
		spoil func(c *cert.Certificate)
		why   string
	}{
		{"1 ns less", func(c *cert.Certificate) { less(c, "own steps", 1) }, "takes up to"},
		{"a forgotten CPU", func(c *cert.Certificate) { less(c, "bursts on CPU 1", 203_900) },
			"takes up to"},
		{"a burst without its second switch",
			func(c *cert.Certificate) { less(c, "bursts on CPU 0", 1200) }, "takes up to"},
		{"a handler less, a tick", func(c *cert.Certificate) {
			less(c, "interrupts of owners", 3000)
		}, "takes up to"},
		{"the other formula", func(c *cert.Certificate) { c.Formula = "a" }, "it says nothing of"},
		{"no such formula", func(c *cert.Certificate) { c.Formula = "c" }, "is not known"},
		{"a receive's", func(c *cert.Certificate) { c.Metric = "receive" }, "is not known"},
	} {
		for _, design := range []string{"eventfd", "msg-ring-cache", "signalfd"} {
			s := rare(t, design)
			b := compute(t, s, "send")
			require.Equal(t, "b", b.Certificate.Formula)
			require.NoError(t, check(s, b), c.name)
			c.spoil(b.Certificate)
			assert.ErrorContains(t, check(s, b), c.why, "%s, %s", design, c.name)
		}
	}
}
