package blame

import (
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

// A message's time to its handling belongs to its sender first, then to its receiver. They meet
// where the receiver was woken for the last time before it handled the message:
//
//	from the send to that wake-up    the sender's time, if he woke the receiver; if another did,
//	                                 up to where the sender had done all that he does for this
//	                                 receiver, and from there on the other, who had claimed it
//	from there to the handling       the receiver's
//
// If the receiver was awake all the time, all of it is its own, unless it polled until the message
// became visible: up to there it is the sender's.

// Message is one message of the sender.
type Message struct {
	Number  int32    // from 0
	Begin   sim.Time // the send call begins
	End     sim.Time // it returns; sim.Never: not yet
	Handled sim.Time // the receiver's loop has it; sim.Never: not yet

	queue     int32
	serial    int32    // its number in the queue; 0: it is not published yet
	published sim.Time // then it became visible
	polled    bool     // the receiver was polling then

	woken  sim.Time // the receiver's last wake-up since Begin, lock waits apart; -1: none
	by     int32    // who woke it
	passed sim.Time // the sender's last operation on the receiver, or his wake-up of it; -1: none
	last   sim.Time // his last operation at all; -1: none
}

// Follower keeps a History and the messages between two tasks that are not over.
type Follower struct {
	*History
	Sender, Receiver int32
	// Receives says that a message is over when it is handled, and not when its call returns.
	Receives bool
	// From is the instant before which no message begins that Over is called for.
	From sim.Time
	Open []Message // that are not over, oldest first
	// Over is called for each such message that is over, in the order of sending. It may ask for
	// its parts then; the caller sets it before the first record.
	Over func(m *Message)

	sending bool
	at      int32 // the endpoint's task that the sender is at, none
}

// NewFollower follows the messages from one task to another.
func NewFollower(s *trace.Names, sender, receiver int32) *Follower {
	return &Follower{History: NewHistory(s), Sender: sender, Receiver: receiver, at: none}
}

// TakeAll reads the next records and forgets what no message is left to ask for.
func (f *Follower) TakeAll(records []trace.Record) {
	for i := range records {
		f.take(&records[i])
	}
	before := f.now
	if len(f.Open) > 0 {
		before = f.Open[0].Begin
	}
	f.Forget(before)
}

func (f *Follower) take(r *trace.Record) {
	f.Take(r)
	switch {
	case r.Kind == trace.Handle && r.Task == f.Receiver:
		for i := range f.Open {
			if m := &f.Open[i]; m.serial > 0 && m.serial <= r.A && m.queue == r.B {
				m.Handled = min(m.Handled, r.At)
			}
		}
		f.close()
	case r.Kind == trace.SchedWakeup && r.Task == f.Receiver:
		f.takeWakeup(r)
	case r.Task == f.Sender:
		f.takeSender(r)
	}
}

func (f *Follower) takeWakeup(r *trace.Record) {
	if why := trace.Sleep(r.B); why == trace.OnLock || why == trace.OnReaders {
		return
	}
	for i := range f.Open {
		if m := &f.Open[i]; m.Handled == sim.Never {
			m.woken, m.by = r.At, r.A
		}
	}
	if r.A == f.Sender && f.sending {
		f.Open[len(f.Open)-1].passed = r.At
	}
}

// takeSender is about the sender's calls.
func (f *Follower) takeSender(r *trace.Record) {
	switch r.Kind {
	case trace.SendBegin:
		f.sending, f.at = true, none
		f.Open = append(f.Open, Message{Number: r.A, Begin: r.At, End: sim.Never,
			Handled: sim.Never, woken: -1, by: none, passed: -1, last: -1})
	case trace.Publish:
		if f.sending {
			m := &f.Open[len(f.Open)-1]
			m.serial, m.queue, m.published = r.A, r.B, r.At
			m.polled = f.tasks[f.Receiver].last().spins == spinsOnWord
		}
	case trace.SendEnd:
		f.sending = false
		f.Open[len(f.Open)-1].End = r.At
		f.close()
	case trace.Event:
		if !f.sending {
			return
		}
		m := &f.Open[len(f.Open)-1]
		m.last = r.At
		switch model.Action(r.B / 2) {
		case model.ActNextOpen, model.ActHashNext, model.ActNodeNext, model.ActWakeQNext:
			f.at = none
			if r.A != none {
				f.at = f.Endpoints[r.A]
			}
		}
		if f.at == f.Receiver {
			m.passed = r.At
		}
	}
}

// close reports what is over, in the order of sending.
func (f *Follower) close() {
	n := 0
	for n < len(f.Open) && f.Open[n].End != sim.Never &&
		(!f.Receives || f.Open[n].Handled != sim.Never) {
		if f.Open[n].Begin >= f.From {
			f.Over(&f.Open[n])
		}
		n++
	}
	f.Open = append(f.Open[:0], f.Open[n:]...)
}

// Total is how long a message took: its call, or until it was handled.
func (f *Follower) Total(m *Message) sim.Time {
	if f.Receives {
		return m.Handled - m.Begin
	}
	return m.End - m.Begin
}

// Parts are the parts of that time.
func (f *Follower) Parts(m *Message) []Part {
	if !f.Receives {
		return f.Stretch(f.Sender, m.Begin, m.End)
	}
	left, woken := f.meeting(m)
	parts := f.Stretch(f.Sender, m.Begin, left)
	for _, p := range f.awaited(f.Receiver, left, woken) {
		parts = join(parts, p)
	}
	for _, p := range f.Stretch(f.Receiver, woken, m.Handled) {
		parts = join(parts, p)
	}
	return parts
}

// meeting is until when a message's time to its handling is its sender's, and from when on it is
// its receiver's. Between them it is that of who had claimed the wake-up.
func (f *Follower) meeting(m *Message) (left, woken sim.Time) {
	switch {
	case m.woken < 0 && m.polled:
		return m.published, m.published
	case m.woken < 0:
		return m.Begin, m.Begin
	case m.by != f.Sender:
		return min(f.doneWith(m), m.woken), m.woken
	}
	return m.woken, m.woken
}

// doneWith is when the sender had done all that he does for the receiver.
func (f *Follower) doneWith(m *Message) sim.Time {
	switch {
	case m.passed >= 0:
		return m.passed
	case m.last >= 0:
		return m.last
	}
	return m.End
}
