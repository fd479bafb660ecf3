package model

import (
	"errors"
	"fmt"

	"rtsim/model/trace"
)

// Two ways a run ends early. A fault is the workload's: a deadlock, an instant that does not end, a
// semaphore that counts too far; Run returns it as an error. A broken invariant is the simulator's:
// it panics, with the task, the lock and the time, and whoever started the run recovers it.

type faultKind uint8

const (
	faultNone faultKind = iota
	faultDeadlock
	faultInstant
	faultSemaphore
)

type fault struct {
	kind faultKind
	task TaskID
	sem  int32 // which, of faultSemaphore
}

// Broken is the panic of a broken invariant.
type Broken struct{ Message string }

// Error is the message.
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

// ErrSemaphore is wrapped by the error of a run in which a semaphore would count past SemaphoreMax.
var ErrSemaphore = errors.New("a semaphore is full")

func (m *Machine) faultError() error {
	name := m.prog.TaskName(int32(m.fault.task))
	if m.fault.kind == faultInstant {
		return fmt.Errorf("%w: %d words at %s, the last by %s; let a loop take time or wait",
			ErrInstant, wordsMax, m.now, name)
	}
	if m.fault.kind == faultSemaphore {
		return fmt.Errorf("%w at %s: post %s by %s, and it counts %d, the most it can; "+
			"let a task take from it", ErrSemaphore, m.now, m.prog.semaphores[m.fault.sem], name,
			SemaphoreMax)
	}
	text := name
	id := m.fault.task
	for range m.tasks {
		l, _ := m.waitsFor(id)
		id = m.holderTowards(id, m.fault.task, len(m.tasks))
		text += fmt.Sprintf(" waits for %s, held by %s", m.lockName(l),
			m.prog.TaskName(int32(id)))
		if id == m.fault.task {
			break
		}
		text += ", which"
	}
	return fmt.Errorf("%w at %s: %s; take the locks in one order", ErrDeadlock, m.now, text)
}

// waitsFor is the lock a task can't go on without; readers: it owns the rtmutex and waits only for
// those who read.
func (m *Machine) waitsFor(id TaskID) (l LockID, readers bool) {
	t := &m.tasks[id]
	switch {
	case t.spin == spinRaw:
		return t.rawOn, false
	case t.asleep == trace.OnReaders:
		return m.prog.code[t.pc].Lock, true
	}
	return t.blockedOn, false
}

// findDeadlock looks from a task that has just begun to wait for a cycle of holders back to it.
func (m *Machine) findDeadlock(id TaskID) bool {
	if m.holderTowards(id, id, len(m.tasks)) == NoTask {
		return false
	}
	l, _ := m.waitsFor(id)
	m.fault = fault{kind: faultDeadlock, task: id}
	m.record(trace.Deadlock, m.tasks[id].cpu, id, int32(l), 0)
	return true
}

// holderTowards is a holder of what a task waits for that is goal or waits, over others, for what
// goal holds; NoTask if there is none. No chain is longer than depth, the number of tasks.
func (m *Machine) holderTowards(id, goal TaskID, depth int) TaskID {
	l, readers := m.waitsFor(id)
	if l == NoLock || depth == 0 {
		return NoTask
	}
	lock := &m.locks[l]
	if o := lock.owner; o != NoTask && !readers && m.leadsTo(o, goal, depth) {
		return o
	}
	if lock.readers == 0 {
		return NoTask
	}
	for i := range m.tasks {
		r := TaskID(i)
		if m.reads(r, l) && m.leadsTo(r, goal, depth) {
			return r
		}
	}
	return NoTask
}

func (m *Machine) leadsTo(id, goal TaskID, depth int) bool {
	return id == goal || m.holderTowards(id, goal, depth-1) != NoTask
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
