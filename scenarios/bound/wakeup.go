package bound

import (
	"slices"

	"rtsim/model"
)

// A wake-up that cannot be missed. The bound of a receive says that the receiver, once the call has
// ended, does not sleep before it has handled the message. That holds of a protocol, an order of
// steps on both sides, and not of each listing that has such steps:
//
//	the sender     leaves something, and after that wakes whom it finds waiting
//	the receiver   says that it waits, and after that looks for what was left, and sleeps only if
//	               there is nothing; takes all of it, makes completions of it, and only then reads
//	               how much is published
//
// Steps are atomic and in one order. So either the receiver looks after the sender has left
// something, and does not sleep; or the sender looks after the receiver has said that it waits, and
// wakes it. A listing that is not of this form, as it stands here, has no bound: it may be right
// for another reason, but that is not looked into.

// sees are the operations that go together: what leaves something, whether there is nothing, or
// something, to find, and what takes it.
type sees struct{ leaves, silent, rang, takes model.Action }

// bell is a doorbell; work is an endpoint's own item on a list on which it is published and linked
// in one step, whose mark says that it is there, or is being taken.
var (
	bell = sees{model.ActBell, model.ActBellSilent, model.ActBellSet, model.ActTakeBell}
	work = sees{model.ActWorkAdd, model.ActNoWork, model.ActWork, model.ActWorkPop}
)

// misses says what in the order of steps lets the receiver miss a wake-up; "" if nothing does.
func (s sees) misses(send, receive *path) string {
	if receive.code[0].Action == model.ActPoll { // it sleeps for nobody
		if acts := actions(receive); !slices.Equal(acts, []model.Action{model.ActPoll,
			model.ActRead, model.ActHandle}) {
			return "the receiver does more than to poll"
		}
		return ""
	}
	if leaves, wakes := s.sender(send.tree, send, left{}); !leaves || !wakes {
		return "not every way through the sender's listing leaves something and then wakes"
	}
	if !s.receiver(receive) {
		return "the receiver does not say that it waits, look, sleep, take and read in this order"
	}
	return ""
}

// actions are a listing's operations, in the order of its lines.
func actions(p *path) (all []model.Action) {
	for i := range p.code {
		if act := p.code[i].Action; act != model.ActNone {
			all = append(all, act)
		}
	}
	return all
}

// left is what is known at a step of the sender's: he has left something, and since then has woken
// whom he found waiting.
type left struct{ left, woken bool }

// sender says whether, behind the nodes, something was left and the receiver woken since. A walk
// comes to the receiver; what is known behind its body is known behind it.
func (s sees) sender(nodes []node, p *path, l left) (leaves, wakes bool) {
	for i := range nodes {
		n := &nodes[i]
		line := &p.code[n.line]
		if n.kind != leaf && line.Action == s.leaves {
			return false, false // it matters what was there before
		}
		yes, no := l, l
		switch {
		case s.marks(n, p):
			l = left{left: true}
			continue
		case line.Action == s.leaves:
			l = left{left: true}
			continue
		case line.Op == model.OpWake:
			l.woken = l.left
			continue
		case n.kind == leaf:
			continue
		case line.Action == model.ActArmed || line.Action == model.ActClaimKept ||
			line.Action == model.ActStateMatch:
			no.woken = no.left // it does not wait: it will look, or somebody has claimed it
		case claims(line) && p.claimsAtomically(n.line):
			no.woken = no.left // somebody has claimed it
		}
		yes.left, yes.woken = s.sender(n.yes, p, yes)
		walk := line.Action == model.ActNextOpen || line.Action == model.ActNodeNext
		if n.kind == loop && walk {
			l = yes
			continue
		}
		no.left, no.woken = s.sender(n.no, p, no)
		l = left{yes.left && no.left, yes.woken && no.woken}
	}
	return l.left, l.woken
}

// receiver says whether the receiver's listing is of the one form: what came before is taken; while
// there is no completion it waits, and takes; then it takes the completions, reads and handles.
func (s sees) receiver(p *path) bool {
	waits := -1
	for i := range p.tree {
		n := &p.tree[i]
		act := p.code[n.line].Action
		switch {
		case n.kind == loop && act == model.ActNoCQE && waits < 0:
			waits = i
			if !s.waits(n.yes, p) {
				return false
			}
		case n.kind == branch && act == s.rang && waits < 0 && len(n.no) == 0:
			if !s.takesAll(n.yes, p) {
				return false
			}
		case n.kind != leaf:
			return false
		}
	}
	if waits < 0 {
		return false
	}
	var acts []model.Action
	for _, n := range p.tree[waits+1:] {
		if act := p.code[n.line].Action; act != model.ActNone {
			acts = append(acts, act)
		}
	}
	all := actions(p)
	return slices.Equal(acts, []model.Action{model.ActReap, model.ActRead, model.ActHandle}) &&
		count(all, model.ActRead) == 1 && count(all, model.ActReap) == 1
}

// claims says whether a step may take the right to wake from others.
func claims(l *model.Line) bool {
	return l.Action == model.ActClaim || l.Action == model.ActClaimLazy
}

// mayClaim says whether a listing has such a step.
func (p *path) mayClaim() bool {
	return slices.ContainsFunc(p.code, func(l model.Line) bool { return claims(&l) })
}

// claimsAtomically says whether preemption is off from a claim to the wake-up, so that whoever has
// claimed wakes within one section.
func (p *path) claimsAtomically(line int) bool {
	for i := line; i < line+int(p.code[line].Target); i++ {
		if !slices.ContainsFunc(p.held[i], func(h model.Ref) bool {
			return h.String() == preemptOff
		}) {
			return false
		}
	}
	return true
}

// marks says whether a test sets the mark, and adds the item if it was not set, under the lock of
// the node, which whoever sets it takes: so what finds it set finds the item on the list, or the
// receiver before it clears the mark, and so before it reads.
func (s sees) marks(n *node, p *path) bool {
	return s == work && n.kind == branch && p.code[n.line].Action == model.ActMarkPending &&
		len(n.no) == 0 && len(n.yes) == 1 && n.yes[0].kind == leaf &&
		p.code[n.yes[0].line].Action == model.ActWorkAdd &&
		slices.Contains(p.held[n.line], model.RefNode) &&
		slices.Contains(p.held[n.yes[0].line], model.RefNode)
}

func count(all []model.Action, act model.Action) (n int) {
	for _, a := range all {
		if a == act {
			n++
		}
	}
	return n
}

// waits says whether the body of the waiting loop says that it waits, looks, sleeps, and takes.
func (s sees) waits(body []node, p *path) bool {
	if len(body) != 5 {
		return false
	}
	line := func(i int) *model.Line { return &p.code[body[i].line] }
	looks := &body[2]
	return line(0).Action == model.ActArm && line(1).Op == model.OpPrepare &&
		line(2).Action == s.silent && looks.kind == branch && len(looks.no) == 0 &&
		len(looks.yes) == 1 && p.code[looks.yes[0].line].Op == model.OpSchedule &&
		line(3).Action == model.ActDisarm &&
		line(4).Action == s.rang && body[4].kind == branch && s.takesAll(body[4].yes, p)
}

// takesAll says whether what was left is taken there, and makes a completion.
func (s sees) takesAll(nodes []node, p *path) bool {
	found := 0
	for i := range nodes {
		n := &nodes[i]
		switch {
		case n.kind == leaf:
		case s == work && s.runs(n, p):
			found++
		case n.kind == branch && p.code[n.line].Action == s.takes && len(n.no) == 0 &&
			len(n.yes) == 1 && p.code[n.yes[0].line].Action == model.ActPostCQE:
			found++
		default:
			return false
		}
	}
	return found == 1
}

// runs says whether a loop takes one item after another while there are some, clears its mark, and
// makes a completion.
func (s sees) runs(n *node, p *path) bool {
	if n.kind != loop || p.code[n.line].Action != model.ActWork || len(n.yes) != 1 {
		return false
	}
	pop := &n.yes[0]
	if pop.kind != branch || p.code[pop.line].Action != s.takes || len(pop.yes) != 2 {
		return false
	}
	for _, m := range pop.no {
		if m.kind != leaf || p.code[m.line].Op != model.OpExec {
			return false
		}
	}
	return p.code[pop.yes[0].line].Action == model.ActClearPending &&
		p.code[pop.yes[1].line].Action == model.ActPostCQE
}
