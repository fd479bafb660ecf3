package bound

import (
	"fmt"
	"slices"

	"rtsim/model"
	"rtsim/sim"
)

// Waiting for a sleeping lock at the bounded task's level, itself or on its behalf. Once the task
// is queued, what can run before it is: the section of the lock's owner, one, for lower waiters are
// overtaken and a pending lower one is stolen from; and one section of each real-time task that was
// queued before, or of a lower task that such a task has boosted through another lock. Those of
// equal priority that come later queue behind, for none of the RT class steals from its equals.
//
// Before it is queued it pays for the slow path under the lock's wait_lock; after the release,
// which is one raw section of the owner, it has to be woken, run, and take the lock under the
// wait_lock.

// waitFor is what a wait consists of.
type waitFor struct {
	exec    sim.Time // the slow path and the retry, of the waiter
	owner   release  // by whom it takes longest, from the boost
	peers   val      // the sections of who is queued before
	resumes val      // from the release until the waiter runs
}

// release is how long it takes until a task has released a lock.
type release struct {
	by    int // the task
	share share
	jobs  int // pieces of execution, the task's and of whom it waits for
	why   string
}

// val is the release as time for which somebody is blocked.
func (r *release) val() val { return val{blocked: r.share.total, jobs: r.jobs, why: r.why} }

// sleepWait is what taking a sleeping lock adds to its fast path.
func (a *analysis) sleepWait(k key, at place, line int) (v val) {
	w, contended := a.wait(k, at, line)
	if !contended {
		return v
	}
	if at.shown {
		return a.shows.of(k.ref, &w)
	}
	return val{exec: w.exec}.plus(w.owner.val()).plus(w.peers).plus(w.resumes)
}

// boostID names what was worked out of an owner.
type boostID struct {
	lock  key
	owner int
}

type waited struct {
	waitFor
	contended bool
}

// wait is a wait for a lock at a line; nobody else takes one that is not contended.
func (a *analysis) wait(k key, at place, line int) (w waitFor, contended bool) {
	u := a.use(at, line)
	u.id.execOnly = a.execOnly
	w1, known := a.waits[u.id]
	if !known {
		w1.waitFor, w1.contended = a.workOut(k, &u)
		a.waits[u.id] = w1
	}
	return w1.waitFor, w1.contended
}

// apart says whether a place and a use of the same lock exclude each other: a lock is held at both.
// Whoever has it there, the other one is not at its own.
func apart(mine []key, u *use) bool {
	return slices.ContainsFunc(u.held, func(h key) bool { return slices.Contains(mine, h) })
}

func (a *analysis) workOut(k key, mine *use) (w waitFor, contended bool) {
	t := mine.task
	if k.ref == model.RefOwnRing { // of the task's own ring
		return w, false
	}
	for i := range a.uses[k] {
		u := &a.uses[k][i]
		if u.task == t || apart(mine.held, u) {
			continue
		}
		if contended = true; a.execOnly || u.task == a.root {
			continue // who waits for the root is not waited for
		}
		r := a.released(k, u, t, false)
		if a.tasks[u.task].prio > a.level {
			r.why = fmt.Sprintf("%s takes %v at priority %d, above the level of %s: it may "+
				"overtake again and again", a.tasks[u.task].name, k.ref, a.tasks[u.task].prio,
				a.tasks[a.root].name)
		}
		jobs := max(w.owner.jobs, r.jobs)
		if w.owner.why == "" && (r.why != "" || r.val().blocked > w.owner.val().blocked) {
			w.owner = r
		}
		w.owner.jobs = jobs
	}
	if !contended {
		return w, false
	}
	w.exec = a.cost(model.CostLockSlow) + a.cost(model.CostRetake) + a.queued(k, t) +
		a.queuedOwner(k, t, t)
	if a.execOnly {
		w.exec += a.spins(k, mine)
		return w, true
	}
	for p := range a.tasks {
		if p != t && p != a.root && a.isPeer(p) {
			w.peers = w.peers.plus(a.before(k, mine, p))
		}
	}
	if t == a.root {
		w.resumes.blocked = a.wakes(k, t, t)
	} else { // the next piece of its work, with what comes before the retry
		w.resumes = val{exec: a.wakes(k, t, t), pauses: 1}
	}
	return w, true
}

// spins is how long a waiter may spin for a lock at most: as long as it is the top one, and the
// owner runs on another CPU. When that one loses its CPU the waiter sleeps.
func (a *analysis) spins(k key, mine *use) (most sim.Time) {
	for i := range a.uses[k] {
		u := &a.uses[k][i]
		if a.tasks[u.task].cpu == a.tasks[mine.task].cpu || apart(mine.held, u) {
			continue
		}
		h := a.hold(u)
		if h.why != "" {
			return forever
		}
		most = max(most, a.stretch(a.tasks[u.task].cpu, u.task, h.exec+a.cost(model.CostUnlock)+
			a.queued(k, u.task)+a.cost(model.CostUnlockSlow)))
	}
	return most
}

// isPeer says whether a task is at the level by itself and may take locks.
func (a *analysis) isPeer(t int) bool {
	return a.tasks[t].prio >= a.level && a.tasks[t].burst < 0
}

// before is the section of a task at the level that is queued before: its own, or that of a lower
// task that holds another lock for which it waits.
func (a *analysis) before(k key, mine *use, peer int) (v val) {
	for i := range a.uses[k] {
		u := &a.uses[k][i]
		if u.task == mine.task || u.task == a.root || apart(mine.held, u) {
			continue
		}
		mayBe := u.task == peer && u.path.code[u.line].Op == model.OpLock ||
			u.task != peer && slices.ContainsFunc(u.held, func(h key) bool {
				return a.takes(peer, h)
			})
		if mayBe {
			r := a.released(k, u, mine.task, true)
			v = v.or(r.val())
		}
	}
	return v
}

// takes says whether a task waits for a lock, if it is taken.
func (a *analysis) takes(t int, k key) bool {
	return k.ref.Sleeps() && k.ref != model.RefOwnRing &&
		slices.ContainsFunc(a.uses[k], func(u use) bool {
			return u.task == t && u.path.code[u.line].Op == model.OpLock
		})
}

// released is how long it takes until a task has released a lock, from when it is boosted as the
// owner, or, a waiter, from the release before; the waiter is who waits for it.
func (a *analysis) released(k key, u *use, waiter int, waits bool) release {
	h := a.hold(u)
	if h.why != "" {
		return release{by: u.task, why: h.why}
	}
	what, queued := "release", a.queuedOwner(k, u.task, waiter)
	j := job{pauses: h.pauses, blocked: h.blocked}
	if slow := a.cost(model.CostUnlockSlow); slow > 0 {
		j.tail = queued + slow
	}
	j.work = h.exec + a.cost(model.CostUnlock) + queued + a.cost(model.CostUnlockSlow) +
		a.boosted(k, u.task)
	if waits {
		what = "turn"
		j.work += a.wakes(k, u.task, waiter) + queued + a.cost(model.CostRetake)
	} else {
		j.work += a.boost(k, u.task, waiter)
	}
	s := a.runs(u.task, j)
	if !a.together {
		a.point(what, k, u, waiter, s.total)
	}
	return release{by: u.task, share: s, jobs: 1 + h.pauses + h.jobs, why: s.why}
}

// boosted is what tasks of the owner's CPU may run before it at its level (E_c): each task at the
// level boosts, through another lock, at most one of them that is ahead in the run queue. Until it
// has released that lock, or sleeps for one that it needs itself, it goes before the owner; and it
// may spin for that.
func (a *analysis) boosted(k key, owner int) sim.Time {
	if a.oneOwner() {
		return 0
	}
	id := boostID{k, owner}
	ns, known := a.boosts[id]
	if !known {
		ns = a.workOutBoosted(k, owner)
		a.boosts[id] = ns
	}
	return ns
}

func (a *analysis) workOutBoosted(k key, owner int) (sum sim.Time) {
	was := a.execOnly
	a.execOnly = true
	defer func() { a.execOnly = was }()
	for p := range a.tasks {
		if p == a.root || p == owner || !a.isPeer(p) {
			continue
		}
		most := sim.Time(0)
		for other := range a.uses {
			if other == k || !a.takes(p, other) {
				continue
			}
			for i := range a.uses[other] {
				u := &a.uses[other][i]
				if u.task == owner || a.tasks[u.task].cpu != a.tasks[owner].cpu {
					continue
				}
				h := a.hold(u)
				if h.why != "" {
					return forever
				}
				most = max(most, h.exec+a.cost(model.CostUnlock)+a.queued(other, u.task)+
					a.cost(model.CostUnlockSlow)+a.cost(model.CostSwitch))
			}
		}
		sum += most
	}
	return sum
}
