// Package judge finds the verdict on a claim: what a scenario file states, of a design, and with
// what evidence it holds or does not.
//
// A claim that nothing is over a limit is about all runs. So first comes the analytic bound, which
// is PROVED only if the checker of its certificate, which shares no code with it, agrees. The runs
// come next, the same that compare makes; each ends at its first violation, which is a witness, and
// REFUTED. Then a search among the possible runs, and an exhaustive look at few actions; what is
// left is OPEN, with the worst that was found. A claim about a probability is judged by runs whose
// number was fixed before, or by an estimate of rare events. Claims that compare two runs, or look
// for messages that are lost, can be refuted by runs and not proved by them.
//
// Two phases, each of independent pieces, so that verdicts do not depend on how many go side by
// side: every design with every seed; then each claim about each design. Effort is counted in runs
// and steps, never in time that a clock shows. Rejected: to stop all of it after so many minutes,
// which would make a verdict depend on the machine.
package judge

import (
	"context"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/claim"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// Item is one claim about one design.
type Item struct {
	Claim  file.Claim
	Asked  string          // the design's name as the claim has it
	Design *designs.Design // it
	Than   *designs.Design // of a claim that nothing is later than with this one
}

// Inquiry is claims to be judged.
type Inquiry struct {
	Case  *scenarios.Case
	Items []Item // in the order of the file, and of the claim's designs
	Seeds []uint64
	Jobs  int // how many pieces of work side by side; < 1: one
	// Settings are the flags that a command needs besides design, seed and duration to run the
	// same, Flags those that only check has.
	Settings, Flags []string
	// Searches is how many runs an adversary looks at for one claim: 0 as many as explore thinks
	// right, below 0 none.
	Searches int
	// Quick leaves out what is not needed for the verdict: to make a witness small.
	Quick bool

	seen   []*observation // by design, then seed
	judged []*claim.Judgement
	orders map[*designs.Design]*orders
	done   atomic.Int64 // pieces of work
}

// Progress says how much of all that is to be simulated is done, and of how many runs. It may be
// asked while Execute is at work.
func (q *Inquiry) Progress() (done, all sim.Time, runs int) {
	_, runs = q.Pieces()
	each := q.Case.Options().Duration
	return sim.Time(q.done.Load()) * each, sim.Time(runs) * each, runs
}

// Pieces are how many pieces of work are done, and of how many.
func (q *Inquiry) Pieces() (done, all int) {
	return int(q.done.Load()), len(q.designs())*len(q.Seeds) + len(q.Items)
}

// designs are those of the items, each once.
func (q *Inquiry) designs() (all []*designs.Design) {
	known := map[*designs.Design]bool{}
	for _, it := range q.Items {
		if !known[it.Design] {
			known[it.Design] = true
			all = append(all, it.Design)
		}
	}
	return all
}

// Execute judges all items, in their order. If the context ends, it is an error; Judged has what
// was finished. A broken invariant is a *scenarios.Crash.
func (q *Inquiry) Execute(ctx context.Context) ([]*claim.Judgement, error) {
	all := q.designs()
	q.seen = make([]*observation, len(all)*len(q.Seeds))
	q.judged = make([]*claim.Judgement, len(q.Items))
	q.orders = map[*designs.Design]*orders{}
	for _, d := range all {
		q.orders[d] = &orders{}
	}
	err := q.sideBySide(ctx, len(q.seen), func(ctx context.Context, i int) (err error) {
		q.seen[i], err = q.observe(ctx, all[i/len(q.Seeds)], q.Seeds[i%len(q.Seeds)])
		return err
	})
	if err != nil {
		return nil, err
	}
	of := map[*designs.Design][]*observation{}
	for i, d := range all {
		of[d] = q.seen[i*len(q.Seeds) : (i+1)*len(q.Seeds)]
	}
	family, err := q.family(of)
	if err != nil {
		return nil, err
	}
	err = q.sideBySide(ctx, len(q.Items), func(ctx context.Context, i int) (err error) {
		it := &q.Items[i]
		defer scenarios.Crashed(it.Design.Variant, q.Seeds[0], &err)
		j := q.begin(it)
		if err = q.finish(ctx, it, of[it.Design], family[i], j); err == nil {
			j.Close()
			q.judged[i] = j
		}
		return err
	})
	return q.judged, err
}

// Judged are the judgements that are finished, in the order of the items, if Execute was stopped.
func (q *Inquiry) Judged() (finished []*claim.Judgement) {
	for _, j := range q.judged {
		if j != nil {
			finished = append(finished, j)
		}
	}
	return finished
}

// Unjudged are the items that have no judgement, and why.
func (q *Inquiry) Unjudged(why string) (rest []Skipped) {
	for i := range q.Items {
		if it := &q.Items[i]; i >= len(q.judged) || q.judged[i] == nil {
			rest = append(rest, Skipped{it.Claim.Name, it.Asked, why})
		}
	}
	return rest
}

// finish finds the verdict on one item.
func (q *Inquiry) finish(ctx context.Context, it *Item, seen []*observation, odds *odds,
	j *claim.Judgement) error {
	switch it.Claim.Kind {
	case file.NeverOver:
		return q.never(ctx, it, seen, j)
	case file.AtMost:
		return q.atMost(ctx, it, seen, odds, j)
	case file.Delivers, file.Order:
		return q.handled(ctx, it, seen, j)
	case file.Windows:
		q.windows(ctx, it, j)
		return ctx.Err()
	case file.NeverLater:
		return q.neverLater(ctx, it, j)
	case file.Unmoved:
		return q.unmoved(ctx, it, j)
	}
	panic("judge: a claim says " + string(it.Claim.Kind))
}

// begin is a judgement before anything is known.
func (q *Inquiry) begin(it *Item) *claim.Judgement {
	j := &claim.Judgement{Claim: it.Claim.Name, Design: it.Asked, Verdict: claim.Open,
		Repeat: q.command(it)}
	if n := len(it.Design.AssumedCosts(q.Case.Profile)); n > 0 {
		j.Assumptions = append(j.Assumptions, fmt.Sprintf(
			"%d costs on the design's paths that nobody has measured", n))
	}
	return j
}

// sideBySide does n independent pieces of work.
func (q *Inquiry) sideBySide(ctx context.Context, n int,
	do func(ctx context.Context, i int) error) error {
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(max(q.Jobs, 1))
	for i := range n {
		group.Go(func() error {
			if inner.Err() != nil {
				return inner.Err()
			}
			if err := do(inner, i); err != nil {
				return err
			}
			q.done.Add(1)
			return nil
		})
	}
	err := group.Wait()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return err
}
