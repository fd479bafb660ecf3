package explore

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

// How probable is it that a message takes longer than a limit? FixedEffort over flights, repeated.
// Each repetition has a long run of its own, from whose messages its flights start, so that what
// repetitions differ by is all there is by chance, the choice of starts included.

// Rare is how probable it is that a message is longer than a limit.
type Rare struct {
	Estimate, Low, High float64 // per message; the interval is two-sided
	Confidence          float64
	Runs, Zero          int     // repetitions, and how many of them met no such message
	RelativeError       float64 // of one repetition
	Flights             int     // of all repetitions, from the start
	Trusted             bool    // the interval may be printed as evidence
	Why                 string  // it may not
	Steps               int64   // of flights, an instant each
}

const (
	rareConfidence = 0.99
	rareRun        = 1020 * sim.Millisecond // of each repetition: a life of the low processes
	rareStarts     = 600                    // messages of it from which flights start
	rareBefore     = 150 * sim.Microsecond  // how long before the first burst that may matter
	strataMost     = 4
	flightsLeast   = 16        // from each level
	rareLimit      = 1_000_000 // steps of a flight
	rareZeroPer    = 20        // per cent of repetitions that may meet no such message
	rareErrorMost  = 2.0       // relative error of one repetition
)

// Probability estimates how probable it is that a message, any of the sender's, takes longer than
// the limit, with about as many steps of flights as that, or some times as many if many come far.
// It is per message of runs as long as a life of the published experiment's processes. The estimate
// is unbiased, but single ones are skewed: most are below the mean. Its interval is that of a mean,
// and so not to be trusted if few repetitions met such a message, or if they spread much: then
// Trusted is false, and Why says it.
func Probability(ctx context.Context, p *Problem, limit sim.Time, steps int64) (Rare, error) {
	if limit <= 0 || limit > sim.Longest {
		return Rare{}, fmt.Errorf("a limit of %s; write more than 0", limit)
	}
	a, err := newArena(p)
	if err != nil {
		return Rare{}, err
	}
	r := Rare{Confidence: rareConfidence, Runs: LeastRuns}
	starts := 0
	run := func(seed uint64) (Estimate, error) {
		f, err := a.field(ctx, seed, limit)
		if err != nil {
			return Estimate{}, err
		}
		if starts == 0 {
			each := steps / int64(LeastRuns) / int64(len(f.strata))
			starts = max(int(each/f.stepsOf(seed)), flightsLeast)
		}
		r.Flights += starts * len(f.strata)
		return f.estimate(seed, starts)
	}
	all, err := Repeat(LeastRuns, p.Seed, rareConfidence, run)
	if err != nil {
		return Rare{}, err
	}
	r.Estimate, r.Low, r.High = all.Mean.Mean, all.Is.Low, all.Is.High
	r.Zero, r.Steps, r.RelativeError = all.Zero, all.Steps, all.RelativeError()
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
	default:
		r.Trusted = true
	}
}

// field takes the starts of flights from a run of its own, in strata: messages before which the
// sender took the same locks in that run. Some ways are rare, as when a cache is empty, and known
// before the message; a stratum has flights of its own, and its share of the messages as weight.
func (a *arena) field(ctx context.Context, seed uint64, limit sim.Time) (*field, error) {
	f := &field{arena: a, limit: limit}
	for i := range a.workload.Loads {
		if d := &a.workload.Loads[i]; d.Kind == model.LoadBurst {
			f.bursts = append(f.bursts, i)
			_, greatest := d.Length.Range()
			f.length = max(f.length, greatest)
		}
	}
	if f.length == 0 || limit/f.length >= burstsMost {
		return nil, fmt.Errorf("%s is more than %d bursts, or there are none: the score would not "+
			"see how a message can be so late", limit, burstsMost)
	}
	f.least = int64((limit + f.length - 1) / f.length)
	before := f.length*sim.Time(f.least) - limit + rareBefore
	at, err := f.collect(ctx, seed, before)
	if err != nil {
		return nil, err
	}
	f.stratify(at, sim.NewStream(seed, "explore/starts"))
	m := model.New(a.workload, a.costs, seed)
	m.Keep(trace.SendBegin, trace.SendEnd, trace.Publish, trace.Handle)
	for _, t := range f.inOrder() {
		if err := m.Run(t.release - before); err != nil {
			return nil, a.failed(seed, err)
		}
		m.Trace = m.Trace[:0]
		t.m = m.Clone()
	}
	return f, nil
}

// collect finds the messages of a run from which flights may start, the first ones left out that
// have no such time before their release.
func (f *field) collect(ctx context.Context, seed uint64, before sim.Time) (
	at []takeoff, err error) {
	m := model.New(f.workload, f.costs, seed)
	m.Keep(trace.SendBegin, trace.LockAcquired)
	for m.Now() < rareRun {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := m.Run(m.Now() + scanBatch); err != nil {
			return nil, f.failed(seed, err)
		}
		for i := range m.Trace {
			r := &m.Trace[i]
			if r.Task != f.sender && (r.Task != f.receiver || !f.receives) {
				continue
			}
			release := r.At - sim.Time(r.B)
			switch {
			case r.Kind == trace.SendBegin && r.Task == f.sender && release > before &&
				r.At >= f.earliest:
				at = append(at, takeoff{message: r.A, release: release})
			case r.Kind == trace.LockAcquired && m.Sleeps(r.A):
				if !slices.Contains(f.needed, r.A) {
					f.needed = append(f.needed, r.A)
				}
				if n := len(at); n > 0 && r.Task == f.sender {
					at[n-1].locks = added(at[n-1].locks, r.A)
				}
			}
		}
		m.Trace = m.Trace[:0]
	}
	if len(at) == 0 {
		return nil, fmt.Errorf("%s sends nothing within %s", f.problem.Case.Scenario.Sender,
			rareRun)
	}
	return at, nil
}

// added is a sorted set with one more.
func added(set []int32, one int32) []int32 {
	i, found := slices.BinarySearch(set, one)
	if found {
		return set
	}
	return slices.Insert(set, i, one)
}

// stratum is messages of one way.
type stratum struct {
	starts []takeoff
	share  float64 // of all messages
}

// stratify sorts messages into strata, the most frequent way first, the rarest together, and leaves
// of each stratum some at random.
func (f *field) stratify(at []takeoff, draws sim.Stream) {
	var groups [][]takeoff
	for _, t := range at {
		i := slices.IndexFunc(groups, func(g []takeoff) bool {
			return slices.Equal(g[0].locks, t.locks)
		})
		if i < 0 {
			groups, i = append(groups, nil), len(groups)
		}
		groups[i] = append(groups[i], t)
	}
	slices.SortStableFunc(groups, func(x, y []takeoff) int { return len(y) - len(x) })
	for len(groups) > strataMost {
		last := len(groups) - 1
		groups[last-1] = append(groups[last-1], groups[last]...)
		groups = groups[:last]
	}
	for _, g := range groups {
		share := float64(len(g)) / float64(len(at))
		for len(g) > rareStarts/len(groups) {
			i := int(draws.Between(0, int64(len(g)-1)))
			g = slices.Delete(g, i, i+1)
		}
		f.strata = append(f.strata, stratum{g, share})
	}
}

// inOrder are all starts in the order of time.
func (f *field) inOrder() (all []*takeoff) {
	for i := range f.strata {
		for j := range f.strata[i].starts {
			all = append(all, &f.strata[i].starts[j])
		}
	}
	slices.SortFunc(all, func(x, y *takeoff) int { return cmp.Compare(x.release, y.release) })
	return all
}

// estimate is one repetition, with so many flights from each level of each stratum.
func (f *field) estimate(seed uint64, starts int) (all Estimate, err error) {
	seeds := sim.NewStream(seed, "explore/stratum")
	for i := range f.strata {
		f.starts = f.strata[i].starts
		e, err := FixedEffort(newFlight(f), Levels{Scores: f.levels(), Starts: starts,
			Seed: seeds.Bits(), Limit: rareLimit})
		if err != nil {
			return Estimate{}, err
		}
		all.Probability += f.strata[i].share * e.Probability
		all.Steps += e.Steps
		all.Stages = append(all.Stages, e.Stages...)
	}
	return all, nil
}

// levels are the scores between which paths are multiplied: all of them, as one that paths jump
// over costs nothing.
func (f *field) levels() (all []int64) {
	for score := int64(1); score <= scoreHit+2+scoreBurst*f.least; score++ {
		all = append(all, score)
	}
	return append(all, scoreOver)
}

// stepsOf is how many steps a flight takes, about, with what comes of it.
func (f *field) stepsOf(seed uint64) int64 {
	const tries = 20
	seeds := newSeeds(seed)
	var steps int64
	f.starts = f.strata[0].starts
	x := newFlight(f)
	for range tries {
		x.CopyFrom(newFlight(f))
		x.Reseed(seeds.Bits())
		for x.Step() {
			steps++
		}
	}
	return max(steps/tries, 1)
}
