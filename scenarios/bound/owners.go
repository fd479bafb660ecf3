package bound

import (
	"slices"

	"rtsim/model"
)

// How many owners a CPU has. Boosted is only who owns a lock for which a task at the level waits
// (R2.5).
// On a CPU of tasks that share one SCHED_FIFO priority at most one of them owns such a lock, if
// none sleeps while it does:
//
// Take the first instant at which a second one, Y, gets one while X has one, on the same CPU. X ran
// when it got it, at the head of its priority, and has been ready since: it does not sleep. So Y
// went before X. It was not boosted, for it owned nothing that the level waits for, and the waiters
// for all else are of the same priority. It was not ahead among its equals either: who comes
// queues behind X, and to the head goes only who loses a boost (1.2), and has owned such a lock
// beside X.
//
// Then nobody boosted is in the owner's way, and nobody who lost a boost.

// oneOwner says whether that holds, of all CPUs.
func (a *analysis) oneOwner() bool {
	if a.owners == unknown {
		a.owners = many
		if a.sleepless() && a.equals() {
			a.owners = one
		}
	}
	return a.owners == one
}

// How many owners a CPU may have.
type owners uint8

const (
	unknown owners = iota
	one
	many
)

// shared says whether another task takes a lock too, and be it by a trylock.
func (a *analysis) shared(k key, t int) bool {
	return k.ref != model.RefOwnRing && slices.ContainsFunc(a.takers[k], func(o int) bool {
		return o != t
	})
}

// equals says whether all tasks below the level that take sleeping locks which others take are of
// one SCHED_FIFO priority, and never stand back for their equals.
func (a *analysis) equals() bool {
	prio := int32(0)
	for k, uses := range a.uses {
		if raw(k.ref) {
			continue
		}
		for i := range uses {
			t := &a.tasks[uses[i].task]
			switch {
			case t.prio >= a.level || !a.shared(k, uses[i].task):
			case t.prio == 0 || t.shares || prio != 0 && t.prio != prio:
				return false
			default:
				prio = t.prio
			}
		}
	}
	return true
}

// sleepless says whether no task below the level takes a sleeping lock, for which it may have to
// wait, while it owns one for which a task at the level waits.
func (a *analysis) sleepless() bool {
	for k, uses := range a.uses {
		if raw(k.ref) {
			continue
		}
		for i := range uses {
			u := &uses[i]
			if a.tasks[u.task].prio >= a.level || !a.shared(k, u.task) ||
				u.path.code[u.line].Op != model.OpLock {
				continue
			}
			for _, h := range u.held {
				if a.ofTheLevel(h) {
					return false
				}
			}
		}
	}
	return true
}

// ofTheLevel says whether a task at the level waits for a lock.
func (a *analysis) ofTheLevel(k key) bool {
	for t := range a.tasks {
		if a.isPeer(t) && a.takes(t, k) {
			return true
		}
	}
	return false
}
