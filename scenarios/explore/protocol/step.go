package protocol

import (
	"errors"
	"fmt"
	"slices"

	"rtsim/model"
)

// errQueued is a work item that is pushed twice: two wakers take it for theirs.
var errQueued = errors.New("a work item is pushed that is queued already")

// code is a thread's program.
func (s *search) code(who int8) []line {
	if who == receiver {
		return s.receive
	}
	return s.send
}

// stuck says what keeps a thread from its next step: nothing, a lock, or something else.
func (s *search) stuck(st *state, who int8) (byLock, byOther bool) {
	t := &st.threads[who]
	if t.done || t.asleep {
		return false, true
	}
	l := &s.code(who)[t.pc]
	switch {
	case l.op == model.OpLock:
		return l.lock != noLock && st.owner[l.lock] != nobody, false
	case l.op == model.OpDo && l.action == model.ActPoll:
		return false, st.seen == st.published
	case l.op == model.OpDo && l.action == model.ActWorkPop:
		return false, st.work.n > 0 && !st.items[st.work.at[0]].linked
	}
	return false, false
}

// private are operations on what only their thread has, or what never changes here.
var private = []model.Action{model.ActNextOpen, model.ActNodeNext, model.ActHashMatch,
	model.ActNoCQE, model.ActPostCQE, model.ActPosted, model.ActReap, model.ActRequestFill,
	model.ActPushedFirst, model.ActSignalThere, model.ActCacheGot, model.ActPoolGot,
	model.ActPoolReturn, model.ActRefuse}

// invisible says that a thread's next step concerns nobody else, whatever they do meanwhile.
// Whether a low sender can be preempted is seen, by who looks for windows.
func (s *search) invisible(st *state, who int8) bool {
	t := &st.threads[who]
	if t.done || t.asleep {
		return false
	}
	low := who > sender
	switch l := &s.code(who)[t.pc]; l.op {
	case model.OpExec, model.OpJump:
		return true
	case model.OpLock, model.OpUnlock, model.OpTry:
		return l.lock == noLock && !(l.raw && low)
	case model.OpOff, model.OpOn:
		return !low
	case model.OpDo:
		return slices.Contains(private, l.action) || slices.Contains(gives, l.action) ||
			slices.Contains(refuses, l.action)
	}
	return false
}

// step takes a thread's next step; the thread is not stuck.
func (s *search) step(st *state, who int8) error {
	t := &st.threads[who]
	l := &s.code(who)[t.pc]
	next := int(t.pc) + 1
	t.begun = true
	switch l.op {
	case model.OpExec:
	case model.OpJump:
		next = l.target
	case model.OpLock:
		lock(st, t, l, who)
	case model.OpUnlock:
		if l.lock != noLock {
			st.owner[l.lock] = nobody
		}
		if l.raw {
			t.off--
		}
	case model.OpTry:
		if l.lock != noLock && st.owner[l.lock] != nobody {
			next = l.target
			break
		}
		lock(st, t, l, who)
	case model.OpOff:
		t.off++
	case model.OpOn:
		t.off--
	case model.OpPrepare:
		t.interruptible = true
	case model.OpSchedule:
		t.asleep = t.interruptible
	case model.OpWake:
		st.threads[receiver].asleep, st.threads[receiver].interruptible = false, false
	case model.OpDo:
		yes, err := st.do(t, l.action, who)
		if err != nil {
			return err
		}
		if !yes {
			next = l.target
		}
	default:
		return fmt.Errorf("operation %d has no meaning without time", l.op)
	}
	t.pc = int16(next)
	s.ends(t, who)
	return nil
}

func lock(st *state, t *thread, l *line, who int8) {
	if l.lock != noLock {
		st.owner[l.lock] = who
	}
	if l.raw {
		t.off++
	}
}

// ends begins a path anew whose end is reached, or ends its thread. What a path has left in the
// registers is cleared, so that states which differ in nothing else are one.
func (s *search) ends(t *thread, who int8) {
	if int(t.pc) < len(s.code(who)) {
		return
	}
	kept := thread{sends: t.sends, message: t.message, refused: t.refused, off: t.off}
	if who != receiver {
		kept.sends--
		kept.done = kept.sends == 0
	}
	*t = kept
}
