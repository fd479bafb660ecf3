// Package blame says, for a stretch of a task's time, by whose fault each nanosecond passed. It is
// a function of records (model/trace) and of a table of names, so that a real machine's trace,
// read into the same records, is explained by the same code.
package blame

import (
	"rtsim/sim"
)

// Concepts. A History turns records into lines: what a task, a CPU, a lock was at which time. A
// walk over a stretch of a task's time cuts it where one of the lines that matter changes, and
// gives each piece one cause:
//
//	the task is          the cause is
//	on a CPU             runs a step; spins for a lock, below it what its owner did; or the CPU
//	                     is in a hard interrupt (irq), leaves idle (idle-exit) or switches to
//	                     the task (runs: context_switch)
//	ready, on no CPU     preempted by who is on the CPU; ipi while the IPI that will make room
//	                     is on its way; irq; idle-exit
//	asleep for a lock    blocked, below it what the owner did meanwhile, walked the same way; a
//	                     lock without an owner is on its way to its top waiter: handover, below
//	                     it what that one did
//	offered a lock       handover, below it what the task itself did until it had the lock
//	asleep otherwise     claimed by who has taken its wake-up on himself, or who then woke it,
//	                     below it what that one did; if an interrupt did, its own step
//
// A piece below a lock lies within its parent's, and whoever is asked about is not asleep for
// the one who asks, so a walk ends after at most as many levels as there are tasks.
//
// Rejected: a walk backwards from the end over wake-ups (the critical path of trace viewers): it
// sees a holder only where he wakes somebody, and not that he was preempted before.

// The causes, as they are written.
const (
	Runs      = "runs"
	Blocked   = "blocked"
	Preempted = "preempted"
	Spins     = "spins"
	IPI       = "ipi"
	IRQ       = "irq"
	Handover  = "handover"
	Claimed   = "claimed"
	IdleExit  = "idle-exit"
)

// Causes are all causes, in the order in which they are listed.
var Causes = []string{Runs, Blocked, Preempted, Spins, IPI, IRQ, Handover, Claimed, IdleExit}

// Part is a piece of time with its cause. The parts that are told of a stretch add up to it, and
// those below a part add up to that.
type Part struct {
	Cause  string `json:"cause"`
	Object string `json:"object,omitempty"` // the lock; of an irq its source
	Of     string `json:"of,omitempty"`     // which one of several locks, "Q" of hb->lock
	// Holder has the lock, or is on the way to it, or has taken the wake-up on himself.
	Holder         string   `json:"holder,omitempty"`
	HolderPriority int32    `json:"holder_priority,omitempty"` // effective
	Boosted        bool     `json:"boosted,omitempty"`         // above the holder's own
	By             string   `json:"by,omitempty"`              // who preempts
	ByPriority     int32    `json:"by_priority,omitempty"`
	CPU            *int32   `json:"cpu,omitempty"` // where somebody waits for the CPU or has it
	Why            string   `json:"why,omitempty"` // not by priority: preemption or interrupts off
	Step           string   `json:"step,omitempty"`
	Path           string   `json:"path,omitempty"` // send, receive: the step is a line of it
	Ns             sim.Time `json:"ns"`
	Because        []Part   `json:"because,omitempty"`
}

// same says whether two pieces differ in length only.
func (p *Part) same(q *Part) bool {
	return p.Cause == q.Cause && p.Object == q.Object && p.Of == q.Of && p.Holder == q.Holder &&
		p.HolderPriority == q.HolderPriority && p.Boosted == q.Boosted && p.By == q.By &&
		p.ByPriority == q.ByPriority && p.Why == q.Why && p.Step == q.Step &&
		p.Path == q.Path && (p.CPU == nil) == (q.CPU == nil) &&
		(p.CPU == nil || *p.CPU == *q.CPU) && (p.Because == nil) == (q.Because == nil)
}

// join appends a piece, or lengthens the last one by it.
func join(parts []Part, p Part) []Part {
	if p.Ns == 0 {
		return parts
	}
	n := len(parts) - 1
	if n < 0 || !parts[n].same(&p) {
		return append(parts, p)
	}
	parts[n].Ns += p.Ns
	for _, q := range p.Because {
		parts[n].Because = join(parts[n].Because, q)
	}
	return parts
}

// Sum is how long parts are together.
func Sum(parts []Part) sim.Time {
	sum := sim.Time(0)
	for i := range parts {
		sum += parts[i].Ns
	}
	return sum
}
