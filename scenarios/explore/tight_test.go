package explore_test

import (
	"context"
	"flag"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios"
	"rtsim/scenarios/bound"
	"rtsim/scenarios/explore"
	"rtsim/scenarios/file"
)

// The volume of the comparison with the bounds.
var (
	tightRuns    = flag.Int("tight.runs", 1500, "runs of each search that is held against a bound")
	tightDesigns = flag.String("tight.designs", "futex-plain", "comma-separated designs")
	tightSet     = flag.String("tight.set", "low_policy=fifo-10,costs=orin-7.4-greatest,"+
		"burst_gap_min=100us", "comma-separated settings")
)

// Look at the ratios: what an adversary achieves never exceeds the bound, and how near it comes is
// logged. Both know nothing of each other.
func TestSearchIsWithinTheBound(t *testing.T) {
	var set []file.Setting
	for _, s := range strings.Split(*tightSet, ",") {
		name, value, _ := strings.Cut(s, "=")
		set = append(set, file.Setting{Name: name, Value: value})
	}
	for _, design := range strings.Split(*tightDesigns, ",") {
		p := problem(t, design, scenarios.MetricSend, set...)
		b, err := bound.Compute(&bound.System{Scenario: p.Case.Scenario, Profile: p.Case.Profile,
			Design: p.Design.In(p.Case.Era).Sized(p.Case.Profile), Fixed: p.Case.Fixed()},
			scenarios.MetricSend)
		require.NoError(t, err)
		require.Empty(t, b.Unbounded)
		f, r, err := explore.Search(context.Background(), p,
			explore.Plan{Seed: 1, Evaluations: *tightRuns, Bound: b.Value})
		require.NoError(t, err)
		t.Logf("%s: witness %s, bound %s, %d per mille after %d runs of %d", design, f.Total,
			b.Value, 1000*f.Total/b.Value, r.AtBest, r.Evaluations)
		for _, term := range b.Terms {
			t.Logf("  %s %s: %s", term.Ns, term.Name, term.Why)
		}
		assert.LessOrEqual(t, f.Total, b.Value)
		again(t, p, &f)
	}
}
