package bound

import (
	"rtsim/model"
	"rtsim/sim"
)

// The time until a task runs at the bounded task's level, besides bursts and interrupts. What may
// be first: the flight of the IPI and its handler; the end of a switch to another task, and of an
// exit from idle; the end of another's section without preemption, in which the IPI comes.

// boost is the time from the boost of a lock's owner until it runs, switch included: none if it
// runs already, or would but for what is above the level. An owner was on its CPU when it got the
// lock, so only who outranks it there may run instead.
func (a *analysis) boost(k key, t, waiter int) sim.Time {
	flight, entry := a.own(model.CostIPI), a.own(model.CostIRQEntry)
	first := sim.Time(-1)
	for i := range a.tasks {
		if a.besides(i, t) && a.outranks(k, i, t) {
			first = max(first, max(flight, a.atomic(i, false, k, waiter))+entry)
		}
	}
	if a.tasks[t].prio == 0 { // its CPU's ktimers thread, which has no such section
		first = max(first, flight+entry)
	}
	if first < 0 {
		return 0
	}
	return max(first, a.cost(model.CostSwitch)) + a.cost(model.CostSwitch)
}

// besides says whether another task may run on a task's CPU, below the level: bursts above it are
// counted by themselves.
func (a *analysis) besides(i, t int) bool {
	o := &a.tasks[i]
	return i != t && o.cpu == a.tasks[t].cpu && (o.burst < 0 || o.prio < a.level)
}

// outranks says whether a task may run while another of its CPU holds a lock and is ready.
func (a *analysis) outranks(k key, i, t int) bool {
	return a.tasks[i].prio > a.tasks[t].prio ||
		a.tasks[i].prio == a.tasks[t].prio && a.tasks[t].shares ||
		!a.oneOwner() && a.manyLocks(k)
}

// manyLocks says whether somebody at the level may boost through another lock: who loses a boost
// goes before its equals.
func (a *analysis) manyLocks(k key) bool {
	for p := range a.tasks {
		if p == a.root || !a.isPeer(p) {
			continue
		}
		for other := range a.uses {
			if other != k && a.takes(p, other) && a.waited(other, p) {
				return true
			}
		}
	}
	return false
}

// wakes is the time from the wake-up of a task that sleeps for a lock until it runs.
func (a *analysis) wakes(k key, t, waiter int) sim.Time {
	flight, entry := a.own(model.CostIPI), a.own(model.CostIRQEntry)
	change, exit := a.cost(model.CostSwitch), a.cost(model.CostIdleExit)
	first := sim.Time(0)
	for i := range a.tasks {
		if a.besides(i, t) {
			off := a.atomic(i, false, k, waiter)
			first = max(first, change+exit, max(flight, off)+entry)
		}
	}
	if a.s.Profile.IdlePolls {
		flight, entry = 0, 0
	}
	return max(first, flight+entry+exit, a.own(model.CostSwitch)+exit) + change
}
