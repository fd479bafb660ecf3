package protocol

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"rtsim/model"
)

// search is breadth first over all states.
type search struct {
	ctx           context.Context
	options       Options
	send, receive []line
	states        []state
	seen          map[state]int32
	parents       []parent // by state
	report        Report
}

// parent is how a state was first reached.
type parent struct {
	state int32 // -1: it is the first
	who   int8
}

// first is the state in which R has opened its end and everybody else begins.
func (s *search) first(open []line) (state, error) {
	st := state{waitNr: waitInit}
	for i := range st.owner {
		st.owner[i] = nobody
	}
	for i := range st.threads {
		st.threads[i].done = i > 1+s.options.Low
	}
	st.threads[sender].sends = 1
	for i := range s.options.Low {
		st.threads[2+i].sends = int8(s.options.Sends)
	}
	receive := s.receive
	s.receive = open
	for steps := 0; ; steps++ {
		before := st.threads[receiver].pc
		if byLock, byOther := s.stuck(&st, receiver); byLock || byOther || steps > 1000 {
			return st, errors.New("the path that opens an endpoint does not end")
		}
		if err := s.step(&st, receiver); err != nil {
			return st, err
		}
		if st.threads[receiver].pc == 0 && int(before) == len(open)-1 {
			s.receive = receive
			return st, nil
		}
	}
}

// add keeps a state unless it was seen before.
func (s *search) add(st state, from int32, who int8) {
	if _, known := s.seen[st]; known {
		return
	}
	s.seen[st] = int32(len(s.states))
	s.states = append(s.states, st)
	s.parents = append(s.parents, parent{from, who})
}

// run explores all states; what is reached first has the shortest way.
func (s *search) run() error {
	for at := int32(0); int(at) < len(s.states); at++ {
		if len(s.states) > s.options.States {
			return fmt.Errorf("more than %d states", s.options.States)
		}
		if err := s.ctx.Err(); err != nil {
			return err
		}
		movers := s.movers(&s.states[at])
		for _, who := range movers {
			st := s.states[at]
			if err := s.step(&st, who); err != nil {
				return fmt.Errorf("%w, after:\n%s", err, s.trail(at))
			}
			s.add(st, at, who)
		}
		if err := s.judge(at, len(movers)); err != nil {
			return err
		}
	}
	return nil
}

// movers are the threads that can take a step; reduced, one alone if its step is invisible.
func (s *search) movers(st *state) []int8 {
	var movers []int8
	for who := range int8(maxThreads) {
		if byLock, byOther := s.stuck(st, who); byLock || byOther {
			continue
		}
		if s.options.Reduced && s.invisible(st, who) {
			return []int8{who}
		}
		movers = append(movers, who)
	}
	return movers
}

// judge looks whether a state is a window, or a wake-up is lost in it.
func (s *search) judge(at int32, movers int) error {
	st := &s.states[at]
	if _, byOther := s.stuck(st, receiver); !byOther {
		return s.deadlock(at, movers)
	}
	if t := &st.threads[sender]; !t.done || t.refused || t.message <= st.handled {
		return s.deadlock(at, movers)
	}
	kind := Unlinked
	if st.threads[receiver].asleep || s.receive[st.threads[receiver].pc].action == model.ActPoll {
		kind = Parked
	}
	if movers == 0 && s.report.Lost == nil {
		lost := s.trail(at)
		s.report.Lost = &lost
	}
	for who := int8(2); who < maxThreads; who++ {
		t := &st.threads[who]
		if t.done || !t.begun || t.off > 0 || !s.alone(st, who) {
			continue
		}
		owes, err := s.owes(*st, who)
		if err != nil {
			return err
		}
		if owes {
			s.window(at, kind, int(t.pc))
		}
	}
	return nil
}

// owes says whether R goes on once a sender has ended his call. If not, the wake-up is lost
// whether he is preempted or not.
func (s *search) owes(st state, who int8) (bool, error) {
	for left := st.threads[who].sends; st.threads[who].sends == left; {
		if byLock, byOther := s.stuck(&st, who); byLock || byOther {
			return false, nil
		}
		if err := s.step(&st, who); err != nil {
			return false, err
		}
		if _, byOther := s.stuck(&st, receiver); !byOther {
			return true, nil
		}
	}
	return false, nil
}

// alone says that R goes on only after this sender has: nobody else is within a call.
func (s *search) alone(st *state, who int8) bool {
	for other := int8(2); other < maxThreads; other++ {
		if t := &st.threads[other]; other != who && t.begun && !t.done {
			return false
		}
	}
	return true
}

// window notes a window unless its line is known. Who stands at a jump is about to do what it
// leads to.
func (s *search) window(at int32, kind Kind, pc int) {
	for s.send[pc].op == model.OpJump {
		pc = s.send[pc].target
	}
	l := &s.send[pc]
	if slices.ContainsFunc(s.report.Windows, func(w Window) bool {
		return w.Kind == kind && w.Line == l.number
	}) {
		return
	}
	s.report.Windows = append(s.report.Windows,
		Window{Kind: kind, Line: l.number, Step: l.text, Trail: s.trail(at)})
}

// deadlock is an error: nobody can go on, and somebody is within a call.
func (s *search) deadlock(at int32, movers int) error {
	if movers > 0 {
		return nil
	}
	for who := int8(1); who < maxThreads; who++ {
		if !s.states[at].threads[who].done {
			return fmt.Errorf("nobody can go on, after:\n%s", s.trail(at))
		}
	}
	return nil
}

var threadNames = [maxThreads]string{"R", "S", "P", "P2"}

// trail is the way to a state.
func (s *search) trail(at int32) Trail {
	var t Trail
	for p := s.parents[at]; p.state >= 0; at, p = p.state, s.parents[p.state] {
		text := s.took(p, &s.states[at])
		if text == "" {
			continue
		}
		if name := threadNames[p.who]; len(t) == 0 || t[len(t)-1].Thread != name {
			t = append(t, Stretch{Thread: name})
		}
		last := &t[len(t)-1]
		last.Steps = append(last.Steps, text)
	}
	slices.Reverse(t)
	for i := range t {
		slices.Reverse(t[i].Steps)
	}
	return t
}

// took is the text of the step that led to a state, with its result if that decides where the path
// goes on; "" for a jump.
func (s *search) took(p parent, to *state) string {
	code := s.code(p.who)
	pc := int(s.states[p.state].threads[p.who].pc)
	switch l := &code[pc]; {
	case l.op == model.OpJump:
		return ""
	case l.op != model.OpDo && l.op != model.OpTry || l.target == pc+1:
		return l.text
	case int(to.threads[p.who].pc) == l.target%len(code):
		return l.text + " (no)"
	default:
		return l.text + " (yes)"
	}
}
