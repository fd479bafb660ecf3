package model

import (
	"math/bits"

	"rtsim/model/trace"
)

// Tasks that burn their CPU: in rtmutex_spin_on_owner, preemptible (R2.6, R2.7), on a
// raw_spinlock_t in strict arrival order with preemption off (R2.16), or in user space on a word.

// spinnerToAct returns the first spinner, in the order of tasks, whose condition changed.
func (m *Machine) spinnerToAct() TaskID {
	best := NoTask
	for set := m.State.spin; set != 0; set &= set - 1 {
		c := bits.TrailingZeros64(set)
		id := m.cpus[c].curr
		if (best == NoTask || id < best) && m.spinEnds(id) {
			best = id
		}
	}
	return best
}

// spinEnds says whether a spinner on a CPU has something to do.
func (m *Machine) spinEnds(id TaskID) bool {
	t := &m.tasks[id]
	switch t.spin {
	case spinRaw:
		lock := &m.locks[t.rawOn]
		return lock.owner == NoTask && lock.first == id
	case spinPoll:
		return m.pollEnds(id)
	}
	lock := &m.locks[t.blockedOn]
	return lock.owner != t.spinOwner || !m.tasks[t.spinOwner].onCPU ||
		lock.first != id || m.cpus[t.cpu].resched
}

// spinnerActs ends a spin: the lock's owner changed, so it tries again; or a condition of
// spinning failed, and it sleeps until the unlock (R2.6, R2.7 c, d).
func (m *Machine) spinnerActs(id TaskID) {
	t := &m.tasks[id]
	kind := t.spin
	t.spin = spinNone
	m.refresh(t.cpu)
	switch kind {
	case spinRaw:
		m.rawGranted(id)
	case spinPoll:
		m.pollDone(id)
	case spinAdaptive:
		l := t.blockedOn
		m.record(trace.SpinEnd, t.cpu, id, int32(l), 0)
		read := m.prog.code[t.pc].Op == OpReadLock
		if m.locks[l].owner == t.spinOwner {
			m.fired(RuleSpinFails)
			m.sleepOnLock(id, l, read)
		} else if m.fired(RuleSpinRetries); !m.enterWaitLock(id, l, phRetry, CostRetake) {
			m.lockRetry(id, l, read)
		}
	}
	m.resume(id, t)
}

// rawLock takes a raw_spinlock_t or joins the end of its queue; preemption is off from here.
func (m *Machine) rawLock(id TaskID, l LockID) {
	t, lock := &m.tasks[id], &m.locks[l]
	m.preemptDisable(id)
	if lock.owner == NoTask && lock.first == NoTask {
		lock.owner = id
		m.record(trace.LockAcquired, t.cpu, id, int32(l), trace.ModeWrite)
		m.stepDone(id)
		return
	}
	m.rawQueue(id, l)
	m.findDeadlock(id)
}

// rawQueue makes the task the last of a raw lock's queue.
func (m *Machine) rawQueue(id TaskID, l LockID) {
	t := &m.tasks[id]
	t.rawOn, t.rawNext, t.spin = l, NoTask, spinRaw
	m.fired(RuleRawSpins)
	m.record(trace.SpinBegin, t.cpu, id, int32(l), 1)
	at := &m.locks[l].first
	for *at != NoTask {
		at = &m.tasks[*at].rawNext
	}
	*at = id
	m.refresh(t.cpu)
}

// rawGranted makes the head of a free raw lock's queue its owner.
func (m *Machine) rawGranted(id TaskID) {
	t := &m.tasks[id]
	l := t.rawOn
	lock := &m.locks[l]
	lock.first, lock.owner = t.rawNext, id
	t.rawNext, t.rawOn = NoTask, NoLock
	m.record(trace.SpinEnd, t.cpu, id, int32(l), 1)
	if t.phase != phEffect {
		m.note(trace.WaitLock, t.cpu, id, int32(l-m.prog.waitLocks), 1)
	}
	switch t.phase {
	case phSlow:
		t.left = m.cost(CostLockSlow, id)
	case phRetry:
		t.left = m.cost(CostRetake, id)
	case phUnlock:
		t.left = m.cost(CostUnlockSlow, id)
	default:
		m.record(trace.LockAcquired, t.cpu, id, int32(l), trace.ModeWrite)
		m.stepDone(id)
	}
}

// rawUnlock releases a raw lock; the head of its queue takes it when it acts.
func (m *Machine) rawUnlock(id TaskID, l LockID) {
	t, lock := &m.tasks[id], &m.locks[l]
	if lock.owner != id {
		m.broken("unlocks a raw lock that another owns", id, l)
	}
	lock.owner = NoTask
	m.record(trace.LockReleased, t.cpu, id, int32(l), trace.ModeWrite)
	m.preemptOn(id)
	m.stepDone(id)
}

// enterWaitLock begins the raw section of a slow path, interrupts off, if it takes time: it
// takes or queues for the lock's wait_lock and pays. It says whether it did; at zero cost the
// caller goes on in the same step.
func (m *Machine) enterWaitLock(id TaskID, l LockID, ph phase, cost CostID) bool {
	if m.prog.costs.fixed(cost) == 0 {
		return false
	}
	t := &m.tasks[id]
	t.phase = ph
	m.preemptDisable(id)
	m.irqDisable(id)
	raw := l + m.prog.waitLocks
	m.fired(RuleWaitLock)
	if lock := &m.locks[raw]; lock.owner == NoTask && lock.first == NoTask {
		lock.owner = id
		m.note(trace.WaitLock, t.cpu, id, int32(l), 1)
		t.left = m.cost(cost, id)
	} else {
		m.fired(RuleWaitLockContended)
		m.rawQueue(id, raw)
	}
	return true
}

// leaveWaitLock ends the raw section; the caller's effect follows in the same step, before
// whatever was held back comes in: at the step's end, or after the switch if the task blocks.
func (m *Machine) leaveWaitLock(id TaskID, l LockID) {
	t := &m.tasks[id]
	m.locks[l+m.prog.waitLocks].owner = NoTask
	m.note(trace.WaitLock, t.cpu, id, int32(l), 0)
	t.phase = phEffect
	m.preemptOn(id)
	m.irqEnable(id)
	m.opened = true
}

// preemptDisable begins a section without preemption; they nest.
func (m *Machine) preemptDisable(id TaskID) {
	t := &m.tasks[id]
	t.preemptOff++
	if t.preemptOff == 1 {
		m.closed |= bit(t.cpu)
		m.record(trace.PreemptOff, t.cpu, id, 0, 1)
	}
}

// preemptOn ends a preempt_disable; the outermost is a preemption point (R1.8 b).
func (m *Machine) preemptOn(id TaskID) {
	t := &m.tasks[id]
	if t.preemptOff == 0 {
		m.broken("preempt_enable without disable", id, NoLock)
	}
	t.preemptOff--
	if t.preemptOff > 0 {
		return
	}
	m.refresh(t.cpu)
	m.record(trace.PreemptOff, t.cpu, id, 0, 0)
	if m.cpus[t.cpu].resched {
		m.fired(RuleReschedEnable)
		m.must |= bit(t.cpu)
	}
}
