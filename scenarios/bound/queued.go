package bound

import (
	"fmt"

	"rtsim/model"
	"rtsim/sim"
)

// Receives of a design in which a sender queues the receiver's work: its own item, once, with a
// mark that says so, under a raw lock (futex-persistent/fix-f4).
//
// When the call has ended the item is on the list, or the receiver is in the middle of taking it,
// and it is awake or woken. So what follows is the time of a doorbell (receive.go), and the items
// that the loop runs: the one that is there, one that was begun, and what others add meanwhile,
// for the loop ends only when it finds the list empty. On one CPU each adding but the first of each
// task takes a whole call, so a window w has at most
//
//	n + w / c    adders' tasks of the CPU, and the least time of a call with what is run before it
//
// and the sender itself adds nothing more if the next message is due after that. The window is a
// fixed point; there is none if others add items as fast as the receiver runs them.
//
// Published and linked in one step: with an mpscq there are two, and the receiver spins between
// them for as long as hard interrupts of the adder's CPU last. Under the raw lock that is bounded
// each time, but while the receiver spins for one adder others get ready to add, and no bound on
// how often that goes on is derived here.

// queuedWork bounds a receive of such a design.
func (a *analysis) queuedWork(sender int, call *Bound) *Bound {
	r := a.listing(a.root, "receive")
	a.items = true
	at := place{task: a.root, queue: r.queue, target: -1, path: r.path}
	round, one := a.awake(at), a.item(r.path.tree, at)
	if round.why != "" || round.blocked > 0 {
		return &Bound{Unbounded: "no bound is derived: the receiver waits for locks"}
	}
	b := &Bound{}
	b.add("the sender's call", call.Value, "its bound: before it ends the receiver is woken")
	b.add("the loop", round.exec, "one way through the receiver's loop, awake, with an item")
	b.add("wake-up", a.comes(r.path), wakeUpWhy)
	own := b.Value - call.Value
	items := func(window sim.Time) sim.Time {
		return min(one*(2+a.adds(sender, r.queue, window)), forever/8)
	}
	window := least(func(x sim.Time) sim.Time { return a.interrupted(a.root, own+items(x)) })
	period, jitter := a.period(sender)
	switch {
	case window >= longest:
		return &Bound{Unbounded: "no bound is derived: others may add work as fast as " +
			a.tasks[a.root].name + " runs it"}
	case call.Value+window+a.begins(sender) >= period-jitter:
		return &Bound{Unbounded: fmt.Sprintf("no bound is derived: the next message of %s may be "+
			"sent before this one is handled", a.tasks[sender].name)}
	}
	b.add("work", items(window), "items that are on the list, or that others add meanwhile")
	b.add("interrupts", window-own-items(window), "handlers on the receiver's CPU from then on")
	b.add("before it opens", a.unopened(sender, call.Value), "a message that is sent before the "+
		"receiver has opened its end is found with the next one")
	return a.certifyReceive(b, call)
}

// item is one round of the loop that runs what is queued.
func (a *analysis) item(nodes []node, at place) (most sim.Time) {
	for i := range nodes {
		n := &nodes[i]
		if n.kind == loop && at.path.code[n.line].Action == model.ActWork {
			most = max(most, a.step(n.line, at).exec+a.eval(n.yes, at).exec)
			continue
		}
		most = max(most, a.item(n.yes, at), a.item(n.no, at))
	}
	return most
}

// adds is how many items others than the sender may add in a window.
func (a *analysis) adds(sender, queue int, window sim.Time) (n sim.Time) {
	calls := map[int32]sim.Time{} // by CPU: the least time between two of one task
	for t := range a.tasks {
		for _, r := range a.tasks[t].runs {
			if t == sender || r.path.kind != "send" || r.queue != queue {
				continue
			}
			n++
			c, took := a.tasks[t].cpu, a.leastCall(t, r)
			if known, ok := calls[c]; !ok || took < known {
				calls[c] = took
			}
		}
	}
	for _, took := range calls {
		n += window / max(took, 1)
	}
	return n
}

// leastCall is the least time from a step of a task's call to the same step of its next call: the
// steps that every call has, and what the program runs right before each.
func (a *analysis) leastCall(t int, r run) (sum sim.Time) {
	for i := range r.path.tree {
		if n := &r.path.tree[i]; n.kind == leaf {
			c := a.own(r.path.code[n.line].Cost)
			sum += c - c*sim.Time(a.s.Profile.JitterPercent)/100
		}
	}
	return sum + runsBefore(a.w.Tasks[t].Program)
}

// runsBefore is the least that a program runs right before a send, whichever way it came there.
func runsBefore(program []model.Word) sim.Time {
	shortest := sim.Time(-1)
	for i := range program {
		if program[i].Kind != model.WordSend {
			continue
		}
		ran := sim.Time(0)
		if i > 0 && program[i-1].Kind == model.WordRun {
			ran = program[i-1].Time
		}
		for k := range program {
			if program[k].Kind == model.WordGoto && int(program[k].Arg) == i {
				ran = 0
			}
		}
		if shortest < 0 || ran < shortest {
			shortest = ran
		}
	}
	return max(shortest, 0)
}

// period is that of the sender's messages, and their jitter.
func (a *analysis) period(sender int) (period, jitter sim.Time) {
	for _, w := range a.w.Tasks[sender].Program {
		if w.Kind == model.WordEvery {
			period, jitter = period+w.Time, jitter+w.Aux
		}
	}
	return period, jitter
}
