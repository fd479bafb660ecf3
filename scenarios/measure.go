package scenarios

import (
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

// measurer turns the records of a run into distributions, while it runs, in constant memory. Only
// the real-time sender's calls and their handling by the real-time receiver count; a message that
// a later loop covers counts as received then. What is sent while the system starts is waited for
// like all others, and is in no distribution.
type measurer struct {
	sender, receiver int32
	from             sim.Time // a call that begins before is not measured
	low              []bool   // by task: lower-priority than the sender, no interrupt thread
	pending          []pendingMessage
	sent, returned   int64    // calls
	early            int64    // of sent: not measured
	refused          int64    // of sent: not posted to the receiver, and the sender was told
	corrupted        int64    // requests in use that were handed out, to anybody
	begin            sim.Time // of the call in progress
	late             sim.Time // of the send that begins, beyond what its record says
	due              []sim.Time
	offSince         []sim.Time // by task: since when preemption or interrupts are off; -1: on
	offDepth         []int32

	send, receive, response, irqStart, lowOff *Histogram

	longest Value // of the sends, the first of equals

	saw func(Value) // told each value; may be nil
}

type pendingMessage struct {
	index          int32 // from 0
	begin, release sim.Time
	queue, number  int32 // number 0: it is not published yet
	refused        bool
}

// measuredKinds is what the measurer reads.
var measuredKinds = []trace.Kind{trace.SendBegin, trace.SendEnd, trace.Publish, trace.Handle,
	trace.BurstDue, trace.BurstBegin, trace.PreemptOff, trace.IRQOff, trace.Refused,
	trace.InUse, trace.SendLate}

func newMeasurer(w *model.Workload, sender, receiver int32, limits []sim.Time) *measurer {
	n := len(w.Tasks)
	m := &measurer{sender: sender, receiver: receiver, low: make([]bool, n),
		due: make([]sim.Time, n), offSince: make([]sim.Time, n), offDepth: make([]int32, n)}
	for i := range w.Tasks {
		m.low[i] = w.Tasks[i].Priority < w.Tasks[sender].Priority
	}
	for i := range w.Loads {
		if w.Loads[i].Kind == model.LoadBurst {
			m.low[w.Loads[i].Task] = false
		}
	}
	for _, h := range []**Histogram{&m.send, &m.receive, &m.response, &m.irqStart, &m.lowOff} {
		*h = NewHistogram(limits)
	}
	return m
}

// take reads a batch of records.
func (m *measurer) take(records []trace.Record) {
	for i := range records {
		r := &records[i]
		switch r.Kind {
		case trace.SendBegin:
			if r.Task == m.sender {
				m.begin = r.At
				m.pending = append(m.pending, pendingMessage{index: int32(m.sent), begin: r.At,
					release: r.At - sim.Time(r.B) - m.late})
				m.sent++
				m.late = 0
				if r.At < m.from {
					m.early++
				}
			}
		case trace.SendLate:
			if r.Task == m.sender {
				m.late = sim.Time(r.A) * trace.LateLap
			}
		case trace.Publish:
			if r.Task == m.sender {
				p := &m.pending[len(m.pending)-1]
				p.number, p.queue = r.A, r.B
			}
		case trace.SendEnd:
			if r.Task == m.sender {
				m.returns(r.At)
			}
		case trace.Handle:
			if r.Task == m.receiver {
				m.handle(r)
			}
		case trace.BurstDue:
			m.due[r.Task] = r.At
		case trace.BurstBegin:
			m.add(m.irqStart, MetricIRQStart, NoMessage, m.due[r.Task], r.At)
		case trace.PreemptOff, trace.IRQOff:
			m.off(r)
		case trace.Refused:
			m.refuse(r)
		case trace.InUse:
			m.corrupted++
		}
	}
}

// returns notes the end of the call in progress.
func (m *measurer) returns(at sim.Time) {
	m.returned++
	if m.begin < m.from {
		return
	}
	m.add(m.send, MetricSend, int32(m.sent-1), m.begin, at)
	if m.send.Count() == 1 || at-m.begin > m.longest.End-m.longest.Begin {
		m.longest = Value{MetricSend, int32(m.sent - 1), m.begin, at}
	}
}

// add counts one value.
func (m *measurer) add(h *Histogram, metric string, message int32, begin, end sim.Time) {
	h.Add(end - begin)
	if m.saw != nil {
		m.saw(Value{metric, message, begin, end})
	}
}

// refuse notes that the message being sent was not posted to the receiver. A later loop may still
// find it in shared memory; if none does, it is not lost, for the sender knows.
func (m *measurer) refuse(r *trace.Record) {
	if r.Task != m.sender || r.B != m.receiver {
		return
	}
	m.refused++
	if last := len(m.pending) - 1; last >= 0 && m.pending[last].begin == m.begin {
		m.pending[last].refused = true
	}
}

// lost is how many messages were not handled although nobody refused them.
func (m *measurer) lost() int64 {
	n := int64(0)
	for _, p := range m.pending {
		if !p.refused {
			n++
		}
	}
	return n
}

// handle receives every message of the queue that the loop had read.
func (m *measurer) handle(r *trace.Record) {
	rest := m.pending[:0]
	for _, p := range m.pending {
		if p.number == 0 || p.queue != r.B || p.number > r.A {
			rest = append(rest, p)
			continue
		}
		if p.begin < m.from {
			continue
		}
		m.add(m.receive, MetricReceive, p.index, p.begin, r.At)
		m.add(m.response, MetricResponse, p.index, p.release, r.At)
	}
	m.pending = rest
}

// off follows the stretches in which a lower-priority task keeps preemption or interrupts off.
func (m *measurer) off(r *trace.Record) {
	if int(r.Task) >= len(m.low) || !m.low[r.Task] {
		return
	}
	if r.B == 1 {
		if m.offDepth[r.Task] == 0 {
			m.offSince[r.Task] = r.At
		}
		m.offDepth[r.Task]++
		return
	}
	m.offDepth[r.Task]--
	if m.offDepth[r.Task] == 0 {
		m.add(m.lowOff, MetricLowPreemptOff, NoMessage, m.offSince[r.Task], r.At)
	}
}
