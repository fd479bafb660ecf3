package cert

import (
	"slices"

	"rtsim/model"
)

// That the receiver can't miss a wake-up, by the order of steps. The sender's side is a search for
// a way on which it may: from a step that leaves something, or from the begin of a visit, to the
// end of the visit with nobody woken or found awake since. The receiver's side is one form, line by
// line; no other is known here.

// pair are the operations of one kind of store: what leaves, looks, sees and takes.
type pair struct{ leave, silent, rang, take model.Action }

var bits = pair{model.ActBell, model.ActBellSilent, model.ActBellSet, model.ActTakeBell}

// cannotMiss refuses listings in which the receiver might miss what a sender left.
func (k *checker) cannotMiss(send, receive *way) {
	acts := receive.operations(0, len(receive.code))
	if acts[0] == model.ActPoll {
		if !slices.Equal(acts, []model.Action{model.ActPoll, model.ActRead, model.ActHandle}) {
			k.refuse("a receiver that polls and does more is not checked")
		}
		return
	}
	if !bits.told(send) {
		k.refuse("a sender may leave something and wake nobody")
	}
	if !bits.waits(receive) {
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
	case l.Action == p.leave:
		return l.Target != 0 || p.silently(r, i+1, walk, end, false)
	case l.Op == model.OpDo && l.Target != 0:
		asked := l.Action == model.ActArmed || l.Action == model.ActStateMatch ||
			l.Action == model.ActClaimKept
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
	sleeps, takes := 0, 0
	for i := range r.code {
		switch {
		case r.code[i].Op == model.OpSchedule:
			sleeps++
		case r.code[i].Action == p.take:
			takes++
		}
	}
	before := []model.Action{p.rang, p.take, model.ActPostCQE}
	if first == drain {
		before = nil
	}
	return sleeps == 1 && takes == 1+len(before)/3 &&
		slices.Equal(r.operations(0, loop), before) &&
		slices.Equal(r.operations(end, len(r.code)), []model.Action{model.ActReap,
			model.ActRead, model.ActHandle})
}

// drains says whether the lines behind a test take what is there and post a completion for it.
func (p pair) drains(r *way, test int) bool {
	end := test + int(r.code[test].Target)
	i := slices.IndexFunc(r.code[test:end], func(l model.Line) bool { return l.Action == p.take })
	return i > 0 && slices.Equal(r.operations(test, end),
		[]model.Action{p.rang, p.take, model.ActPostCQE}) && r.code[test+i].Target == 2
}
