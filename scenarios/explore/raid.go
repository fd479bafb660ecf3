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
	chainMost   = 6                    // raids on one message
	raidNear    = 1 * sim.Microsecond  // so long before its message a victim has the lock at most
	raidBefore  = 30 * sim.Microsecond // the delaying burst comes so long before its victim wakes
)

// raids makes raids on each message of a window, and returns the best run. All raids together take
// half of the budget at most.
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
		if s.raided > s.plan.Evaluations/2 {
			break
		}
		before := s.runs
		c := calm.clone()
		c.only = t.message + 1
		ok, err := s.raidBoth(ctx, &c, v, t)
		if err != nil {
			return best, err
		}
		for n := 1; ok && n < chainMost; n++ {
			if ok, err = s.onward(ctx, &c); err != nil {
				return best, err
			}
		}
		s.raided += s.runs - before
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
		if _, err := s.raidBoth(ctx, &next, v, t); err != nil {
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
			_, most := s.workload.Loads[m.burstOn(x.cpu)].Length.Range()
			if late := r.At - x.from; x.task != s.receiver && late > 0 && late <= most {
				all = append(all, target{x, r.At, number})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b target) int {
		return cmp.Or(cmp.Compare(b.to-b.from, a.to-a.from),
			cmp.Compare(a.at-a.from, b.at-b.from))
	})
	for _, t := range all {
		if len(some) < targetsMost && !slices.ContainsFunc(some, func(o target) bool {
			return o.message == t.message && o.lock == t.lock &&
				(message == none || o.cpu == t.cpu)
		}) {
			some = append(some, t)
		}
	}
	return some
}

// messageAt is the number of the message that is being sent at an instant, none if none is.
func (v *view) messageAt(at sim.Time) int32 {
	for _, m := range v.messages {
		if m.begin <= at && at <= m.over {
			return m.number
		}
	}
	return none
}

// raidBoth makes a raid while the other CPUs go on, and one while a burst keeps them from it: what
// they send meanwhile wakes tasks that then have not come back to where they wait, and the victim
// has less to do. The longer message is kept.
func (s *searcher) raidBoth(ctx context.Context, c *candidate, v *view, t target) (bool, error) {
	muted := c.clone()
	one, err := s.raid(ctx, c, v, t, false)
	if err != nil {
		return false, err
	}
	other, err := s.raid(ctx, &muted, v, t, true)
	if err == nil && other && muted.worst.total() > c.worst.total() {
		*c = muted
	}
	return one || other, err
}

// raid delays a victim by a burst until the time is right, has the next one strike, and besieges
// the victim. If that would be too early for a second burst, interrupts of the CPU's devices delay
// the victim too. It says whether the victim was met.
func (s *searcher) raid(ctx context.Context, c *candidate, v *view, t target, mute bool) (
	bool, error) {
	load := (&mover{a: s.arena}).burstOn(t.cpu)
	begin := v.woken(t.task, t.from) - raidBefore
	q := v.gapBefore(load, begin)
	if q == nil {
		return false, nil
	}
	d := &s.workload.Loads[load]
	least, most := d.Length.Range()
	pins, length, hit := c.pins, t.at-1-t.from+raidBefore, sim.Never
	for range 8 {
		length = min(max(length, least), most)
		m := &mover{a: s.arena, pins: slices.Clone(pins), v: v}
		m.shift(q, int64(begin-q.effect), false)
		m.set(q.Site-1, q.Ordinal, int64(length))
		_, far := d.Gap.Range()
		m.set(q.Site, q.Ordinal+1, int64(far))
		m.delay(d.CPU, hit)
		if mute {
			m.mute(load, begin)
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
		case !taken || !ended || strike == nil:
			return false, nil
		case hit == sim.Never && from+1-ends < d.Floor:
			delay := m.delay(d.CPU, ends)
			length += off - delay
			hit = ends + off - delay + 1
		case off < 0 || off > raidNear:
			length += off
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
