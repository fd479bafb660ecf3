package model

import "rtsim/sim"

// What whoever explores states, and scores how near they are to something rare, may ask of one. It
// changes nothing, and no run asks for it.

// Current is the task on a CPU, -1 if there is none.
func (m *Machine) Current(cpu int32) int32 { return int32(m.cpus[cpu].curr) }

// Remains is what is left of a task's present step, as far as it is known: of a step that has not
// begun to be paid for, 0.
func (m *Machine) Remains(task int32) sim.Time {
	t := &m.tasks[task]
	if !t.armed {
		return t.left
	}
	return m.queue.At(m.prog.runSlot+int(task)) - m.now
}

// Displaced says whether somebody else, or an interrupt, has the CPU of a task that could run, and
// which CPU that is.
func (m *Machine) Displaced(task int32) (cpu int32, is bool) {
	t := &m.tasks[task]
	return t.cpu, t.queued && (!t.onCPU || m.cpus[t.cpu].busy == inHandler)
}

// Path is the path that a task is in, as send; "" if it is in none.
func (m *Machine) Path(task int32) string {
	if pc := int(m.tasks[task].pc); pc < len(m.prog.steps) {
		return m.prog.steps[pc].Path
	}
	return ""
}

// Due is when the next interrupt of a load is due, sim.Never while one of its bursts lasts.
func (m *Machine) Due(load int) sim.Time { return m.queue.At(m.prog.loadSlot + load) }

// Handles is the load whose handler a CPU runs, -1 if it runs none of a load's.
func (m *Machine) Handles(cpu int32) int {
	c := &m.cpus[cpu]
	load := int(c.handler) - m.prog.loadSlot
	if c.busy != inHandler || load < 0 || load >= len(m.prog.net.loads) {
		return -1
	}
	return load
}

// WaitsFor is the task that owns the lock for which a task sleeps or spins, -1 if none does.
func (m *Machine) WaitsFor(task int32) int32 {
	t := &m.tasks[task]
	lock := t.blockedOn
	if lock == NoLock {
		lock = t.rawOn
	}
	if lock == NoLock {
		return int32(NoTask)
	}
	return int32(m.locks[lock].owner)
}

// Owner is the task that owns a lock, -1 if none does.
func (m *Machine) Owner(lock int32) int32 { return int32(m.locks[lock].owner) }

// Sleeps says whether who waits for a lock may sleep, and who owns it be preempted.
func (m *Machine) Sleeps(lock int32) bool { return m.locks[lock].kind != Raw }
