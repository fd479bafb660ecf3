package model

import "rtsim/model/trace"

// The rtmutex under spinlock_t, local_lock_t, mutex and rwlock_t. A lock is free, owned, owned
// with waiters, or pending: no owner, but waiters, the top one of which was woken and has yet to
// take it (R2.9). The order inside one contended acquisition is the kernel's
// (rtlock_slowlock_locked, task_blocks_on_rt_mutex):
//
//	step  what                                             protected by
//	[1]   try to take: free, or I may steal (R2.8)         wait_lock
//	[2]   save my state, queue me by priority (R2.3)       wait_lock
//	[3]   if I am the top waiter: boost the owner (R2.4)   wait_lock, owner's pi_lock
//	[4]   walk on while owners are blocked (R2.5)          two raw locks at a time
//	[5]   top and the owner on a CPU: spin; else sleep     none
//
// With costs, [1] to [4] are one raw section of the lock's wait_lock (R2.17); at zero cost one
// step. Rejected: handing the lock over at unlock. An rtmutex is only offered, and a design's
// counts change by a third if it is handed over.

// isSpinKind says whether waiting for the lock preserves the task's state (R2.15).
func (k LockKind) isSpinKind() bool { return k == Spin || k == Local || k == RW }

// tryToTake is try_to_take_rt_mutex (R2.1, R2.8): it makes the task the owner if it may be.
func (m *Machine) tryToTake(l LockID, id TaskID) bool {
	lock := &m.locks[l]
	if lock.owner != NoTask {
		return false
	}
	t := &m.tasks[id]
	if top := lock.first; top != NoTask && top != id && !m.maySteal(lock, t.prio) {
		m.fired(RuleMayNotSteal)
		return false
	}
	if top := lock.first; top != NoTask && top != id {
		m.firedIf(t.prio > 0, RuleSteals)
		m.firedIf(t.prio == 0, RuleStealsLaterally)
	}
	if t.blockedOn == l {
		m.leaveWaiters(l, id)
		t.blockedOn = NoLock
	}
	lock.owner = id
	if lock.first != NoTask {
		m.piAdd(l, id)
	}
	return true
}

// maySteal is rt_mutex_steal: strictly higher priority than the top waiter; equal only outside
// the RT class and only for spinlock_t and rwlock_t.
func (m *Machine) maySteal(lock *lockState, prio int32) bool {
	top := m.tasks[lock.first].waiterPrio
	return prio > top || prio == 0 && top == 0 && lock.kind.isSpinKind()
}

// joinWaiters queues a task by its effective priority, behind its equals (R2.3).
func (m *Machine) joinWaiters(l LockID, id TaskID) {
	t := &m.tasks[id]
	t.waiterPrio = t.prio
	m.insertWaiter(&m.locks[l].first, id)
	m.record(trace.WaiterQueued, t.cpu, id, int32(l), t.waiterPrio)
}

// insertWaiter puts a task into a list ordered by waiterPrio, first come first.
func (m *Machine) insertWaiter(first *TaskID, id TaskID) {
	t := &m.tasks[id]
	prev, next := NoTask, *first
	for next != NoTask && m.tasks[next].waiterPrio >= t.waiterPrio {
		prev, next = next, m.tasks[next].wNext
	}
	if countRules && prev != NoTask {
		m.firedIf(m.tasks[prev].waiterPrio == t.waiterPrio, RuleBehindEquals)
	}
	m.linkWaiter(first, prev, id, next)
}

func (m *Machine) linkWaiter(first *TaskID, prev, id, next TaskID) {
	m.tasks[id].wPrev, m.tasks[id].wNext = prev, next
	if prev == NoTask {
		*first = id
	} else {
		m.tasks[prev].wNext = id
	}
	if next != NoTask {
		m.tasks[next].wPrev = id
	}
}

// removeWaiter takes a task out of a list of waiters.
func (m *Machine) removeWaiter(first *TaskID, id TaskID) {
	t := &m.tasks[id]
	if t.wPrev == NoTask {
		if *first != id {
			m.broken("not among the waiters", id, t.blockedOn)
		}
		*first = t.wNext
	} else {
		m.tasks[t.wPrev].wNext = t.wNext
	}
	if t.wNext != NoTask {
		m.tasks[t.wNext].wPrev = t.wPrev
	}
	t.wNext, t.wPrev = NoTask, NoTask
}

func (m *Machine) leaveWaiters(l LockID, id TaskID) {
	m.removeWaiter(&m.locks[l].first, id)
	m.record(trace.WaiterLeft, m.tasks[id].cpu, id, int32(l), 0)
}

// piAdd notes that the owner's lock has waiters: its top waiter counts for the owner (R2.5).
func (m *Machine) piAdd(l LockID, owner TaskID) {
	lock := &m.locks[l]
	if lock.inPI {
		m.broken("lock twice in a PI list", owner, l)
	}
	lock.inPI = true
	lock.piNext = m.tasks[owner].piFirst
	m.tasks[owner].piFirst = l
}

// piRemove takes a lock out of its owner's list.
func (m *Machine) piRemove(l LockID, owner TaskID) {
	lock := &m.locks[l]
	if !lock.inPI {
		return
	}
	lock.inPI = false
	at := &m.tasks[owner].piFirst
	for *at != l {
		if *at == NoLock {
			m.broken("lock not in its owner's PI list", owner, l)
		}
		at = &m.locks[*at].piNext
	}
	*at = lock.piNext
	lock.piNext = NoLock
}

// effective is the priority a task should have: the greater of its own and those of the top
// waiters of the locks it owns (R2.5, rt_mutex_adjust_prio).
func (m *Machine) effective(id TaskID) int32 {
	t := &m.tasks[id]
	prio := t.normal
	for l := t.piFirst; l != NoLock; l = m.locks[l].piNext {
		prio = max(prio, m.tasks[m.locks[l].first].waiterPrio)
	}
	return prio
}

// adjustPrio gives a task its effective priority and says whether it changed.
func (m *Machine) adjustPrio(id TaskID) bool {
	t := &m.tasks[id]
	old, now := t.prio, m.effective(id)
	if old == now {
		return false
	}
	m.record(trace.SchedPISetprio, t.cpu, id, old, now)
	m.firedIf(now > old && now > t.normal, RuleBoost)
	m.firedIf(now > old && now > t.normal && !t.onCPU, RuleBoostsReady)
	m.setPrio(id, now)
	return true
}

// chainMax is the kernel's max_lock_depth.
const chainMax = 1024

// adjustChain is rt_mutex_adjust_prio_chain: from a task whose priority has just changed along
// the locks that owners wait for. It stops when the owner is not blocked, its waiter keeps its
// rank, or neither was nor is the top waiter (R2.5); one that falls from the top lowers the whole
// rest of the chain. A pending lock whose top waiter changed wakes the new one. by and from name
// who walks, for the wake-up.
func (m *Machine) adjustChain(id, by TaskID, from int32) {
	for range chainMax {
		t := &m.tasks[id]
		l := t.blockedOn
		if l == NoLock || t.waiterPrio == t.prio {
			return
		}
		lock := &m.locks[l]
		top := lock.first
		m.fired(RuleReranked)
		m.removeWaiter(&lock.first, id)
		t.waiterPrio = t.prio
		m.insertWaiter(&lock.first, id)
		m.record(trace.WaiterQueued, t.cpu, id, int32(l), t.waiterPrio)
		if lock.owner == NoTask {
			if lock.first != top {
				m.fired(RuleWalkWakes)
				m.lockWake(lock.first, by, from)
			}
			return
		}
		if lock.first != id && top != id {
			m.fired(RuleWalkStops)
			return
		}
		owner := lock.owner
		changed := m.adjustPrio(owner)
		m.firedIf(changed, RuleWalks)
		id = owner // whether the waiter became the top or was it: a deboost goes on too
	}
}

// lockWake is the wake-up of a lock's waiter (rt_mutex_wake_up_q): it ends RTLOCK_WAIT or the
// sleep of a mutex; a waiter that spins or was woken before stays as it is.
func (m *Machine) lockWake(id, by TaskID, from int32) {
	t := &m.tasks[id]
	if t.state == rtlockWait || t.state == uninterruptible && t.blockedOn != NoLock {
		m.wakeUp(id, by, from)
	}
}
