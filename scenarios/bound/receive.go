package bound

import (
	"slices"

	"rtsim/model"
	"rtsim/sim"
)

// Receives: from the start of the sender's call until the receiver's loop has handled the message.
//
// Who may owe the receiver something is in owed.go: of a fair task that has no bound at all.
//
// For designs in which nobody owes anything and no work is queued, or in which who has claimed the
// wake-up keeps preemption off until he has woken: when the call, and his section, have ended, the
// receiver has been woken, or runs and will find the doorbell rung, or has found it. From then
// on it does not sleep before it has handled the message. So what is left is its wake-up, or the
// rest of what it did when the message came, and one way through its loop.
//
// A message that is sent before the receiver has opened its end is found with the next one only.
// If messages are measured from later on than the end is open at the latest, none is like that.

// receive bounds the time until the receiver has handled a message.
func receive(s *System) *Bound {
	a, why := analyse(s, s.Scenario.Sender)
	if why != "" {
		return &Bound{Unbounded: "no bound is derived: " + why}
	}
	sender := a.root
	owed, guarded := a.owed(sender)
	if owed != "" && !guarded {
		return &Bound{Unbounded: owed}
	}
	call := send(s)
	if call.Unbounded != "" {
		return call
	}
	if a, why = analyse(s, s.Scenario.Receiver); why == "" {
		why = a.loops(sender)
	}
	if why != "" {
		return &Bound{Unbounded: "no bound is derived: " + why}
	}
	send, receive := a.listing(sender, "send").path, a.listing(a.root, "receive").path
	if owed == "" {
		why := bell.misses(send, receive)
		if why != "" && slices.Contains(actions(send), model.ActWorkAdd) {
			why = "each message is an item of its own on the receiver's list, and how many of " +
				"others are there, or are refused, is not analysed"
		}
		if why != "" {
			return &Bound{Unbounded: "no bound is derived: " + why}
		}
		return a.handled(sender, call)
	}
	switch {
	case work.misses(send, receive) == "" && !send.mayClaim():
		return a.queuedWork(sender, call)
	case bell.misses(send, receive) == "":
		return a.handled(sender, call)
	}
	return &Bound{Unbounded: owed}
}

// handled bounds a receive of which nobody owes anything.
func (a *analysis) handled(sender int, call *Bound) *Bound {
	r := a.listing(a.root, "receive")
	round := a.awake(place{task: a.root, queue: r.queue, target: -1, path: r.path})
	if round.why != "" || round.blocked > 0 {
		return &Bound{Unbounded: "no bound is derived: the receiver waits for locks, or goes on " +
			"as long as others send"}
	}
	b := &Bound{}
	b.add("the sender's call", call.Value, "its bound: before it ends the receiver is woken")
	b.add("the loop", round.exec, "one way through the receiver's loop, awake")
	b.add("wake-up", a.comes(r.path), wakeUpWhy)
	b.add("interrupts", a.interrupted(a.root, b.Value-call.Value)-(b.Value-call.Value),
		"handlers on the receiver's CPU from then on")
	if a.listing(sender, "send").path.mayClaim() {
		b.add("the claim", a.claimed(sender, r.queue), "who has claimed the wake-up wakes within "+
			"a section with preemption off")
	}
	b.add("before it opens", a.unopened(sender, call.Value), "a message that is sent before the "+
		"receiver has opened its end is found with the next one")
	return a.certifyReceive(b, call)
}

// claimed is the longest section with preemption off, interrupts included, of another sender.
func (a *analysis) claimed(sender, queue int) (most sim.Time) {
	for t := range a.tasks {
		for _, r := range a.tasks[t].runs {
			if t != sender && r.path.kind == "send" && r.queue == queue {
				off := a.atomic(t, false, key{}, -1)
				most = max(most, a.stretch(a.tasks[t].cpu, t, off))
			}
		}
	}
	return most
}

// certifyReceive completes the bound of a receive.
func (a *analysis) certifyReceive(b, call *Bound) *Bound {
	a.certify(b, "receive")
	b.Certificate.Call = call.Certificate
	return b
}

const wakeUpWhy = "IPI, idle exit and switch; or the loop's last step, begun before the message " +
	"came"

// comes is the time from the end of the call until the receiver begins a round: its wake-up, or the
// last step of the round before.
func (a *analysis) comes(p *path) sim.Time {
	last := a.cost(p.code[len(p.code)-1].Cost)
	if p.code[0].Action == model.ActPoll {
		return last
	}
	return max(a.wakes(key{}, a.root, -1), last)
}

// listing is the first of a task's paths of a kind; it has one.
func (a *analysis) listing(t int, kind string) run {
	all := a.tasks[t].runs
	return all[slices.IndexFunc(all, func(r run) bool { return r.path.kind == kind })]
}

// interrupted is how long a task takes that is alone on its CPU.
func (a *analysis) interrupted(t int, work sim.Time) sim.Time {
	cpu := a.tasks[t].cpu
	all := append(a.sources(cpu, t, a.level), source{cost: a.own(model.CostIRQEntry)})
	before := busy(all, a.off(cpu))
	return least(func(x sim.Time) sim.Time { return work + total(all, x, before) })
}

// loops says what is wrong with the programs of the sender, which has to send one message each
// period, and of the receiver, which has to open one end, and then receive again and again.
func (a *analysis) loops(sender int) string {
	counts := map[model.WordKind]int{}
	queue := int32(-1)
	for _, w := range a.w.Tasks[a.root].Program {
		counts[w.Kind]++
		if w.Kind == model.WordReceive {
			queue = w.Lock
		}
	}
	open := counts[model.WordOpen]
	if counts[model.WordReceive] != 1 || open > 1 || counts[model.WordGoto] != 1 ||
		len(a.w.Tasks[a.root].Program) != open+2 {
		return a.tasks[a.root].name + " does more than to open one end and to receive"
	}
	sends, others := 0, 0
	for _, w := range a.w.Tasks[sender].Program {
		switch w.Kind {
		case model.WordSend:
			sends++
			if w.Lock != queue {
				others++
			}
		case model.WordEvery, model.WordGoto:
		default:
			others++
		}
	}
	if sends != 1 || others > 0 {
		return a.tasks[sender].name + " does more than to send one message each period"
	}
	return ""
}

// awake is the longest way through the receiver's listing on which it does not sleep: it found
// something to do. A waiting loop goes round twice at most: the round that it is in when the
// doorbell rings, and the one that takes the bits.
func (a *analysis) awake(at place) val {
	v := val{}
	for i := range at.path.tree {
		n := &at.path.tree[i]
		if n.kind == loop && at.path.code[n.line].Action == model.ActNoCQE {
			head, body := a.step(n.line, at), a.unslept(n.yes, at)
			v = v.plus(head.plus(body).times(2)).plus(head)
			continue
		}
		v = v.plus(a.evalNode(n, at))
	}
	if poll := at.path.code[0]; poll.Action == model.ActPoll { // the line comes once more
		v.exec += a.cost(poll.Cost)
	}
	return v
}

// unslept is a waiting loop's body without the sleep.
func (a *analysis) unslept(nodes []node, at place) (v val) {
	for i := range nodes {
		n := &nodes[i]
		sleeps := slices.ContainsFunc(n.yes, func(m node) bool {
			return at.path.code[m.line].Op == model.OpSchedule
		})
		if sleeps {
			v = v.plus(a.step(n.line, at))
			continue
		}
		v = v.plus(a.evalNode(n, at))
	}
	return v
}

// unopened is how much later the message after one can come, if that one may be sent before the
// receiver has opened its end: periods until it has, the jitter, and how late the call begins.
func (a *analysis) unopened(sender int, call sim.Time) sim.Time {
	opens := a.wakes(key{}, a.root, -1)
	for _, r := range a.tasks[a.root].runs {
		if r.path.kind == "open" {
			v := a.eval(r.path.tree, place{task: a.root, queue: r.queue, target: -1, path: r.path})
			if opens += v.exec + v.blocked; v.why != "" {
				return forever
			}
		}
	}
	from := &a.w.Tasks[sender]
	opened := a.w.Tasks[a.root].Arrive + a.interrupted(a.root, opens)
	if opened < max(from.Arrive, a.s.Scenario.From) {
		return 0
	}
	lead := opened - from.Arrive
	period, jitter := a.period(sender)
	return ceil(max(lead, 1), max(period, 1))*period + jitter + a.begins(sender) + call
}

// begins is how late a call of the sender begins that is not kept by the one before.
func (a *analysis) begins(sender int) sim.Time {
	return a.interrupted(sender, a.own(model.CostTimer)+a.wakes(key{}, sender, -1))
}
