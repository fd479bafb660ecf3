package model

import "rtsim/sim"

// What ends soon: a run, a switch, a handler, the flight of an IPI. A task that does step after
// step would move its slot in the queue each time, which costs more than the step. So, while Run
// lasts, these are kept in a short list beside the queue, which holds what is farther away.
// Between two calls of Run the list is empty, so that equal states compare equal.
type soonList struct {
	n    int              // how many
	list [soonMax + 1]due // from 1 on, the earliest last; before them is Never
}

type due struct {
	at   sim.Time
	slot int
}

// soonMax is enough for the CPUs that are active at a time; what ends later goes to the queue. A
// power of two less one: a mask then tells the compiler that an index is in the list.
const soonMax = 7

// first is the earliest; its time is Never if there is none.
func (s *soonList) first() *due { return &s.list[s.n&soonMax] }

// setSoon sets an idle slot, in the list if that has room or something later to be moved.
func (m *Machine) setSoon(slot int, at sim.Time) {
	s := &m.soon
	if s.n == soonMax {
		if at >= s.list[1].at {
			m.queue.Set(slot, at)
			return
		}
		m.queue.Set(s.list[1].slot, s.list[1].at)
		s.remove(1)
	}
	s.n++
	i := s.n & soonMax
	for ; i > 1 && (s.list[i-1].at < at || s.list[i-1].at == at && s.list[i-1].slot < slot); i-- {
		s.list[i] = s.list[i-1]
	}
	s.list[i] = due{at, slot}
}

func (s *soonList) remove(i int) {
	for ; i < s.n; i++ {
		s.list[i] = s.list[i+1]
	}
	s.n--
}

// clear makes a slot idle that setSoon may have set, and returns its time.
func (m *Machine) clear(slot int) (at sim.Time) {
	for i := m.soon.n; i > 0; i-- {
		if d := m.soon.list[i]; d.slot == slot {
			m.soon.remove(i)
			return d.at
		}
	}
	at = m.queue.At(slot)
	m.queue.Set(slot, sim.Never)
	return at
}

// park moves the list into the queue.
func (m *Machine) park() {
	for ; m.soon.n > 0; m.soon.n-- {
		d := m.soon.first()
		m.queue.Set(d.slot, d.at)
	}
}

// next is the earliest time and its slot, in the list or in the queue.
func (m *Machine) next() (at sim.Time, slot int) {
	at, slot = m.queue.Next()
	if d := m.soon.first(); d.at < at || d.at == at && d.slot < slot {
		return d.at, d.slot
	}
	return at, slot
}

// fireSoon fires the first of the list, if that is before the end and nothing else is due until
// then, and lets a run's task go on; it says whether it did.
func (m *Machine) fireSoon(end sim.Time) bool {
	d := *m.soon.first()
	if d.at > end || d.at >= m.queue.Least() || d.at == m.soon.list[(m.soon.n-1)&soonMax].at {
		return false
	}
	m.soon.n--
	m.now = d.at
	if d.slot >= m.prog.irqSlot {
		m.fire(d.slot)
		return true
	}
	id := TaskID(d.slot - m.prog.runSlot)
	t := &m.tasks[id]
	m.runEnds(id, t)
	if m.act != 0 && m.alone(t.cpu) {
		m.actOn(id, t)
	}
	return true
}

// arm sets the end of a task's run.
func (m *Machine) arm(id TaskID, t *Task) {
	t.armed = true
	m.setSoon(m.prog.runSlot+int(id), m.now+t.left)
}
