package model

import (
	"rtsim/model/trace"
)

// The steps that take and release sleeping locks. Each is entered in a phase: phEffect the first
// time, phWait when its task was woken for the lock, phSlow, phRetry and phUnlock when the raw
// section of the wait_lock has been paid for (R2.17).

// instance is the lock that a step means to a task: a local lock is one a CPU.
func (m *Machine) instance(base LockID, t *Task) LockID {
	if m.locks[base].kind == Local {
		return base + LockID(t.cpu)
	}
	return base
}

// stepLock takes a lock for OpLock and OpReadLock, or goes on with taking it.
func (m *Machine) stepLock(id TaskID, base LockID, read bool) {
	t := &m.tasks[id]
	if m.locks[base].kind == Local && t.phase == phEffect {
		t.migrateOff++ // local_lock: migrate_disable comes first
	}
	l := m.instance(base, t)
	lock := &m.locks[l]
	switch t.phase {
	case phEffect:
		if read && !lock.writer {
			lock.readers++ // the readers' fast path (R2.14)
			m.acquired(id, l, read)
			return
		}
		if lock.owner == NoTask && lock.first == NoTask {
			lock.owner = id // one compare-exchange (R2.1)
			m.fired(RuleFastLock)
			m.acquired(id, l, read)
			return
		}
		if !m.enterWaitLock(id, l, phSlow, CostLockSlow) {
			m.lockSlow(id, l, read)
		}
	case phSlow:
		m.leaveWaitLock(id, l)
		m.lockSlow(id, l, read)
	case phWait:
		if !m.enterWaitLock(id, l, phRetry, CostRetake) {
			m.lockRetry(id, l, read)
		}
	case phRetry:
		m.leaveWaitLock(id, l)
		m.lockRetry(id, l, read)
	case phReaders:
		m.waitForReaders(id, l)
	default:
		m.broken("lock step in a foreign phase", id, l)
	}
}

// tryLock takes a sleeping lock if it is free and nobody waits, else jumps; it never sleeps, and
// boosts nobody (rt_spin_trylock).
func (m *Machine) tryLock(id TaskID, t *Task, s *Step) {
	l := m.registerLock(s.Ref, t, true)
	lock := &m.locks[l]
	if lock.owner != NoTask || lock.first != NoTask {
		t.pc = s.Target
		m.stepEnded(t, s.Word)
		return
	}
	lock.owner = id
	m.acquired(id, l, false)
}

// lockSlow is the slow path's first pass, [1] to [5] of rtmutex.go (R2.2).
func (m *Machine) lockSlow(id TaskID, l LockID, read bool) {
	m.fired(RuleSlowLock)
	if m.tryToTake(l, id) {
		m.acquired(id, l, read)
		return
	}
	t, lock := &m.tasks[id], &m.locks[l]
	if lock.kind.isSpinKind() {
		t.saved = t.state
	}
	m.setWaitState(t, lock.kind)
	m.joinWaiters(l, id)
	t.blockedOn = l
	if lock.owner != NoTask {
		if !lock.inPI {
			m.piAdd(l, lock.owner)
		}
		m.firedIf(read, RuleReaderQueues)
		if lock.first == id {
			m.adjustPrio(lock.owner) // before the first spin or sleep (R2.4)
			m.adjustChain(lock.owner, id, t.cpu)
		}
		if m.findDeadlock(id) {
			return
		}
	}
	m.waitForLock(id, l, read)
}

func (m *Machine) setWaitState(t *Task, kind LockKind) {
	t.state = uninterruptible
	if kind.isSpinKind() {
		t.state = rtlockWait
	}
}

// lockRetry is the loop's next pass: woken, or the owner of a spinner's lock changed.
func (m *Machine) lockRetry(id TaskID, l LockID, read bool) {
	t := &m.tasks[id]
	m.setWaitState(t, m.locks[l].kind)
	if m.tryToTake(l, id) {
		m.fired(RuleTakesOffered)
		m.acquiredAfterWait(id, l, read)
		return
	}
	m.waitForLock(id, l, read)
}

// waitForLock is [5]: the top waiter spins while the owner is on a CPU (R2.6), whatever it does
// there (R2.7 g); the others sleep. Whether the owner is on a CPU is asked before the boost's
// reschedule takes effect (R2.7 e).
func (m *Machine) waitForLock(id TaskID, l LockID, read bool) {
	t, lock := &m.tasks[id], &m.locks[l]
	t.phase = phWait
	if lock.first == id && lock.owner != NoTask {
		t.spinOwner = lock.owner
		if m.tasks[lock.owner].onCPU && !m.cpus[t.cpu].resched {
			t.spin = spinAdaptive
			m.fired(RuleSpins)
			if countRules && m.tasks[lock.owner].spin == spinAdaptive {
				m.fired(RuleOwnerSpins)
			}
			m.record(trace.SpinBegin, t.cpu, id, int32(l), 0)
			m.refresh(t.cpu)
			return
		}
		if countRules && !m.tasks[lock.owner].onCPU {
			m.fired(RuleOwnerNotOnCPU)
		}
	}
	m.firedIf(lock.first != id, RuleNotTopSleeps)
	m.sleepOnLock(id, l, read)
}

// sleepOnLock is schedule_rtlock or schedule: it returns at once if the task was woken meanwhile
// (R1.12), and then the loop goes round once more.
func (m *Machine) sleepOnLock(id TaskID, l LockID, read bool) {
	t := &m.tasks[id]
	if t.state == running {
		m.lockRetry(id, l, read)
		return
	}
	m.record(trace.LockWait, t.cpu, id, int32(l), int32(m.locks[l].owner))
	m.block(id, trace.OnLock)
}

// acquiredAfterWait restores the task's state: a spinlock_t gives back the saved one, a mutex
// leaves it running (R2.15).
func (m *Machine) acquiredAfterWait(id TaskID, l LockID, read bool) {
	t := &m.tasks[id]
	t.state = running
	if m.locks[l].kind.isSpinKind() {
		m.firedIf(t.saved != running, RuleStateRestored)
		t.state, t.saved = t.saved, running
	}
	m.acquired(id, l, read)
}

// acquired ends the taking of a lock: what each kind does once the rtmutex is its owner's.
func (m *Machine) acquired(id TaskID, l LockID, read bool) {
	t, lock := &m.tasks[id], &m.locks[l]
	switch {
	case read:
		if lock.owner == id { // came through the rtmutex: count, and let the next one in
			lock.readers++
			m.release(l, id)
		}
		t.migrateOff++
		m.noteReader(id, l)
		m.record(trace.LockAcquired, t.cpu, id, int32(l), trace.ModeRead)
	case lock.kind == RW:
		m.record(trace.LockAcquired, t.cpu, id, int32(l), trace.ModeMutex)
		lock.writer = true // readers go through the rtmutex from here
		t.phase = phReaders
		t.saved = t.state
		m.waitForReaders(id, l)
		return
	default:
		if lock.kind == Spin {
			t.migrateOff++ // after acquisition (R2.1)
		}
		m.record(trace.LockAcquired, t.cpu, id, int32(l), trace.ModeWrite)
	}
	m.stepDone(id)
}

// waitForReaders is the second half of rwbase_write_lock: the writer sleeps until the readers
// have left and boosts none of them (R2.14).
func (m *Machine) waitForReaders(id TaskID, l LockID) {
	t, lock := &m.tasks[id], &m.locks[l]
	if lock.readers > 0 {
		t.state = rtlockWait
		m.fired(RuleWriterWaits)
		m.record(trace.LockWait, t.cpu, id, int32(l), -1)
		m.block(id, trace.OnReaders)
		m.findDeadlock(id)
		return
	}
	t.state, t.saved = t.saved, running
	lock.held = true
	t.migrateOff++
	m.record(trace.LockAcquired, t.cpu, id, int32(l), trace.ModeWrite)
	m.stepDone(id)
}

// stepUnlock releases a lock for OpUnlock and OpReadUnlock.
func (m *Machine) stepUnlock(id TaskID, base LockID, read bool) {
	t := &m.tasks[id]
	l := m.instance(base, t)
	lock := &m.locks[l]
	if t.phase == phUnlock {
		m.leaveWaitLock(id, l)
		m.released(id, l, read)
		return
	}
	if !read && lock.owner != id {
		m.broken("unlocks what another owns", id, l)
	}
	slow := !read && lock.first != NoTask || read && lock.readers == 1 && lock.writer
	if lock.kind == Spin || lock.kind == RW {
		m.migrateEnable(id) // before the release (R2.12)
		m.firedIf(slow, RulePinEndsFirst)
	}
	if slow && m.enterWaitLock(id, l, phUnlock, CostUnlockSlow) {
		return
	}
	m.released(id, l, read)
}

// released is the release itself; deboost and wake-up are one step (R2.11).
func (m *Machine) released(id TaskID, l LockID, read bool) {
	t, lock := &m.tasks[id], &m.locks[l]
	if read {
		if lock.readers == 0 {
			m.broken("read_unlock without readers", id, l)
		}
		lock.readers--
		m.forgetReader(id, l)
		m.record(trace.LockReleased, t.cpu, id, int32(l), trace.ModeRead)
		if w := lock.owner; lock.readers == 0 && w != NoTask &&
			m.tasks[w].phase == phReaders && m.tasks[w].state == rtlockWait {
			m.wakeUp(w, id, t.cpu)
		}
	} else {
		lock.held, lock.writer = false, false
		m.record(trace.LockReleased, t.cpu, id, int32(l), trace.ModeWrite)
		m.release(l, id)
		t.pinEnds = lock.kind == Local // migrate_enable follows the release
	}
	m.stepDone(id)
}

// release gives an rtmutex up: free (R2.10), or offered to its top waiter, which is woken and
// stays queued until it takes the lock (R2.9, R2.11).
func (m *Machine) release(l LockID, id TaskID) {
	lock := &m.locks[l]
	m.piRemove(l, id)
	lock.owner = NoTask
	if lock.first == NoTask {
		m.fired(RuleFastUnlock)
		return
	}
	m.fired(RuleSlowUnlock)
	m.adjustPrio(id)
	m.lockWake(lock.first, id, m.tasks[id].cpu)
}
