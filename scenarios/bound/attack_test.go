package bound_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/bound"
	"rtsim/scenarios/explore"
	"rtsim/sim"
)

var (
	attackSystems = flag.Int("attacks", 2, "how many random systems an adversary attacks")
	attackRuns    = flag.Int("runs", 150, "how many runs the adversary has for each")
)

// Look at the systems as in TestNoSendIsOverItsBound; here the draws are not left to chance but
// chosen by an adversary who looks for the longest send.
func TestNoAdversaryGetsOverTheBound(t *testing.T) {
	most := map[string]float64{}
	left := *attackSystems
	for n := *fuzzFirst; left > 0; n++ {
		r := rand.New(rand.NewPCG(n, 29))
		text := randomScenario(r)
		c, err := scenarios.Load("random", []byte(text), scenarios.Options{
			Duration: 8 * sim.Millisecond, Set: randomCosts(r)})
		require.NoError(t, err, text)
		d, _ := designs.Find(pick(r, "futex-plain", "futex-oneshot", "futex-oneshot", "eventfd",
			"msg-ring-cache", "futex-persistent", "doorbell", "signalfd"))
		b := compute(t, &bound.System{Scenario: c.Scenario, Design: d.In(c.Era),
			Profile: c.Profile, Fixed: c.Fixed()}, "send")
		if b.Unbounded != "" {
			continue
		}
		left--
		found, _, err := explore.Search(context.Background(), &explore.Problem{Case: c, Design: d,
			Metric: scenarios.MetricSend, Seed: n}, explore.Plan{Seed: n, Evaluations: *attackRuns,
			Target: b.Value, Window: 6 * sim.Millisecond})
		require.NoError(t, err)
		require.LessOrEqual(t, found.Total, b.Value, "system %d, %s:\n%s\n%v\n%v", n, d.Variant,
			text, b.Terms, found.Answers)
		most[d.Name] = max(most[d.Name], float64(found.Total)/float64(b.Value))
	}
	t.Logf("the greatest share of the bound %v", most)
}

// Look at the same of receives, once the receiver has opened its end.
func TestNoAdversaryGetsOverTheBoundOfAReceive(t *testing.T) {
	most := map[string]float64{}
	left := *attackSystems
	for n := *fuzzFirst; left > 0; n++ {
		r := rand.New(rand.NewPCG(n, 31))
		text := strings.Replace(randomScenario(r), "receiver: R}", "receiver: R, from: 1ms}", 1)
		c, err := scenarios.Load("random", []byte(text), scenarios.Options{
			Duration: 8 * sim.Millisecond, Set: randomCosts(r)})
		require.NoError(t, err, text)
		d, _ := designs.Find(pick(r, "doorbell", "doorbell/fix-f3", "futex-persistent/fix-f4"))
		b := compute(t, &bound.System{Scenario: c.Scenario, Design: d.In(c.Era),
			Profile: c.Profile, Fixed: c.Fixed()}, "receive")
		if b.Unbounded != "" {
			continue
		}
		left--
		found, _, err := explore.Search(context.Background(), &explore.Problem{Case: c, Design: d,
			Metric: scenarios.MetricReceive, Seed: n}, explore.Plan{Seed: n,
			Evaluations: *attackRuns, Target: b.Value, Window: 3 * sim.Millisecond})
		require.NoError(t, err)
		require.LessOrEqual(t, found.Total, b.Value, "system %d, %s:\n%s\n%v\n%v", n, d.Variant,
			text, b.Terms, found.Answers)
		most[d.Variant] = max(most[d.Variant], float64(found.Total)/float64(b.Value))
	}
	t.Logf("the greatest share of the bound %v", most)
}
