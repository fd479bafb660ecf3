package explore

import (
	"context"
	"errors"
	"fmt"
	"math"

	"golang.org/x/sync/errgroup"

	"rtsim/sim"
)

// How probable is it that a message takes longer than a limit? Splitting over flights in strata,
// repeated. Each repetition has a long run of its own, from whose messages its flights start, so
// that what repetitions differ by is all there is by chance, the choice of starts included. Some
// repetitions with few flights come first: they say how many flights each stratum gets, and with
// that they have no other part in the estimate.

// Rare is how probable it is that a message is longer than a limit.
type Rare struct {
	Estimate, Low, High float64 // per message; the interval is two-sided
	Confidence          float64
	Runs, Zero          int     // repetitions, and how many of them met no such message
	RelativeError       float64 // of one repetition
	Flights             int     // of all repetitions, from the start
	Effective           float64 // as many flights of equal weight would have come as far
	Rest                float64 // the part of the estimate that is in no stratum of a burst
	Trusted             bool    // the interval may be printed as evidence
	Why                 string  // it may not
	Steps               int64   // of flights, an instant each
}

// Effort is what an estimate may cost.
type Effort struct {
	Steps int64 // of the machine, about
	Jobs  int   // repetitions side by side, at least 1; the estimate does not depend on it
}

const (
	rareConfidence = 0.99
	rareRuns       = 32
	rarePilots     = 4
	pilotFlights   = 128       // from the start, of each stratum
	flightsLeast   = 16        // as many
	flightsMost    = 20_000    // as many
	rareLater      = 4         // of so many from the start there is one from each later level
	rareLimit      = 1_000_000 // steps of a flight
	rareZeroPer    = 20        // per cent of repetitions that may meet no such message
	rareErrorMost  = 1.5       // relative error of one repetition
	rareRestMost   = 0.2       // of the estimate, that may be outside of all strata
	pilotSay       = 0.7       // share of the flights that the pilots deal out
)

// Probability estimates how probable it is that a message, any of the sender's, takes longer than
// the limit. It is per message of a run that has been going for rareSkip. The estimate is unbiased,
// but single ones are skewed: most are below the mean. Its interval is that of a mean, and so not
// to be trusted if few repetitions met such a message, if they spread much, or if much of it is
// where flights are not aimed at: then Trusted is false, and Why says it. What no flight has met,
// such as two bursts in a row that are as rare as one that is long enough, no interval shows.
func Probability(ctx context.Context, p *Problem, limit sim.Time, effort Effort) (Rare, error) {
	if limit <= 0 || limit > sim.Longest {
		return Rare{}, fmt.Errorf("a limit of %s; write more than 0", limit)
	}
	a, err := newArena(p)
	if err != nil {
		return Rare{}, err
	}
	if err := a.drawn(); err != nil {
		return Rare{}, err
	}
	seeds := sim.NewStream(p.Seed, "explore/rare")
	pilots, err := a.flown(ctx, seeds.Bits(), rarePilots, limit, effort.Jobs, even)
	if err != nil {
		return Rare{}, err
	}
	plan := deal(pilots, effort.Steps/rareRuns)
	all, err := a.flown(ctx, seeds.Bits(), rareRuns, limit, effort.Jobs, plan)
	if err != nil {
		return Rare{}, err
	}
	return together(pilots, all)
}

// drawn says why nothing can be drawn anew, or how probable something is means nothing.
func (a *arena) drawn() error {
	switch w := a.workload; {
	case len(w.Answers) > 0:
		return errors.New("the case has answers in place of draws, which have no probability")
	case lateAtRandom(w, a.sender):
		return fmt.Errorf("%s is late at random: flights are laid around its releases",
			w.Tasks[a.sender].Name)
	}
	return nil
}

// flown makes repetitions side by side; they are in the order of their seeds.
func (a *arena) flown(ctx context.Context, seed uint64, runs int, limit sim.Time, jobs int,
	flights func(stratum) int) ([]repetition, error) {
	seeds := sim.NewStream(seed, "explore/run")
	all := make([]repetition, runs)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(jobs, 1))
	for i := range all {
		one := seeds.Bits()
		group.Go(func() error {
			f, err := a.field(ctx, one, limit)
			if err == nil {
				all[i], err = f.fly(ctx, one, flights)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return all, nil
}

// together puts repetitions together.
func together(pilots, all []repetition) (Rare, error) {
	r := Rare{Confidence: rareConfidence, Runs: len(all)}
	rest, sum, squares := 0.0, 0.0, 0.0
	for _, of := range [][]repetition{pilots, all} {
		for i := range of {
			r.Steps += of[i].steps
			r.Flights += of[i].flights
		}
	}
	i := -1
	mean, err := Repeat(len(all), 0, rareConfidence, func(uint64) (Estimate, error) {
		i++
		rest += all[i].rest
		sum, squares = sum+all[i].weights, squares+all[i].squares
		return Estimate{Probability: all[i].estimate}, nil
	})
	if err != nil {
		return Rare{}, err
	}
	r.Estimate, r.Low, r.High = mean.Mean.Mean, mean.Is.Low, mean.Is.High
	r.Zero, r.RelativeError = mean.Zero, mean.RelativeError()
	r.Rest = rest / float64(len(all))
	if squares > 0 {
		r.Effective = sum * sum / squares
	}
	r.judge()
	return r, nil
}

// judge says whether the interval is to be trusted.
func (r *Rare) judge() {
	switch {
	case r.Zero == r.Runs:
		r.Why = fmt.Sprintf("none of %d repetitions met such a message, which bounds nothing",
			r.Runs)
	case r.Zero*100 > r.Runs*rareZeroPer:
		r.Why = fmt.Sprintf("%d of %d repetitions met no such message", r.Zero, r.Runs)
	case r.RelativeError > rareErrorMost || math.IsNaN(r.RelativeError):
		r.Why = fmt.Sprintf("the relative error of one repetition is %.2g", r.RelativeError)
	case r.Rest > rareRestMost*r.Estimate:
		r.Why = fmt.Sprintf("%.0f %% of it is outside of what flights are aimed at",
			100*r.Rest/r.Estimate)
	default:
		r.Trusted = true
	}
}

// even is the number of flights of a pilot.
func even(stratum) int { return pilotFlights }

// deal says how many flights a stratum gets, so that they take about as many steps. Most are dealt
// out by the square root of what a stratum adds in the pilots, with that of the cells beside it and
// of the other bursts, since few pilot flights say little about how much; the rest evenly, as a
// stratum that adds nothing in them may add something.
func deal(pilots []repetition, steps int64) func(stratum) int {
	all := pilots[0].strata // of which another repetition may have more
	roots, costs := map[stratum]float64{}, map[stratum]float64{}
	for i := range pilots {
		for _, s := range pilots[i].strata {
			roots[s.stratum] += s.estimate
			costs[s.stratum] += float64(s.steps) / float64(len(pilots)*pilotFlights)
		}
	}
	for key := range roots {
		roots[key] = math.Sqrt(roots[key])
	}
	near := func(key stratum) float64 {
		sum := 2 * roots[key]
		for _, by := range []int{-1, 1} {
			sum += roots[stratum{key.group, key.burst, key.cell + by}]
			sum += roots[stratum{key.group, key.burst + by, key.cell}]
		}
		return sum
	}
	sum, evenly := 0.0, 1/float64(len(all))
	for i := range all {
		sum += near(all[i].stratum)
	}
	share := func(key stratum) float64 {
		if sum == 0 {
			return evenly
		}
		return pilotSay*near(key)/sum + (1-pilotSay)*evenly
	}
	cost := 0.0 // of one flight, dealt out
	for i := range all {
		cost += share(all[i].stratum) * costs[all[i].stratum]
	}
	return func(key stratum) int {
		n := share(key) * float64(steps) / max(cost, 1)
		return min(max(int(n), flightsLeast), flightsMost)
	}
}
