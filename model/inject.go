package model

import "rtsim/sim"

// What an exhaustive exploration does to a machine between two instants. Both are the same as
// another answer to a question that was asked before: until the instant comes, nothing depends on
// when that is.

// Strike makes a load's next interrupt due at an instant.
// Preconditions: the load's interrupt is due, and not before the machine's time; at is after that.
func (m *Machine) Strike(load int, at sim.Time) {
	m.world.loads[load].nominal = at
	m.queue.Set(m.prog.loadSlot+load, at)
}

// Release is when a task that sleeps until a release, or for a time, is woken; sim.Never if it does
// not sleep so.
func (m *Machine) Release(task int32) sim.Time { return m.queue.At(m.prog.timerSlot + int(task)) }

// SetRelease moves the release that a task sleeps until.
// Preconditions: it sleeps until one; at is after the machine's time.
func (m *Machine) SetRelease(task int32, at sim.Time) {
	m.tasks[task].regs.release = at
	m.queue.Set(m.prog.timerSlot+int(task), at)
}
