package explore_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
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
	tightSet      = flag.String("tight.set", "", "further settings, name=value, comma-separated")
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

// sparse is a send of orin-queue whose bursts may be further apart than its file allows, and
// whose first messages count too.
func sparse(t *testing.T, design string, set ...file.Setting) *explore.Problem {
	text, known := scenarios.Builtin("orin-queue")
	require.True(t, known)
	for _, r := range [][2]string{
		{"burst_gap_min:\n    {value: 10us, least: 0us, greatest: 1ms,",
			"burst_gap_min:\n    {value: 10us, least: 0us, greatest: 1s,"},
		{", from: 1ms}", "}"}} {
		require.Equal(t, 1, strings.Count(string(text), r[0]), r[0])
		text = []byte(strings.Replace(string(text), r[0], r[1], 1))
	}
	name := filepath.Join(t.TempDir(), "sparse.yaml")
	require.NoError(t, os.WriteFile(name, text, 0o644))
	c, err := scenarios.Prepare(name, scenarios.Options{Set: set})
	require.NoError(t, err)
	d, err := scenarios.FindDesign(design)
	require.NoError(t, err)
	return &explore.Problem{Case: c, Design: d, Metric: scenarios.MetricSend, Seed: 1}
}

// tight is one row.
func tight(t *testing.T, design, policy, gap string) {
	set := []file.Setting{{Name: "costs", Value: "orin-7.4-greatest"},
		{Name: "low_policy", Value: policy}, {Name: "burst_gap_min", Value: gap}}
	for _, s := range strings.FieldsFunc(*tightSet, func(r rune) bool { return r == ',' }) {
		name, value, _ := strings.Cut(s, "=")
		set = append(set, file.Setting{Name: name, Value: value})
	}
	p := sparse(t, design, set...)
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
