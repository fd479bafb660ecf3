package explore

import (
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

// The attack. What makes a message late is nearly always this: a task of no importance has begun
// something that the message needs done (it holds a lock, it has taken a wake-up on itself), a
// burst takes its CPU right then, and the message comes just after. So an attack takes two instants
// of a run, one at which the sender or the receiver does something, the goal, and one at which
// another task on a CPU with bursts did the like, the victim; moves the victim to just before the
// goal, by whatever came before it on its CPU; and has a burst of the greatest length begin in it.

// victim is something that another task does, and for how long.
type victim struct {
	task, cpu, lock int32 // lock none: an operation
	from, to        sim.Time
}

const none int32 = -1

// attack makes the move.
func (m *mover) attack(from *candidate) {
	target := from.worst
	if n := len(m.v.messages); n > 0 && m.oneIn(2) {
		target = m.v.messages[m.below(n)]
	}
	goal, ok := m.goal(target)
	if !ok {
		return
	}
	victims := m.victims(goal)
	if len(victims) == 0 {
		return
	}
	v := victims[0]
	for i := range victims { // mostly the nearest
		if d := distance(victims[i].from, goal.At); d < distance(v.from, goal.At) {
			v = victims[i]
		}
	}
	if m.oneIn(2) {
		v = victims[m.below(len(victims))]
	}
	into := sim.Time(m.rng.Between(1, int64(max(v.to-v.from, 1))))
	moved := sim.Time(0)
	if v.from+into > goal.At || v.to <= goal.At || m.oneIn(4) {
		moved = m.pull(&v, goal.At-into-v.from)
	}
	at := v.from + moved + 1
	if m.oneIn(2) {
		at = v.from + moved + into
	}
	m.strike(v.cpu, at)
}

func distance(a, b sim.Time) sim.Time { return max(a-b, b-a) }

// goal is something that the sender or the receiver does for a message.
func (m *mover) goal(target message) (goal trace.Record, ok bool) {
	n := 0
	records := m.v.records
	for i := m.v.index(target.begin); i < len(records) && records[i].At <= target.over; i++ {
		r := &records[i]
		if r.Task != m.a.sender && (r.Task != m.a.receiver || !m.a.receives) {
			continue
		}
		switch r.Kind {
		case trace.LockAcquired, trace.WaiterQueued, trace.SpinBegin, trace.Publish:
		case trace.Event:
			if m.oneIn(2) {
				continue
			}
		default:
			continue
		}
		if n++; m.oneIn(n) {
			goal, ok = *r, true
		}
	}
	return goal, ok
}

// victims are what others did, on CPUs that have bursts, with the goal's lock; or of the goal's
// kind.
func (m *mover) victims(goal trace.Record) (all []victim) {
	records, open := m.v.records, -1
	for i := range records {
		r := &records[i]
		if r.Task < 0 || r.Task == m.a.sender || m.a.burstOn(int32(r.CPU)) < 0 {
			continue
		}
		switch goal.Kind {
		case trace.Publish, trace.Event:
			if r.Kind == goal.Kind && (r.A == goal.A || r.B/2 == goal.B/2) {
				all = append(all, victim{task: r.Task, cpu: int32(r.CPU), lock: none, from: r.At,
					to: m.goesOn(i)})
			}
		default:
			switch {
			case r.Kind == trace.LockAcquired && r.A == goal.A:
				open = len(all)
				all = append(all, victim{task: r.Task, cpu: int32(r.CPU), lock: r.A, from: r.At,
					to: r.At + 1})
			case r.Kind == trace.LockReleased && r.A == goal.A && open >= 0:
				all[open].to, open = r.At, -1
			}
		}
	}
	return all
}

// goesOn is when a task does the next thing after a record.
func (m *mover) goesOn(i int) sim.Time {
	r := &m.v.records[i]
	for j := i + 1; j < len(m.v.records); j++ {
		q := &m.v.records[j]
		if q.At > r.At && (q.Task == r.Task || q.Kind == trace.SchedWakeup && q.A == r.Task) {
			return q.At
		}
	}
	return r.At + 1
}

// burstOn is the load whose bursts are on a CPU, -1 if there is none.
func (a *arena) burstOn(cpu int32) int {
	for i := range a.workload.Loads {
		if d := &a.workload.Loads[i]; d.Kind == model.LoadBurst && d.CPU == cpu {
			return i
		}
	}
	return -1
}

// pull moves a victim in time: by what had its effect on the victim's CPU before it, or on the task
// itself, the later the likelier. It says how far.
func (m *mover) pull(v *victim, by sim.Time) sim.Time {
	for i := len(m.v.asked) - 1; i >= 0; i-- {
		q := &m.v.asked[i]
		own := q.task == v.task && q.kind == arrival
		onCPU := q.load >= 0 && m.a.workload.Loads[q.load].CPU == v.cpu
		if q.effect > v.from || !own && !onCPU || !m.swarm[q.kind] || m.oneIn(3) {
			continue
		}
		if moved := sim.Time(m.shift(q, int64(by), false)); moved != 0 {
			return moved
		}
	}
	return 0
}

// handlerMost is how long after its interrupt a burst's length is asked for at most, about.
const handlerMost = 5 * sim.Microsecond

// strike has a burst of the greatest length begin on a CPU at an instant.
func (m *mover) strike(cpu int32, at sim.Time) {
	load := m.a.burstOn(cpu)
	var gap *question
	for i := range m.v.asked { // the one that needs to be moved least
		q := &m.v.asked[i]
		if q.kind != burstGap || q.load != load {
			continue
		}
		if gap == nil || distance(q.effect, at) < distance(gap.effect, at) {
			gap = q
		}
	}
	if gap == nil {
		return
	}
	carried := sim.Time(0) // what earlier answers of this proposal move it by
	for i := range m.v.asked {
		q := &m.v.asked[i]
		if q.load != load || q.at > gap.at || q.Question == gap.Question {
			continue
		}
		if j, found := m.find(q.Site, q.Ordinal); found {
			carried += sim.Time(m.pins[j].value - q.Value)
		}
	}
	m.shift(gap, int64(at-gap.effect-carried), false)
	for i := range m.v.asked {
		q := &m.v.asked[i]
		if q.kind == burstLength && q.load == load &&
			distance(q.at, gap.effect) < handlerMost {
			m.shift(q, q.Greatest-q.Value, m.oneIn(2))
		}
	}
}
