package cert

import (
	"slices"

	"rtsim/model"
	"rtsim/sim"
)

// That the receiver can't miss a wake-up, by the order of steps. The sender's side is a search for
// a way on which it may: from a step that leaves something, or from the begin of a visit, to the
// end of the visit with nobody woken or found awake since. The receiver's side is one form, line by
// line; no other is known here.

// pair are the operations of one kind of store: what leaves, looks, sees and takes.
type pair struct{ leave, silent, rang, take model.Action }

var (
	bits  = pair{model.ActBell, model.ActBellSilent, model.ActBellSet, model.ActTakeBell}
	items = pair{model.ActWorkAdd, model.ActNoWork, model.ActWork, model.ActWorkPop}
)

// kind is which of them a sender's listing is of.
func kind(send *way) pair {
	for i := range send.code {
		if send.code[i].Action == items.leave {
			return items
		}
	}
	return bits
}

// cannotMiss refuses listings in which the receiver might miss what a sender left.
func (k *checker) cannotMiss(send, receive *way) {
	p := kind(send)
	acts := receive.operations(0, len(receive.code))
	if acts[0] == model.ActPoll {
		if !slices.Equal(acts, []model.Action{model.ActPoll, model.ActRead, model.ActHandle}) {
			k.refuse("a receiver that polls and does more is not checked")
		}
		return
	}
	if !p.told(send) {
		k.refuse("a sender may leave something and wake nobody")
	}
	if !p.waits(receive) {
		k.refuse("the order of the receiver's steps is not checked")
	}
}

// operations are those of some lines.
func (r *way) operations(from, to int) (all []model.Action) {
	for i := from; i < to; i++ {
		if a := r.code[i].Action; a != model.ActNone {
			all = append(all, a)
		}
	}
	return all
}

// told says whether each visit of a walk leaves something and then wakes, on every way.
func (p pair) told(r *way) bool {
	visits := 0
	for i := range r.code {
		a := r.code[i].Action
		switch {
		case a == model.ActNextOpen || a == model.ActNodeNext:
			visits++
			end := i + int(r.code[i].Target)
			if p.silently(r, i+1, i, end, false) {
				return false
			}
		case a == p.leave && visits == 0:
			return false
		}
	}
	return visits == 1
}

// silently says whether a way leads from a step back to the walk, or out of it, without a wake-up
// since the last step that left something. done: there was one.
func (p pair) silently(r *way, i, walk, end int, done bool) bool {
	if i == walk || i >= end {
		return !done
	}
	l := &r.code[i]
	switch {
	case l.Op == model.OpJump:
		return p.silently(r, i+int(l.Target), walk, end, done)
	case l.Op == model.OpWake && p.leftBefore(r, i, walk):
		return p.silently(r, i+1, walk, end, true)
	case p.marks(r, i):
		return p.silently(r, i+2, walk, end, false)
	case l.Action == p.leave:
		return p == items || l.Target != 0 || p.silently(r, i+1, walk, end, false)
	case l.Op == model.OpDo && l.Target != 0:
		asked := l.Action == model.ActArmed || l.Action == model.ActStateMatch ||
			l.Action == model.ActClaimKept || r.claimsAtOnce(i)
		awake := done || asked && p.leftBefore(r, i, walk)
		return l.Target < 0 || p.silently(r, i+1, walk, end, done) ||
			p.silently(r, i+int(l.Target), walk, end, awake)
	}
	return p.silently(r, i+1, walk, end, done)
}

// leftBefore says whether something is left on every way from the walk to a step: at a line of the
// visit that is passed whatever a test before it says.
func (p pair) leftBefore(r *way, step, walk int) bool {
	for i := walk + 1; i < step; i++ {
		if p.marks(r, i) {
			return true
		}
		if l := &r.code[i]; l.Target != 0 && l.Op != model.OpJump && i+int(l.Target) <= step {
			i += int(l.Target) - 1 // what it guards may be left out
			continue
		}
		if r.code[i].Action == p.leave {
			return true
		}
	}
	return false
}

// isClaim says whether a line may take the right to wake.
func isClaim(l model.Line) bool {
	return l.Action == model.ActClaim || l.Action == model.ActClaimLazy
}

// claimsAtOnce says whether a line claims, and all that the claim guards has preemption off too.
func (r *way) claimsAtOnce(i int) bool {
	if !isClaim(r.code[i]) {
		return false
	}
	for _, held := range r.held[i : i+int(r.code[i].Target)] {
		off := slices.IndexFunc(held, func(h model.Ref) bool {
			return h.String() == "preemption off"
		})
		if off < 0 {
			return false
		}
	}
	return true
}

// claimed is how long another sender of the queue may have preemption off after his claim; 0 if
// none claims.
func (k *checker) claimed(send *way) (most sim.Time) {
	if !slices.ContainsFunc(send.code, isClaim) {
		return 0
	}
	for _, r := range k.ways {
		if r.kind != "send" || r.queue != send.queue || r.task == send.task {
			continue
		}
		off := k.section(r.task, false, lock{}, -1)
		all := k.handlers(k.tasks[r.task].cpu, r.task, 100)
		most = max(most, all.stretch(off, sim.Second))
	}
	return most
}

// marks says whether two lines set a mark and, if it was not set, add the item; with the node's
// lock held, so that nobody sees the mark without the item.
func (p pair) marks(r *way, i int) bool {
	return p == items && i+1 < len(r.code) && r.code[i].Action == model.ActMarkPending &&
		r.code[i].Target == 2 && r.code[i+1].Action == p.leave &&
		slices.Contains(r.held[i], model.RefNode) && slices.Contains(r.held[i+1], model.RefNode)
}

// waits says whether the receiver's lines are: take what is there; while there is no completion,
// say that it waits, look, sleep, say that it does not, take; then reap, read and handle.
func (p pair) waits(r *way) bool {
	loop := slices.IndexFunc(r.code, func(l model.Line) bool { return l.Action == model.ActNoCQE })
	if loop < 0 || loop+6 >= len(r.code) {
		return false
	}
	c := r.code[loop+1:]
	inOrder := c[0].Action == model.ActArm && c[1].Op == model.OpPrepare &&
		c[2].Action == p.silent && c[2].Target == 2 && c[3].Op == model.OpSchedule &&
		c[4].Action == model.ActDisarm && c[5].Action == p.rang
	end, drain := loop+int(r.code[loop].Target), loop+6
	if !inOrder || drain+int(r.code[drain].Target) != end-1 {
		return false
	}
	first := slices.IndexFunc(r.code, func(l model.Line) bool { return l.Action == p.rang })
	if first < loop && !p.drains(r, first) || !p.drains(r, drain) {
		return false
	}
	sleeps, takes, each := 0, 0, []model.Action{p.rang, p.take, model.ActPostCQE}
	if p == items {
		each = []model.Action{p.rang, model.ActWork, p.take, model.ActClearPending,
			model.ActPostCQE}
	}
	for i := range r.code {
		switch {
		case r.code[i].Op == model.OpSchedule:
			sleeps++
		case r.code[i].Action == p.take:
			takes++
		}
	}
	drains := 2
	if first == drain {
		each, drains = nil, 1
	}
	return sleeps == 1 && takes == drains &&
		slices.Equal(r.operations(0, loop), each) &&
		slices.Equal(r.operations(end, len(r.code)), []model.Action{model.ActReap,
			model.ActRead, model.ActHandle})
}

// drains says whether the lines behind a test take what is there and post a completion for it.
func (p pair) drains(r *way, test int) bool {
	end := test + int(r.code[test].Target)
	i := slices.IndexFunc(r.code[test:end], func(l model.Line) bool { return l.Action == p.take })
	if p == items {
		return i > 1 && p.runs(r, test+i-1) && slices.Equal(r.operations(test, end),
			[]model.Action{p.rang, model.ActWork, p.take, model.ActClearPending,
				model.ActPostCQE})
	}
	return i > 0 && slices.Equal(r.operations(test, end),
		[]model.Action{p.rang, p.take, model.ActPostCQE}) && r.code[test+i].Target == 2
}

// runs says whether a loop takes items as long as there are some, and each is cleared and posted
// before the next look.
func (p pair) runs(r *way, loop int) bool {
	c := r.code[loop:]
	if len(c) < 7 || c[0].Action != model.ActWork || c[1].Action != p.take {
		return false
	}
	taken := c[2].Action == model.ActClearPending && c[3].Action == model.ActPostCQE
	jumps := c[4].Op == model.OpJump && c[1].Target == 4 && c[4].Target == 2 &&
		c[5].Op == model.OpExec && c[6].Op == model.OpJump
	return taken && jumps && c[6].Target == -6 && c[0].Target == 7
}
