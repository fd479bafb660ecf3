package explore

import (
	"rtsim/model/trace"
	"rtsim/sim"
)

// aim is a way to move a victim in time: by its own release, or by a burst before one of its
// wake-ups, whose length is changed. A burst may come before the last wake-up, or, since a task
// that begins late may be late for good, before the first one of the window. Or it is not moved:
// where bursts are far apart, the one that strikes is the only one.
type aim struct {
	q     *question // for the release, or the gap before the burst; nil: it is not moved
	value int64     // of the release, or the length of the burst, as a first guess
	begin sim.Time  // of the burst; for a release when it was asked for
}

// raidBefore is how long before its victim wakes a delaying burst begins.
const raidBefore = 30 * sim.Microsecond

// aims are those at a target.
func (s *searcher) aims(v *view, t target) (all []aim) {
	by := t.at - 1 - t.from
	for i := len(v.asked) - 1; i >= 0 && t.near(); i-- {
		q := &v.asked[i]
		if q.kind == arrival && q.task == t.task && q.effect <= t.from {
			all = append(all, aim{q, q.Value + int64(by), q.at})
			break
		}
	}
	load := s.burstOn(t.cpu)
	if s.sparse(load, s.plan.Window) {
		if by >= 0 {
			all = append(all, aim{begin: t.from})
		}
		return all
	}
	last, first := v.woken(t.task, t.from), v.wokenFirst(t.task)
	for i, wakes := range []sim.Time{last, first} {
		q := v.gapBefore(load, wakes-raidBefore)
		if q != nil && by > 0 && (i == 0 || first < last) {
			all = append(all, aim{q, int64(by + raidBefore), wakes - raidBefore})
		}
	}
	return all
}

// set answers as the first guess is, and some time more; it says whether that is possible.
func (a *aim) set(m *mover, by sim.Time) bool {
	if a.q == nil {
		return true
	}
	value := a.value + int64(by)
	if a.q.kind == arrival {
		m.set(a.q.Site, a.q.Ordinal, value)
		return value >= a.q.Least && value <= a.q.Greatest
	}
	d := &m.a.workload.Loads[a.q.load]
	least, most := d.Length.Range()
	_, far := d.Gap.Range()
	m.shift(a.q, int64(a.begin-a.q.effect), false)
	m.set(a.q.Site-1, a.q.Ordinal, max(value, int64(least)))
	m.set(a.q.Site, a.q.Ordinal+1, int64(far))
	return value <= int64(most)
}

// woken is when a task was last woken before an instant.
func (v *view) woken(task int32, before sim.Time) sim.Time {
	for i := v.index(before) - 1; i >= 0; i-- {
		if r := &v.records[i]; r.Kind == trace.SchedWakeup && r.Task == task {
			return r.At
		}
	}
	return before
}

// wokenFirst is when a task was first woken.
func (v *view) wokenFirst(task int32) sim.Time {
	for i := range v.records {
		if r := &v.records[i]; r.Kind == trace.SchedWakeup && r.Task == task {
			return r.At
		}
	}
	return sim.Never
}

// taken is when a task took a lock, the nearest to an instant.
func (v *view) taken(task, lock int32, near sim.Time) (at sim.Time, ok bool) {
	for i := range v.records {
		r := &v.records[i]
		if r.Kind == trace.LockAcquired && r.Task == task && r.A == lock &&
			(!ok || distance(r.At, near) < distance(at, near)) {
			at, ok = r.At, true
		}
	}
	return at, ok
}
