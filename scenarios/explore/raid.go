package explore

import (
	"cmp"
	"context"
	"slices"

	"rtsim/model/trace"
	"rtsim/sim"
)

// The raid. An attack (attack.go) is drawn; a raid is planned. In a calm run, without bursts and
// devices, it is seen how long each task takes in each of its sections, and that is what it will
// have to do between bursts. So of the locks that a message takes the longest sections of others
// are chosen, a burst delays their task, so that it takes the lock just before the message comes,
// and the next burst begins right then. The first burst's length is changed until the time is
// right. Who is caught is besieged (siege.go). Then the message goes on, to the next lock that it
// takes: there the next raid waits for it, for as long as that helps.

// target is a section, and when a message takes the same lock.
type target struct {
	victim
	at      sim.Time
	message int32
}

const (
	targetsMost = 16
	nearMost    = 30 * sim.Microsecond
	chainMost   = 6                   // raids on one message
	raidNear    = 1 * sim.Microsecond // so long before its message a victim has the lock at most
)

// raids makes raids on each message of a window, and returns the best run.
func (s *searcher) raids(ctx context.Context, start int) (best candidate, err error) {
	calm, err := s.calm(ctx, start)
	if err != nil {
		return best, err
	}
	v, err := s.glance(calm)
	if err != nil {
		return best, err
	}
	for _, t := range s.targets(v, none, 0) {
		if !s.moving && s.runs-s.begun > s.plan.Evaluations/planMost {
			break
		}
		c := calm.clone()
		c.only = t.message + 1
		ok, err := s.raid(ctx, &c, v, t)
		if err != nil {
			return best, err
		}
		for n := 1; ok && n < chainMost; n++ {
			if ok, err = s.onward(ctx, &c); err != nil {
				return best, err
			}
		}
		if c.worst.total() > best.worst.total() {
			best = c
		}
	}
	return best, nil
}

// onward makes a raid on the same message after the last of its waits, and says whether it helped.
func (s *searcher) onward(ctx context.Context, c *candidate) (bool, error) {
	v, err := s.glance(c)
	if err != nil {
		return false, err
	}
	best, woken := *c, c.worst.begin
	for i := v.index(woken); i < len(v.records) && v.records[i].At < c.worst.over; i++ {
		if r := &v.records[i]; r.Kind == trace.SchedWakeup && r.Task == s.sender {
			woken = r.At
		}
	}
	for _, t := range s.targets(v, c.only-1, woken) {
		next := c.clone()
		if _, err := s.raid(ctx, &next, v, t); err != nil {
			return false, err
		}
		if next.worst.total() > best.worst.total() {
			best = next
		}
	}
	better := best.worst.total() > c.worst.total()
	*c = best
	return better, nil
}

// calm is a window in which bursts and devices are still, but for what was due before.
func (s *searcher) calm(ctx context.Context, start int) (*candidate, error) {
	c := &candidate{start: start}
	v, err := s.see(ctx, c)
	if err != nil {
		return nil, err
	}
	m := &mover{a: s.arena, v: v}
	for i := range v.asked {
		if q := &v.asked[i]; q.kind == burstGap || q.kind == deviceGap {
			m.set(q.Site, q.Ordinal, q.Greatest)
		}
	}
	c.pins = m.pins
	return c, s.evaluate(ctx, c)
}

// targets are the longest sections: of each message one, or of one message one of each lock and
// CPU, after an instant.
func (s *searcher) targets(v *view, message int32, after sim.Time) (some []target) {
	var all []target
	m := &mover{a: s.arena, v: v}
	for i := v.index(after); i < len(v.records); i++ {
		r := &v.records[i]
		if r.Kind != trace.LockAcquired || r.Task != s.sender || !s.quick.Sleeps(r.A) {
			continue
		}
		number := v.messageAt(r.At)
		if number == none || message != none && number != message {
			continue
		}
		for _, x := range m.victims(*r) {
			_, most := s.workload.Loads[s.burstOn(x.cpu)].Length.Range()
			if late := r.At - x.from; x.task != s.receiver && late > -nearMost && late <= most {
				all = append(all, target{x, r.At, number})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b target) int {
		return cmp.Or(cmp.Compare(b.to-b.from, a.to-a.from),
			cmp.Compare(distance(a.at, a.from), distance(b.at, b.from)))
	})
	for _, t := range all {
		if len(some) < targetsMost && !slices.ContainsFunc(some, func(o target) bool {
			return o.message == t.message && o.lock == t.lock && o.near() == t.near() &&
				(message == none || o.cpu == t.cpu)
		}) {
			some = append(some, t)
		}
	}
	return some
}

// near says whether a victim comes so near its message that its own release may be moved.
func (t *target) near() bool { return distance(t.from, t.at) < nearMost }

// messageAt is the number of the message that is being sent at an instant, none if none is.
func (v *view) messageAt(at sim.Time) int32 {
	for _, m := range v.messages {
		if m.begin <= at && at <= m.over {
			return m.number
		}
	}
	return none
}

// raid makes a raid by each of its aims, while the other CPUs go on, and while a burst keeps them
// from it: what they send meanwhile wakes tasks that then have not come back to where they wait,
// and the victim has less to do. The longest message is kept. It says whether a victim was met.
func (s *searcher) raid(ctx context.Context, c *candidate, v *view, t target) (met bool,
	err error) {
	best := *c
	for _, a := range s.aims(v, t) {
		for _, mute := range []bool{false, true} {
			if mute && a.q == nil {
				continue
			}
			next := c.clone()
			ok, err := s.take(ctx, &next, v, t, a, mute)
			if err != nil {
				return met, err
			}
			if met = met || ok; ok && next.worst.total() > best.worst.total() {
				best = next
			}
		}
	}
	*c = best
	return met, nil
}

// take moves a victim until the time is right, has a burst strike, and besieges the victim. If that
// would be too early for a second burst, interrupts of the CPU's devices delay the victim too.
func (s *searcher) take(ctx context.Context, c *candidate, v *view, t target, a aim, mute bool) (
	bool, error) {
	load := s.burstOn(t.cpu)
	d := &s.workload.Loads[load]
	pins, by, hit := c.pins, sim.Time(0), sim.Never
	for range 8 {
		m := &mover{a: s.arena, pins: slices.Clone(pins), v: v}
		if !a.set(m, by) {
			return false, nil
		}
		m.delay(d.CPU, hit)
		if mute {
			m.mute(load, a.begin)
		}
		next := candidate{start: c.start, only: c.only, pins: m.pins}
		w, err := s.see(ctx, &next)
		if err != nil {
			return false, err
		}
		from, taken := w.taken(t.task, t.lock, t.at)
		ends, ended := w.lastEnd(d.Task, from)
		strike := w.gapBefore(load, from)
		switch off := t.at - 1 - from; {
		case !taken || strike == nil:
			return false, nil
		case a.q != nil && hit == sim.Never && ended && from+1-ends < d.Floor:
			delay := m.delay(d.CPU, ends)
			if from+1+delay-ends < d.Floor {
				return false, nil
			}
			by += off - delay
			hit = ends + off - delay + 1
		case a.q != nil && (off < 0 || off > raidNear):
			by += off
			if hit != sim.Never {
				hit += off
			}
		default:
			*c = next
			return s.pounce(ctx, c, w, strike, from+1, t.at+t.to-t.from)
		}
	}
	return false, nil
}

// pounce has a burst of the greatest length begin at an instant, or as soon after it as it may, but
// before another, and a storm with it.
func (s *searcher) pounce(ctx context.Context, c *candidate, v *view, q *question,
	at, before sim.Time) (bool, error) {
	_, most := s.workload.Loads[q.load].Length.Range()
	for off, tries := at-q.effect, 0; tries < 3; tries++ {
		m := &mover{a: s.arena, pins: slices.Clone(c.pins), v: v}
		m.shift(q, int64(off), false)
		m.set(q.Site-1, q.Ordinal, int64(most))
		c.pins = m.pins
		w, err := s.see(ctx, c)
		if err != nil {
			return false, err
		}
		p, length := w.question(q.Site, q.Ordinal), w.question(q.Site-1, q.Ordinal)
		if p == nil || length == nil {
			return false, nil
		}
		if off = at - p.effect; off == 0 || tries == 2 && off < 0 && p.effect < before {
			best := *c
			err := s.build(ctx, c, w, length, &best)
			*c = best
			return true, err
		}
	}
	return false, nil
}
