package bound

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"rtsim/sim"
)

// The closed forms of the theory, as the pieces of this analysis give them.

const us = sim.Microsecond

// alone is T(x) of a CPU with one thread of bursts and nothing else.
func alone(work, length, gap sim.Time) sim.Time {
	b := burst{block: length, gap: gap}
	n, _ := b.count(&job{work: work}, &span{})
	return work + n*length
}

// Look at the second row: a gap of 5 us holds half of 10 us of work, so two bursts delay it; one
// of 10 us or more holds all. T(x) = x + ceil(x/G) B.
func TestWorkBetweenBursts(t *testing.T) {
	for _, c := range []struct{ work, burst, gap, want sim.Time }{
		{10, 1000, 5, 2010}, {10, 1000, 10, 1010}, {10, 1000, 1000, 1010}, {10, 1000, 3, 4010},
		{10, 1000, 1, 10010}, {1, 1000, 5, 1001},
	} {
		assert.Equal(t, c.want*us, alone(c.work*us, c.burst*us, c.gap*us))
	}
	assert.GreaterOrEqual(t, alone(10*us, us, 0), longest, "no gap, no bound")
}

// Look at n = 3: three sections of 10 us on two CPUs, each with at most one burst of 1 ms in the
// window, take 2030 us and not three times 1010: formula (b), W = nH + sum of I_c(W).
func TestSectionsOnTwoCPUs(t *testing.T) {
	b := burst{block: 1000 * us, gap: sim.Second}
	for n, want := range map[sim.Time]sim.Time{1: 1010, 2: 2020, 3: 2030, 4: 2040, 6: 2060} {
		assert.Equal(t, want*us, least(func(x sim.Time) sim.Time {
			return n*10*us + min(n, 2)*b.curve(x)
		}))
	}
}

// Look at the last row: with 90 % of the CPU gone, and 1 ms at once, 10 us take 10.1 ms:
// T = (x + b) / (1 - rho).
func TestLeakyBucket(t *testing.T) {
	for percent, want := range map[sim.Time]float64{10: 1122.2, 50: 2020, 90: 10100} {
		got := least(func(x sim.Time) sim.Time { return 10*us + 1000*us + x*percent/100 })
		assert.InDelta(t, want, float64(got)/float64(us), 0.1)
	}
}

// Look at the second window: interrupts of 97.7 us contain one that took 21.0 us instead of 20.7,
// and the fixed point moves once more. The numbers are the paper's own (rtsl).
func TestSchedulingLatencyOfThePaper(t *testing.T) {
	free := max(sim.Time(22510), 19312) + 0 + 19702
	assert.Equal(t, sim.Time(42212), free)
	interrupts := func(window sim.Time) sim.Time {
		if window >= 97741 {
			return 16914 + 14588 + 21029 + 3299
		}
		return 16914 + 14588 + 20728 + 3299
	}
	assert.Equal(t, sim.Time(97741), free+interrupts(free))
	assert.Equal(t, sim.Time(98042), least(func(x sim.Time) sim.Time {
		return free + interrupts(x)
	}))
}

// Look at the first row: a window of 1 ns meets two handlers of a source whose instants are 20 us
// apart if one may end 25 us late.
func TestHandlersInAWindow(t *testing.T) {
	s := source{cost: 5 * us, period: 20 * us}
	for _, c := range []struct{ window, busy, want sim.Time }{
		{1, 25 * us, 2}, {1, 5 * us, 1}, {15 * us, 5 * us, 1}, {15*us + 1, 5 * us, 2},
		{1000 * us, 5 * us, 51},
	} {
		assert.Equal(t, c.want, s.count(c.window, c.busy))
	}
	assert.Equal(t, sim.Time(1), s.after(10*us, 19*us), "none is past when a burst ends")
	assert.Equal(t, sim.Time(2), s.after(10*us, 20*us), "one may be")
	assert.Equal(t, 12*us, busy([]source{s, {cost: 3 * us}}, 4*us))
	assert.Equal(t, 26*us, busy([]source{s, {cost: 3 * us}}, 13*us), "the source comes again")
}

// Look at the second row: a device takes 5 us of each gap of 8 us. Of the 3 us that it leaves a
// tick of 4 us takes 3, not 4, and so does each of two timers: of five gaps with one tick and two
// timers two are left, 6 us. In 20 ms each gap may have a tick, and nothing is left.
func TestWhatGapsLeave(t *testing.T) {
	device := source{cost: 5 * us, period: 20 * us}
	tick, timer := source{cost: 4 * us, period: 4000 * us}, source{cost: 3 * us}
	b := burst{block: 1000 * us, gap: 8 * us}
	for _, c := range []struct {
		n, window, want sim.Time
		all             []source
	}{
		{5, 5000 * us, 15 * us, []source{device}},
		{5, 4000 * us, 6 * us, []source{device, tick, timer, timer}},
		{5, 20000 * us, 0, []source{device, tick}},
		{5, 4000 * us, 36 * us, []source{tick}},
		{1, 1000 * us, 0, []source{device, tick, timer}},
	} {
		in := span{all: c.all, within: busy(c.all, 0)}
		assert.Equal(t, c.want, b.leave(c.n, c.window, &in), c.n)
	}
}

// Look at the tail: 10 us of work in gaps of 6 us meet two bursts, but one if the last 4 us are a
// section with interrupts off. In three pieces, with two waits between, they meet two more.
func TestBurstsOfAJob(t *testing.T) {
	b := burst{block: 1000 * us, gap: 6 * us}
	for _, c := range []struct {
		job  job
		want sim.Time
	}{
		{job{work: 10 * us}, 2}, {job{work: 10 * us, tail: 4 * us}, 1},
		{job{work: 10*us + 1, tail: 4 * us}, 2}, {job{work: 10 * us, pauses: 2}, 4},
	} {
		n, late := b.count(&c.job, &span{})
		assert.Equal(t, c.want, n)
		assert.False(t, late)
	}
}

// Look at the last row: an IPI in flight takes 1 us of a gap only if the first burst is about to
// end as it comes; so 6 us of work meet one whole burst, and what is left of another.
func TestAnIPIComesInTheFirstBurst(t *testing.T) {
	ipi := source{cost: us, flies: true}
	b := burst{block: 1000 * us, gap: 6 * us}
	for work, want := range map[sim.Time]bool{4 * us: false, 5 * us: false, 6 * us: true} {
		n, late := b.count(&job{work: work}, &span{all: []source{ipi}})
		assert.Equal(t, sim.Time(1), n)
		assert.Equal(t, want, late, work)
	}
}

// Look at the second row: one more handler of a device falls due 13 us before the window, but then
// 8 us of others have run before it, in which the CPU had interrupts on; so 5 us more is 3 us less.
func TestHandlersThatRanBefore(t *testing.T) {
	device := source{cost: 5 * us, period: 20 * us}
	for _, c := range []struct{ window, off, before, want sim.Time }{
		{80 * us, 5 * us, 20 * us, 25 * us}, {87 * us, 5 * us, 20 * us, 25 * us},
		{96 * us, 5 * us, 5 * us, 30 * us}, {94 * us, 5 * us, 20 * us, 28*us + 999},
	} {
		in := span{all: []source{device}, off: c.off, before: c.before}
		assert.Equal(t, c.want, in.total(c.window), c.window)
	}
}
