package model

import "rtsim/model/trace"

// try_to_wake_up on PREEMPT_RT. The waker does it all: it chooses the CPU, enqueues there under
// the remote run queue's lock (TTWU_QUEUE is off, R1.13), and asks for a reschedule. Who is woken
// by what: a lock's wake-up ends only RTLOCK_WAIT or a mutex's sleep; an ordinary one that meets
// a task inside a spinlock_t's slow path goes to saved_state (R2.15).

// wakeUp makes a sleeping task runnable; by is the waking task, NoTask an interrupt on CPU from.
// Preconditions: the caller has matched the task's state.
func (m *Machine) wakeUp(id, by TaskID, from int32) {
	t := &m.tasks[id]
	t.state = running
	if t.queued {
		if !t.onCPU {
			m.wakeupPreempt(t.cpu, id) // ttwu_runnable
		}
		return
	}
	m.moveTo(id, m.selectCPU(t, by, from))
	why := t.asleep
	t.asleep = trace.Runnable
	m.firedIf(t.cpu != from, RuleRemoteWake)
	m.enqueue(id, false)
	m.record(trace.SchedWakeup, t.cpu, id, int32(by), int32(why))
	m.wakeupPreemptFrom(t.cpu, from, id)
	m.pushAfterWake(id, t, from)
}

func (m *Machine) wakeupPreempt(c int32, id TaskID) { m.wakeupPreemptFrom(c, c, id) }

// wakeupPreemptFrom is wakeup_preempt: strictly higher priority asks for a reschedule (R1.5); the
// equal case is R1.6. Fair tasks preempt only idle.
func (m *Machine) wakeupPreemptFrom(c, from int32, id TaskID) {
	t := &m.tasks[id]
	curr := m.cpus[c].curr
	switch p := m.currPrio(c); {
	case p < t.prio:
		m.fired(RuleHigherPreempts)
		m.resched(c, from)
	case p == t.prio && p > 0 && !m.cpus[c].resched:
		m.fired(RuleEqualWaits)
		m.preemptEqual(c, from, id, &m.tasks[curr])
	}
}

// preemptEqual is check_preempt_equal_prio (R1.6): the woken task can't go elsewhere, the running
// one can: it is asked to make room.
func (m *Machine) preemptEqual(c, from int32, id TaskID, curr *Task) {
	t := &m.tasks[id]
	if curr.single() || m.cpupriFind(curr.affinity, curr.prio) == 0 {
		return
	}
	if !t.single() && m.cpupriFind(t.affinity, t.prio) != 0 {
		return
	}
	m.fired(RuleEqualMakesRoom)
	m.unlink(id)
	m.link(id, true)
	m.resched(c, from)
}

// pushAfterWake is task_woken_rt (R1.23 with its preconditions).
func (m *Machine) pushAfterWake(id TaskID, t *Task, from int32) {
	c := t.cpu
	if t.prio == 0 || t.onCPU || m.cpus[c].resched || t.single() {
		return
	}
	curr := m.cpus[c].curr
	if curr == NoTask {
		return
	}
	r := &m.tasks[curr]
	if r.prio > 0 && (r.single() || r.prio >= t.prio) {
		m.pushTasks(c, from)
	}
}

// wakeWord is the word wake, and an interrupt's wake: it ends a wait, a slept schedule or the
// sleep of a task that has not run; it undoes a prepare; else it leaves a token if the program
// has a wait. It never ends a sleep or a take.
func (m *Machine) wakeWord(id, by TaskID, from int32) {
	t := &m.tasks[id]
	switch {
	case t.asleep == trace.InWait || t.asleep == trace.InSched || t.asleep == trace.Parked:
		m.wakeUp(id, by, from)
	case t.asleep == trace.InSleep && t.state == interruptible:
		m.leaveToken(id)
	case t.state == interruptible:
		m.wakeUp(id, by, from)
	case t.saved == interruptible: // ttwu_state_match, offered the lock or not (R2.15)
		m.fired(RuleWakeSaved)
		t.saved = running
	default:
		m.leaveToken(id)
	}
}

func (m *Machine) leaveToken(id TaskID) {
	if m.prog.hasWait[id] {
		m.firedIf(m.tasks[id].token, RuleOneToken)
		m.tasks[id].token = true
	}
}
