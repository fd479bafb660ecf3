package explore

import (
	"cmp"
	"context"
	"slices"

	"rtsim/model/trace"
)

// The ambush. The states from which a stressed window starts are rare ones, and so is what a
// message does in them: it takes a lock that it takes once in a thousand messages. The moves of a
// search choose among all that happens, and seldom that. So a stressed window is gone through
// before anything is moved in it: for each sleeping lock that a message takes, and each task on a
// CPU with bursts that had it shortly before, a burst takes the CPU from the task in its section.
// The locks that are taken least come first. All else stays, for what the stress has brought about
// depends on it. What is found so has few answers beside those of the stress; only a search that is
// through with all windows comes back for its moves.

// ambushMost is how many runs an ambush takes at most.
const ambushMost = 24

// trap is a section in which a burst is to hit, and how often its lock was taken in the window.
type trap struct {
	victim
	taken int
}

// ambush makes the runs from one that was looked at, and keeps those that are no worse.
func (s *searcher) ambush(ctx context.Context, from *niche) error {
	best, v := from.best.clone(), from.view
	s.mover.v = v
	for _, t := range s.traps() {
		s.mover.pins = slices.Clone(best.pins)
		s.mover.strike(t.cpu, t.from+1)
		next := candidate{start: best.start, pins: s.mover.pins}
		if err := s.evaluate(ctx, &next); err != nil {
			return err
		}
		if level(next.worst.total()) > level(best.worst.total()) {
			if err := s.keep(&next); err != nil {
				return err
			}
		}
	}
	return nil
}

// traps are the sections of a window that a message comes shortly after, those of the rarest lock
// first.
func (s *searcher) traps() (all []trap) {
	m := s.mover
	for i := range m.v.records {
		r := &m.v.records[i]
		own := r.Task == s.sender || s.receives && r.Task == s.receiver
		if !own || r.Kind != trace.LockAcquired || !s.quick.Sleeps(r.A) {
			continue
		}
		victims := m.victims(*r)
		for _, x := range victims {
			known := slices.ContainsFunc(all, func(t trap) bool { return t.victim == x })
			if !known && x.from < r.At && x.from >= r.At-s.longestBurst() && x.task != s.receiver {
				all = append(all, trap{x, len(victims)})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y trap) int { return cmp.Compare(x.taken, y.taken) })
	return all[:min(len(all), ambushMost)]
}
