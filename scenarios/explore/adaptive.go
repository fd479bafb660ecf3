package explore

import (
	"fmt"
	"slices"
)

// Adaptation is a plan for Adaptive.
type Adaptation struct {
	Target int64 // the score of the event
	Paths  int
	Kill   int // how many paths go in a round at least, from 1; more if scores are equal
	Seed   uint64
	Limit  int64 // the most steps of one path from its branch, a guard against one that never stops
}

// path is one path, as far as it matters: the states in which its score was greater than ever
// before, so the first state over any level is among them.
type path[S any] struct {
	records []S
	scores  []int64 // of the records, ascending
}

func (p *path[S]) greatest() int64 { return p.scores[len(p.scores)-1] }

// record makes room for a state, in memory of an earlier one if there is any.
func (p *path[S]) record(score int64) *S {
	p.scores = append(p.scores, score)
	n := len(p.records)
	if n == cap(p.records) {
		var zero S
		p.records = append(p.records, zero)
	} else {
		p.records = p.records[:n+1]
	}
	return &p.records[n]
}

// Adaptive estimates the probability that the score reaches the target before the process stops,
// by adaptive multilevel splitting. It holds a number of whole paths. In each round it takes the
// Kill-th least of their greatest scores, kills all whose greatest score is not above it, and
// replaces each by a branch of a random survivor, from the first state in which that was above.
// The estimate is the product of the shares that survived; it is 0 if all die. It is unbiased for
// any number of paths (Brehier and others, 2016): that is why equal scores die together, and why
// survivors are counted and not what was asked for. It is an error if there are no paths, Kill is
// not from 1 to Paths, or a path takes too many steps.
//
// It keeps the states of a path at which the score grew: with a fine score, such as one in
// nanoseconds, round the score first.
func Adaptive[S any, P Process[S]](start P, plan Adaptation) (Estimate, error) {
	if plan.Paths < 1 || plan.Kill < 1 || plan.Kill > plan.Paths {
		return Estimate{}, fmt.Errorf("%d paths of which %d go: take 1 or more of each",
			plan.Paths, plan.Kill)
	}
	e := Estimate{Probability: 1}
	seeds, parents := newSeeds(plan.Seed), newParents(plan.Seed)
	paths, scratch := make([]path[S], plan.Paths), new(S)
	for i := range paths {
		P(paths[i].record(start.Score())).CopyFrom((*S)(start))
		if err := grow[S, P](&paths[i], scratch, seeds.Bits(), &plan, &e.Steps); err != nil {
			return Estimate{}, err
		}
	}
	greatest := make([]int64, len(paths))
	for {
		for i := range paths {
			greatest[i] = paths[i].greatest()
		}
		level, survivors, done := e.round(greatest, plan.Kill, plan.Target)
		if done {
			return e, nil
		}
		for i := range paths {
			p := &paths[i]
			if greatest[i] > level {
				continue
			}
			parent := &paths[survivors[parents.Between(0, int64(len(survivors)-1))]]
			from, _ := slices.BinarySearch(parent.scores, level+1)
			p.records, p.scores = p.records[:0], p.scores[:0]
			P(p.record(parent.scores[from])).CopyFrom(&parent.records[from])
			if err := grow[S, P](p, scratch, seeds.Bits(), &plan, &e.Steps); err != nil {
				return Estimate{}, err
			}
		}
	}
}

// round books one round: it returns the level up to which paths die and who survives. It is done if
// all survivors have come to the target, or nobody survives.
func (e *Estimate) round(greatest []int64, kill int, target int64) (
	level int64, survivors []int, done bool,
) {
	level = slices.Sorted(slices.Values(greatest))[kill-1]
	over := min(level+1, target)
	for i, g := range greatest {
		if g >= over {
			survivors = append(survivors, i)
		}
	}
	e.Stages = append(e.Stages, Stage{over, len(greatest), len(survivors)})
	e.Probability *= float64(len(survivors)) / float64(len(greatest))
	return level, survivors, over == target || len(survivors) == 0
}

// grow runs a path on from its last record until it stops or its score is at the target.
func grow[S any, P Process[S]](p *path[S], scratch *S, seed uint64, plan *Adaptation,
	steps *int64,
) error {
	state := P(scratch)
	state.CopyFrom(&p.records[len(p.records)-1])
	state.Reseed(seed)
	for n := int64(0); p.greatest() < plan.Target; n++ {
		if n >= plan.Limit {
			return tooLong(plan.Limit)
		}
		if !state.Step() {
			return nil
		}
		*steps++
		if score := state.Score(); score > p.greatest() {
			P(p.record(score)).CopyFrom(scratch)
		}
	}
	return nil
}
