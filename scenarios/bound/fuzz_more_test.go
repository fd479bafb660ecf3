package bound_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/bound"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// elsewhere changes a random scenario in ways that the bound has to notice: other kernels and
// machines, a sender above the bursts, receivers above and below it, more receivers, tasks and
// bursts beside it, two threads of bursts on a CPU, low-priority tasks at the sender's priority.
func elsewhere(r *rand.Rand, text string) string {
	change := func(from string, to ...string) {
		text = strings.Replace(text, from, pick(r, append(to, from, from)...), 1)
	}
	change("cpus: 4\n", "cpus: 4\nkernel: 6.18\n", "cpus: 4\ncosts: x86\n",
		"cpus: 5\nkernel: 6.18\ncosts: x86\n", "cpus: 4\ncosts: orin-7.4-least\n")
	change("{name: S, priority: 40", "{name: S, priority: 60", "{name: S, priority: 45",
		"{name: S, priority: 8")
	change("{name: R, priority: 40, cpus: [3]", "{name: R, priority: 30, cpus: [3]",
		"{name: R, priority: 55, cpus: [3]", "{name: R, priority: 60, cpus: [3]",
		"{name: R, count: 2, priority: 40, cpus: [3]")
	change("priority: 5,", "priority: 40,", "priority: 42,")
	const more = "  - {name: V, "
	const program = ", program: \"every 70us; run 9us; goto 0\"}\nload:\n"
	change("load:\n", more+"policy: other, cpus: [3]"+program,
		more+"policy: other, cpus: [2]"+program, more+"priority: 70, cpus: [3]"+
			strings.Replace(program, "run 9us", "run 9us; send Q", 1))
	const burst = "shape: constant, least: 3us, duty: 0.9, gap_min: 2us}\nmeasure:"
	change("measure:", "  - {burst: C, cpu: 2, priority: 7, "+burst,
		"  - {burst: C, cpu: 3, priority: 7, "+burst,
		"  - {burst: C, cpu: 0, priority: 52, shape: uniform, least: 10us, greatest: 80us, "+
			"duty: 0.3, gap_min: 60us}\nmeasure:")
	return text
}

// Look at the systems as in TestNoSendIsOverItsBound. Here most have no bound, for the bound says
// of what is changed that it is not analysed; where it gives one, no send or receive is over it.
func TestNothingElsewhereIsOverItsBound(t *testing.T) {
	bounded, all := map[string]int{}, designs.All()
	for n := *fuzzFirst; n < *fuzzFirst+uint64(*fuzzSystems); n++ {
		r := rand.New(rand.NewPCG(n, 30))
		text := elsewhere(r, randomScenario(r))
		c, err := scenarios.Load("random", []byte(text), scenarios.Options{
			Duration: 8 * sim.Millisecond, Set: []file.Setting{{Name: "cost_jitter_percent",
				Value: pick(r, "0", "10", "50")}}})
		require.NoError(t, err, text)
		d := all[r.IntN(len(all))]
		if d.Unsupported(c.Scenario.Kernel) != "" {
			continue
		}
		s := &bound.System{Scenario: c.Scenario, Design: d.In(c.Era), Profile: c.Profile,
			Fixed: c.Fixed()}
		send, receive := compute(t, s, "send"), compute(t, s, "receive")
		if send.Unbounded != "" && receive.Unbounded != "" {
			continue
		}
		bounded[d.Name]++
		sent, received := longest(t, c, d, n)
		if send.Unbounded == "" {
			if err := check(s, send); err != nil {
				require.Contains(t, err.Error(), "not checked", "system %d, %s:\n%s", n, d.Variant,
					text)
			}
			require.LessOrEqual(t, sent, send.Value, "system %d, %s:\n%s\n%v", n, d.Variant, text,
				send.Terms)
		}
		if receive.Unbounded == "" {
			if err := check(s, receive); err != nil {
				require.Contains(t, err.Error(), "not checked", "system %d, %s:\n%s", n, d.Variant,
					text)
			}
			require.LessOrEqual(t, received, receive.Value, "system %d, %s:\n%s\n%v", n, d.Variant,
				text, receive.Terms)
		}
	}
	t.Logf("systems with a bound %v", bounded)
}
