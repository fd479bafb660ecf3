package explore

import (
	"fmt"
	"math/bits"
	"slices"

	"rtsim/sim"
)

// Range is what one choice may be: each integer from Least to Greatest with equal probability.
// Another distribution is a function of such a draw.
type Range struct {
	Least, Greatest int64 // less than 2^62 apart
}

// Chain is a plan for Tapes.
type Chain struct {
	Choices  []Range
	Target   int64 // the score of the event
	Replicas int   // vectors of choices that are held
	Kill     int   // how many go in a round at least, from 1; more if scores are equal
	Moves    int   // proposals that a copy makes before it counts as a vector of its own
	Seed     uint64
}

// Witness is the vector with the greatest score that a search met, and that score.
type Witness struct {
	Choices []int64
	Score   int64
}

// Tapes estimates the probability that the score of a vector of random choices is at the target or
// above: for a simulation whose draws (phases, lengths) are all made before it starts. As in
// Adaptive the worst vectors die, equal ones together, and survivors are copied in their place; but
// as nothing is random after the draws, a copy is moved by Markov steps that keep the uniform
// distribution over the vectors above the level: propose one or two choices drawn anew, or one
// moved by a step of random magnitude, around the end of its range, and accept if the score stays
// above.
//
// The estimate is not exactly unbiased, as a copy still resembles its parent after a few moves:
// take Moves of some times the number of choices, repeat, and compare with Crude where that can
// see the event. A move that steers towards a greater score would not be reversible and has no
// place here. The score is called with a slice that is valid during the call only, and must be a
// function of it. It is an error if a range is empty or too wide, there is no choice, no replica or
// no move, or Kill is not from 1 to Replicas.
func Tapes(plan Chain, score func(choices []int64) int64) (Estimate, Witness, error) {
	if err := plan.check(); err != nil {
		return Estimate{}, Witness{}, err
	}
	e := Estimate{Probability: 1}
	parents, moves := newParents(plan.Seed), sim.NewStream(plan.Seed, "explore/move")
	tapes, scores := make([][]int64, plan.Replicas), make([]int64, plan.Replicas)
	best := Witness{}
	for i := range tapes {
		tapes[i] = make([]int64, len(plan.Choices))
		for j, r := range plan.Choices {
			tapes[i][j] = moves.Between(r.Least, r.Greatest)
		}
		scores[i] = score(tapes[i])
		best.note(tapes[i], scores[i])
	}
	e.Steps = int64(plan.Replicas)
	proposal := make([]int64, len(plan.Choices))
	for {
		level, survivors, done := e.round(scores, plan.Kill, plan.Target)
		if done {
			return e, best, nil
		}
		for i := range tapes {
			if scores[i] > level {
				continue
			}
			parent := survivors[parents.Between(0, int64(len(survivors)-1))]
			copy(tapes[i], tapes[parent])
			copied := scores[parent]
			for range plan.Moves {
				copy(proposal, tapes[i])
				plan.propose(proposal, &moves)
				if s := score(proposal); s > level {
					tapes[i], proposal, copied = proposal, tapes[i], s
					best.note(tapes[i], s)
				}
			}
			scores[i] = copied
			e.Steps += int64(plan.Moves)
		}
	}
}

// note keeps a vector if it is the best so far.
func (w *Witness) note(choices []int64, score int64) {
	if w.Choices == nil || score > w.Score {
		w.Choices, w.Score = append(w.Choices[:0], choices...), score
	}
}

func (c *Chain) check() error {
	if len(c.Choices) == 0 || c.Replicas < 1 || c.Moves < 1 {
		return fmt.Errorf("%d choices, %d replicas, %d moves: take at least one of each",
			len(c.Choices), c.Replicas, c.Moves)
	}
	if c.Kill < 1 || c.Kill > c.Replicas {
		return fmt.Errorf("%d of %d replicas go: take from 1 to all", c.Kill, c.Replicas)
	}
	bad := func(r Range) bool {
		return r.Least > r.Greatest || uint64(r.Greatest)-uint64(r.Least) >= 1<<62
	}
	if i := slices.IndexFunc(c.Choices, bad); i >= 0 {
		return fmt.Errorf("choice %d is from %d to %d: empty, or too wide", i,
			c.Choices[i].Least, c.Choices[i].Greatest)
	}
	return nil
}

// propose changes a vector. It goes from any vector to any other with the same probability as back,
// so whoever accepts by a condition alone keeps the uniform distribution over those that meet it.
func (c *Chain) propose(choices []int64, moves *sim.Stream) {
	pick := func() int { return int(moves.Between(0, int64(len(choices)-1))) }
	switch moves.Between(0, 3) {
	case 0, 1:
		j := pick()
		choices[j] = c.Choices[j].step(choices[j], moves)
	case 2:
		j := pick()
		choices[j] = moves.Between(c.Choices[j].Least, c.Choices[j].Greatest)
	case 3:
		for range 2 { // the same one twice is one
			j := pick()
			choices[j] = moves.Between(c.Choices[j].Least, c.Choices[j].Greatest)
		}
	}
}

// step moves a value up or down by less than a random power of two, around the end of the range.
func (r Range) step(value int64, moves *sim.Stream) int64 {
	width := r.Greatest - r.Least + 1
	magnitude := moves.Between(1, int64(bits.Len64(uint64(width))))
	by := moves.Between(1-int64(1)<<magnitude, int64(1)<<magnitude-1) % width
	return r.Least + (value-r.Least+by+width)%width
}
