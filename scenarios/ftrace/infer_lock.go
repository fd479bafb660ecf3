package ftrace

import (
	"strings"

	"rtsim/model/trace"
	"rtsim/sim"
)

// onContentionBegin is contention_begin: the line's task finds a lock taken.
func (r *inference) onContentionBegin(l *line) bool {
	address, flags, ok := parseContention(l.args, "flags")
	id := r.cpus[l.cpu].curr
	if !ok {
		return false
	}
	lock := r.lockOf(address)
	if flags == "SPIN" { // a raw spinlock
		if id >= 0 {
			r.tasks[id].raw = lock
			r.emit(l.at, trace.SpinBegin, l.cpu, id, lock, 1)
		}
		return true
	}
	if id < 0 {
		return true
	}
	r.stackOf = lock
	mode := int32(trace.ModeWrite)
	if strings.Contains(flags, "READ") {
		mode = trace.ModeRead
	}
	if t := &r.tasks[id]; t.waits == lock { // a mutex begins anew when it stops to spin
		return true
	}
	r.queue(l.at, id, lock, mode, true)
	return true
}

// queue makes a task a waiter of a lock.
func (r *inference) queue(at sim.Time, id, lock, mode int32, traced bool) {
	t := &r.tasks[id]
	if t.waits >= 0 { // the end of its last wait is not in the trace
		r.left(at, id)
	}
	t.waits, t.traced, t.since, t.queued, t.mode = lock, traced, at, -1, mode
	r.emit(at, trace.WaiterQueued, t.cpu, id, lock, max(t.eff, 0))
	r.startSpin(at, id)
}

// onContentionEnd is contention_end: the line's task has the lock, unless ret says otherwise.
func (r *inference) onContentionEnd(l *line) bool {
	address, ret, ok := parseContention(l.args, "ret")
	if !ok {
		return false
	}
	lock, id := r.lockOf(address), r.cpus[l.cpu].curr
	if id < 0 {
		return true
	}
	if t := &r.tasks[id]; t.waits != lock {
		if t.raw == lock {
			t.raw = -1
			r.emit(l.at, trace.SpinEnd, l.cpu, id, lock, 1)
			r.acquire(l.at, id, lock, trace.ModeWrite, false)
		}
		return true
	}
	if ret != "0" { // a signal, a timeout, a deadlock
		r.left(l.at, id)
		return true
	}
	r.taken(l.at, id)
	return true
}

// left ends a wait without the lock.
func (r *inference) left(at sim.Time, id int32) {
	t := &r.tasks[id]
	r.stopSpin(at, id)
	r.emit(at, trace.WaiterLeft, t.cpu, id, t.waits, 0)
	t.waits, t.queued = -1, -1
}

// taken ends a wait with the lock.
func (r *inference) taken(at sim.Time, id int32) {
	lock, mode := r.tasks[id].waits, r.tasks[id].mode
	r.left(at, id)
	if owner := r.lock[lock].owner; owner >= 0 && owner != id {
		r.release(at, lock) // its owner was seen, but not its release
	}
	r.acquire(at, id, lock, mode, r.topWaiter(lock) >= 0)
}

// acquire gives a lock to a task. How long it holds it shows only if others wait.
func (r *inference) acquire(at sim.Time, id, lock, mode int32, held bool) {
	cpu := r.tasks[id].cpu
	r.emit(at, trace.LockAcquired, cpu, id, lock, mode)
	if held {
		r.lock[lock] = lockState{owner: id}
		return
	}
	r.emit(at, trace.LockReleased, cpu, id, lock, mode)
	r.lock[lock] = lockState{owner: -1}
}

// lockOf gives the lock at an address.
func (r *inference) lockOf(address string) int32 {
	id, known := r.locks[address]
	if !known {
		id = r.newLock("lock " + address)
		r.locks[address] = id
	}
	return id
}

func (r *inference) newLock(name string) int32 {
	r.names.Locks = append(r.names.Locks, name)
	r.lock = append(r.lock, lockState{owner: -1})
	return int32(len(r.lock) - 1)
}

// onSetprio is sched_pi_setprio. A boost by a waiter names the owner of what it waits for; the
// owner's own deboost is its release.
func (r *inference) onSetprio(l *line) bool {
	p, prio, ok := parseSetprio(l.args)
	if !ok || p.pid == 0 {
		return false
	}
	id := r.named(l.at, p, l.cpu, trace.Runnable)
	by, t := r.cpus[l.cpu].curr, &r.tasks[id]
	now := userPrio(prio)
	if now < t.own && !t.ownSeen { // it was boosted when the trace began
		t.own, r.names.Tasks[id].Prio, r.names.Tasks[id].Nice = now, now, niceOf(prio)
	}
	switch {
	case now > t.eff && by >= 0 && by != id:
		r.owns(l.at, by, id)
	case now < t.eff && by == id:
		r.deboosted(l.at, id, t.eff)
	}
	r.emit(l.at, trace.SchedPISetprio, t.cpu, id, t.eff, now)
	t.eff = now
	return true
}

// owns notes that a waiter has boosted a task, which so is the owner of what it waits for or, if
// that owner is known, of what that one waits for, and so on along the chain.
func (r *inference) owns(at sim.Time, waiter, owner int32) {
	for range len(r.tasks) {
		t := &r.tasks[waiter]
		if t.waits < 0 {
			lock := r.lockOf("pi-futex of " + r.names.Tasks[owner].Name)
			r.names.Locks[lock] = "futex of " + r.names.Tasks[owner].Name
			r.queue(at, waiter, lock, trace.ModeWrite, false)
		}
		switch have := r.lock[t.waits].owner; have {
		case owner:
			return
		case -1:
			r.isOwner(t.since, t.waits, owner)
			r.startSpin(at, waiter)
			return
		default:
			waiter = have
		}
	}
}

// isOwner notes who has owned a lock since an instant that may have passed.
func (r *inference) isOwner(since sim.Time, lock, owner int32) {
	r.lock[lock] = lockState{owner: owner}
	r.emit(since, trace.LockAcquired, r.tasks[owner].cpu, owner, lock, trace.ModeWrite)
}

// deboosted finds the lock that an owner has released when it lost an inherited priority: the
// one whose top waiter has that priority.
func (r *inference) deboosted(at sim.Time, owner, prio int32) {
	for lock := range r.lock {
		if r.lock[lock].owner != owner {
			continue
		}
		if top := r.topWaiter(int32(lock)); top >= 0 && r.tasks[top].eff == prio {
			r.release(at, int32(lock))
			return
		}
	}
}

// release is the owner's release of a lock.
func (r *inference) release(at sim.Time, lock int32) {
	owner := r.lock[lock].owner
	r.emit(at, trace.LockReleased, r.tasks[owner].cpu, owner, lock, trace.ModeWrite)
	r.lock[lock] = lockState{owner: -1, released: true}
	for id := range r.tasks {
		t := &r.tasks[id]
		if t.waits != lock {
			continue
		}
		r.stopSpin(at, int32(id))
		if !t.traced && t.onCPU {
			r.taken(at, int32(id)) // it spins for a PI futex
			return
		}
	}
}

// releasedTo is the wake-up of a waiter by a task, which has released the lock: no other wake-up
// ends such a wait (ttwu_state_match). An owner that only shows so was not boosted; a waiter that
// did not sleep meanwhile has spun.
func (r *inference) releasedTo(at sim.Time, waiter, by int32) {
	t := &r.tasks[waiter]
	lock := &r.lock[t.waits]
	if lock.owner < 0 && !lock.released {
		r.isOwner(t.since, t.waits, by)
		switch {
		case t.queued >= 0:
			r.records[t.queued].B = by
		case t.onCPU && r.tasks[by].onCPU:
			t.spins = true
			r.emit(t.since, trace.SpinBegin, t.cpu, waiter, t.waits, 0)
		}
	}
	if r.lock[t.waits].owner == by {
		r.release(at, t.waits)
	}
}

// topWaiter is the waiter of highest priority that waits longest, -1 if there is none.
func (r *inference) topWaiter(lock int32) int32 {
	top := int32(-1)
	for id := range r.tasks {
		t := &r.tasks[id]
		if t.waits == lock && (top < 0 || t.eff > r.tasks[top].eff ||
			t.eff == r.tasks[top].eff && t.since < r.tasks[top].since) {
			top = int32(id)
		}
	}
	return top
}

// startSpin lets a waiter spin if it is on a CPU and the owner on another.
func (r *inference) startSpin(at sim.Time, id int32) {
	t := &r.tasks[id]
	owner := r.lock[t.waits].owner
	if t.spins || owner < 0 || owner == id || !t.onCPU || !r.tasks[owner].onCPU ||
		r.topWaiter(t.waits) != id {
		return
	}
	t.spins = true
	r.emit(at, trace.SpinBegin, t.cpu, id, t.waits, 0)
}

func (r *inference) stopSpin(at sim.Time, id int32) {
	if t := &r.tasks[id]; t.spins {
		t.spins = false
		r.emit(at, trace.SpinEnd, t.cpu, id, t.waits, 0)
	}
}

// ownerLeaves ends the spinning for what a task owns that leaves its CPU.
func (r *inference) ownerLeaves(at sim.Time, owner int32) {
	for id := range r.tasks {
		if t := &r.tasks[id]; t.spins && r.lock[t.waits].owner == owner {
			r.stopSpin(at, int32(id))
		}
	}
}
