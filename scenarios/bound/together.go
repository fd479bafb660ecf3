package bound

import (
	"fmt"
	"slices"

	"rtsim/sim"
)

// Formula (b): bursts and handlers counted once for the whole call, and not with each wait.
//
// At any instant at which the call is blocked one task is to blame: the owner of the lock that it
// waits for, or whom that one waits for in turn, and so on to one that waits for nobody. It
// executes, or is about to, or bursts or handlers of its CPU keep it from that. So
//
//	R = V + sum over CPUs of bursts(R) + I(R, J) + I_own(R)
//
// V is what all of them execute, the call included; bursts(R) is what the bursts of a CPU execute
// in any window of R, the curve of bursts.go; I is of the handlers, of one CPU at each instant, in
// J pieces of execution: in each piece a handler may be due already, and what comes only once comes
// again.
//
// This is the less where bursts are far apart: a call that waits for three locks meets two bursts,
// if there are two CPUs, however often it waits. Where a CPU's bursts take half of its time, and
// another's too, the sum over the CPUs never ends, and (a) is the less. The lesser is the bound.
//
// Rejected: the lesser of both for each wait alone. A wait of one job has one burst either way.

// atOnce completes the bound of one call: its own execution and waits are v.
func (a *analysis) atOnce(b *Bound, v val, own func(sim.Time) sim.Time) {
	value := b.Value
	cpus := a.burstCPUs()
	each, rest := a.pieces(v.jobs)
	r := least(func(x sim.Time) sim.Time {
		y := value + own(x) + each + rest(x)
		for _, c := range cpus {
			y += a.curves(c, x)
		}
		return y
	})
	for _, c := range cpus {
		b.add(fmt.Sprintf("bursts on CPU %d", c), a.curves(c, r), fmt.Sprintf("what they execute "+
			"at most in any window of %v", r))
	}
	b.add("interrupts of owners", each+rest(r), fmt.Sprintf("handlers on their CPUs, in %d pieces "+
		"of execution", v.jobs))
	b.add("interrupts", own(r), "handlers on the sender's own CPU")
}

// burstCPUs are the CPUs with bursts at or above the level, but for the bounded task's.
func (a *analysis) burstCPUs() (cpus []int32) {
	for c := range int32(a.w.CPUs) {
		if c != a.tasks[a.root].cpu && len(a.bursts(c)) > 0 {
			cpus = append(cpus, c)
		}
	}
	return cpus
}

// curves is the most that the bursts of a CPU execute in a window.
func (a *analysis) curves(cpu int32, window sim.Time) (sum sim.Time) {
	for _, b := range a.bursts(cpu) {
		sum += b.curve(window)
	}
	return sum
}

// pieces is what handlers take of so many pieces of the execution of owners: what is due as each
// begins, and what comes as it goes on, by the length of all.
//
// Of a periodic source ceil((w + ago) / p) handlers can run in a piece of w if a busy period began
// ago before it, less what the CPU has executed of handlers since, which is all but the time that
// interrupts were off for. As handlers take less than all time, that is most where ago is just
// that time. And ceil((w + ago) / p) <= 1 + (ago - 1) / p + w / p.
func (a *analysis) pieces(jobs int) (due sim.Time, rest func(sim.Time) sim.Time) {
	var all [][]source
	for t := range a.tasks {
		if t == a.root || !a.owns(t) {
			continue
		}
		in := a.span(t)
		all = append(all, in.all)
		sum := sim.Time(0)
		for _, s := range in.all {
			sum += s.cost
			if s.period > 0 {
				sum += ceil(s.cost*max(min(in.off, in.before)-1, 0), s.period)
			}
		}
		due = max(due, sum)
	}
	return due * sim.Time(jobs), func(window sim.Time) (most sim.Time) {
		for _, sources := range all {
			sum := sim.Time(0)
			for _, s := range sources {
				if s.period > 0 {
					sum += ceil(s.cost*min(window, longest), s.period)
				}
			}
			most = max(most, sum)
		}
		return most
	}
}

// owns says whether a task takes a sleeping lock that another takes too.
func (a *analysis) owns(t int) bool {
	for k, uses := range a.uses {
		if raw(k.ref) || !a.shared(k, t) {
			continue
		}
		if slices.ContainsFunc(uses, func(u use) bool { return u.task == t }) {
			return true
		}
	}
	return false
}
