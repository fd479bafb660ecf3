package judge

import (
	"context"
	"fmt"

	"rtsim/scenarios"
	"rtsim/scenarios/blame"
	"rtsim/scenarios/bound"
	"rtsim/scenarios/bound/cert"
	"rtsim/scenarios/explore"
	"rtsim/sim"
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
	said := []string{fmt.Sprintf("the longest of a search of %s runs takes %s",
		grouped(int64(report.Evaluations)), blame.Us(found.Total))}
	if found.Total > it.Claim.Over {
		return &found, said, nil
	}
	regimes, err := q.regimes(ctx, it, report.Signatures)
	return &found, append(said, regimes), err
}

// What an exhaustive look has: actions of the adversary, from the start of the run up to so long
// after messages are measured; and how many states it may come to for each run of a search.
const (
	actionsMost  = 2
	lookedUntil  = 1 * sim.Millisecond
	statesPerRun = 5
)

// exhaust looks at all runs with few actions, where costs do not vary: else each cost is one more
// question, and no exploration is complete. It says what it saw, and whether that was all.
func (q *Inquiry) exhaust(ctx context.Context, it *Item) (
	found *explore.Found, complete bool, said []string, err error) {
	metric := it.Claim.Metric
	if metric != scenarios.MetricSend && metric != scenarios.MetricReceive || q.Searches < 0 ||
		q.Case.Profile.JitterPercent != 0 {
		return nil, false, nil, nil
	}
	p := &explore.Problem{Case: q.Case, Design: it.Design, Metric: metric, Seed: q.Seeds[0]}
	until := q.Case.Scenario.From + lookedUntil
	runs := q.Searches
	if runs == 0 {
		runs = explore.DefaultEvaluations
	}
	x, err := explore.Exhaust(ctx, p, actionsMost, until, int64(runs)*statesPerRun)
	if err != nil {
		return nil, false, nil, err
	}
	longest := "the longest takes " + blame.Us(x.Best.Total)
	if x.Best.Total == 0 {
		longest = "no message is over"
	}
	text := fmt.Sprintf("all runs of %s with up to %d actions of an adversary, in %s states: %s",
		until, actionsMost, grouped(x.Nodes), longest)
	if !x.Complete {
		text = "not " + text + ", as " + x.Why
	}
	return &x.Best, x.Complete, []string{text}, nil
}
