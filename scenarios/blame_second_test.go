package scenarios

import (
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios/blame"
	"rtsim/sim"
)

// second follows the messages of one run the second way.
type second struct {
	*forward
	sender, receiver int32
	open             []secondMessage
	at               int32 // whom the sender's walk is at
	sent, received   func(number int32, list []stretch)
}

// secondMessage has what its two tasks did, as if each were to blame alone.
type secondMessage struct {
	number          int32
	begin           sim.Time
	ended, handled  sim.Time // 0: not yet
	send, get, left []stretch
	wake            sim.Time // the receiver's last wake-up, 0: none
	by              int32
	queue, serial   int32 // 0: it is not published
	published       sim.Time
	polled          bool     // the receiver polled then
	about, any      sim.Time // the sender's last operation on the receiver, and at all
}

// run goes through all records.
func (s *second) run() {
	for len(s.rest) > 0 {
		until := s.instant(s.see)
		for s.now < until {
			to := s.cut(until)
			for i := range s.open {
				s.note(&s.open[i], to)
			}
			s.now = to
		}
	}
}

// note writes down who is to blame from now on.
func (s *second) note(m *secondMessage, to sim.Time) {
	if m.ended == 0 {
		m.send = append(m.send, stretch{s.now, to, s.chain(s.sender)})
	}
	if m.handled != 0 {
		return
	}
	own := s.chain(s.receiver)
	m.get = append(m.get, stretch{s.now, to, own})
	if owes := s.owes[s.receiver]; len(owes) > 0 {
		own = blame.Claimed + s.whoseFault(owes[0])
	}
	m.left = append(m.left, stretch{s.now, to, own})
}

func (s *second) see(r *trace.Record) {
	var last *secondMessage
	if len(s.open) > 0 {
		last = &s.open[len(s.open)-1]
	}
	sending := last != nil && last.ended == 0
	switch {
	case r.Kind == trace.SendBegin && r.Task == s.sender:
		s.open = append(s.open, secondMessage{number: r.A, begin: r.At, by: -1})
		s.at = -1
	case r.Kind == trace.Publish && r.Task == s.sender:
		last.serial, last.queue, last.published = r.A, r.B, r.At
		l, spins := s.spin[s.receiver]
		last.polled = spins && l < 0
	case r.Kind == trace.SendEnd && r.Task == s.sender:
		last.ended = r.At
		s.sent(last.number, last.send)
	case r.Kind == trace.Event && r.Task == s.sender && sending:
		switch model.Action(r.B >> 1) {
		case model.ActNextOpen, model.ActHashNext, model.ActNodeNext, model.ActWakeQNext:
			s.at = -1
			if r.A >= 0 {
				s.at = s.sys.Endpoints[r.A]
			}
		}
		if last.any = r.At; s.at == s.receiver {
			last.about = r.At
		}
	case r.Kind == trace.SchedWakeup && r.Task == s.receiver &&
		trace.Sleep(r.B) != trace.OnLock && trace.Sleep(r.B) != trace.OnReaders:
		for i := range s.open {
			if m := &s.open[i]; m.handled == 0 {
				m.wake, m.by = r.At, r.A
			}
		}
		if sending && r.A == s.sender {
			last.about = r.At
		}
	case r.Kind == trace.Handle && r.Task == s.receiver:
		for i := range s.open {
			m := &s.open[i]
			if m.handled == 0 && m.serial > 0 && m.serial <= r.A && m.queue == r.B {
				m.handled = r.At
			}
		}
	default:
		return
	}
	for len(s.open) > 0 && s.open[0].ended != 0 && s.open[0].handled != 0 {
		s.received(s.open[0].number, s.open[0].story())
		s.open = s.open[1:]
	}
}

// story is the sender's part, then what others had been left with, then the receiver's.
func (m *secondMessage) story() []stretch {
	if m.wake == 0 && m.polled {
		return append(within(m.send, m.begin, m.published),
			within(m.get, m.published, m.handled)...)
	}
	handOver := m.wake
	if m.wake != 0 && m.by != -1 && m.about != m.wake {
		handOver = m.ended
		if m.about != 0 {
			handOver = m.about
		} else if m.any != 0 {
			handOver = m.any
		}
	}
	handOver = min(handOver, m.wake)
	story := within(m.send, m.begin, handOver)
	story = append(story, within(m.left, handOver, m.wake)...)
	return append(story, within(m.get, max(m.wake, m.begin), m.handled)...)
}

// within cuts stretches to a window.
func within(list []stretch, from, to sim.Time) (out []stretch) {
	for _, s := range list {
		if s.from, s.to = max(s.from, from), min(s.to, to); s.from < s.to {
			out = append(out, s)
		}
	}
	return out
}
