package scenarios

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"rtsim/sim"
)

// ExplainedMost is how much of a run is simulated again to explain its worst send in a report.
// To record and explain takes about twice the time of a run, so that all of it would triple what a
// comparison takes; what a report says names the stretch, and the command that explains the rest.
const ExplainedMost = 10 * sim.Second

// Questions ask of each design of a plan why its worst message was late.
type Questions struct {
	All  []*Question // in the order of the plan; designs that the era lacks are left out
	Jobs int         // how many runs side by side; < 1: one
}

// Questions asks for the worst send with the plan's first seed, within the first most simulated
// time, and for its picture of so many columns.
func (p *Plan) Questions(most sim.Time, columns int64) *Questions {
	q := &Questions{Jobs: p.Jobs}
	short := p.Case.Within(min(most, p.Case.options.Duration))
	for i, d := range p.Designs {
		if d.Unsupported(short.Scenario.Kernel) == "" {
			q.All = append(q.All, &Question{Case: short, Design: d, Asked: p.Asked[i],
				Seed: p.Seeds[0], Metric: MetricSend, Worst: 1, Columns: columns})
		}
	}
	return q
}

// Progress says how much of all that is to be simulated is done, and of how many runs. It may be
// asked while Explain is at work.
func (q *Questions) Progress() (done, all sim.Time, runs int) {
	for _, one := range q.All {
		d, a, n := one.Progress()
		done, all, runs = done+d, all+a, runs+n
	}
	return done, all, runs
}

// Explain answers the questions, side by side, in their order. A broken invariant is a *Crash.
func (q *Questions) Explain(ctx context.Context) ([]*Explanation, error) {
	answers := make([]*Explanation, len(q.All))
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(max(q.Jobs, 1))
	for i, one := range q.All {
		group.Go(func() (err error) {
			defer Crashed(one.Design.Variant, one.Seed, &err)
			answers[i], err = one.Explain(inner)
			return err
		})
	}
	err := group.Wait()
	if ctx.Err() != nil {
		err = errors.Join(ctx.Err(), err)
	}
	return answers, err
}
