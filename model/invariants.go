package model

import "rtsim/model/trace"

// What holds whenever an instant has settled. The checks cost more than the simulation and are
// compiled in by the build tag invariants.

// checkSettled panics if something that must hold does not.
func (m *Machine) checkSettled() {
	for c := range m.cpus {
		m.checkCPU(int32(c))
	}
	for l := range m.locks {
		m.checkLock(LockID(l))
	}
	for i := range m.tasks {
		m.checkTask(TaskID(i))
	}
	if m.must&^m.closed != 0 || m.pull != 0 || m.act != 0 {
		m.broken("an instant ends with something left to do", NoTask, NoLock)
	}
}

// checkCPU: the queue is in order; what runs is what should (R1.1, R1.2), unless preemption is off
// or a reschedule is on its way; the sets say what the state says.
func (m *Machine) checkCPU(c int32) {
	cpu := &m.cpus[c]
	last, prev := int32(1<<30), NoTask
	for id := cpu.rtFirst; id != NoTask; id = m.tasks[id].rqNext {
		t := &m.tasks[id]
		if !t.queued || t.cpu != c || t.prio > last || t.rqPrev != prev || t.prio == 0 {
			m.broken("run queue out of order", id, NoLock)
		}
		last, prev = t.prio, id
	}
	if cpu.curr != NoTask {
		if t := &m.tasks[cpu.curr]; !t.onCPU || !t.queued || t.cpu != c {
			m.broken("the current task is not on its CPU", cpu.curr, NoLock)
		}
	}
	fair := cpu.server.state == serverActive && cpu.fairFirst != NoTask
	if !cpu.resched && cpu.busy == notBusy && !fair && m.level(c) > max(m.currPrio(c), 0) {
		m.broken("a higher task waits while a lower one runs", cpu.rtFirst, NoLock)
	}
	if cpu.curr == NoTask && !cpu.resched && cpu.busy == notBusy && cpu.fairFirst != NoTask {
		m.broken("a CPU idles while a task waits", cpu.fairFirst, NoLock)
	}
	if k := m.prog.ktimers[c]; k != NoTask && m.serving>>c&1 != 0 != m.tasks[k].queued {
		m.broken("a ktimers thread is awake unseen, or asleep and seen", k, NoLock)
	}
	closed, act, spin := m.closed, m.act, m.State.spin
	m.refresh(c)
	if closed != m.closed || act != m.act || spin != m.State.spin {
		m.broken("the sets of CPUs are out of date", cpu.curr, NoLock)
	}
}

// checkLock: waiters are in order and wait for it; a pending lock's top waiter is awake (R2.9).
func (m *Machine) checkLock(l LockID) {
	lock := &m.locks[l]
	if lock.kind == Raw {
		return
	}
	last, prev := int32(1<<30), NoTask
	for id := lock.first; id != NoTask; id = m.tasks[id].wNext {
		t := &m.tasks[id]
		if t.blockedOn != l || t.waiterPrio > last || t.wPrev != prev {
			m.broken("waiters out of order", id, l)
		}
		last, prev = t.waiterPrio, id
	}
	if lock.inPI != (lock.owner != NoTask && lock.first != NoTask) {
		m.broken("a contended lock is not its owner's donor", lock.owner, l)
	}
	if top := lock.first; lock.owner == NoTask && top != NoTask && !m.tasks[top].queued {
		m.broken("a pending lock's top waiter sleeps: a lost wake-up", top, l)
	}
}

// checkTask: its priority is the one it inherits (R2.5); asleep and queued exclude each other.
func (m *Machine) checkTask(id TaskID) {
	t := &m.tasks[id]
	if t.prio != m.effective(id) {
		m.broken("effective priority is not the greatest donor's", id, t.blockedOn)
	}
	if t.queued != (t.asleep == trace.Runnable) {
		m.broken("asleep and queued", id, t.blockedOn)
	}
	if t.spin == spinAdaptive && m.locks[t.blockedOn].first != id && t.onCPU &&
		m.cpus[t.cpu].busy == notBusy {
		m.broken("spins and is not the top waiter", id, t.blockedOn)
	}
}
