package bound

import (
	"fmt"

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
// The curve of the theory, k*B + min(B, D-k*(B+G)), is not used for one thread: interrupts stretch
// its bursts, and it then counts bursts that can't have begun. Of several threads the gaps do not
// coincide; for these the curve is used, each thread's by itself.

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

// share is a stretch of execution and how long it takes.
type share struct {
	cpu        int32
	work       sim.Time // x, and what else goes before its end at its level
	bursts     sim.Time // how many bursts delay it
	interrupts sim.Time
	total      sim.Time
	why        string
}

// stretchID names a task's work.
type stretchID struct {
	task int
	work sim.Time
}

// runs is T_c(work) of a task on its CPU.
func (a *analysis) runs(t int, work sim.Time) share {
	id := stretchID{t, work}
	s, known := a.shares[id]
	if !known {
		s = a.stretched(t, work)
		a.shares[id] = s
	}
	return s
}

func (a *analysis) stretched(t int, work sim.Time) share {
	c := a.tasks[t].cpu
	for i := range a.tasks {
		if o := &a.tasks[i]; i != t && o.cpu == c && o.prio >= a.level && o.burst < 0 {
			return share{why: fmt.Sprintf("%s, which may hold up %s, runs on CPU %d, and so does "+
				"%s (%d), for as long as there is something to do", a.tasks[t].name,
				a.tasks[a.root].name, c, o.name, o.prio)}
		}
	}
	all := a.sources(c, t, a.level)
	before := busy(all, a.off(c))
	bursts := a.bursts(c)
	s := share{cpu: c, work: work}
	switch len(bursts) {
	case 0:
		s.total = least(func(x sim.Time) sim.Time { return work + total(all, x, before) })
	case 1:
		b := &bursts[0]
		s.total = least(func(x sim.Time) sim.Time {
			s.bursts = b.count(work, x, all, before)
			return work + s.bursts*b.block + total(all, x, before)
		})
	default:
		s.total = least(func(x sim.Time) sim.Time {
			y := work + total(all, x, before)
			for i := range bursts {
				y += bursts[i].curve(x)
			}
			return y
		})
	}
	if s.interrupts = total(all, s.total, before); s.total >= longest {
		return share{why: fmt.Sprintf("%s needs %v of CPU %d, and bursts and interrupts leave it "+
			"no time there", a.tasks[t].name, work, c)}
	}
	return s
}

// longest is the longest bound that is given.
const longest = 10 * sim.Second

// burstsMax bounds how many bursts are counted.
const burstsMax = 2000

// count is how many bursts delay the work within a window. A gap begins as a burst ends, while
// interrupts are on.
func (b *burst) count(work, window sim.Time, all []source, before sim.Time) sim.Time {
	within := busy(all, 0)
	for n := sim.Time(1); n < burstsMax; n++ {
		left := n * b.gap
		for _, s := range all {
			left -= s.cost * min(n*s.after(b.gap, within), s.count(window, before))
		}
		if left >= work {
			return n
		}
	}
	return forever / b.block
}
