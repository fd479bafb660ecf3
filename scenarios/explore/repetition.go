package explore

import (
	"context"
	"slices"

	"rtsim/sim"
)

// repetition is what one field's flights said.
type repetition struct {
	estimate, rest   float64
	flights          int
	steps            int64
	weights, squares float64 // of those that have come to the first level
	strata           []flownStratum
}

// flownStratum is what the flights of one stratum said.
type flownStratum struct {
	stratum
	estimate float64 // the share of the way included
	steps    int64
}

// fly makes a repetition; flights says how many there are from the start of each stratum.
func (f *field) fly(ctx context.Context, seed uint64, flights func(stratum) int) (
	r repetition, err error) {
	seeds := sim.NewStream(seed, "explore/stratum")
	for _, of := range f.strata() {
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		n := flights(of)
		s, err := f.flyStratum(of, n, seeds.Bits(), &r)
		if err != nil {
			return r, err
		}
		r.flights += n
		r.steps += s.steps
		r.estimate += s.estimate
		if of.burst < 0 {
			r.rest += s.estimate
		}
		r.strata = append(r.strata, s)
	}
	return r, ctx.Err()
}

// flyStratum starts n flights, each at a random start of its way, and takes those that come to the
// first level from there to level, by their weights first.
func (f *field) flyStratum(of stratum, n int, seed uint64, r *repetition) (
	s flownStratum, err error) {
	s.stratum = of
	seeds := newSeeds(seed)
	later := max(n/rareLater, 2)
	var here []flight
	var weights []float64
	proto, x := newFlight(f, of), newFlight(f, of)
	total := 0.0
	for range n {
		x.CopyFrom(proto)
		x.Reseed(seeds.Bits())
		up, err := climb(x, levelsFirst, rareLimit, &s.steps)
		if err != nil {
			return s, err
		}
		if up {
			weights, total = append(weights, x.weight), total+x.weight
			r.weights, r.squares = r.weights+x.weight, r.squares+x.weight*x.weight
			here = append(here, *newFlight(f, of))
			here[len(here)-1].CopyFrom(x)
		}
	}
	if total == 0 {
		return s, nil
	}
	entered := len(here)
	for len(here) < later {
		here = append(here, *newFlight(f, of))
	}
	e, err := climbLevels(here, entered, Levels{Scores: f.levels(), Starts: later,
		Seed: seeds.Bits(), Limit: rareLimit}, picker(weights, total, later, seeds.Bits()))
	s.steps += e.Steps
	s.estimate = f.groups[of.group].share * total / float64(n) * e.Probability
	return s, err
}

// picker says from which paths others start: at first by their weights, systematically, so that one
// with a share of k paths' gets k or the next number; later each alike.
func picker(weights []float64, total float64, paths int, seed uint64) func(int, int, int) int {
	parents := newParents(seed)
	const fine = 1 << 52
	offset := float64(parents.Between(0, fine-1)) / fine
	sums := make([]float64, len(weights))
	sum := 0.0
	for i, w := range weights {
		sum += w
		sums[i] = sum
	}
	return func(level, path, entered int) int {
		if level > 0 {
			return int(parents.Between(0, int64(entered-1)))
		}
		at := (float64(path) + offset) / float64(paths) * total
		i, _ := slices.BinarySearch(sums, at)
		return min(i, len(weights)-1)
	}
}

// levels are the scores after the first between which flights are multiplied: all of them, as one
// that flights jump over costs little.
func (f *field) levels() (all []int64) {
	last := scoreWaits + int64(len(f.steps)) + stretchesMost
	for score := int64(levelsFirst + 1); score <= last; score++ {
		all = append(all, score)
	}
	return append(all, scoreOver)
}
