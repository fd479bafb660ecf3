// Package model is the simulated kernel: CPUs, SCHED_FIFO, priority-inheriting locks, interrupts
// and the objects of the wake-up paths, with the interpreter of the programs that run on them.
// Rules are cited by their numbers in the project's rule list (R1.1 ...).
package model

import (
	"math/bits"

	"rtsim/model/trace"
	"rtsim/sim"
)

// Concepts. A Machine is a State and the Program it runs. Every entity that time moves (a task's
// running step, an interrupt, a timer, a CPU's switch) owns one slot of the queue.
//
// The order of one instant. Repeat until nothing is left: (1) every CPU that must and may
// reschedule does, with the pulls that a dropped RT level causes; (2) the first spinner, in
// the order of tasks, whose lock or owner changed acts; else (3) a ktimers thread on a CPU serves
// a soft timer or sleeps again (ktimers.go), else the first task, in the order of tasks, that is on
// a CPU with a zero-time step, or with the retry of a lock it was woken for, does that one; and
// again from (1). The order of tasks is the file's; kworkers follow by the first tasks of their
// CPUs. What comes at an instant: first the runs that end, in the order of tasks, then the order
// above; then interrupts in theirs, timers and arrivals in the order of tasks, slices and servers,
// and again the order above. The slots lie in this order, so the queue's key (time, slot) is this
// order.
//
// Rejected: an event list with closures (can't be copied, hashed or compared); ties by order of
// insertion (a fork and its parent would disagree about history); ties by number of CPU
// (renumbering CPUs would change schedules).

// Machine runs one workload.
type Machine struct {
	State
	prog *Program
	// keep selects the kinds of records that are kept in Trace; the digest takes all of them.
	keep  uint64
	Trace []trace.Record
	rules ruleCounts

	soon soonList
}

// wordsMax is how many steps may happen in one instant before the run is given up.
const wordsMax = 100_000

// Keep selects which kinds of records Run appends to Trace.
func (m *Machine) Keep(kinds ...trace.Kind) {
	for _, k := range kinds {
		m.keep |= 1 << k
	}
}

// KeepAll keeps every record, notes apart.
func (m *Machine) KeepAll() { m.keep |= 1<<trace.FirstNote - 1 }

// Program returns what the machine runs.
func (m *Machine) Program() *Program { return m.prog }

// Tape answers the machine's questions: to be told other answers to those that are still to come,
// and to be reseeded.
func (m *Machine) Tape() *sim.Tape { return &m.tape }

// Now returns the machine's time.
func (m *Machine) Now() sim.Time { return m.now }

// Next returns when something is due next, sim.Never if nothing is.
func (m *Machine) Next() sim.Time {
	at, _ := m.queue.Next()
	return at
}

// Digest returns the hash of every record so far.
func (m *Machine) Digest() sim.Digest { return m.digest }

// Steps returns how many steps have been executed.
func (m *Machine) Steps() int64 { return m.steps }

// record reports one happening.
func (m *Machine) record(k trace.Kind, cpu int32, task TaskID, a, b int32) {
	m.digest.Add(uint64(m.now), uint64(k)|uint64(uint16(cpu))<<8|uint64(uint32(task))<<32,
		uint64(uint32(a))|uint64(uint32(b))<<32)
	if m.keep>>(k&63)&1 != 0 {
		m.Trace = append(m.Trace, trace.Record{})
		r := &m.Trace[len(m.Trace)-1]
		r.At, r.Kind, r.CPU, r.Task, r.A, r.B = m.now, k, int16(cpu), int32(task), a, b
	}
}

// Run advances to the end, what happens at that instant included, or until nothing is left. The
// error is a fault of the workload: a deadlock, an instant that does not end.
func (m *Machine) Run(end sim.Time) error {
	if !m.begun {
		m.reportAsleep()
	}
	m.soon.list[0].at = sim.Never
	for m.fault.kind == faultNone {
		if !m.fireSoon(end) && !m.fireAll(end) {
			break
		}
		if m.unsettled() {
			m.settle()
		}
		if checking && m.fault.kind == faultNone {
			m.checkSettled()
		}
	}
	m.park()
	if m.fault.kind != faultNone {
		return m.faultError()
	}
	if end != sim.Never && end > m.now {
		m.now = end
	}
	return nil
}

// fireAll fires what comes next, if that is before the end: all runs that end at an instant, or all
// the rest of it.
func (m *Machine) fireAll(end sim.Time) bool {
	at, slot := m.next()
	if at > end || at == sim.Never {
		return false
	}
	if at < m.now {
		m.broken("time runs backwards", NoTask, NoLock)
	}
	m.now = at
	runs := slot < m.prog.irqSlot
	for at == m.now && (slot < m.prog.irqSlot) == runs {
		m.clear(slot)
		m.fire(slot)
		at, slot = m.next()
	}
	return true
}

// reportAsleep records who starts asleep, once, and notes where each program begins.
func (m *Machine) reportAsleep() {
	m.begun = true
	for i := range m.tasks {
		t := &m.tasks[i]
		m.note(trace.Step, t.cpu, TaskID(i), t.pc, 0)
		if t.asleep != trace.NotYet {
			m.record(trace.TaskSleep, t.cpu, TaskID(i), int32(t.asleep), 0)
		}
	}
}

// settle repeats (1) to (3) until nothing is left to do at this instant.
func (m *Machine) settle() {
	for m.unsettled() && m.fault.kind == faultNone {
		if m.must&^m.closed|m.pull != 0 {
			m.reschedule()
		}
		if m.ended != 0 {
			m.noteEnds()
		}
		if m.spin != 0 {
			if id := m.spinnerToAct(); id != NoTask {
				m.spinnerActs(id)
				continue
			}
		}
		if m.act == 0 {
			return
		}
		id := m.ktimersToAct()
		if id == NoTask {
			id = m.cpus[m.first(m.act)].curr
		}
		m.actOn(id, &m.tasks[id])
	}
}

// unsettled says whether (1), (2) or (3) may find something to do.
func (m *Machine) unsettled() bool {
	return m.must&^m.closed|m.pull|m.ended|m.spin|m.act != 0
}

// first is the CPU of a set whose current task is the first in the order of tasks.
func (m *Machine) first(set uint64) int32 {
	c := int32(bits.TrailingZeros64(set))
	for set &= set - 1; set != 0; set &= set - 1 {
		if d := int32(bits.TrailingZeros64(set)); m.cpus[d].curr < m.cpus[c].curr {
			c = d
		}
	}
	return c
}

// alone says whether no CPU but c has anything to do: (1) and (2) find nothing, (3) c's task or
// none.
func (m *Machine) alone(c int32) bool {
	return m.must&^m.closed|m.pull|m.spin|(m.act|m.ended)&^bit(c) == 0 &&
		m.fault.kind == faultNone
}

// bit is the set of one CPU. The mask is for the compiler, who need not check then.
func bit(c int32) uint64 { return 1 << (uint32(c) & 63) }

// reschedule is (1): every CPU that must and may. A pull for a step that lowered a running task
// comes before, right after the step's wake-ups; one for a task that left its CPU comes when the
// CPUs that were asked already have rescheduled: their IPIs left earlier (R1.25).
func (m *Machine) reschedule() {
	for {
		for m.pull != 0 {
			c := int32(bits.TrailingZeros64(m.pull))
			m.pull &^= bit(c)
			m.pullTasks(c)
		}
		if m.must&^m.closed == 0 {
			return
		}
		for set := m.must &^ m.closed; set != 0; set = m.must &^ m.closed {
			m.schedule(int32(bits.TrailingZeros64(set)))
		}
	}
}

// noteEnds records the words whose tasks, on a CPU, went on after them, in the order of tasks.
func (m *Machine) noteEnds() {
	for m.ended != 0 {
		m.noteEnd(m.first(m.ended))
	}
}

func (m *Machine) noteEnd(c int32) {
	m.ended &^= bit(c)
	id := m.cpus[c].curr
	t := &m.tasks[id]
	if t.ending >= 0 {
		m.record(trace.Word, c, id, t.ending, 0)
		t.ending = -1
	}
	if t.pinEnds {
		t.pinEnds = false
		m.migrateEnable(id)
	}
}

// refresh derives CPU c's bits in the sets from its state. It is called whenever what they depend
// on changed: curr, busy, and curr's queued, spin, preemptOff and irqOff. Where a step only arms
// its task, or finds it unarmed, it moves the one bit itself.
func (m *Machine) refresh(c int32) {
	cpu, bit := &m.cpus[c], bit(c)
	var closed, act, spin uint64
	if cpu.busy != notBusy {
		closed = bit
	} else if cpu.curr != NoTask {
		t := &m.tasks[cpu.curr]
		if t.preemptOff|t.irqOff != 0 {
			closed = bit
		}
		if t.spin != spinNone {
			spin = bit
		} else if !t.armed && t.queued {
			act = bit
		}
	}
	m.closed = m.closed&^bit | closed
	m.act = m.act&^bit | act
	m.spin = m.spin&^bit | spin
}

// start lets CPU c's current task go on: its time begins to count, its run slot is armed.
func (m *Machine) start(c int32) {
	if id := m.cpus[c].curr; id != NoTask {
		t := &m.tasks[id]
		if t.left > 0 && t.spin == spinNone {
			m.arm(id, t)
		}
		if t.ending >= 0 || t.pinEnds {
			m.ended |= bit(c)
		}
		m.startCounting(c, t)
	}
	m.refresh(c)
}

// pause stops CPU c's current task where it is.
func (m *Machine) pause(c int32) {
	id := m.cpus[c].curr
	if id == NoTask {
		return
	}
	t := &m.tasks[id]
	if t.armed {
		t.left = m.clear(m.prog.runSlot+int(id)) - m.now
		t.armed = false
	}
	m.ended &^= bit(c)
	m.stopCounting(c, t)
}
