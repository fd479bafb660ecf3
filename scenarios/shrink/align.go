package shrink

import (
	"cmp"
	"context"
	"strconv"

	"rtsim/model/trace"
	"rtsim/sim"
)

// Bursts must hit somebody at a certain step, as under a lock: a window of a microsecond, or of
// five nanoseconds. So a sketch is run without its bursts, which says when that task is at which
// step, and is then tried with the bursts at each of them.

// preempted is whom the bursts preempt: the last one before them that comes to their CPU. The
// kernel's own thread of that CPU if the chain has one.
func (s *sketch) preempted(thread string) (first int, name string) {
	first = -1
	for i := range s.all {
		if k := s.all[i].kind; k == runs || k == interrupt {
			first = i
			break
		}
	}
	if first < 0 {
		return -1, ""
	}
	if thread != "" {
		return first, thread + "/" + strconv.Itoa(int(s.all[first].cpu))
	}
	for i := first - 1; i >= 0; i-- {
		if s.all[i].cpu == s.all[first].cpu {
			return first, s.names()[i]
		}
	}
	return first, ""
}

// window is when somebody is at a step.
type window struct {
	from, to sim.Time
	step     string
}

// windows are the times at which whoever is to be preempted is at his steps, if nobody preempts
// him: of each step the first time and the last.
func (t *trials) windows(ctx context.Context, s *sketch, first int, name string) ([]window,
	error) {
	quiet := s.clone()
	quiet.all = nil
	for i := range s.all {
		h := s.all[i]
		switch {
		case h.kind == runs || h.kind == interrupt:
			continue
		case i > first && h.measured:
			h.after = sim.Second // it must be there, and not yet
		case i > first:
			continue
		}
		quiet.all = append(quiet.all, h)
	}
	o, err := t.run(ctx, quiet, 1, true)
	if err != nil {
		return nil, err
	}
	return firstAndLast(o.steps[o.names.TaskCalled(name)], o.names), nil
}

// firstAndLast are the first and the last time of each step of a listing.
func firstAndLast(steps []trace.Record, names *trace.Names) []window {
	count, seen := map[int32]int{}, map[int32]int{}
	for i := range steps {
		count[steps[i].A]++
	}
	var all []window
	for i := range steps[:max(len(steps)-1, 0)] {
		r := &steps[i]
		seen[r.A]++
		if names.Steps[r.A].Path == "" || seen[r.A] > 1 && seen[r.A] < count[r.A] {
			continue
		}
		if next := steps[i+1].At; next > r.At {
			all = append(all, window{r.At, next, names.Steps[r.A].Text})
		}
	}
	return all
}

// place is a sketch with its bursts at a window, and how good that is.
type place struct {
	*sketch
	window
	seeds uint64
	named int
}

// align moves the bursts of a sketch to where it holds: with as few who have to do with it and as
// many of the seeds as may be, at the longest step of all such. Where the middle of a step does for
// some seeds only, its quarters may do for more. nil if there is no such place.
func (t *trials) align(ctx context.Context, s *sketch, thread string) (*sketch, error) {
	first, name := s.preempted(thread)
	if first < 0 {
		return t.meet(ctx, s)
	}
	windows, err := t.windows(ctx, s, first, name)
	if err != nil {
		return nil, err
	}
	best := place{}
	for _, w := range windows {
		for _, quarter := range []sim.Time{2, 1, 3} {
			p := place{sketch: s.at(first, w, quarter), window: w}
			if p.sketch == nil {
				continue
			}
			if p.seeds, p.named, err = t.how(ctx, p.sketch); err != nil {
				return nil, err
			}
			if p.seeds > 0 && (best.sketch == nil || p.betterThan(&best)) {
				best = p
			}
			if quarter == 2 && (p.seeds == 0 || p.seeds == seedsMost) {
				break
			}
		}
	}
	t.step = best.step
	return best.sketch, nil
}

// Two who meet without a burst do so within meetWithin, at a time that is a multiple of meetStep.
const (
	meetStep   = 100
	meetWithin = 20 * sim.Microsecond
)

// meet moves the sender of a sketch without bursts to where it holds.
func (t *trials) meet(ctx context.Context, s *sketch) (*sketch, error) {
	best, sender, other := place{}, 0, false
	for i := range s.all {
		switch h := &s.all[i]; {
		case h.measured && h.kind == sends:
			sender = i
		case h.kind == sends, h.kind == closes:
			other = true
		}
	}
	for at := sim.Time(0); at <= meetWithin; at += meetStep {
		p := place{sketch: s.clone()}
		if p.all[sender].after = at; !other {
			p.all[sender].after = s.all[sender].after
		}
		var err error
		if p.seeds, p.named, err = t.how(ctx, p.sketch); err != nil {
			return nil, err
		}
		if p.seeds > 0 && (best.sketch == nil || p.betterThan(&best)) {
			best = p
		}
		if !other {
			break
		}
	}
	return best.sketch, nil
}

func (p *place) betterThan(q *place) bool {
	return cmp.Or(cmp.Compare(q.named, p.named), cmp.Compare(p.seeds, q.seeds),
		cmp.Compare(p.to-p.from, q.to-q.from)) > 0
}

// realign moves the bursts of a sketch that was changed to where it holds again: to the step that
// they hit before if that will do. nil if there is no such place.
func (t *trials) realign(ctx context.Context, s *sketch, thread string) (*sketch, error) {
	first, name := s.preempted(thread)
	if first < 0 {
		return nil, nil
	}
	windows, err := t.windows(ctx, s, first, name)
	if err != nil {
		return nil, err
	}
	for _, same := range []bool{true, false} {
		for _, w := range windows {
			moved := s.at(first, w, 2)
			if moved == nil || (w.step == t.step) != same {
				continue
			}
			if ok, err := t.holds(ctx, moved); err != nil || ok {
				t.step = w.step
				return moved, err
			}
		}
	}
	return nil, nil
}

// at is a sketch with its first burst so many quarters into a window; nil if it would come before
// who comes before it.
func (s *sketch) at(first int, w window, quarter sim.Time) *sketch {
	at := w.from + (w.to-w.from)*quarter/4
	for i := range s.all[:first] {
		at -= s.all[i].after
	}
	if at < 0 {
		return nil
	}
	moved := s.clone()
	moved.all[first].after = at
	return moved
}
