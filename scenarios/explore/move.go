package explore

import (
	"math/bits"
	"slices"

	"rtsim/model/trace"
	"rtsim/sim"
)

// The moves of an adversary: each takes a run that was looked at to the answers of another one.
// Every answer stays within the range of its question, so the other run is possible, too.

// moveKind is one of the moves that Search chooses from.
type moveKind int

const (
	moveResample moveKind = iota // one answer anew
	moveStep                     // one answer by a step of random magnitude
	moveAlign                    // an effect to where something else happens, or 1 ns beside it
	moveExtreme                  // one answer, or all costs of a task, to an end of the range
	moveDrop                     // back to what the seed draws
	moveAttack                   // see attack.go
	nMoves
)

var moveNames = [nMoves]string{"resample", "step", "align", "extreme", "drop", "attack"}

// mover proposes.
type mover struct {
	a     *arena
	rng   sim.Stream
	swarm [nKinds]bool // which kinds of questions may be answered now
	pins  []pin        // of the proposal
	v     *view        // the run that is moved from
}

func (m *mover) below(n int) int { return int(m.rng.Between(0, int64(n-1))) }

// oneIn is true once in n times.
func (m *mover) oneIn(n int) bool { return m.below(n) == 0 }

// swarmReset turns kinds of questions on and off, so that searches differ in what they try. At
// least bursts, or if there are none the rest, stay on.
func (m *mover) swarmReset() {
	for k := range m.swarm {
		m.swarm[k] = !m.oneIn(3)
	}
	m.swarm[burstGap] = true
	if m.oneIn(2) {
		m.swarm = [nKinds]bool{true, true, true, true, true, true}
	}
}

// propose makes a move from a run.
func (m *mover) propose(kind moveKind, from *candidate, v *view) []pin {
	m.pins, m.v = slices.Clone(from.pins), v
	switch kind {
	case moveDrop:
		m.drop()
	case moveAttack:
		m.attack(from)
	default:
		m.single(kind)
		if m.oneIn(4) {
			m.single(kind)
		}
	}
	return m.pins
}

// single changes the answer to one question.
func (m *mover) single(kind moveKind) {
	q := m.pick()
	if q == nil {
		return
	}
	switch kind {
	case moveResample:
		m.shift(q, q.Least+m.magnitude(q.Greatest-q.Least)-q.Value, m.oneIn(2))
	case moveStep:
		by := m.magnitude(q.Greatest - q.Least)
		if m.oneIn(2) {
			by = -by
		}
		m.shift(q, by, m.oneIn(2))
	case moveAlign:
		if at, ok := m.somewhere(q); ok {
			m.shift(q, int64(at-q.effect)+m.rng.Between(-1, 1), m.oneIn(2))
		}
	case moveExtreme:
		m.extreme(q)
	}
}

// magnitude is a random number up to most, each number of bits alike.
func (m *mover) magnitude(most int64) int64 {
	n := m.rng.Between(0, int64(bits.Len64(uint64(most))))
	return min(m.rng.Between(1, int64(1)<<n), max(most, 0))
}

// pick chooses a question: first the kind, then one of those that can matter to the longest message
// or, once in four times, any.
func (m *mover) pick() *question {
	kinds := [...]siteKind{burstGap, burstGap, burstGap, burstLength, burstLength, arrival,
		arrival, deviceGap, deviceLength, cost}
	kind := kinds[m.below(len(kinds))]
	if !m.swarm[kind] {
		return nil
	}
	var n int
	var chosen *question
	for i := range m.v.asked { // one of those of the kind, evenly
		if q := &m.v.asked[i]; q.kind == kind {
			if n++; m.oneIn(n) {
				chosen = q
			}
		}
	}
	return chosen
}

// somewhere chooses an instant at which something happens, to which a question's effect can move:
// of a burst mostly something on its CPU.
func (m *mover) somewhere(q *question) (sim.Time, bool) {
	earliest := q.effect - sim.Time(q.Value-q.Least)
	latest := q.effect + sim.Time(q.Greatest-q.Value)
	records := m.v.records
	first, last := m.v.index(earliest), m.v.index(latest+1)
	if first >= last {
		return 0, false
	}
	cpu := int16(-1)
	if q.load >= 0 && !m.oneIn(4) {
		cpu = int16(m.a.workload.Loads[q.load].CPU)
	}
	for range 16 {
		r := &records[first+m.below(last-first)]
		if r.Kind < trace.FirstNote && (cpu < 0 || r.CPU == cpu) {
			return r.At, true
		}
	}
	return 0, false
}

// extreme takes an answer, or a task's costs around a message, to the end of the range.
func (m *mover) extreme(q *question) {
	to := func(q *question, greatest bool) {
		end := q.Least
		if greatest {
			end = q.Greatest
		}
		m.shift(q, end-q.Value, q.kind != cost && m.oneIn(2))
	}
	greatest := !m.oneIn(4)
	if q.kind == deviceGap && m.oneIn(10) { // seldom: it drowns what is finer
		m.flood(q)
		return
	}
	if q.kind != cost {
		to(q, greatest)
		return
	}
	for i := range m.v.asked {
		p := &m.v.asked[i]
		if p.kind == cost && p.task == q.task && p.at >= q.at-200*sim.Microsecond && p.at <= q.at {
			to(p, greatest)
		}
	}
}

// floodMost is how many interrupts a flood has: enough for two bursts of the published experiment.
const floodMost = 150

// flood has interrupts of a device come as fast as they may, from one on, and last as long.
func (m *mover) flood(q *question) {
	_, greatest := m.a.workload.Loads[q.load].Length.Range()
	for i := range uint64(floodMost) {
		m.set(q.Site, q.Ordinal+i, q.Least)
		m.set(q.Site-1, q.Ordinal+i, int64(greatest)) // its lengths, see model's addStreams
	}
}

// drop takes some answers back, at least one.
func (m *mover) drop() {
	for n := m.below(len(m.pins)/2+1) + 1; n > 0 && len(m.pins) > 0; n-- {
		i := m.below(len(m.pins))
		m.pins = slices.Delete(m.pins, i, i+1)
	}
}

// shift moves an answer, as far as its range allows, and says how far. What comes after a burst
// or an interrupt moves with it, unless it is to stay: then the gap after it makes up for it.
func (m *mover) shift(q *question, by int64, stay bool) int64 {
	now := q.Value
	if i, found := m.find(q.Site, q.Ordinal); found {
		now = m.pins[i].value // a move may change an answer twice
	}
	value := min(max(now+by, q.Least), q.Greatest)
	m.set(q.Site, q.Ordinal, value)
	if stay && q.load >= 0 {
		if next := m.gapAfter(q); next != nil {
			m.shift(next, now-value, false)
		}
	}
	return value - now
}

// gapAfter is the question for the gap that comes after a gap or a length.
func (m *mover) gapAfter(q *question) *question {
	for i := range m.v.asked {
		p := &m.v.asked[i]
		if p.load == q.load && (p.kind == burstGap || p.kind == deviceGap) && p.at >= q.at &&
			p.effect > q.effect && p.Question != q.Question {
			return p
		}
	}
	return nil
}

func (m *mover) find(site sim.StreamID, ordinal uint64) (int, bool) {
	return slices.BinarySearchFunc(m.pins, pin{site: site, ordinal: ordinal}, byQuestion)
}

// set pins an answer.
func (m *mover) set(site sim.StreamID, ordinal uint64, value int64) {
	i, found := m.find(site, ordinal)
	if !found {
		m.pins = slices.Insert(m.pins, i, pin{site: site, ordinal: ordinal})
	}
	m.pins[i].value = value
}
