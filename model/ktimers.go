package model

import "math/bits"

// Soft timers. A timer that a fair task armed wakes, in the hard interrupt, its CPU's ktimers
// thread (R3.9, R3.10): SCHED_FIFO 1, so it waits behind RT tasks. On a CPU, it serves a timer a
// step: whom it wakes may preempt it before the next one; with none left it sleeps.
//
// Within an instant these steps come before those of tasks, as a hard timer's wake-up does: where
// no RT task is in its way, a soft timer gives the order that a hard one gives. Of several threads
// first one that has none left, then by the order of the tasks whose timers are next, as timers
// are. Rejected: threads as tasks behind the file's, by CPU. A sleeper then has its word after
// tasks that stand behind it in the file, and the CPUs' numbers decide which.

// ktimersToAct is the ktimers thread that has the next step, NoTask if none is on a CPU.
func (m *Machine) ktimersToAct() TaskID {
	best, next := NoTask, NoTask
	for set := m.serving & m.act; set != 0; set &= set - 1 {
		c := bits.TrailingZeros64(set)
		k, first := m.prog.ktimers[c], m.cpus[c].expFirst
		if m.cpus[c].curr == k && (best == NoTask || first < next) {
			best, next = k, first
		}
	}
	return best
}

// expire is a step of a ktimers thread: it wakes the sleeper whose timer was due first, who may
// preempt it, and says whether there is another.
func (m *Machine) expire(id TaskID) bool {
	cpu := &m.cpus[m.tasks[id].cpu]
	first := cpu.expFirst
	if first == NoTask {
		return false // woken again while it served the last
	}
	cpu.expFirst = m.tasks[first].expNext
	m.fired(RuleKtimers)
	m.wakeUp(first, id, m.tasks[id].cpu)
	return cpu.expFirst != NoTask
}
