package model

import "rtsim/sim"

// The ends of runs. A task that does step after step would move its slot in the queue each time,
// which costs more than the step. So, while Run lasts, the end of one run is kept beside the queue:
// the earliest of those that were armed one after another, mostly. Between two calls of Run all
// are in the queue, so that equal states compare equal.

// arm sets the end of a task's run; of two the earlier is kept out of the queue.
func (m *Machine) arm(id TaskID, t *Task) {
	t.armed = true
	at := m.now + t.left
	if at >= m.soonAt {
		m.queue.Set(m.prog.runSlot+int(id), at)
		return
	}
	m.park()
	m.soon, m.soonAt = id, at
}

// disarm takes back the end of a task's run and returns it.
func (m *Machine) disarm(id TaskID) (at sim.Time) {
	if id == m.soon && m.soonAt != sim.Never {
		at, m.soonAt = m.soonAt, sim.Never
		return at
	}
	slot := m.prog.runSlot + int(id)
	at = m.queue.At(slot)
	m.queue.Set(slot, sim.Never)
	return at
}

// fireSoon ends the run that ends soonest, and takes its task on.
func (m *Machine) fireSoon() {
	m.now, m.soonAt = m.soonAt, sim.Never
	id := m.soon
	t := &m.tasks[id]
	m.runEnds(id, t)
	if m.act != 0 && m.alone(t.cpu) {
		m.actOn(id, t)
	}
}

// park moves the run that ends soon to its slot.
func (m *Machine) park() {
	if m.soonAt != sim.Never {
		m.queue.Set(m.prog.runSlot+int(m.soon), m.soonAt)
		m.soonAt = sim.Never
	}
}

// next is the earliest time and its slot, of the queue and the run that ends soon.
func (m *Machine) next() (at sim.Time, slot int) {
	at, slot = m.queue.Next()
	if soon := m.prog.runSlot + int(m.soon); m.soonAt < at || m.soonAt == at && soon < slot {
		return m.soonAt, soon
	}
	return at, slot
}
