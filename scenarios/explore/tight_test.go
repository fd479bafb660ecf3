package explore_test

import (
	"context"
	"flag"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios"
	"rtsim/scenarios/bound"
	"rtsim/scenarios/explore"
	"rtsim/scenarios/file"
)

// The volume of the comparison with the bounds: comma-separated lists, of which each is combined
// with each. The row of the default takes a second.
var (
	tightRuns     = flag.Int("tight.runs", 2500, "runs of each search that is held against a bound")
	tightDesigns  = flag.String("tight.designs", "futex-oneshot", "designs")
	tightPolicies = flag.String("tight.policies", "fifo-5", "of the low-priority processes")
	tightGaps     = flag.String("tight.gaps", "100us", "least gaps between bursts")
	tightLeast    = flag.Int("tight.least", 950, "per mille of the bound that a search comes to")
)

// Look at the table: with every cost at its greatest, how near an adversary comes to the bound, of
// which it knows no more than its value. It never exceeds that; for what it comes to, for each
// design with a sleeping lock, and why not further, see docs/bounds.md. All of it:
//
//	go test ./scenarios/explore -v -run WithinTheBound -args -tight.runs 20000 -tight.least 0
//	    -tight.designs futex-plain,futex-oneshot,msg-ring,eventfd,signalfd,msg-ring-cache
//	    -tight.policies fifo-1,fifo-5,fifo-10 -tight.gaps 10us,100us
func TestSearchIsWithinTheBound(t *testing.T) {
	for _, design := range strings.Split(*tightDesigns, ",") {
		for _, policy := range strings.Split(*tightPolicies, ",") {
			for _, gap := range strings.Split(*tightGaps, ",") {
				t.Run(design+" "+policy+" "+gap, func(t *testing.T) {
					tight(t, design, policy, gap)
				})
			}
		}
	}
}

// tight is one row.
func tight(t *testing.T, design, policy, gap string) {
	p := problem(t, design, scenarios.MetricSend,
		file.Setting{Name: "costs", Value: "orin-7.4-greatest"},
		file.Setting{Name: "low_policy", Value: policy},
		file.Setting{Name: "burst_gap_min", Value: gap})
	b, err := bound.Compute(&bound.System{Scenario: p.Case.Scenario, Profile: p.Case.Profile,
		Design: p.Design.In(p.Case.Era).Sized(p.Case.Profile), Fixed: p.Case.Fixed()},
		scenarios.MetricSend)
	require.NoError(t, err)
	begin := time.Now()
	f, r, err := explore.Search(context.Background(), p,
		explore.Plan{Seed: 1, Evaluations: *tightRuns, Bound: b.Value})
	require.NoError(t, err)
	seconds := time.Since(begin).Seconds()
	again(t, p, &f)
	if b.Unbounded != "" {
		t.Logf("%-14s %-7s %-5s witness %11s, no bound, best after %d runs of %d, %.1f s", design,
			policy, gap, f.Total, r.AtBest, r.Evaluations, seconds)
		return
	}
	t.Logf("%-14s %-7s %-5s witness %11s, bound %11s, %3d per mille after %d runs of %d, %.1f s",
		design, policy, gap, f.Total, b.Value, 1000*f.Total/b.Value, r.AtBest, r.Evaluations,
		seconds)
	for _, term := range b.Terms {
		t.Logf("  %s %s: %s", term.Ns, term.Name, term.Why)
	}
	assert.LessOrEqual(t, f.Total, b.Value)
	assert.GreaterOrEqual(t, int(1000*f.Total/b.Value), *tightLeast)
}
