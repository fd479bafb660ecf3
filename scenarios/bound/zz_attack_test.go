package bound_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/bound"
	"rtsim/scenarios/explore"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

func TestZZAttack(t *testing.T) {
	first, runs, count := uint64(1), 1500, uint64(20)
	fmt.Sscan(os.Getenv("ZZ_A"), &first, &runs, &count)
	for n := first; n < first+count; n++ {
		r := rand.New(rand.NewPCG(n, 99))
		text := fmt.Sprintf(`cpus: 4
queues: [Q]
tasks:
  - {name: S, priority: 40, cpus: [2], program: "every %s; send Q; goto 0"}
  - {name: R, priority: 40, cpus: [3], program: "open Q; receive Q; goto 1"}
  - {name: L0, priority: 5, cpus: [0], program: "every %s jitter 13us; run 1us; send Q; goto 0"}
  - {name: L1, priority: 5, cpus: [0], program: "open Q; for 300us; receive Q; end; %s; goto 0"}
  - {name: W, policy: other, cpus: [0], program: "every 50us; run 2us; goto 0"}
load:
  - {tick: "tick-{cpu}", each_cpu: [0, 1, 2, 3], every: %s}
  - {burst: B0, cpu: 0, priority: 50, shape: uniform, least: 1us, greatest: %s, duty: %s,
     gap_min: %s}
  - {device: D0, cpu: 0, every: %s, least: 1us, greatest: 5us}
measure: {sender: S, receiver: R}
`, pick(r, "57us", "103us"), pick(r, "40us", "70us"), "close Q; sleep 30us",
			pick(r, "333us", "200us", "1ms"), pick(r, "20us", "50us", "100us"),
			pick(r, "0.6", "0.9", "0.95"), pick(r, "10us", "10us", "8us", "15us"),
			pick(r, "20us", "20us", "30us"))
		c, err := scenarios.Load("random", []byte(text), scenarios.Options{
			Duration: 8 * sim.Millisecond, Set: []file.Setting{{Name: "cost_jitter_percent",
				Value: pick(r, "0", "10")}}})
		require.NoError(t, err, text)
		d, _ := designs.Find(pick(r, "futex-plain", "futex-oneshot", "eventfd"))
		b := compute(t, &bound.System{Scenario: c.Scenario, Design: d.In(c.Era),
			Profile: c.Profile, Fixed: c.Fixed()}, "send")
		if b.Unbounded != "" {
			fmt.Println(n, d.Name, b.Unbounded)
			continue
		}
		if os.Getenv("ZZ_T") != "" {
			fmt.Println(text)
			for _, tm := range b.Terms {
				fmt.Println("    ", tm.Name, tm.Ns, tm.Why)
			}
		}
		found, rep, err := explore.Search(context.Background(), &explore.Problem{Case: c,
			Design: d, Metric: scenarios.MetricSend, Seed: n}, explore.Plan{Seed: n,
			Evaluations: runs, Target: b.Value, Window: 3 * sim.Millisecond})
		require.NoError(t, err)
		fmt.Printf("%d %s %v of %v %.3f at %d\n", n, d.Name, found.Total, b.Value,
			float64(found.Total)/float64(b.Value), rep.AtBest)
		require.LessOrEqual(t, found.Total, b.Value, text)
	}
}
