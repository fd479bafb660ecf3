package bound

import (
	"fmt"

	"rtsim/model"
)

// Who owes the receiver something. A task that has taken the right to wake it (a mark, a
// claim, the first bit), or hides later items until its own is linked, owes it the rest, at its own
// priority: inheritance is of locks. Preempted there it holds the message back, for all rely on it.
// Of a fair task that has no bound at all.

// debts are the operations after which others rely on the task: it has to go on.
var debts = map[model.Action]string{
	model.ActMarkPending: "the mark", model.ActClaim: "the claim", model.ActClaimLazy: "the claim",
	model.ActWakeQAdd: "the wake_q", model.ActWorkPush: "the push", model.ActBell: "the first bits",
	model.ActHashUnqueue: "the unqueueing", model.ActPollGet: "poll_refs",
	model.ActLlistBeaten: "the push", model.ActLlistBeatenLazy: "the push",
	model.ActCountAdd: "the count", model.ActSignalQueue: "the signal",
}

// owed says who may owe the receiver of a queue a wake-up, and where; "" if nobody does. guarded:
// nobody can be preempted there without somebody boosting him.
func (a *analysis) owed(sender int) (why string, guarded bool) {
	queue := -1
	for _, r := range a.tasks[sender].runs {
		if r.path.kind == "send" {
			queue = r.queue
		}
	}
	for t := range a.tasks {
		for _, r := range a.tasks[t].runs {
			if r.path.kind != "send" || r.queue != queue {
				continue
			}
			for line := range r.path.code {
				l := &r.path.code[line]
				what, owes := debts[l.Action]
				if !owes || l.Action == model.ActBell && l.Target == 0 {
					continue
				}
				locks, off := a.guarded(r.path.held[line])
				why = "no bound is derived: " + relies(l, what)
				if t == sender || off || len(locks) > 0 {
					continue
				}
				return a.tasks[t].owes(l.Note, what), false
			}
		}
	}
	return why, true
}

// relies says what a receive depends on, of a step that is guarded.
func relies(l *model.Line, what string) string {
	if l.Action == model.ActWorkPush {
		return fmt.Sprintf("from %q of each sender to his next step the receiver spins, "+
			"interrupts of that CPU included, and others get ready to add work; how often is not "+
			"bounded", l.Note)
	}
	return fmt.Sprintf("a receive depends on %s of each sender (%s), which is not analysed", what,
		l.Note)
}

// owes says what a task that may be preempted owes the receiver, and from where on.
func (t *task) owes(note, what string) string {
	class := fmt.Sprintf("SCHED_FIFO %d", t.prio)
	if t.prio == 0 {
		class = "SCHED_OTHER"
	}
	return fmt.Sprintf("not bounded: %s, %s, owes the receiver a wake-up from %q on; preempted "+
		"there it keeps %s, on which others rely, and nothing boosts it", t.name, class, note, what)
}

// guarded says what keeps a task from being preempted, or has it boosted.
func (a *analysis) guarded(held []model.Ref) (locks []model.Ref, off bool) {
	for _, h := range held {
		switch {
		case h.String() == irqsOff || h.String() == preemptOff || raw(h):
			off = true
		case h != model.RefOwnRing:
			locks = append(locks, h)
		}
	}
	return locks, off
}
