package cert

import (
	"fmt"
	"slices"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// A receive's certificate: the call's own, and what comes after it. Only designs are known in which
// the receiver depends on nothing that a sender may leave undone.

// relied are the operations on whose rest others rely.
var relied = []model.Action{model.ActMarkPending, model.ActClaim, model.ActClaimLazy,
	model.ActWakeQAdd, model.ActWorkPush, model.ActWorkAdd, model.ActHashUnqueue,
	model.ActPollGet, model.ActLlistBeaten, model.ActLlistBeatenLazy, model.ActCountAdd,
	model.ActSignalQueue}

// checkReceive checks a receive's certificate.
func checkReceive(c *Certificate, s *file.Scenario, d *designs.Design, p *designs.Profile,
	fixed []model.Paths) error {
	if c.Call == nil || c.Call.Metric != "send" {
		return fmt.Errorf("it has no certificate of the call")
	}
	if err := Check(c.Call, s, d, p, fixed); err != nil {
		return err
	}
	w := s.Workload
	w.Paths, w.Fixed = d.Sized(p).Paths, fixed
	k, err := build(c, &w, p, s.Receiver)
	if err != nil {
		return err
	}
	sender := slices.IndexFunc(k.tasks, func(t who) bool { return t.name == s.Sender })
	k.plain(sender)
	late := k.opensLate(sender, s.From)
	has := c.Value - c.Call.Value - late
	for _, r := range k.ways {
		if r.task == k.root && r.kind == "receive" && k.err == nil {
			for _, send := range k.ways {
				if send.task == sender && send.kind == "send" {
					k.cannotMiss(send, r)
					left := has - k.claimed(send)
					k.handled(r, left, k.entries(send, r, left))
				}
			}
		}
	}
	return k.err
}

// plain refuses what the analysis does not hold for: wake-ups that somebody may leave undone, and
// programs that do more than to send each period, or to open and receive.
func (k *checker) plain(sender int) {
	queue := -1
	for _, w := range k.w.Tasks[sender].Program {
		switch {
		case w.Kind == model.WordSend && queue < 0:
			queue = int(w.Lock)
		case w.Kind != model.WordEvery && w.Kind != model.WordGoto:
			k.refuse("the sender's program is not checked")
		}
	}
	kinds := []model.WordKind{}
	for _, w := range k.w.Tasks[k.root].Program {
		kinds = append(kinds, w.Kind)
		if w.Kind == model.WordReceive && int(w.Lock) != queue {
			k.refuse("the receiver's queue is another")
		}
	}
	if kinds[0] == model.WordOpen {
		kinds = kinds[1:]
	}
	if !slices.Equal(kinds, []model.WordKind{model.WordReceive, model.WordGoto}) {
		k.refuse("the receiver's program is not checked")
	}
	for _, r := range k.ways {
		for i := range r.code {
			l := &r.code[i]
			owes := slices.Contains(relied, l.Action) || l.Action == model.ActBell && l.Target != 0
			owes = owes && !(items.marks(r, i) || i > 0 && items.marks(r, i-1) || r.claimsAtOnce(i))
			if r.kind == "send" && r.queue == queue && owes {
				k.refuse("others rely on \"%s\" of %s, which is not checked", l.Note,
					k.tasks[r.task].name)
			}
		}
	}
}

// handled checks the time from the end of the call: one way through the loop, awake, what may be
// before it, and items that are run besides.
func (k *checker) handled(r *way, has, besides sim.Time) {
	s := search{k: k, way: r, known: map[string]sim.Time{}, awake: true}
	work := s.all(0, -1)
	before := k.pays(r.code[len(r.code)-1].Cost)
	if r.code[0].Action == model.ActPoll {
		work += k.pays(r.code[0].Cost)
	} else {
		before = max(before, k.wakes(lock{}, k.root, -1))
	}
	if needs := work + before + besides + k.alone(k.root).most(has, k.busy(k.root)); needs > has {
		k.refuse("the receiver needs %v, which is over %v", needs, has)
	}
}

// alone are the handlers of a task's CPU with an IPI; busy is a busy period of theirs.
func (k *checker) alone(task int) handlers {
	return append(k.handlers(k.tasks[task].cpu, task, k.level),
		handler{cost: k.charged(model.CostIRQEntry)})
}

func (k *checker) busy(task int) sim.Time {
	cpu := k.tasks[task].cpu
	off := k.pays(model.CostSwitch) + k.pays(model.CostIdleExit)
	for i, t := range k.tasks {
		if t.cpu == cpu {
			off = max(off, k.section(i, true, lock{}, -1))
		}
	}
	return k.alone(task).period(off)
}

// takes is how long work takes on a task's CPU, interrupts included.
func (k *checker) takes(task int, work sim.Time) sim.Time {
	all, busy := k.alone(task), k.busy(task)
	for x := work; ; {
		y := work + all.most(x, busy)
		if y <= x || y > sim.Second {
			return y
		}
		x = y
	}
}

// opensLate is how much later the next message is handled, if one that is measured, and so begins
// no sooner than an instant, may be sent before the receiver has opened its end.
func (k *checker) opensLate(sender int, measured sim.Time) sim.Time {
	opens := k.wakes(lock{}, k.root, -1)
	for _, r := range k.ways {
		if r.task == k.root && r.kind == "open" {
			opens += k.longest(r, 0, -1, whole, nil)
		}
	}
	from := &k.w.Tasks[sender]
	open := k.w.Tasks[k.root].Arrive + k.takes(k.root, opens)
	if open < measured || open < from.Arrive { // at the same instant the sender may go first
		return 0
	}
	lead := open - from.Arrive
	period, jitter := k.every(sender)
	begins := k.takes(sender, k.charged(model.CostTimer)+k.wakes(lock{}, sender, -1))
	return up(max(lead, 1), max(period, 1))*period + jitter + begins + k.c.Call.Value
}
