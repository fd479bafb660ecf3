package model

import (
	"rtsim/model/trace"
	"rtsim/sim"
)

// What has been drawn and has not shown itself yet. When a burst's interrupt has been handled its
// length is drawn, and the gap to the next; a periodic task's lateness when it begins to wait.
// Until that time comes nothing depends on the value but that it has not come: whoever estimates
// how probable something is may draw it anew, given what has been seen (scenarios/explore), and
// tells it here. A step's cost and the length of a device's handler are left as drawn; they are
// short. Nothing of this happens in a run.

// Pending says whether a load's next interrupt is due and has not come, and what is known of when:
// the gap before it began at from, and it does not come before the floor, however short the gap.
func (m *Machine) Pending(load int) (from, floor sim.Time, is bool) {
	s := &m.world.loads[load]
	slot := m.prog.loadSlot + load
	if s.lasts || m.queue.At(slot) == sim.Never || m.handling(m.loadCPU(load), slot) {
		return 0, 0, false // it lasts, is held, or is being handled
	}
	return s.gapFrom, s.gapFloor, true
}

// handling says whether a CPU runs the handler of a slot, which then says when that ends.
func (m *Machine) handling(cpu int32, slot int) bool {
	c := &m.cpus[cpu]
	return c.busy == inHandler && c.handler == int32(slot)
}

// SetGap has the gap before a load's next interrupt be another one.
// Preconditions: the interrupt is pending, and comes after the machine's time.
func (m *Machine) SetGap(load int, gap sim.Time) {
	s := &m.world.loads[load]
	s.nominal = s.gapFrom + gap
	at := max(s.nominal, s.gapFloor)
	if at <= m.now {
		m.broken("an interrupt is drawn anew for a time that is past", NoTask, NoLock)
	}
	m.queue.Set(m.prog.loadSlot+load, at)
}

// Lasted says whether a load's burst lasts, its interrupt handled, and for how long its thread has
// run so far.
func (m *Machine) Lasted(load int) (so sim.Time, is bool) {
	s := &m.world.loads[load]
	if !s.lasts {
		return 0, false
	}
	task := m.prog.net.loads[load].Task
	switch step := &m.prog.code[m.tasks[task].pc]; {
	case step.Op == OpBurst:
		remains := m.Remains(task)
		return s.length - remains, remains > 0
	case step.Op == OpDo && step.Action == ActBurstEnd:
		return 0, false
	}
	return 0, true // it has not begun
}

// SetLength has a load's burst, and the gap after it, be other ones.
// Preconditions: the burst lasts, and its length is more than what it has run so far.
func (m *Machine) SetLength(load int, length, gap sim.Time) {
	so, is := m.Lasted(load)
	if !is || length <= so {
		m.broken("a burst is drawn anew that is over", NoTask, NoLock)
	}
	s := &m.world.loads[load]
	s.length = length
	s.nominal = s.gapFrom + length + gap
	id := TaskID(m.prog.net.loads[load].Task)
	t := &m.tasks[id]
	switch {
	case m.prog.code[t.pc].Op != OpBurst: // it will ask when it begins
	case t.armed:
		m.queue.Set(m.prog.runSlot+int(id), m.now+length-so)
	default:
		t.left = length - so
	}
}

// Late says whether a task sleeps until a release of its own that is late at random: by up to most
// after the nominal one.
func (m *Machine) Late(task int32) (nominal, most sim.Time, is bool) {
	t := &m.tasks[task]
	step := &m.prog.code[t.pc]
	if step.Op != OpEvery || step.Aux == 0 || t.asleep != trace.InSleep ||
		m.Release(task) == sim.Never || m.handling(t.cpu, m.prog.timerSlot+int(task)) {
		return 0, 0, false
	}
	return t.next - step.Time, step.Aux, true
}
