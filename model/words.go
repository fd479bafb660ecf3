package model

import (
	"rtsim/model/trace"
	"rtsim/sim"
)

// What single steps of a task do to it and to others: sleep and be periodic, take and post a
// semaphore, turn preemption, interrupts, BH and migration off and on, change a priority, end.

// sleep takes the current task off its CPU until it is woken; the return is a step of its own.
func (m *Machine) sleep(id TaskID, state taskState, why trace.Sleep) {
	t := &m.tasks[id]
	t.state, t.phase = state, phReturn
	m.block(id, why)
}

// stepSleep arms the sleeper's timer, soft or hard by its policy now (R3.9), and sleeps; a time
// that is past ends it at once.
func (m *Machine) stepSleep(id TaskID, t *Task, s *Step) {
	at := s.Time
	if !s.Until {
		at += m.now
	}
	if at <= m.now {
		m.stepDone(id)
		return
	}
	t.softTimer = t.policy == Other
	m.queue.Set(m.prog.timerSlot+int(id), at)
	m.sleep(id, interruptible, trace.InSleep)
}

// noRelease is before the first every of a task that does something else first. One whose program
// begins with an every has its first release when it arrives, whoever keeps it off its CPU then, so
// that its releases are the same under every design.
const noRelease sim.Time = -1

// forLoop marks a loop that ends by time.
const forLoop = -1

// stepEvery sleeps until a periodic task's next release, or goes on if that is past: a release
// that falls due during the work before it is late, none is skipped.
func (m *Machine) stepEvery(id TaskID, t *Task, s *Step) {
	at := t.next
	if at == noRelease {
		at = m.now
	}
	if id == m.prog.net.measured && at >= m.prog.net.sendUntil {
		m.exit(id)
		return
	}
	t.next = at + s.Time
	if s.Aux > 0 {
		site := m.prog.net.jitterStream + sim.StreamID(s.Arg)
		at += sim.Time(m.tape.Choose(site, 0, int64(s.Aux)))
	}
	t.regs.release = at
	if at <= m.now {
		m.stepDone(id)
		return
	}
	t.softTimer = t.policy == Other
	m.queue.Set(m.prog.timerSlot+int(id), at)
	m.sleep(id, interruptible, trace.InSleep)
}

// post hands a semaphore to its first taker, or counts.
func (m *Machine) post(by TaskID, sem int32) {
	q := &m.sems[sem]
	first := q.first
	if first == NoTask {
		if q.count == SemaphoreMax {
			m.fault = fault{kind: faultSemaphore, task: by, sem: sem}
			return
		}
		q.count++
		return
	}
	m.removeWaiter(&q.first, first)
	m.wakeUp(first, by, m.tasks[by].cpu)
}

// take takes from a semaphore or waits, ranked by its priority now.
func (m *Machine) take(id TaskID, q *Semaphore) {
	if q.count > 0 {
		q.count--
		m.stepDone(id)
		return
	}
	t := &m.tasks[id]
	t.waiterPrio = t.prio
	m.insertWaiter(&q.first, id)
	m.sleep(id, uninterruptible, trace.InTake)
}

// stepOff turns preemption, interrupts, BH or migration off; the offs nest.
func (m *Machine) stepOff(id TaskID, t *Task, s *Step) {
	switch offKind(s.Arg) {
	case offPreempt:
		m.preemptDisable(id)
	case offIRQ:
		m.irqDisable(id)
	case offMigrate:
		t.migrateOff++
	case offBH: // local_bh_disable (R3.8)
		if m.prog.bhLock != NoLock && (t.bhOff == 0 || t.phase != phEffect) {
			t.bhOff = 1
			m.fired(RuleBHLock)
			m.stepLock(id, m.prog.bhLock, false)
			return
		}
		if t.bhOff == 0 {
			t.migrateOff++
		}
		t.bhOff++
	}
	m.stepDone(id)
}

// stepOn is the end of an off.
func (m *Machine) stepOn(id TaskID, t *Task, s *Step) {
	switch offKind(s.Arg) {
	case offPreempt:
		m.preemptOn(id)
	case offIRQ:
		m.irqOn(id)
	case offMigrate:
		m.migrateEnable(id)
	case offBH:
		if t.bhOff > 1 {
			t.bhOff--
			break
		}
		if m.prog.bhLock != NoLock {
			if t.phase == phEffect {
				t.bhOff = 0
			}
			m.stepUnlock(id, m.prog.bhLock, false)
			return
		}
		t.bhOff = 0
		t.pinEnds = true
	}
	m.stepDone(id)
}

// setPriority is sched_setscheduler to SCHED_FIFO; a waiter is re-ranked after it
// (rt_mutex_adjust_pi, R2.3).
func (m *Machine) setPriority(by TaskID, s *Step) {
	id := by
	if s.Task != NoTask {
		id = s.Task
	}
	t := &m.tasks[id]
	if t.asleep == trace.Exited {
		return
	}
	m.record(trace.SetPriority, t.cpu, id, t.normal, s.Arg)
	if t.onCPU {
		m.stopCounting(t.cpu, t)
	}
	t.policy, t.normal = FIFO, s.Arg
	if !m.adjustPrio(id) && t.onCPU {
		m.startCounting(t.cpu, t)
	}
	m.adjustChain(id, by, m.tasks[by].cpu)
}

// exit ends a task.
func (m *Machine) exit(id TaskID) {
	m.alive--
	m.record(trace.TaskExit, m.tasks[id].cpu, id, 0, 0)
	m.block(id, trace.Exited)
}

// isWaiting says whether a task sleeps in wait.
func (t *Task) isWaiting() bool { return t.asleep == trace.InWait }
