package bound_test

import (
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/bound"
	"rtsim/sim"
)

var gapMin = regexp.MustCompile(`duty: [0-9.]+, gap_min: \w+`)

// Look at the systems of formula (b): bursts are so far apart that a call meets few of them, how
// often it may wait, and no send is over a bound that counts those of the whole call. The others
// are of formula (a).
func TestNoSendWithRareBurstsIsOverItsBound(t *testing.T) {
	most, formulas, all := map[string]float64{}, map[string]int{}, designs.All()
	for n := *fuzzFirst; n < *fuzzFirst+uint64(*fuzzSystems); n++ {
		r := rand.New(rand.NewPCG(n, 31))
		text := gapMin.ReplaceAllStringFunc(randomScenario(r), func(string) string {
			return "duty: 0.9, gap_min: " + pick(r, "500us", "1ms", "1500us", "3ms")
		})
		c, err := scenarios.Load("random", []byte(text), scenarios.Options{
			Duration: 20 * sim.Millisecond, Set: randomCosts(r)})
		require.NoError(t, err, text)
		d, _ := designs.Find(pick(r, "eventfd", "signalfd", "msg-ring-cache"))
		if r.IntN(3) == 0 {
			d = all[r.IntN(len(all))]
		}
		s := &bound.System{Scenario: c.Scenario, Design: d.In(c.Era), Profile: c.Profile,
			Fixed: c.Fixed()}
		b := compute(t, s, "send")
		if b.Unbounded != "" {
			continue
		}
		require.NoError(t, check(s, b), "system %d, %s:\n%s", n, d.Variant, text)
		took, _ := longest(t, c, d, n)
		require.LessOrEqual(t, took, b.Value, "system %d, %s:\n%s\n%v", n, d.Variant, text, b.Terms)
		formulas[b.Certificate.Formula]++
		if b.Certificate.Formula == "b" {
			most[d.Name] = max(most[d.Name], float64(took)/float64(b.Value))
		}
	}
	require.Greater(t, formulas["b"], *fuzzSystems/10)
	t.Logf("systems by formula %v, of (b) the greatest share of a bound %v", formulas, most)
}
