package bound

import (
	"fmt"
	"slices"

	"rtsim/model"
	"rtsim/sim"
)

// Receives: from the start of the sender's call until the receiver's loop has handled the message.
//
// First, who owes the receiver something. A task that has taken the right to wake it (a mark, a
// claim, the first bit), or hides later items until its own is linked, owes it the rest, at its own
// priority: inheritance is of locks. Preempted there it holds the message back, for all rely on it.
// Of a fair task that has no bound at all.
//
// Then, for designs in which nobody owes anything and no work is queued: when the call has ended,
// the receiver has been woken, or runs and will find the doorbell rung, or has found it. From then
// on it does not sleep before it has handled the message. So what is left is its wake-up, or the
// rest of what it did when the message came, and one way through its loop.
//
// A message that is sent before the receiver has opened its end is found with the next one only.
// If messages are measured from later on than the end is open at the latest, none is like that.

// debts are the operations after which others rely on the task: it has to go on.
var debts = map[model.Action]string{
	model.ActMarkPending: "the mark", model.ActClaim: "the claim", model.ActClaimLazy: "the claim",
	model.ActWakeQAdd: "the wake_q", model.ActWorkPush: "the push", model.ActBell: "the first bits",
	model.ActHashUnqueue: "the unqueueing", model.ActPollGet: "poll_refs",
	model.ActLlistBeaten: "the push", model.ActLlistBeatenLazy: "the push",
	model.ActCountAdd: "the count", model.ActSignalQueue: "the signal",
}

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
		if why := bell.misses(send, receive); why != "" {
			return &Bound{Unbounded: "no bound is derived: " + why}
		}
		return a.handled(sender, call)
	}
	if work.misses(send, receive) != "" {
		return &Bound{Unbounded: owed}
	}
	return a.queuedWork(sender, call)
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
	b.add("before it opens", a.unopened(sender, call.Value), "a message that is sent before the "+
		"receiver has opened its end is found with the next one")
	return a.certifyReceive(b, call)
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
