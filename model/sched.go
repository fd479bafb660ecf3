package model

import (
	"rtsim/model/trace"
	"rtsim/sim"
)

// Scheduling on one CPU. A request to reschedule (resched) sets a flag; the CPU acts on it at the
// first moment at which preemption and interrupts are on (R1.8): the set must holds CPUs that
// have such a moment, closed those where one of the two is off. Only strictly higher priority
// preempts (R1.5); SCHED_FIFO has no slice (R1.4); RT goes before the fair class (R1.2).

// resched asks CPU c to reschedule; from is the CPU that asks. A remote request travels as one
// IPI unless the target's idle loop polls (R1.13, R1.14).
func (m *Machine) resched(c, from int32) {
	cpu := &m.cpus[c]
	if countRules && cpu.curr != NoTask {
		m.firedIf(m.tasks[cpu.curr].preemptOff > 0, RulePreemptOff)
	}
	flight := sim.Time(0)
	if from != c && !(cpu.curr == NoTask && m.prog.costs.IdlePolls) {
		flight = m.prog.costs.fixed(CostIPI)
	}
	if flight == 0 {
		cpu.resched = true
		m.must |= bit(c)
		return
	}
	if cpu.resched {
		m.fired(RuleOneIPI)
		return // flagged already: no second IPI
	}
	cpu.resched = true
	if cpu.ipi || cpu.busy != notBusy {
		return // a handler's or a switch's end will see the flag
	}
	cpu.ipi = true
	m.fired(RuleIPI)
	m.record(trace.IPI, c, cpu.curr, from, 0)
	m.setSoon(m.prog.ipiSlot+int(c), m.now+flight)
}

// pick is pick_next_task: the fair server's tasks, RT, fair, idle (R1.2, R1.21).
func (m *Machine) pick(c int32) TaskID {
	cpu := &m.cpus[c]
	if cpu.server.state == serverActive && cpu.fairFirst != NoTask {
		return m.pickFair(c)
	}
	if cpu.rtFirst != NoTask {
		if countRules {
			m.firedIf(cpu.fairFirst != NoTask, RuleClassOrder)
			m.firedIf(m.tasks[cpu.rtFirst].rqNext != NoTask, RulePickHighest)
		}
		return cpu.rtFirst
	}
	if cpu.fairFirst != NoTask {
		return m.pickFair(c)
	}
	return NoTask
}

// schedule is __schedule on CPU c. A preempted task keeps its place (R1.3), whatever its state
// says (R1.12); one that went to sleep was dequeued by its own step.
func (m *Machine) schedule(c int32) {
	cpu := &m.cpus[c]
	cpu.resched = false
	m.must &^= bit(c)
	if cpu.stopper != NoTask {
		m.runStopper(c)
	}
	prev := cpu.curr
	if prev != NoTask {
		t := &m.tasks[prev]
		if !t.queued && t.prio > 0 && m.level(c) < t.prio {
			m.pull |= bit(c) // need_pull_rt_task (R1.25)
		}
		if t.prio == 0 {
			m.stopCounting(c, t)
		}
	}
	next := m.pick(c)
	if next == prev {
		if prev != NoTask {
			m.startCounting(c, &m.tasks[prev])
		}
		m.refresh(c)
		return
	}
	if countRules && prev != NoTask && m.tasks[prev].queued {
		t := &m.tasks[prev]
		m.firedIf(t.prio > 0, RulePreemptedStays)
		m.firedIf(t.state != running && t.spin == spinNone, RulePreemptedAwake)
		m.firedIf(t.spin == spinAdaptive, RuleSpinnerPreempted)
	}
	m.switchTo(c, prev, next)
}

// switchTo is context_switch and, after it, the push that set_next_task_rt queued (R1.23).
func (m *Machine) switchTo(c int32, prev, next TaskID) {
	cpu := &m.cpus[c]
	why := trace.Runnable
	m.pause(c)
	if prev != NoTask {
		t := &m.tasks[prev]
		t.onCPU = false
		why = t.asleep
		if t.queued {
			m.notePushable(prev, t) // put_prev_task_rt
		}
	}
	cpu.curr = next
	m.record(trace.SchedSwitch, c, next, int32(prev), int32(why))
	if next != NoTask {
		t := &m.tasks[next]
		t.onCPU, t.pushSeq = true, 0
	}
	cost, idleExit := m.cost(CostSwitch, next), sim.Time(0)
	if prev == NoTask {
		idleExit = m.cost(CostIdleExit, next)
	}
	if cost+idleExit > 0 {
		m.note(trace.Switching, c, next, int32(idleExit), int32(cost))
		cpu.busy = inSwitch
		m.setSoon(m.prog.cpuSlot+int(c), m.now+cost+idleExit)
		m.refresh(c)
	} else {
		m.start(c)
		m.takeHeld(c)
	}
	if next != NoTask && m.tasks[next].prio > 0 {
		m.pushTasks(c, c)
	}
}

// switchEnds lets the CPU leave a context switch; interrupts that came meanwhile are taken now.
func (m *Machine) switchEnds(c int32) {
	m.cpus[c].busy = notBusy
	m.start(c)
	m.takeHeld(c)
	if m.cpus[c].busy == notBusy && m.cpus[c].resched {
		m.must |= bit(c)
	}
}

// block takes the current task off its queue: the voluntary schedule() of the step it is in.
func (m *Machine) block(id TaskID, why trace.Sleep) {
	t := &m.tasks[id]
	if t.preemptOff|t.irqOff != 0 {
		m.broken("scheduling while atomic", id, t.blockedOn)
	}
	t.asleep = why
	m.fired(RuleReschedBlock)
	m.dequeue(id)
	m.record(trace.TaskSleep, t.cpu, id, int32(why), 0)
	m.cpus[t.cpu].resched = true
	m.must |= bit(t.cpu)
	m.act &^= bit(t.cpu)
}

// yield is sched_yield: to the tail of its own priority (R1.2).
func (m *Machine) yield(id TaskID) {
	t := &m.tasks[id]
	if t.prio == 0 {
		t.vruntime += fairSlice // requeue behind what it would have run
	} else {
		m.fired(RuleTailYield)
		m.unlink(id)
		m.link(id, false)
	}
	m.resched(t.cpu, t.cpu)
}

// startCounting begins to count the current task's own time, if anything depends on it: a
// SCHED_RR slice, the fair class's virtual time, the fair server.
func (m *Machine) startCounting(c int32, t *Task) {
	if t.policy != RR && t.prio != 0 {
		return
	}
	cpu := &m.cpus[c]
	if cpu.counting || cpu.busy != notBusy {
		return
	}
	cpu.counting, cpu.since = true, m.now
	if t.prio == 0 {
		m.fairRuns(c, t)
		return
	}
	m.queue.Set(m.prog.sliceSlot+int(c), m.now+max(t.rrLeft, 0))
}

// stopCounting takes the time since startCounting to the account.
func (m *Machine) stopCounting(c int32, t *Task) {
	cpu := &m.cpus[c]
	if !cpu.counting {
		return
	}
	cpu.counting = false
	m.queue.Set(m.prog.sliceSlot+int(c), sim.Never)
	ran := m.now - cpu.since
	if t.prio == 0 {
		m.fairRan(c, t, ran)
		return
	}
	t.rrLeft -= ran
}

// rrSlice is the default sched_rr_timeslice.
const rrSlice = 100 * sim.Millisecond

// sliceEnds is task_tick_rt for SCHED_RR: the slice is refilled, and if the priority has another
// task, it goes to the tail and the CPU reschedules (R1.2). For a fair task it only reschedules.
func (m *Machine) sliceEnds(c int32) {
	cpu := &m.cpus[c]
	id := cpu.curr
	t := &m.tasks[id]
	m.stopCounting(c, t)
	if t.prio == 0 {
		m.resched(c, c)
		m.startCounting(c, t)
		return
	}
	t.rrLeft = rrSlice
	peer := t.rqPrev != NoTask && m.tasks[t.rqPrev].prio == t.prio ||
		t.rqNext != NoTask && m.tasks[t.rqNext].prio == t.prio
	if peer {
		m.fired(RuleTailSlice)
		m.unlink(id)
		m.link(id, false)
		m.resched(c, c)
	}
	m.startCounting(c, t)
}
