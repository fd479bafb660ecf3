package scenarios

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"rtsim/sim"
)

// Why the longest send of each design was late, for a report. The run in which it was is repeated
// up to it, and every record kept for as long as the send may ask for it. That takes 1.7 times as
// long as the run did up to there. Rejected: to keep the records the first time, which would slow
// down all runs of all seeds; to begin at a snapshot shortly before the send, for what holds then
// would have to be known to blame from something else than records.

// Questions ask of each design of a plan why its worst message was late.
type Questions struct {
	All  []*Question // in the order of the plan; designs that the era lacks are left out
	Jobs int         // how many runs side by side; < 1: one
}

// Questions asks for the longest send in the results of the plan, and for its picture of so many
// columns. A design without a send is not asked about.
func (p *Plan) Questions(results []*Result, columns int64) *Questions {
	q := &Questions{Jobs: p.Jobs}
	for i, d := range p.Designs {
		var late *Result
		for _, r := range results[i*len(p.Seeds) : (i+1)*len(p.Seeds)] {
			isSent := r.Unsupported == "" && r.Send.Count > 0
			if isSent && (late == nil || r.Send.MaxNs > late.Send.MaxNs) {
				late = r
			}
		}
		if late == nil {
			continue
		}
		short := *p.Case
		short.options.Duration = min(short.options.Duration, roundedUp(late.longest.End))
		q.All = append(q.All, &Question{Case: &short, Design: d, Asked: p.Asked[i],
			Seed: late.Seed, Metric: MetricSend, Worst: 1, Columns: columns})
	}
	return q
}

// roundedUp is the end of a run for a message that ends at an instant: a duration that people can
// read. What is sent between them is no longer than the longest.
func roundedUp(end sim.Time) sim.Time { return (end/sim.Millisecond + 1) * sim.Millisecond }

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
