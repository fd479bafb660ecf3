package shrink

import (
	"context"
	"slices"

	"rtsim/sim"
)

// roundsMost bounds how often a small sketch is moved and made smaller again.
const roundsMost = 3

// smallest makes a sketch as small as it can be. What is small may hold elsewhere too, with more
// seeds, or at a longer step; so it is moved and made smaller again, until it stays where it is.
// That place then does not depend on what the witness was like.
func (t *trials) smallest(ctx context.Context, s *sketch, thread string) (*sketch, error) {
	var err error
	if t.seeds, t.named, err = t.how(ctx, s); err != nil {
		return nil, err
	}
	if s, err = t.reduce(ctx, s, thread); err != nil {
		return nil, err
	}
	for range roundsMost {
		moved, err := t.align(ctx, s, thread)
		if err != nil || moved == nil {
			return s, err
		}
		seeds, named, err := t.how(ctx, moved)
		if err != nil || named > t.named || seeds < t.seeds {
			return s, err
		}
		t.seeds, t.named = seeds, named
		if moved, err = t.reduce(ctx, moved, thread); err != nil {
			return nil, err
		}
		if string(moved.file()) == string(s.file()) {
			break
		}
		s = moved
	}
	return s, nil
}

// reduce makes a sketch smaller as long as that is possible.
func (t *trials) reduce(ctx context.Context, s *sketch, thread string) (*sketch, error) {
	for {
		before := string(s.file())
		for _, pass := range []func(context.Context, *sketch, string) (*sketch, error){
			t.dropped, t.merged, t.fewerCalls, t.rounded} {
			var err error
			if s, err = pass(ctx, s, thread); err != nil {
				return nil, err
			}
		}
		if string(s.file()) == before {
			return s, nil
		}
	}
}

// better is a changed sketch if it holds, as it is or with its bursts moved; else nil.
func (t *trials) better(ctx context.Context, s *sketch, thread string) (*sketch, error) {
	if ok, err := t.holds(ctx, s); err != nil || ok {
		return s, err
	}
	return t.realign(ctx, s, thread)
}

// dropped leaves out what need not be, the last first: of several bursts the first one stays.
func (t *trials) dropped(ctx context.Context, s *sketch, thread string) (*sketch, error) {
	for i := len(s.all) - 1; i >= 0; i-- {
		if s.all[i].measured {
			continue
		}
		c := s.clone()
		if i+1 < len(c.all) {
			c.all[i+1].after += c.all[i].after
		}
		c.all = slices.Delete(c.all, i, i+1)
		c.packCPUs()
		found, err := t.better(ctx, c, thread)
		if err != nil {
			return nil, err
		}
		if found != nil {
			s = found
		}
	}
	return s, nil
}

// packCPUs closes gaps in the numbers of CPUs.
func (s *sketch) packCPUs() {
	var used []int32
	for i := range s.all {
		used = append(used, s.all[i].cpu)
	}
	slices.Sort(used)
	used = slices.Compact(used)
	for i := range s.all {
		s.all[i].cpu = int32(slices.Index(used, s.all[i].cpu))
	}
}

// merged has the measured receiver be a reader's stead.
func (t *trials) merged(ctx context.Context, s *sketch, thread string) (*sketch, error) {
	for i := range s.all {
		reader := s.all[i]
		if reader.kind != receives || reader.measured {
			continue
		}
		c := s.clone()
		for j := range c.all {
			if h := &c.all[j]; h.measured && h.kind == receives {
				h.cpu = reader.cpu
			}
		}
		if i+1 < len(c.all) {
			c.all[i+1].after += reader.after
		}
		c.all = slices.Delete(c.all, i, i+1)
		c.packCPUs()
		if found, err := t.better(ctx, c, thread); err != nil || found != nil {
			return found, err
		}
	}
	return s, nil
}

// fewerCalls lets tasks send less often: the least number, or a rounder one.
func (t *trials) fewerCalls(ctx context.Context, s *sketch, thread string) (*sketch, error) {
	for i := range s.all {
		low, high := int32(0), s.all[i].calls // low does not hold, high does
		for high-low > 1 {
			c := s.clone()
			middle := low + (high-low)/2
			c.all[i].calls = middle
			found, err := t.better(ctx, c, thread)
			switch {
			case err != nil:
				return nil, err
			case found != nil:
				s, high = found, middle
			default:
				low = middle
			}
		}
	}
	return s, nil
}

// grains are how round a time may be, the roundest first.
var grains = []sim.Time{sim.Millisecond, 100 * sim.Microsecond, 10 * sim.Microsecond,
	sim.Microsecond, 100, 10, 1}

// rounded makes times round, and then as short as they can be as round as that. Who comes before
// the first burst comes at a time of his own, so that the file does not read as a race.
func (t *trials) rounded(ctx context.Context, s *sketch, _ string) (*sketch, error) {
	first, _ := s.preempted("")
	if first < 0 { // those who meet come one after the other
		first = len(s.all) - 1
	}
	for _, field := range []func(*happening) *sim.Time{
		func(h *happening) *sim.Time { return &h.after },
		func(h *happening) *sim.Time { return &h.length },
	} {
		for i := range s.all {
			to := func(v sim.Time) (bool, error) {
				c := s.clone()
				h := &c.all[i]
				is := field(h)
				if is == &h.after && i > 0 && i < first && v < oneAfterAnother ||
					is == &h.length && (v == 0 || v > *is) {
					return false, nil
				}
				*is = v
				ok, err := t.holds(ctx, c)
				if ok {
					s = c
				}
				return ok, err
			}
			if err := round(*field(&s.all[i]), to); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// oneAfterAnother is the least time between two tasks that come before the first burst.
const oneAfterAnother = 10 * sim.Microsecond

// round finds the roundest value that a time may have instead of x: 0, or else the least multiple
// of the greatest grain. to tries one, and keeps it if it may be.
func round(x sim.Time, to func(sim.Time) (bool, error)) error {
	if x == 0 {
		return nil
	}
	if ok, err := to(0); ok || err != nil {
		return err
	}
	for _, g := range grains {
		if g > x {
			continue
		}
		high := sim.Time(0)
		for _, n := range []sim.Time{x / g, x/g + 1} {
			ok, err := n*g == x, error(nil)
			if !ok {
				ok, err = to(n * g)
			}
			if err != nil {
				return err
			}
			if ok {
				high = n
				break
			}
		}
		if high == 0 {
			continue
		}
		for low := sim.Time(0); high-low > 1; {
			middle := low + (high-low)/2
			ok, err := to(middle * g)
			if err != nil {
				return err
			}
			if ok {
				high = middle
			} else {
				low = middle
			}
		}
		return nil
	}
	return nil
}
