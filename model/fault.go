package model

import (
	"errors"
	"fmt"

	"rtsim/model/trace"
)

// Two ways a run ends early. A fault is the workload's: a deadlock, an instant that does not end;
// Run returns it as an error. A broken invariant is the simulator's: it panics, with the task,
// the lock and the time, and whoever started the run recovers it.

type faultKind uint8

const (
	faultNone faultKind = iota
	faultDeadlock
	faultInstant
)

type fault struct {
	kind faultKind
	task TaskID
}

// Broken is the panic of a broken invariant.
type Broken struct{ Message string }

func (b Broken) Error() string { return b.Message }

// broken panics: the simulator is wrong.
func (m *Machine) broken(what string, id TaskID, l LockID) {
	text := fmt.Sprintf("broken invariant at %s: %s", m.now, what)
	if id != NoTask {
		text += "; task " + m.prog.TaskName(int32(id))
	}
	if l != NoLock {
		text += "; lock " + m.lockName(l)
	}
	panic(Broken{text})
}

func (m *Machine) lockName(l LockID) string {
	if w := m.prog.waitLocks; w > 0 && l >= w {
		return m.prog.lockNames[l-w] + "->wait_lock"
	}
	return m.prog.lockNames[l]
}

// ErrDeadlock is wrapped by the error of a run that ends in a deadlock.
var ErrDeadlock = errors.New("deadlock")

// ErrInstant is wrapped by the error of a run in which an instant does not end.
var ErrInstant = errors.New("an instant does not end")

func (m *Machine) faultError() error {
	name := m.prog.TaskName(int32(m.fault.task))
	if m.fault.kind == faultInstant {
		return fmt.Errorf("%w: %d words at %s, the last by %s; let a loop take time or wait",
			ErrInstant, wordsMax, m.now, name)
	}
	text := name
	id := m.fault.task
	for range m.tasks {
		l := m.waitsFor(id)
		id = m.holderTowards(l, m.fault.task)
		text += fmt.Sprintf(" waits for %s, held by %s", m.lockName(l),
			m.prog.TaskName(int32(id)))
		if id == m.fault.task {
			break
		}
		text += ", which"
	}
	return fmt.Errorf("%w at %s: %s; take the locks in one order", ErrDeadlock, m.now, text)
}

// waitsFor is the lock a task can't go on without.
func (m *Machine) waitsFor(id TaskID) LockID {
	t := &m.tasks[id]
	switch {
	case t.spin == spinRaw:
		return t.rawOn
	case t.asleep == trace.OnReaders:
		return m.prog.code[t.pc].Lock
	}
	return t.blockedOn
}

// findDeadlock looks from a task that has just begun to wait for a cycle of holders back to it.
func (m *Machine) findDeadlock(id TaskID) bool {
	l := m.waitsFor(id)
	if l == NoLock || m.holderTowards(l, id) == NoTask {
		return false
	}
	m.fault = fault{kind: faultDeadlock, task: id}
	m.record(trace.Deadlock, m.tasks[id].cpu, id, int32(l), 0)
	return true
}

// holderTowards is a holder of the lock that is goal or waits, over others, for what goal holds;
// NoTask if there is none. Depth is bounded by the number of tasks: each can wait for one lock.
func (m *Machine) holderTowards(l LockID, goal TaskID) TaskID {
	return m.searchHolder(l, goal, len(m.tasks))
}

func (m *Machine) searchHolder(l LockID, goal TaskID, depth int) TaskID {
	for i := range m.tasks {
		id := TaskID(i)
		if !m.holds(id, l) {
			continue
		}
		if id == goal {
			return id
		}
		next := m.waitsFor(id)
		if next != NoLock && depth > 0 && m.searchHolder(next, goal, depth-1) != NoTask {
			return id
		}
	}
	return NoTask
}

// holds says whether a task keeps others from the lock: as its owner or as one of its readers.
func (m *Machine) holds(id TaskID, l LockID) bool {
	lock := &m.locks[l]
	if lock.owner == id {
		return true
	}
	return lock.kind == RW && lock.readers > 0 && m.reads(id, l)
}

// noteReader and forgetReader keep the list of rwlocks that a task reads.
func (m *Machine) noteReader(id TaskID, l LockID) {
	t := &m.tasks[id]
	if t.nReading == maxReads {
		m.broken("reads too many rwlocks", id, l)
	}
	t.reading[t.nReading] = l
	t.nReading++
}

func (m *Machine) forgetReader(id TaskID, l LockID) {
	t := &m.tasks[id]
	for i := range t.nReading {
		if t.reading[i] == l {
			t.nReading--
			t.reading[i] = t.reading[t.nReading]
			return
		}
	}
	m.broken("read_unlock of a lock it does not read", id, l)
}

func (m *Machine) reads(id TaskID, l LockID) bool {
	t := &m.tasks[id]
	for i := range t.nReading {
		if t.reading[i] == l {
			return true
		}
	}
	return false
}
