package explore

import (
	"slices"

	"rtsim/model/trace"
	"rtsim/scenarios/blame"
	"rtsim/sim"
)

// view is a run as an adversary looks at it: all that happened, all that was asked, and what is to
// blame for its longest message.
type view struct {
	records   []trace.Record
	asked     []question
	messages  []message
	signature string // kind of the blame chain
}

// question is one that was asked in a run.
type question struct {
	sim.Question
	site
	at sim.Time // when it was asked
	// effect is when that which it decides happens: a burst begins or ends, a task is released, a
	// step is over. A greater answer moves it back by the difference, unless something else does.
	effect sim.Time
}

// look makes a candidate's run again and keeps all of it.
func (a *arena) look(c *candidate) (*view, error) {
	v, err := a.glance(c)
	if err != nil {
		return nil, err
	}
	v.signature = a.signature(&a.starts[c.start], v, c.worst)
	return v, nil
}

// glance is a look that does not ask who is to blame.
func (a *arena) glance(c *candidate) (*view, error) {
	m := a.seen
	s := a.begin(m, c)
	first := make([]uint64, len(a.sites)) // by site: the next ordinal
	tape := m.Tape()
	for id := range first {
		first[id] = tape.Ordinal(sim.StreamID(id))
	}
	tape.Listen()
	v := &view{asked: s.asked(c.pins)}
	before, asked := m.Steps(), len(v.asked)
	for m.Next() <= c.to && m.Next() != sim.Never {
		at := m.Next()
		if err := m.Run(at); err != nil {
			return nil, a.failed(s.seed, err)
		}
		for _, q := range tape.Asked()[len(v.asked)-asked:] {
			v.asked = append(v.asked, question{Question: q, site: a.sites[q.Site], at: at})
		}
	}
	a.runs, a.steps = a.runs+1, a.steps+m.Steps()-before
	v.records = slices.Clone(m.Trace)
	a.messages(v.records, func(m message) { v.messages = append(v.messages, m) })
	v.asked = slices.DeleteFunc(v.asked, func(q question) bool { return q.kind == fixed })
	a.effects(v, first)
	return v, nil
}

// signature names the chain that is to blame for a message.
func (a *arena) signature(s *start, v *view, worst message) (kind string) {
	f := blame.NewFollower(a.names, a.sender, a.receiver)
	f.Receives = a.receives
	f.Over = func(m *blame.Message) {
		if m.Number == worst.number {
			kind = blame.Kind(f.Parts(m))
		}
	}
	f.TakeAll(s.before)
	f.TakeAll(v.records)
	return kind
}

// effects finds when what was asked had its effect. first is the ordinal of each site's first
// question in the window.
func (a *arena) effects(v *view, first []uint64) {
	arrivals := make([][]sim.Time, len(a.workload.Loads)) // in the window
	loadOf := make([]int, len(a.names.Sources))
	for slot, name := range a.names.Sources {
		loadOf[slot] = -1
		for i := range a.workload.Loads {
			if a.workload.Loads[i].Name == name {
				loadOf[slot] = i
			}
		}
	}
	for i := range v.records {
		r := &v.records[i]
		if r.Kind == trace.IRQEntry && loadOf[r.A] >= 0 {
			arrivals[loadOf[r.A]] = append(arrivals[loadOf[r.A]], r.At)
		}
	}
	for i := range v.asked {
		q := &v.asked[i]
		q.effect = q.at + sim.Time(q.Value)
		switch q.kind {
		case burstGap, deviceGap: // the first arrival in the window was asked for before
			n := int(q.Ordinal-first[q.Site]) + 1
			if times := arrivals[q.load]; n < len(times) {
				q.effect = times[n]
				continue
			} else if n > 0 && n <= len(times) { // from the last arrival, not its handler's end
				q.effect = times[n-1] + sim.Time(q.Value)
			}
			q.effect += v.lengthBefore(i)
		case burstLength:
			q.effect = v.next(q.effect, int32(a.workload.Loads[q.load].Task), trace.TaskSleep)
		case arrival:
			q.effect = v.next(q.at, q.task, trace.SchedWakeup)
		}
	}
}

// lengthBefore is the length that was asked for just before the gap after it.
func (v *view) lengthBefore(i int) sim.Time {
	if i > 0 && v.asked[i-1].kind == burstLength && v.asked[i-1].load == v.asked[i].load {
		return sim.Time(v.asked[i-1].Value)
	}
	return 0
}

// next is when something happens to a task, not before an instant; or that instant.
func (v *view) next(at sim.Time, task int32, kind trace.Kind) sim.Time {
	for i := v.index(at); i < len(v.records); i++ {
		if r := &v.records[i]; r.Task == task && r.Kind == kind {
			return r.At
		}
	}
	return at
}

// index is the first record that is not before an instant.
func (v *view) index(at sim.Time) int {
	i, _ := slices.BinarySearchFunc(v.records, at, func(r trace.Record, at sim.Time) int {
		return int(max(min(r.At-at, 1), -1))
	})
	for i > 0 && v.records[i-1].At >= at {
		i--
	}
	return i
}
