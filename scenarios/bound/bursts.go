package bound

import (
	"fmt"
	"slices"

	"rtsim/model"
	"rtsim/sim"
)

// How long a task takes at the bounded task's level on a CPU with bursts above it: T_c(x).
//
// One thread of bursts: from the end of a burst to the handler of the next passes the gap's floor
// at least, in which the task gets what the switch back to it and the handlers leave. A burst is a
// handler, a switch, its length, and the switch back; N of them delay the task only if what the
// first N-1 gaps leave is not enough for it. Handlers stretch everything: T = x + N bursts + I(T).
//
// What is enough: the work ends with a raw section, the slow release, and who has come to it has
// interrupts off, waits his turn and releases, whatever is due meanwhile. So the gaps need not hold
// that section. At the instant at which a gap ends the step that ends then comes first.
//
// What gaps leave: handlers that come in a gap take no more of it than there is. In a gap that a
// device's handler of 5 us has left 3 us of, a tick takes these 3 and not 4. So choose some of the
// periodic sources, D what they take of one gap at most: of any gap the handlers take at most D
// and, for each other handler that falls into it, the less of its length and of what D leaves. For
// if one of those is no shorter than what D leaves, that is the whole gap, and else it is the sum.
// It holds for every choice, and that which leaves most counts. The other handlers are no more than
// can come in the whole window: of a tick of 4 ms one in three gaps between bursts of 1 ms.
//
// Work in pieces, with waits for other locks between: each piece may meet a burst at once, and one
// more for each gap that does not suffice: M pieces meet M-1 bursts more than one.
//
// And bursts that are far apart do not all fit into T: they execute no more of it than the curve of
// the theory says, k*B + min(B, T-k*(B+G)). Where they come fast it is the more, for interrupts
// stretch bursts, and it then counts some that can't have begun. Of several threads the gaps do not
// coincide; for these the curve alone is used, each thread's by itself.

// burst is a thread of bursts above the level.
type burst struct {
	name   string
	block  sim.Time // of one burst: handler, switch, length, and the switch back
	gap    sim.Time // from the switch back to the next handler, without interrupts
	length sim.Time
}

// bursts are those of a CPU at or above the level.
func (a *analysis) bursts(cpu int32) (all []burst) {
	for i := range a.w.Loads {
		d := &a.w.Loads[i]
		if d.Kind != model.LoadBurst || d.CPU != cpu || a.tasks[d.Task].prio < a.level {
			continue
		}
		_, length := d.Length.Range()
		all = append(all, burst{a.tasks[d.Task].name, a.own(model.CostIRQHandler) +
			2*a.cost(model.CostSwitch) + length, d.Floor - a.cost(model.CostSwitch), length})
	}
	return all
}

// curve is the most that a thread's bursts take of a window.
func (b *burst) curve(window sim.Time) sim.Time {
	gap := max(b.gap, 0)
	k := window / (b.block + gap)
	return k*b.block + min(b.block, window-k*(b.block+gap))
}

// job is what a task has to do on its CPU until it has released a lock.
type job struct {
	work    sim.Time // x, and what else goes before its end at its level
	tail    sim.Time // the end of it, a section with interrupts off
	pauses  int      // how often it waits for a lock meanwhile
	blocked sim.Time // for how long in all
}

// share is a job and how long it takes.
type share struct {
	job
	cpu        int32
	bursts     sim.Time // how many bursts delay it
	interrupts sim.Time
	total      sim.Time
	why        string
}

// stretchID names a task's job.
type stretchID struct {
	task int
	job
}

// runs is T_c(x) of a task's job on its CPU.
func (a *analysis) runs(t int, j job) share {
	id := stretchID{t, j}
	s, known := a.shares[id]
	if !known {
		s = a.stretched(t, j)
		a.shares[id] = s
	}
	return s
}

func (a *analysis) stretched(t int, j job) share {
	c := a.tasks[t].cpu
	for i := range a.tasks {
		if o := &a.tasks[i]; i != t && o.cpu == c && o.prio >= a.level && o.burst < 0 {
			return share{why: fmt.Sprintf("%s, which may hold up %s, runs on CPU %d, and so does "+
				"%s (%d), for as long as there is something to do", a.tasks[t].name,
				a.tasks[a.root].name, c, o.name, o.prio)}
		}
	}
	if a.together {
		return share{job: j, cpu: c, total: j.work + j.blocked}
	}
	bursts, in := a.bursts(c), a.span(t)
	for i := range in.all {
		in.all[i].times = 1 + sim.Time(j.pauses)
	}
	s := share{job: j, cpu: c}
	late := sim.Time(0)
	if len(bursts) == 1 {
		once := false
		if s.bursts, once = bursts[0].count(&j, &in); once {
			late = min(a.own(model.CostIPI)+in.before, bursts[0].block)
		}
	}
	s.total = least(func(x sim.Time) sim.Time {
		curves := a.curves(c, x)
		if len(bursts) == 1 {
			curves = min(curves, s.bursts*bursts[0].block+late)
		}
		return j.work + j.blocked + in.total(x) + curves
	})
	s.interrupts = in.total(s.total)
	switch {
	case s.total < longest:
	case j.pauses > 0:
		return share{why: fmt.Sprintf("%s waits up to %d times for other locks while it has one, "+
			"over %v in all", a.tasks[t].name, j.pauses, longest)}
	default:
		return share{why: fmt.Sprintf("%s needs %v of CPU %d, and bursts and interrupts leave it "+
			"no time there", a.tasks[t].name, j.work, c)}
	}
	return s
}

// span is what comes on a task's CPU while it runs at the level.
func (a *analysis) span(t int) span {
	c := a.tasks[t].cpu
	in := span{all: a.sources(c, t, a.level), off: a.off(c)}
	due := slices.Clone(in.all)
	for range a.bursts(c) { // a burst's handler may be among those before the window
		due = append(due, source{cost: a.own(model.CostIRQHandler)})
	}
	in.before, in.within = busy(due, in.off), busy(in.all, 0)
	return in
}

// longest is the longest bound that is given.
const longest = 10 * sim.Second

// burstsMax bounds how many bursts are counted.
const burstsMax = 2000

// span is what comes in a window besides bursts, and how long a busy period is that may end in it,
// with interrupts off before it or without.
type span struct {
	all                 []source
	off, before, within sim.Time
}

// total is what handlers take of a window. The busy period that ends in it began some time before:
// that much later is what falls due counted, but what of that time interrupts were not off for,
// handlers have run, and do not run in the window.
func (in *span) total(window sim.Time) sim.Time {
	first := min(in.off, in.before)
	most := total(in.all, window, first)
	for _, s := range in.all {
		if s.period == 0 {
			continue
		}
		// at the least time at which one more of it falls due
		for n := (window + first + s.period - 1) / s.period; ; n++ {
			ago := n*s.period + 1 - window
			if ago > in.before {
				break
			}
			most = max(most, total(in.all, window, ago)-(ago-in.off))
		}
	}
	return most
}

// count is how many bursts delay a job. An IPI in flight as the window begins is there before the
// first of them ends, and takes nothing of a gap, unless that one was about to end: late says that
// there may be one less then, but what it takes until the IPI has come.
func (b *burst) count(j *job, in *span) (n sim.Time, late bool) {
	if j.pauses > 0 {
		return sim.Time(j.pauses) + b.gaps(j, in), false
	}
	rest := span{off: in.off, before: in.before, within: in.within}
	for _, s := range in.all {
		if !s.flies {
			rest.all = append(rest.all, s)
		}
	}
	n, with := b.gaps(j, &rest), b.gaps(j, in)
	return max(n, with-1), with > n
}

// gaps is how many gaps hold a job but for its tail. As long as it is not done, the first n of them
// are over when it has run for all that is before the tail, with n-1 bursts.
func (b *burst) gaps(j *job, in *span) sim.Time {
	pre := j.work - j.tail
	for n := sim.Time(1); n < burstsMax; n++ {
		window := least(func(x sim.Time) sim.Time {
			return pre + j.blocked + (n-1+sim.Time(j.pauses))*b.block + in.total(x)
		})
		if b.leave(n, window, in) >= pre {
			return n
		}
	}
	return forever / b.block
}

// leave is what n gaps in a window leave at least. A gap begins as a burst ends, while interrupts
// are on.
func (b *burst) leave(n, window sim.Time, in *span) (most sim.Time) {
	periodic := 0
	for _, s := range in.all {
		if s.period > 0 {
			periodic++
		}
	}
	for chosen := range 1 << min(periodic, 8) {
		each, i := sim.Time(0), 0
		var others []source
		for _, s := range in.all {
			if s.period > 0 {
				i++
			}
			if s.period > 0 && chosen>>(i-1)&1 == 1 {
				each += s.cost * s.after(b.gap, in.within)
			} else {
				others = append(others, s)
			}
		}
		room := max(b.gap-each, 0)
		left := n * room
		for _, s := range others {
			left -= min(s.cost, room) * min(n*s.after(b.gap, in.within), s.count(window, in.before))
		}
		most = max(most, left)
	}
	return most
}
