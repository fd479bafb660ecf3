package explore

import (
	"context"
	"errors"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/sim"
)

// Problem is whose longest message is looked for.
type Problem struct {
	Case   *scenarios.Case
	Design *designs.Design
	Metric string // scenarios.MetricSend or MetricReceive
	Seed   uint64 // of the run whose answers are changed
}

var errNotBuilt = errors.New("not built yet")

// Exhausted is what an exhaustive exploration says.
type Exhausted struct {
	Nodes    int64
	Best     Found
	Complete bool // every run with so many actions was looked at
}

// Exhaust looks at all runs of a scenario up to a horizon in which an adversary acts up to k times.
func Exhaust(_ context.Context, _ *Problem, k int, horizon sim.Time) (Exhausted, error) {
	return Exhausted{}, errNotBuilt
}

// Rare is how probable it is that a message is longer than a limit.
type Rare struct {
	Estimate, Low, High float64 // per message; the interval is two-sided
	Confidence          float64
	Runs, Zero          int    // repetitions, and how many of them met no such message
	Trusted             bool   // the interval may be printed as evidence
	Why                 string // it is not
	Steps               int64
}

// Probability estimates it, with at most so many steps of the machine.
func Probability(_ context.Context, _ *Problem, limit sim.Time, steps int64) (Rare, error) {
	return Rare{}, errNotBuilt
}
