package explore

import (
	"context"
	"slices"

	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

// A storm: bursts of one CPU that come as fast and last as long as they may. What it needs to know
// of a run, and the answers that make one.

// stormMost is for how long a storm is laid out.
const stormMost = 50 * sim.Millisecond

// storm has bursts come from the one whose length is asked for on. The devices of the CPU are still
// from then on.
func (m *mover) storm(from *question) {
	loads := m.a.workload.Loads
	d := &loads[from.load]
	_, length := d.Length.Range()
	gap, _ := d.Gap.Range()
	n := int(stormMost / (length + gap))
	m.fill(from.Site, from.Ordinal, n, int64(length))
	m.fill(from.Site+1, from.Ordinal+1, n, int64(gap)) // see model's addStreams
	for i := range m.v.asked {
		q := &m.v.asked[i]
		if q.kind == deviceGap && loads[q.load].CPU == d.CPU && q.effect > from.at {
			m.shift(q, q.Greatest-q.Value, false)
		}
	}
}

// fill pins the answers to n questions of a site in a row.
func (m *mover) fill(site sim.StreamID, ordinal uint64, n int, value int64) {
	i, _ := m.find(site, ordinal)
	j, _ := m.find(site, ordinal+uint64(n))
	some := make([]pin, n)
	for k := range some {
		some[k] = pin{site, ordinal + uint64(k), value}
	}
	m.pins = slices.Replace(m.pins, i, j, some...)
}

// hitAll has all devices of a CPU hit the next burst and the gap after it, and returns the view.
func (s *searcher) hitAll(ctx context.Context, c *candidate, v *view, load int,
	done sim.Time) (*view, error) {
	for i := range s.workload.Loads {
		l := &s.workload.Loads[i]
		if l.CPU != s.workload.Loads[load].CPU || l.Kind != model.LoadDevice {
			continue
		}
		var err error
		if v, err = s.hit(ctx, c, v, load, i, done); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// hit has interrupts of a device come as fast as they may while a burst lasts, the first that ends
// after an instant, and one as that ends; then the device is still again. How many there are within
// the burst depends on how far they stretch it: the greatest numbers are tried, and each time the
// last interrupt is moved to where the burst has ended. One in the gap is as good as one more in
// the burst, and better for what else comes in the gap. It returns the view of the run.
func (s *searcher) hit(ctx context.Context, c *candidate, v *view, burst, device int,
	from sim.Time) (*view, error) {
	first := v.deviceSince(device, from) // the one that keeps it still
	into, best, seen := c, *c, v
	if first != nil && first.Value < first.Greatest { // it was hit before
		m := &mover{a: s.arena, pins: slices.Clone(c.pins), v: v}
		m.set(first.Site, first.Ordinal, first.Greatest)
		bare := candidate{start: c.start, only: c.only, pins: m.pins}
		var err error
		if v, err = s.see(ctx, &bare); err != nil {
			return nil, err
		}
		c, first = &bare, v.question(first.Site, first.Ordinal)
	}
	ends, ok := v.ends(s.workload, burst, from)
	if first == nil || !ok {
		return seen, nil
	}
	_, length := s.workload.Loads[device].Length.Range()
	gap, _ := s.workload.Loads[device].Gap.Range()
	at := max(first.effect-sim.Time(first.Value-first.Least), from+1) // of the first
	most := max((ends-at)/max(gap-length, 1), 0) + 1
	for n := most; n >= max(most-2, 0); n-- {
		late := sim.Time(0) // of the last
		for range 3 {
			m := &mover{a: s.arena, pins: slices.Clone(c.pins), v: v}
			m.set(first.Site, first.Ordinal, int64(at-first.effect)+first.Value)
			m.fill(first.Site, first.Ordinal+1, int(n), int64(gap))
			m.fill(first.Site-1, first.Ordinal, int(n)+1, int64(length))
			last, _ := m.find(first.Site, first.Ordinal+uint64(n))
			m.pins[last].value += int64(late)
			m.set(first.Site, first.Ordinal+uint64(n)+1, first.Greatest)
			next := candidate{start: c.start, only: c.only, pins: m.pins}
			w, err := s.see(ctx, &next)
			if err != nil {
				return nil, err
			}
			q := w.question(first.Site, first.Ordinal+uint64(n))
			ends, ok := w.ends(s.workload, burst, from)
			exact := q != nil && ok && q.effect == ends
			if more := next.worst.total() - best.worst.total(); more > 0 || more == 0 && exact {
				best, seen = next, w
			}
			if exact || q == nil || !ok || late+ends-q.effect < 0 {
				break
			}
			late += ends - q.effect
		}
	}
	*into = best
	return seen, nil
}

// see evaluates a candidate and glances at it.
func (s *searcher) see(ctx context.Context, c *candidate) (*view, error) {
	if err := s.evaluate(ctx, c); err != nil {
		return nil, err
	}
	return s.glance(c)
}

// ends is the first end of a load's burst after an instant.
func (v *view) ends(w *model.Workload, load int, after sim.Time) (sim.Time, bool) {
	for i := v.index(after + 1); i < len(v.records); i++ {
		if r := &v.records[i]; r.Kind == trace.TaskSleep && r.Task == w.Loads[load].Task {
			return r.At, true
		}
	}
	return 0, false
}

// lastEnd is when a task last slept before an instant.
func (v *view) lastEnd(task int32, before sim.Time) (sim.Time, bool) {
	for i := v.index(before) - 1; i >= 0; i-- {
		if r := &v.records[i]; r.Kind == trace.TaskSleep && r.Task == task {
			return r.At, true
		}
	}
	return 0, false
}

// question is one that was asked, nil if it was not.
func (v *view) question(site sim.StreamID, ordinal uint64) *question {
	for i := range v.asked {
		if q := &v.asked[i]; q.Site == site && q.Ordinal == ordinal {
			return q
		}
	}
	return nil
}

// deviceSince is the question for the first interrupt of a device after an instant, but for one in
// a gap that begins then.
func (v *view) deviceSince(load int, at sim.Time) *question {
	for i := range v.asked {
		if q := &v.asked[i]; q.kind == deviceGap && q.load == load && q.at >= at {
			return q
		}
	}
	return v.deviceAfter(load, at+1)
}

// deviceAfter is the question for the first interrupt of a device from an instant on.
func (v *view) deviceAfter(load int, at sim.Time) *question {
	for i := range v.asked {
		if q := &v.asked[i]; q.kind == deviceGap && q.load == load && q.effect >= at {
			return q
		}
	}
	return nil
}

// gapBefore is the question for the first burst after an instant, if it was asked before.
func (v *view) gapBefore(load int, at sim.Time) (last *question) {
	for i := range v.asked {
		q := &v.asked[i]
		if q.kind == burstGap && q.load == load && q.at < at {
			last = q
		}
	}
	if last == nil || last.effect < at {
		return nil
	}
	return last
}

// mute has the longest burst of each other load begin at an instant.
func (m *mover) mute(load int, at sim.Time) {
	for i := range m.a.workload.Loads {
		q := m.v.gapBefore(i, at)
		if i == load || q == nil || m.a.workload.Loads[i].Kind != model.LoadBurst {
			continue
		}
		_, most := m.a.workload.Loads[i].Length.Range()
		m.shift(q, int64(at-q.effect), false)
		m.set(q.Site-1, q.Ordinal, int64(most))
	}
}

// delay has an interrupt of each device of a CPU come at an instant, unless that is never, and the
// devices be still after it. It says how long they take together.
func (m *mover) delay(cpu int32, at sim.Time) (sum sim.Time) {
	if at == sim.Never {
		return 0
	}
	for i := range m.a.workload.Loads {
		l := &m.a.workload.Loads[i]
		q := m.v.deviceAfter(i, at)
		if l.CPU != cpu || l.Kind != model.LoadDevice || q == nil {
			continue
		}
		_, length := l.Length.Range()
		_, far := l.Gap.Range()
		m.shift(q, int64(at-q.effect), false)
		m.set(q.Site-1, q.Ordinal, int64(length))
		m.set(q.Site, q.Ordinal+1, int64(far))
		sum += length
	}
	return sum
}
