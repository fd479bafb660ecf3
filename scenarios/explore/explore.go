// Package explore looks for what a run of random draws would not find: a message that is late
// (Search, an adversary), and how probable an event is that happens once in 10^9 trials.
//
// Multilevel splitting. The event is "the score reaches a target before the process stops". A
// path that has come half-way is worth more attempts than one that has not, so the way is cut into
// levels: of the paths that start at a level, the share that reaches the next is common and can be
// counted, and the probability of the event is the product of the shares. FixedEffort counts at
// levels that are given, Adaptive finds its levels as it goes, and Tapes does the same where the
// process is a deterministic function of draws made before it starts. Every estimate but that of
// Tapes is unbiased for any score and any number of paths; a bad score shows in the spread, so
// estimates are repeated and their spread is printed (Repeat).
//
// Three mistakes that give wrong answers quietly:
//
//   - A clone that keeps its parent's random numbers repeats the parent. So a clone is always given
//     a seed of its own.
//   - A process that draws far ahead leaves a clone nothing to draw: draw when it is needed, or
//     draw anew, given what has been seen, what is drawn and has not shown itself (redraw.go).
//   - Latencies have atoms: most are "no contention". Of paths with equal scores all must go or
//     none; to kill just as many as were asked for gives a biased answer.
//
// Rejected: importance sampling, as the ratios over hundreds of draws degenerate and a tilt that
// does not depend on the state fails already on two queues in a row; RESTART, which is splitting
// with the trees kept, harder to check and no better here; and fitting a distribution to the tail.
//
// Sources: L'Ecuyer, Demers, Tuffin, ACM TOMACS 17(2), 2007 (splitting, fixed effort); Cerou and
// Guyader, Stochastic Analysis and Applications 25, 2007 (adaptive); Brehier, Gazeau, Goudenege,
// Lelievre, Rousset, Annals of Applied Probability 26(6), 2016 (why it is unbiased, with ties);
// Au and Beck, Probabilistic Engineering Mechanics 16, 2001 (the moves of Tapes).
package explore

import (
	"fmt"
	"math"

	"rtsim/scenarios/claim"
	"rtsim/sim"
)

// Process is a random process whose whole state, its random streams included, is an S.
type Process[S any] interface {
	*S
	// CopyFrom makes the state equal to src, in its own memory: neither reaches the other later.
	CopyFrom(src *S)
	// Reseed has all later draws come from the streams of that seed, as (*sim.Tape).Reseed does.
	// What nobody has seen yet may be drawn anew, given the rest; nothing else changes.
	Reseed(seed uint64)
	// Step moves the process on by one event, or returns false and changes nothing: it has stopped.
	// Every path stops of itself with probability 1.
	Step() bool
	// Score says how far the state is on the way to the event, in any unit. It is a function of the
	// state and need not grow with every step.
	Score() int64
}

// Estimate is what one run of an algorithm says of the probability of the event.
type Estimate struct {
	Probability float64 // 0 is a legal answer, without which the mean would be too high
	Steps       int64   // calls of Step, or of the score of Tapes
	Stages      []Stage // from the start to the target; up to the one that no path came over
}

// Stage is the way to one level.
type Stage struct {
	Level           int64
	Starts, Reached int // paths
}

// PredictedError is the relative error that a run with these shares has if all states of a level
// are alike: sqrt(prod(1+(1-p)/(N p)) - 1). The real one is greater by what the score leaves out.
// It is +Inf if a stage was not passed.
func (e *Estimate) PredictedError() float64 {
	product := 1.0
	for _, s := range e.Stages {
		missed := float64(s.Starts - s.Reached)
		product *= 1 + missed/(float64(s.Starts)*float64(s.Reached))
	}
	return math.Sqrt(product - 1)
}

// Crude is crude Monte Carlo: of that many paths, how many reach the target. It draws as
// FixedEffort does with one level. It is an error if paths is not positive, or a path takes more
// than limit steps.
func Crude[S any, P Process[S]](start P, target int64, paths int, seed uint64, limit int64) (
	claim.Exceedances, error,
) {
	over := claim.Exceedances{Of: int64(paths)}
	if paths < 1 {
		return over, fmt.Errorf("%d paths; take at least 1", paths)
	}
	seeds := newSeeds(seed)
	var state S
	var steps int64
	for range paths {
		P(&state).CopyFrom((*S)(start))
		P(&state).Reseed(seeds.Bits())
		reached, err := climb(P(&state), target, limit, &steps)
		if err != nil {
			return over, err
		}
		if reached {
			over.Over++
		}
	}
	return over, nil
}

// newSeeds gives each clone of a run its seed.
func newSeeds(seed uint64) sim.Stream { return sim.NewStream(seed, "explore/clone") }

// newParents says whom each clone of a run is taken from.
func newParents(seed uint64) sim.Stream { return sim.NewStream(seed, "explore/parent") }

// climb steps the process until its score is at the level, or it stops.
func climb[S any, P Process[S]](p P, level, limit int64, steps *int64) (bool, error) {
	for n := int64(0); p.Score() < level; n++ {
		if n >= limit {
			return false, tooLong(limit)
		}
		if !p.Step() {
			return false, nil
		}
		*steps++
	}
	return true, nil
}

func tooLong(limit int64) error {
	return fmt.Errorf("a path has not stopped after %d steps: the process needs a rule by which "+
		"each path ends, or a greater limit", limit)
}
