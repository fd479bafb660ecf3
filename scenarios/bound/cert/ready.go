package cert

import (
	"rtsim/model"
	"rtsim/sim"
)

// When an owner or a waiter runs.

// boost is the time until an owner that is ready runs.
func (k *checker) boost(l lock, task, waiter int) sim.Time {
	ipi, first, any := k.charged(model.CostIPI), sim.Time(0), k.tasks[task].prio == 0
	mine := k.tasks[task]
	for i, t := range k.tasks {
		if i == task || t.cpu != mine.cpu || t.burst && t.prio >= k.level {
			continue
		}
		before := t.prio > mine.prio || t.prio == mine.prio && mine.yields || k.mixed(l)
		if before {
			first, any = max(first, k.section(i, false, l, waiter)), true
		}
	}
	if !any {
		return 0
	}
	change := k.pays(model.CostSwitch)
	return max(max(ipi, first)+k.charged(model.CostIRQEntry), change) + change
}

// mixed says whether who has lost a boost by another lock may stand before the owner of one: there
// is a peer that waits for another, and a CPU may have two owners.
func (k *checker) mixed(l lock) bool {
	if k.apart() {
		return false
	}
	for i, t := range k.tasks {
		if i != k.root && t.prio >= k.level && !t.burst && k.takesOther(i, l) {
			return true
		}
	}
	return false
}

// wakes is the time until a woken waiter runs.
func (k *checker) wakes(l lock, task, waiter int) sim.Time {
	ipi, entry := k.charged(model.CostIPI), k.charged(model.CostIRQEntry)
	change, exit := k.pays(model.CostSwitch), k.pays(model.CostIdleExit)
	first := k.charged(model.CostSwitch) + exit
	for i, t := range k.tasks {
		if i != task && t.cpu == k.tasks[task].cpu && !(t.burst && t.prio >= k.level) {
			first = max(first, change+exit, max(ipi, k.section(i, false, l, waiter))+entry)
		}
	}
	if k.p.IdlePolls {
		ipi, entry = 0, 0
	}
	return max(first, ipi+entry+exit) + change
}

// sleeping are the sleeping locks besides a task's own that it takes: asked of those that it waits
// for, not tries, unless all is set.
func (k *checker) sleeping(task int, all bool) (locks []taker) {
	for _, r := range k.ways {
		for i := range r.code {
			s := &r.code[i].Step
			if r.task != task || s.Op != model.OpLock && (!all || s.Op != model.OpTry) ||
				isRaw(s.Ref) || s.Ref == model.RefOwnRing {
				continue
			}
			for _, e := range k.targets(r, i) {
				if t := (taker{r, i, e}); k.contended(k.of(t), task) {
					locks = append(locks, t)
				}
			}
		}
	}
	return locks
}

// of is the lock that a taker takes.
func (k *checker) of(t taker) lock { return k.lock(t.way.code[t.line].Ref, t.way, t.target) }

// takesOther says whether a task waits for a sleeping lock besides one.
func (k *checker) takesOther(task int, l lock) bool {
	for _, t := range k.sleeping(task, false) {
		if k.of(t) != l {
			return true
		}
	}
	return false
}

// waitsFor says whether a task waits for a lock.
func (k *checker) waitsFor(task int, l lock) bool {
	for _, t := range k.sleeping(task, false) {
		if k.of(t) == l {
			return true
		}
	}
	return false
}

// apart says whether no CPU ever has two owners of locks that the level waits for: all lower takers
// are of one SCHED_FIFO priority, none yields, and none waits while it owns such a lock.
func (k *checker) apart() bool {
	if k.known {
		return k.lone
	}
	k.known = true
	prio := int32(-1)
	for i, t := range k.tasks {
		if t.prio >= k.level {
			continue
		}
		for _, u := range k.sleeping(i, true) {
			if t.prio == 0 || t.yields || prio >= 0 && t.prio != prio {
				return false
			}
			prio = t.prio
			if u.way.code[u.line].Op == model.OpLock && k.ownsForLevel(u) {
				return false
			}
		}
	}
	k.lone = true
	return true
}

// ownsForLevel says whether a lock that a task at the level waits for is held at a place.
func (k *checker) ownsForLevel(u taker) bool {
	for _, h := range k.heldAt(u.way, u.line, u.target) {
		for i, t := range k.tasks {
			if t.prio >= k.level && !t.burst && !isRaw(h.ref) && k.waitsFor(i, h) {
				return true
			}
		}
	}
	return false
}
