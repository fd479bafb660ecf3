package explore

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

// wait is a machine with one burst, as a process: the score is how many of the times have passed of
// what is looked at, the gap before the burst or its length. Whoever does not draw anew has nothing
// to split, as both are drawn at once.
type wait struct {
	w     *model.Workload
	m     *model.Machine
	gap   bool
	times []sim.Time
	score int64
	over  bool
}

func newWait(gap, length sim.Dist, ofGap bool, times []sim.Time) *wait {
	w := &model.Workload{CPUs: 1, Until: sim.Never,
		Tasks: []model.TaskDecl{{Name: "irq", Policy: model.FIFO, Priority: 50, CPUs: 1,
			Asleep: true, Program: []model.Word{{Kind: model.WordWait, Task: -1},
				{Kind: model.WordBurst, Task: -1}, {Kind: model.WordGoto, Task: -1}}}},
		Loads: []model.LoadDecl{{Name: "burst", Kind: model.LoadBurst, Length: length, Gap: gap}},
	}
	return &wait{w: w, m: model.New(w, model.ZeroCosts(), 1), gap: ofGap, times: times}
}

func (x *wait) CopyFrom(src *wait) {
	m := x.m
	*x = *src
	if x.m = m; x.m == nil {
		x.m = src.m.Clone()
		return
	}
	x.m.CopyFrom(src.m)
}

func (x *wait) Reseed(seed uint64) {
	x.m.Tape().Reseed(seed)
	draws := sim.NewStream(seed, "explore/redraw")
	redraw(x.m, x.w, &draws, noWindow)
}

// passed is how long it has lasted.
func (x *wait) passed() (sim.Time, bool) {
	if x.gap {
		_, _, is := x.m.Pending(0)
		return x.m.Now(), is
	}
	if _, _, is := x.m.Pending(0); is && x.m.Now() == 0 {
		return 0, true // it has not come
	}
	return x.m.Lasted(0)
}

func (x *wait) Step() bool {
	passed, is := x.passed()
	if x.over || !is {
		return false
	}
	to := x.m.Next()
	if _, lasts := x.m.Lasted(0); (x.gap || lasts) && int(x.score) < len(x.times) {
		to = min(to, x.m.Now()+x.times[x.score]-passed)
	}
	if err := x.m.Run(to); err != nil {
		panic(err)
	}
	if passed, is = x.passed(); !is {
		x.over = true
		return true
	}
	for int(x.score) < len(x.times) && x.times[x.score] <= passed {
		x.score++
	}
	return true
}

func (x *wait) Score() int64 { return x.score }

// Look at the digits: levels on the time that has passed, with what is pending drawn anew at each,
// give the exact tail of each shape of distribution, down to 1e-9; of the gap, and of the length.
func TestElapsedTimesGiveTheTail(t *testing.T) {
	for name, d := range map[string]sim.Dist{
		"uniform":     {Kind: sim.Uniform, Least: 20, Greatest: 1 << 31},
		"log-uniform": {Kind: sim.LogUniform, Least: 20, Greatest: 1 << 31},
		"exponential": {Kind: sim.ExpFloor, Least: 1000, Mean: 100_000},
		"histogram": {Kind: sim.Histogram, Least: 10, Bins: []sim.Bin{{Edge: 1000, Count: 1 << 30},
			{Edge: 1 << 20, Count: 30000}, {Edge: 1 << 22, Count: 3}}},
	} {
		for _, p := range []float64{1e-3, 1e-9} {
			times := tails(&d, p)
			exact := tail(&d, times[len(times)-1])
			for what, start := range map[string]*wait{
				"gap":    newWait(d, sim.Dist{Least: 1}, true, times),
				"length": newWait(sim.Dist{Least: 1}, d, false, times),
			} {
				r, err := Repeat(40, 3, 0.99, func(seed uint64) (Estimate, error) {
					return FixedEffort(start, Levels{Scores: upTo(len(times)), Starts: 50,
						Seed: seed, Limit: 1000})
				})
				require.NoError(t, err)
				assert.LessOrEqual(t, math.Abs(r.Mean.Mean-exact), 4*r.SD/math.Sqrt(40),
					"%s, %s: mean %.4g, exact %.4g", name, what, r.Mean.Mean, exact)
				assert.Less(t, r.RelativeError(), 1.5, "%s, %s, %.0e", name, what, p)
				assert.Positive(t, r.SD, fmt.Sprint(name, what))
			}
		}
	}
}

// tail is how probable a longer time than this is, by the draws that give one.
func tail(d *sim.Dist, t sim.Time) float64 {
	first, ok := d.Above(t)
	if !ok {
		return 0
	}
	return 1 - float64(first>>1)/(1<<63)
}

// tails are times, each of which is passed by about a third of what passes the one before, the last
// with a probability of about p.
func tails(d *sim.Dist, p float64) (times []sim.Time) {
	for q := 1. / 3; ; q /= 3 {
		last := q <= p
		at := d.At(uint64((1 - max(q, p)) * (1 << 63) * 2))
		if len(times) == 0 || at > times[len(times)-1] {
			times = append(times, at)
		}
		if last {
			return times
		}
	}
}

func upTo(n int) (scores []int64) {
	for i := range n {
		scores = append(scores, int64(i+1))
	}
	return scores
}

// Look at the counts: runs in which all that is pending is drawn anew at random instants are like
// plain ones, in how often each load strikes and how long each message takes. The classes are times
// of a send; the statistic is that of a chi-square test of two samples of the same size.
func TestRedrawnRunsAreAlike(t *testing.T) {
	p := problems(t)["futex-oneshot"]
	a, err := newArena(p)
	require.NoError(t, err)
	edges := []sim.Time{3000, 3200, 3400, 3700, 4000, 5000, 7000, 10_000, 100_000, sim.Never}
	count := func(anew bool) (sends []int, strikes int) {
		sends = make([]int, len(edges))
		for seed := range uint64(10) {
			m := model.New(a.workload, a.costs, seed+100*uint64(len(edges)))
			m.Keep(trace.SendBegin, trace.SendEnd, trace.IRQEntry)
			draws := sim.NewStream(seed, "redraw")
			var begin sim.Time
			for m.Now() < 200*sim.Millisecond {
				m.Trace = m.Trace[:0]
				require.NoError(t, m.Run(m.Now()+sim.Time(draws.Between(1, 60_000))))
				for i := range m.Trace {
					r := &m.Trace[i]
					switch {
					case r.Kind == trace.IRQEntry:
						strikes++
					case r.Task == a.sender && r.Kind == trace.SendBegin:
						begin = r.At
					case r.Task == a.sender && r.Kind == trace.SendEnd:
						i, found := slices.BinarySearch(edges, r.At-begin)
						if found {
							i++
						}
						sends[min(i, len(edges)-1)]++
					}
				}
				if anew {
					redraw(m, a.workload, &draws, noWindow)
				}
			}
		}
		return sends, strikes
	}
	plain, struck := count(false)
	anew, struckAnew := count(true)
	chi, classes := 0.0, 0
	for i := range plain {
		if sum := plain[i] + anew[i]; sum >= 10 {
			by := float64(plain[i] - anew[i])
			chi, classes = chi+by*by/float64(sum), classes+1
		}
	}
	t.Log(plain, anew, chi, classes, struck, struckAnew)
	require.GreaterOrEqual(t, classes, 5)
	assert.Less(t, chi, 33.7, "chi-square of 9 degrees of freedom: 1e-4 is above")
	assert.InEpsilon(t, struck, struckAnew, 0.02)
}

// Look at the repetitions: they are the same side by side.
func TestRepetitionsSideBySide(t *testing.T) {
	p := problems(t)["futex-oneshot"]
	a, err := newArena(p)
	require.NoError(t, err)
	few := func(stratum) int { return 4 }
	fly := func(jobs int) []repetition {
		all, err := a.flown(t.Context(), 7, 2, 900*sim.Microsecond, jobs, few)
		require.NoError(t, err)
		return all
	}
	one := fly(1)
	require.Equal(t, one, fly(2))
	require.Positive(t, one[0].steps)
}

// Look at the shares: the mean weight of a cell is how often a burst comes in it. One comes every
// 1457 us: a gap of 947 and a length of 510.
func TestForcedBurstsHaveTheirShare(t *testing.T) {
	a, err := newArena(problems(t)["futex-oneshot"])
	require.NoError(t, err)
	f, err := a.field(t.Context(), 3, 900*sim.Microsecond)
	require.NoError(t, err)
	seeds := newSeeds(8)
	for cell, c := range f.cells {
		if c.to-c.from > 8*sim.Microsecond || c.to > 4*sim.Microsecond { // later it is over
			continue
		}
		sum, squares, n := 0.0, 0.0, 400.
		for range int(n) {
			x := newFlight(f, stratum{burst: 1, cell: cell})
			x.Reseed(seeds.Bits())
			for !x.forced && x.Step() {
			}
			if x.forced {
				sum, squares = sum+x.weight, squares+x.weight*x.weight
			}
		}
		mean := sum / n
		sd := math.Sqrt((squares/n - mean*mean) / n)
		expected := float64(c.to-c.from) / 1_457_143 // ns, a gap and a burst
		assert.InDelta(t, expected, mean, 5*sd+0.1*expected, "%v", c)
	}
}
