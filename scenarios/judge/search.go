package judge

import (
	"context"
	"fmt"

	"rtsim/scenarios"
	"rtsim/scenarios/blame"
	"rtsim/scenarios/bound"
	"rtsim/scenarios/bound/cert"
	"rtsim/scenarios/explore"
)

// What is looked for after the runs: longer messages than they had, by an adversary.

// certified says why the checker refuses a bound's certificate.
func certified(s *bound.System, b *bound.Bound) error {
	return cert.Check(b.Certificate, s.Scenario, s.Design, s.Profile, s.Fixed)
}

// search looks for a violation among the possible runs. It gives the longest message it met, if
// any, and says in clauses what was done.
func (q *Inquiry) search(ctx context.Context, it *Item, b bounded) (
	*explore.Found, []string, error) {
	metric := it.Claim.Metric
	if metric != scenarios.MetricSend && metric != scenarios.MetricReceive || q.Searches < 0 {
		return nil, nil, nil
	}
	value, _ := b.value()
	p := &explore.Problem{Case: q.Case, Design: it.Design, Metric: metric, Seed: q.Seeds[0]}
	found, report, err := explore.Search(ctx, p, explore.Plan{Seed: 1, Target: it.Claim.Over,
		Bound: value, Evaluations: q.Searches})
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case err != nil:
		return nil, []string{fmt.Sprintf("no search: %v", err)}, nil
	case found.Total == 0:
		return nil, []string{fmt.Sprintf("a search of %d runs met no message",
			report.Evaluations)}, nil
	}
	return &found, []string{fmt.Sprintf("the longest of a search of %s runs, which met %d kinds "+
		"of chains, takes %s", grouped(int64(report.Evaluations)), len(report.Signatures),
		blame.Us(found.Total))}, nil
}
