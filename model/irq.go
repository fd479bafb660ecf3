package model

import (
	"rtsim/model/trace"
	"rtsim/sim"
)

// Hard interrupts. A source owns a slot; when it is due, its CPU enters a handler, unless
// interrupts are off there: then it is held and comes in when they are on again, in the order in
// which they were due (R1.10). Handlers of one CPU run one after another; what they wake is
// chosen among once, at the end (R3.5). Handler time is taken from the current task (R1.11), who
// stays on the CPU meanwhile. Threaded handlers are tasks that wait: a wake that finds one
// running leaves one token, however often it comes (R3.1, R3.4); they are SCHED_FIFO 50 and subject
// to the ordinary rules (R3.2).

// fire handles a slot whose time has come; it is idle by now.
func (m *Machine) fire(slot int) {
	p := m.prog
	if slot < p.irqSlot {
		id := TaskID(slot - p.runSlot)
		m.runEnds(id, &m.tasks[id])
		return
	}
	if slot >= p.cpuSlot && slot < p.ipiSlot {
		m.switchEnds(int32(slot - p.cpuSlot))
		return
	}
	c := m.slotCPU(slot)
	if cpu := &m.cpus[c]; cpu.busy == inHandler && cpu.handler == int32(slot) {
		m.handlerEnds(c, int32(slot))
	} else {
		m.raise(c, int32(slot))
	}
}

// slotCPU is where a source's handler runs (R3.3).
func (m *Machine) slotCPU(slot int) int32 {
	p := m.prog
	switch {
	case slot < p.loadSlot:
		return p.interrupts[slot-p.irqSlot].CPU
	case slot < p.timerSlot:
		return m.loadCPU(slot - p.loadSlot)
	case slot < p.cpuSlot:
		id := slot - p.timerSlot
		if m.tasks[id].asleep == trace.NotYet {
			return p.timerCPU[id]
		}
		return m.tasks[id].cpu // where it slept
	case slot < p.sliceSlot:
		return int32(slot - p.ipiSlot)
	case slot < p.serverSlot:
		return int32(slot - p.sliceSlot)
	}
	return int32(slot - p.serverSlot) // a pull is never fired, only held
}

// raise is an interrupt that is due on CPU c: it comes in or is held.
func (m *Machine) raise(c int32, slot int32) {
	if !m.irqsClosed(c) {
		m.enterHandler(c, slot)
		return
	}
	m.fired(RuleIRQHeld)
	cpu := &m.cpus[c]
	if m.held[slot] >= 0 || cpu.heldLast == slot {
		return // it waits here already: a pull, a slice's end, a server
	}
	m.held[slot] = -1
	if cpu.heldFirst < 0 {
		cpu.heldFirst = slot
	} else {
		m.held[cpu.heldLast] = slot
	}
	cpu.heldLast = slot
}

// irqsClosed says whether CPU c takes no interrupt now.
func (m *Machine) irqsClosed(c int32) bool {
	cpu := &m.cpus[c]
	return cpu.busy != notBusy || cpu.curr != NoTask && m.tasks[cpu.curr].irqOff > 0
}

// enterHandler starts a handler; one that takes no time has its effect at once.
func (m *Machine) enterHandler(c, slot int32) {
	cost := m.handlerCost(int(slot))
	m.record(trace.IRQEntry, c, m.cpus[c].curr, slot, 0)
	if cost == 0 {
		m.handled(c, slot)
		m.record(trace.IRQExit, c, m.cpus[c].curr, slot, 0)
		return
	}
	cpu := &m.cpus[c]
	m.firedIf(cpu.curr != NoTask, RuleIRQSteals)
	m.pause(c)
	cpu.busy, cpu.handler = inHandler, slot
	m.refresh(c)
	m.setSoon(int(slot), m.now+cost)
}

// handlerEnds has a handler's effect, then the held ones, then the interrupted task goes on.
func (m *Machine) handlerEnds(c, slot int32) {
	m.handled(c, slot)
	cpu := &m.cpus[c]
	m.record(trace.IRQExit, c, cpu.curr, slot, 0)
	cpu.busy = notBusy
	m.start(c)
	m.takeHeld(c)
	if cpu.busy == notBusy && cpu.resched {
		m.fired(RuleReschedIRQ)
		m.must |= bit(c) // the return from an interrupt (R1.8 a)
	}
}

// takeHeld lets in what was held on CPU c, until one takes time.
func (m *Machine) takeHeld(c int32) {
	cpu := &m.cpus[c]
	for cpu.heldFirst >= 0 && cpu.busy == notBusy {
		slot := cpu.heldFirst
		cpu.heldFirst = m.held[slot]
		if cpu.heldFirst < 0 {
			cpu.heldLast = -1
		}
		m.held[slot] = -1
		m.enterHandler(c, slot)
	}
}

// irqDisable begins a task's section without interrupts; they nest.
func (m *Machine) irqDisable(id TaskID) {
	t := &m.tasks[id]
	t.irqOff++
	if t.irqOff == 1 {
		m.closed |= bit(t.cpu)
		m.record(trace.IRQOff, t.cpu, id, 0, 1)
	}
}

// irqOn ends a task's irq_off; the outermost lets in what was held, and is a preemption point.
func (m *Machine) irqOn(id TaskID) {
	t := &m.tasks[id]
	if !m.irqEnable(id) {
		return
	}
	m.takeHeld(t.cpu)
	if m.cpus[t.cpu].resched {
		m.fired(RuleReschedEnable)
		m.must |= bit(t.cpu)
	}
}

// irqEnable is irqOn without what then comes in; it says whether interrupts are on now.
func (m *Machine) irqEnable(id TaskID) bool {
	t := &m.tasks[id]
	if t.irqOff == 0 {
		m.broken("irq_on without irq_off", id, NoLock)
	}
	t.irqOff--
	if t.irqOff > 0 {
		return false
	}
	m.refresh(t.cpu)
	m.record(trace.IRQOff, t.cpu, id, 0, 0)
	return true
}

// handlerCost is how long a source's handler runs before its effect.
func (m *Machine) handlerCost(slot int) sim.Time {
	p := m.prog
	switch {
	case slot < p.loadSlot:
		return p.interrupts[slot-p.irqSlot].Cost
	case slot < p.timerSlot:
		return m.loadCost(slot - p.loadSlot)
	case slot < p.cpuSlot:
		if m.tasks[slot-p.timerSlot].asleep == trace.NotYet {
			return 0
		}
		return m.cost(CostTimer, NoTask)
	case slot < p.sliceSlot:
		return m.cost(CostIRQEntry, NoTask)
	}
	return 0
}

// handled is a handler's effect.
func (m *Machine) handled(c, slot int32) {
	p := m.prog
	s := int(slot)
	switch {
	case s < p.loadSlot:
		m.firedIf(len(p.interrupts[s-p.irqSlot].Wakes) > 1, RuleOneChoice)
		for _, id := range p.interrupts[s-p.irqSlot].Wakes {
			m.wakeWord(TaskID(id), NoTask, c)
		}
	case s < p.timerSlot:
		m.loadHandled(c, s-p.loadSlot)
	case s < p.cpuSlot:
		m.timerExpires(c, TaskID(s-p.timerSlot))
	case s < p.sliceSlot:
		m.cpus[c].ipi = false
		m.record(trace.IPIArrives, c, m.cpus[c].curr, 0, 0)
		if m.cpus[c].resched {
			m.must |= bit(c)
		}
	case s < p.serverSlot:
		m.sliceDue(c)
	case s < p.pullSlot:
		m.serverTimer(c)
	default:
		for m.pushTask(c, c, true) {
		}
		m.pullFrom(c + 1)
	}
}

// sliceDue is the tick that ends a slice, unless its task has left meanwhile.
func (m *Machine) sliceDue(c int32) {
	if cpu := &m.cpus[c]; cpu.counting {
		m.sliceEnds(c)
	}
}

// timerExpires is an arrival, or the end of a sleep: in the hard interrupt if its task had an RT
// policy when it armed the timer, else by CPU c's ktimers thread (R3.9, R3.10).
func (m *Machine) timerExpires(c int32, id TaskID) {
	t := &m.tasks[id]
	if t.asleep != trace.NotYet && t.softTimer {
		m.fired(RuleSoftTimer)
		t.expNext = NoTask
		at := &m.cpus[c].expFirst
		for *at != NoTask {
			at = &m.tasks[*at].expNext
		}
		*at = id
		m.serving |= bit(c)
		m.wakeWord(m.prog.ktimers[c], NoTask, c)
		return
	}
	m.firedIf(t.asleep != trace.NotYet, RuleHardTimer)
	m.wakeUp(id, NoTask, c)
}
