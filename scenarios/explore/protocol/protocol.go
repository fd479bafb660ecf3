// Package protocol explores what a design's listings allow when nothing is known of time: every
// order of the steps of a real-time sender, of low-priority senders and of the receiver. It says
// whether a wake-up can be lost, and where a low-priority sender who is preempted holds back a
// message that is not his: the hand-off windows, which no lock shows and no inheritance shortens.
//
// Threads. S sends once. Each low sender sends once, or a few times. R has opened its end and loops
// over the receive path. Everybody is on a CPU of his own, so every order of steps is possible.
//
// A step is one line of a listing: an operation, a lock, a jump. Operations are atomic, as in the
// listing they stand for one atomic instruction or lie under a lock. What they mean is written
// here a second time and shares no code with model, so that one checks the other. What can't keep
// a message back by itself is left out: the slab and the caches always give, a sheaf has room.
//
// A window. S has returned from his call, his message is not handled, and R does nothing: it is
// parked, or stands before an entry that is not linked yet. A low sender is within his call, at a
// line at which he can be preempted, and R goes on only after he has. He runs at his own
// priority then: R waits for no lock, so nothing boosts him.
//
// A lost wake-up is the same with nobody left who could wake R.
//
// The search is breadth first with all states kept, so the way to a window is a shortest one.
// Reduced leaves out orders of steps that nobody else can see (a time that passes, a private
// lock); the tests hold both to the same answers. Rejected: dynamic partial-order reduction with
// wake-up trees. It explores fewer orders and forgets states, which are few here.
//
// Source of the method: Godefroid, Partial-Order Methods for the Verification of Concurrent
// Systems, LNCS 1032, 1996 (invisible steps of one thread first).
package protocol

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rtsim/designs"
	"rtsim/model"
)

// Options say what is explored.
type Options struct {
	Low     int  // low-priority senders, 1 to 2; 0: one
	Sends   int  // of each of them, 1 to 3; 0: one
	Reduced bool // leave out orders of steps that nobody else sees
	States  int  // an error beyond so many; 0: 4 million
}

// Report is what the search found.
type Report struct {
	States  int      // different ones
	Windows []Window // in the order of the low sender's listing
	Lost    *Trail   // nil: no wake-up can be lost
}

// Kind is what keeps the receiver from going on in a window.
type Kind string

// The kinds.
const (
	Parked   Kind = "parked"   // it sleeps, and who is to wake it has been preempted
	Unlinked Kind = "unlinked" // it is awake, and its next entry is not linked
)

// Window is a line of a low sender's path at which a preemption holds back others' messages.
type Window struct {
	Kind Kind
	Line int    // of the send path, from 0: what he has yet to do
	Step string // its text
	// Trail is a shortest way there.
	Trail Trail
}

// Trail is an order of steps.
type Trail []Stretch

// Stretch is steps that one thread takes one after the other.
type Stretch struct {
	Thread string   // S, R, P or P2
	Steps  []string // texts of its lines
}

// String is one line a stretch.
func (t Trail) String() string {
	var b strings.Builder
	for _, s := range t {
		fmt.Fprintf(&b, "%-2s  %s\n", s.Thread, strings.Join(s.Steps, "; "))
	}
	return b.String()
}

// statesMost is how many states are kept unless asked otherwise: about 300 bytes each.
const statesMost = 4_000_000

// Explore explores a design as it is in its era. It is an error if there are too many states, or
// if the listing does something that has no meaning here, as it is if a path can't go on; and that
// of the context, if it ends.
func Explore(ctx context.Context, d *designs.Design, o Options) (*Report, error) {
	o.Low, o.Sends = max(o.Low, 1), max(o.Sends, 1)
	if o.States == 0 {
		o.States = statesMost
	}
	if o.Low > lowMost || o.Sends > sendsMost {
		return nil, fmt.Errorf("protocol: %d low senders with %d sends; at most %d with %d", o.Low,
			o.Sends, lowMost, sendsMost)
	}
	s := search{ctx: ctx, options: o, send: program(d.Paths.Send, d.Paths.Send),
		receive: program(d.Paths.Receive, nil), seen: map[state]int32{}}
	first, err := s.first(program(d.Paths.Open, nil))
	if err == nil {
		s.add(first, -1, -1)
		err = s.run()
	}
	if err != nil {
		return nil, fmt.Errorf("protocol: %s: %w", d.Variant, err)
	}
	slices.SortFunc(s.report.Windows, func(a, b Window) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return strings.Compare(string(a.Kind), string(b.Kind))
	})
	s.report.States = len(s.states)
	return &s.report, nil
}

// line is a step with its jumps made absolute.
type line struct {
	op     model.Op
	action model.Action
	lock   int8 // whose; noLock: private, or none
	raw    bool // the lock turns preemption off
	target int  // where a jump or a refusal goes
	text   string
	number int // of the listing's line, from 0; -1: it has none
}

// program lays out a path. A send path publishes first, unless it says itself when; of is that
// path, nil for others.
func program(code, of model.Code) []line {
	var p []line
	publishes := slices.ContainsFunc(of, func(l model.Line) bool {
		return l.Action == model.ActPublish
	})
	if of != nil && !publishes {
		p = append(p, line{op: model.OpDo, action: model.ActPublish, lock: noLock,
			text: "publish the message", number: -1})
	}
	for i := range code {
		l := &code[i]
		at := len(p)
		target := at + int(l.Target)
		if l.Target == 0 {
			target = at + 1
		}
		lock, raw := noLock, false
		if l.Op == model.OpLock || l.Op == model.OpUnlock || l.Op == model.OpTry {
			lock, raw = lockOf(l.Ref), !l.Ref.Sleeps()
		}
		p = append(p, line{l.Op, l.Action, lock, raw, target, l.Note, i})
	}
	return p
}
