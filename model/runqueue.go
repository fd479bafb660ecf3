package model

// A CPU's run queue of the RT class is the kernel's 100 FIFO lists (R1.1) laid end to end: one
// list, highest priority first, first come first within one priority. The running task stays
// linked (R1.3), so a preempted one needs no reinsertion. A hundred heads and a bitmap find the
// place in constant time but make a CPU's state 400 bytes larger; queues here hold a few tasks.

// level is the priority of the highest queued RT task of CPU c, 0 if there is none.
func (m *Machine) level(c int32) int32 {
	if id := m.cpus[c].rtFirst; id != NoTask {
		return m.tasks[id].prio
	}
	return 0
}

// link inserts a task into its CPU's queue at the head or the tail of its priority (R1.2).
func (m *Machine) link(id TaskID, head bool) {
	t := &m.tasks[id]
	list := &m.cpus[t.cpu].rtFirst
	if t.prio == 0 {
		list = &m.cpus[t.cpu].fairFirst
	}
	prev, next := NoTask, *list
	for next != NoTask {
		p := m.tasks[next].prio
		if p < t.prio || head && p == t.prio {
			break
		}
		prev, next = next, m.tasks[next].rqNext
	}
	t.rqPrev, t.rqNext = prev, next
	if prev == NoTask {
		*list = id
	} else {
		m.tasks[prev].rqNext = id
	}
	if next != NoTask {
		m.tasks[next].rqPrev = id
	}
}

// unlink takes a task out of its CPU's queue.
func (m *Machine) unlink(id TaskID) {
	t := &m.tasks[id]
	list := &m.cpus[t.cpu].rtFirst
	if t.prio == 0 {
		list = &m.cpus[t.cpu].fairFirst
	}
	if t.rqPrev == NoTask {
		if *list != id {
			m.broken("not on its run queue", id, NoLock)
		}
		*list = t.rqNext
	} else {
		m.tasks[t.rqPrev].rqNext = t.rqNext
	}
	if t.rqNext != NoTask {
		m.tasks[t.rqNext].rqPrev = t.rqPrev
	}
	t.rqNext, t.rqPrev = NoTask, NoTask
}

// enqueue makes a task runnable on its cpu.
func (m *Machine) enqueue(id TaskID, head bool) {
	t := &m.tasks[id]
	if t.queued {
		m.broken("enqueued twice", id, NoLock)
	}
	m.link(id, head)
	m.firedIf(t.prio > 0 && !head, RuleTail)
	t.queued = true
	m.notePushable(id, t)
	if t.prio == 0 {
		m.fairArrives(t.cpu, t)
	}
}

// dequeue takes a task off its run queue: it sleeps, ends or moves.
func (m *Machine) dequeue(id TaskID) {
	t := &m.tasks[id]
	if !t.queued {
		m.broken("dequeued but not queued", id, NoLock)
	}
	m.unlink(id)
	t.queued, t.pushSeq = false, 0
	if t.prio == 0 {
		m.fairLeaves(t.cpu)
	}
}

// notePushable marks a queued RT task that is not running and may run elsewhere as a candidate
// for a push, behind the candidates of its priority (enqueue_pushable_task, R1.23).
func (m *Machine) notePushable(id TaskID, t *Task) {
	t.pushSeq = 0
	if t.prio > 0 && !t.onCPU && t.affinity&(t.affinity-1) != 0 {
		m.pushSeq++
		t.pushSeq = m.pushSeq
	}
}

// setPrio gives a task a new effective priority: rt_mutex_setprio and the queueing half of
// __sched_setscheduler. Its place: R1.2; whether somebody is preempted: R1.7; a drop of a
// running task's priority pulls: R1.25.
func (m *Machine) setPrio(id TaskID, prio int32) {
	t := &m.tasks[id]
	old := t.prio
	if old == prio {
		return
	}
	if t.queued {
		m.unlink(id)
		if old == 0 {
			m.fairLeaves(t.cpu)
		}
	}
	c := t.cpu
	if t.onCPU {
		m.stopCounting(c, t)
	}
	t.prio = prio
	m.firedIf(old == 0, RuleFairBoosted)
	if t.queued {
		m.link(id, prio < old && prio > 0)
		m.firedIf(prio > old, RuleTailBoost)
		m.firedIf(prio < old && prio > 0, RuleHeadDeboost)
		m.notePushable(id, t)
		if prio == 0 {
			m.fairArrives(c, t)
		}
	}
	if t.onCPU {
		if m.cpus[c].busy == notBusy {
			m.startCounting(c, t)
		}
		m.runningChanged(c, t, old)
	} else if t.queued {
		m.queuedChanged(id, t, old)
	}
}

// runningChanged is prio_changed_rt, switched_from_rt and switched_to_fair for a running task.
func (m *Machine) runningChanged(c int32, t *Task, old int32) {
	if !t.queued {
		return
	}
	if t.prio == 0 {
		if m.level(c) == 0 {
			m.pull |= bit(c)
		}
		m.fired(RuleBackToFair)
		m.resched(c, c)
		return
	}
	if t.prio < old {
		m.pull |= bit(c)
	}
	if m.level(c) > t.prio {
		m.fired(RuleRunningDropped)
		m.resched(c, c)
	}
}

// queuedChanged is the same for a task that is queued and not running.
func (m *Machine) queuedChanged(id TaskID, t *Task, old int32) {
	c := t.cpu
	switch {
	case t.prio == 0:
		if m.level(c) == 0 {
			m.pull |= bit(c)
		}
		m.wakeupPreempt(c, id)
	case m.currPrio(c) < t.prio:
		m.fired(RuleQueuedRose)
		m.resched(c, c)
	case old == 0 && t.pushSeq != 0:
		m.pushTasks(c, c)
	}
}

// currPrio is the priority of what CPU c runs: 0 fair, -1 idle.
func (m *Machine) currPrio(c int32) int32 {
	if id := m.cpus[c].curr; id != NoTask {
		return m.tasks[id].prio
	}
	return -1
}
