package explore

import (
	"context"
	"slices"

	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

// The siege. Whoever owns a lock that a message waits for runs only between two bursts of its CPU,
// and if these come as fast as they may and last as long as they may, and each gap is also hit by
// an interrupt of each device, the owner needs many gaps for what takes a few microseconds. Changes
// of one answer after another do not climb there: a second burst helps only if the first has come
// early in the section, an interrupt in a gap only if all before it have been moved. So a siege
// sets whole streams at once, from one burst on (storm.go), and then goes along the gaps in the
// order of time, with the devices still after the gap that it is at: then the message is the longer
// the less the owner got so far, whatever comes later.
//
// A tick and a timer take some of a gap, too, but can't be moved: a burst may be cut short for
// them. That is tried in the gap in which the owner would come to its end, and for the best runs in
// all gaps.

// stormBefore is how long before a message a storm that concerns it may begin.
const stormBefore = 1500 * sim.Microsecond

// siege has a storm begin with each of the bursts that there were around the longest message of a
// run, and keeps what makes that longest. Then it looks for the gaps in which to cut a burst short.
func (s *searcher) siege(ctx context.Context, c *candidate) error {
	v, err := s.glance(c)
	if err != nil {
		return err
	}
	best, most := *c, sim.Time(0)
	var from *question
	for i := range v.asked {
		q := &v.asked[i]
		if q.kind != burstLength || q.at < c.worst.begin-stormBefore || q.at > c.worst.over {
			continue
		}
		built := candidate{}
		if err := s.build(ctx, c, v, q, &built); err != nil {
			return err
		}
		if built.worst.total() > most {
			from, most = q, built.worst.total()
		}
		if most > best.worst.total() {
			best = built
		}
	}
	if from != nil {
		err = s.cut(ctx, c, v, from, &best)
	}
	*c = best
	return err
}

// build builds a storm that begins with a burst whose length is asked for, unless the burst does
// not concern the message.
func (s *searcher) build(ctx context.Context, c *candidate, v *view, from *question,
	best *candidate) error {
	bare := s.bare(c, v, from)
	if err := s.evaluate(ctx, &bare); err != nil {
		return err
	}
	shorter := bare.clone()
	m := &mover{a: s.arena, pins: shorter.pins}
	i, _ := m.find(from.Site, from.Ordinal)
	shorter.pins[i].value = max(from.Least, shorter.pins[i].value*9/10)
	if err := s.evaluate(ctx, &shorter); err != nil {
		return err
	}
	if bare.worst.total() == shorter.worst.total() {
		return nil
	}
	_, err := s.along(ctx, &bare, from, nil)
	if bare.worst.total() > best.worst.total() {
		*best = bare
	}
	return err
}

// bare is a run with a storm, in which the devices are still.
func (s *searcher) bare(c *candidate, v *view, from *question) candidate {
	m := &mover{a: s.arena, pins: slices.Clone(c.pins), v: v}
	m.storm(from)
	return candidate{start: c.start, only: c.only, pins: m.pins}
}

// cut builds a storm again and again, with a variant in one gap more, as long as that helps.
func (s *searcher) cut(ctx context.Context, c *candidate, v *view, from *question,
	best *candidate) error {
	bare := s.bare(c, v, from)
	if err := s.evaluate(ctx, &bare); err != nil {
		return err
	}
	plain := bare.clone()
	gaps, err := s.along(ctx, &plain, from, nil)
	if err != nil {
		return err
	}
	forced, better := make([]int, gaps), true
	for better {
		better = false
		chosen := forced
		for i := range forced {
			for k := 1; k <= variantsMost && forced[i] == 0; k++ {
				next, try := bare.clone(), slices.Clone(forced)
				try[i] = k
				n, err := s.along(ctx, &next, from, try)
				if err != nil {
					return err
				}
				if next.worst.total() > best.worst.total() {
					*best, better, chosen = next, true, try
					gaps = max(n, gaps)
				}
			}
		}
		forced = append(chosen, make([]int, max(gaps-len(chosen), 0))...)
	}
	return nil
}

// variantsMost is how many variants are tried in a gap.
const variantsMost = 6

// along goes along the gaps of a storm, up to where the sender is woken. forced are the variants
// that it is told, by gap. It says how many gaps there were.
func (s *searcher) along(ctx context.Context, c *candidate, storm *question, forced []int) (
	gap int, err error) {
	load, from := storm.load, storm.at
	v, err := s.glance(c)
	for ; err == nil; gap++ {
		ends, ok := v.ends(s.workload, load, from)
		if !ok || ends >= s.wokenAfter(v, load, from, c.worst) {
			return gap, nil
		}
		if v, err = s.hitAll(ctx, c, v, load, from); err != nil {
			return gap, err
		}
		if gap < len(forced) && forced[gap] > 0 {
			next, w, err := s.vary(ctx, c, v, load, from, forced[gap])
			if err != nil {
				return gap, err
			}
			if w == nil {
				return gap, nil // there is no such variant
			}
			*c, v = next, w
		} else if v, err = s.prolong(ctx, c, v, load, from); err != nil {
			return gap, err
		}
		from, _ = v.ends(s.workload, load, from)
	}
	return gap, err
}

// prolong tries variants of a gap, if it is the last one.
func (s *searcher) prolong(ctx context.Context, c *candidate, v *view, load int,
	from sim.Time) (*view, error) {
	ends, _ := v.ends(s.workload, load, from)
	next, ok := v.ends(s.workload, load, ends)
	if ok && next < s.wokenAfter(v, load, from, c.worst) {
		return v, nil
	}
	plain, seen := *c, v
	for k := 1; k <= variantsMost; k++ {
		next, w, err := s.vary(ctx, &plain, seen, load, from, k)
		if err != nil {
			return nil, err
		}
		if w == nil {
			break
		}
		if next.worst.total() > c.worst.total() {
			*c, v = next, w
		}
	}
	return v, nil
}

// wokenAfter is when the sender is woken after an instant by a task of a load's CPU, if a message
// waits there; else when that is over.
func (s *searcher) wokenAfter(v *view, load int, at sim.Time, worst message) sim.Time {
	cpu := s.workload.Loads[load].CPU
	from, to := v.index(max(at, worst.begin)), v.index(worst.over)
	for i := from; i < to; i++ {
		r := &v.records[i]
		if r.Kind == trace.SchedWakeup && r.Task == s.sender && !s.receives &&
			v.lastCPU(r.A, i) == cpu {
			return r.At
		}
	}
	return worst.over
}

// lastCPU is the CPU that a task was on when a record was made, none if it has none before.
func (v *view) lastCPU(task int32, i int) int32 {
	for ; i >= 0; i-- {
		if r := &v.records[i]; r.Task == task && r.CPU >= 0 {
			return int32(r.CPU)
		}
	}
	return none
}

// vary has another interrupt of the CPU come in the gap after a burst: a timer that is set by a
// question, or a timer or a tick for which the burst ends earlier. Variants are numbered from 1;
// the view is nil if there is none of a number.
func (s *searcher) vary(ctx context.Context, c *candidate, v *view, load int, from sim.Time,
	variant int) (next candidate, w *view, err error) {
	ends, _ := v.ends(s.workload, load, from)
	cpu := s.workload.Loads[load].CPU
	var length *question
	for i := range v.asked {
		q := &v.asked[i]
		if q.kind == burstLength && q.load == load && q.at < ends {
			length = q
		}
		value := int64(ends-q.effect) + q.Value
		if q.kind != arrival || s.workload.Tasks[q.task].CPUs != 1<<cpu || value < q.Least ||
			value > q.Greatest {
			continue
		}
		if variant--; variant > 0 {
			continue
		}
		m := &mover{a: s.arena, pins: slices.Clone(c.pins), v: v}
		m.set(q.Site, q.Ordinal, value)
		return s.varied(ctx, c, m.pins, load, from)
	}
	if length == nil {
		return next, nil, nil
	}
	for i := v.index(ends) - 1; i >= 0 && v.records[i].At > max(from, length.at); i-- {
		r := &v.records[i]
		if r.Kind != trace.IRQEntry || int32(r.CPU) != cpu || s.moves(r.A) {
			continue
		}
		if variant--; variant == 0 {
			return s.shorten(ctx, c, length, load, from, r.At)
		}
	}
	return next, nil, nil
}

// shorten has a burst end at an instant. The devices' part changes when it ends, so it is done
// anew, and the length again after it.
func (s *searcher) shorten(ctx context.Context, c *candidate, length *question, load int,
	from, at sim.Time) (next candidate, w *view, err error) {
	value := length.Value
	for try := range 12 {
		m := &mover{a: s.arena, pins: slices.Clone(c.pins)}
		m.set(length.Site, length.Ordinal, value)
		if try < 6 {
			next = candidate{start: c.start, only: c.only, pins: m.pins}
			w, err = s.see(ctx, &next)
		} else {
			next, w, err = s.varied(ctx, c, m.pins, load, from)
		}
		if err != nil {
			return next, nil, err
		}
		ends, ok := w.ends(s.workload, load, from)
		if ok && ends == at && try >= 6 {
			return next, w, nil
		}
		value += int64(at - ends)
		if !ok || value < length.Least || value > length.Greatest {
			return next, nil, nil
		}
	}
	return next, w, nil
}

// varied evaluates a variant, with the devices' part done anew.
func (s *searcher) varied(ctx context.Context, c *candidate, pins []pin, load int,
	from sim.Time) (next candidate, w *view, err error) {
	next = candidate{start: c.start, only: c.only, pins: pins}
	if w, err = s.see(ctx, &next); err != nil {
		return next, nil, err
	}
	w, err = s.hitAll(ctx, &next, w, load, from)
	return next, w, err
}

// moves says whether an interrupt's source is a load whose instants are drawn.
func (a *arena) moves(source int32) bool {
	return slices.ContainsFunc(a.workload.Loads, func(l model.LoadDecl) bool {
		return l.Name == a.names.Sources[source] && l.Kind != model.LoadTick
	})
}
