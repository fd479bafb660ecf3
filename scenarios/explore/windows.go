package explore

import (
	"context"
	"slices"

	"rtsim/sim"
)

// The windows of a search, and in what order it comes to them.

// restedBefore is how long before a task wakes such a window begins.
const restedBefore = 500 * sim.Microsecond

// lay opens the windows of a seed.
func (s *searcher) lay(seed uint64) error {
	ways, rested, near, err := s.scan(seed)
	if err != nil {
		return err
	}
	from := []sim.Time{}
	for _, x := range near[:min(len(near), meetsMost)] {
		if s.sparse(s.burstOn(x.cpu), s.plan.Window) {
			from = append(from, max(x.begin-leadsTo, sim.Microsecond))
		}
	}
	for _, w := range ways[:min(len(ways), waysMost)] {
		from = append(from, max(w.first.begin-leadsTo, sim.Microsecond))
	}
	for _, at := range rested[:min(len(rested), restedMost)] {
		from = append(from, at-restedBefore)
	}
	if len(from) == 0 {
		from = append(from, sim.Microsecond)
	}
	return s.open(&stress{seed: seed}, from)
}

// open opens the windows of a run, in this order; some may be the same.
func (s *searcher) open(r *stress, from []sim.Time) error {
	first := len(s.starts)
	if err := s.openAll(r, slices.Compact(slices.Sorted(slices.Values(from))),
		s.plan.Window); err != nil {
		return err
	}
	slices.SortFunc(s.starts[first:], func(x, y start) int { // in the order of ways again
		return slices.Index(from, x.from) - slices.Index(from, y.from)
	})
	return nil
}

// restart begins with an empty archive at the next window. Of the windows of each seed there are
// two passes: one does what can be planned and makes no moves, the other goes on from there.
func (s *searcher) restart(ctx context.Context) error {
	s.report.Restarts++
	if s.at == len(s.starts) || !s.moving && s.runs-s.begun > s.plan.Evaluations/planMost {
		if err := s.turn(); err != nil {
			return err
		}
	}
	first := candidate{start: s.at}
	w := &s.starts[s.at]
	s.at++
	s.archive, s.local = s.archive[:0], first
	s.lastNew = s.runs
	s.mover.swarmReset()
	if err := s.evaluate(ctx, &first); err != nil {
		return err
	}
	if err := s.keep(&first); err != nil {
		return err
	}
	if len(w.answers) > 0 && !s.moving {
		err := s.ambush(ctx, &s.archive[0])
		s.lastNew = s.runs - stallAfter // no moves before it comes here again
		return err
	}
	var err error
	if !w.raided {
		w.raided = true
		if w.caught, err = s.raids(ctx, first.start); err != nil {
			return err
		}
	}
	if !s.moving {
		s.lastNew = s.runs - stallAfter
		return nil
	}
	if w.caught.worst.total() > s.best.worst.total()*2/3 {
		if err := s.siege(ctx, &w.caught); err != nil {
			return err
		}
	}
	if w.caught.worst.total() > 0 {
		err = s.keep(&w.caught)
	}
	return err
}

// turn begins the next pass.
func (s *searcher) turn() error {
	seeds := s.starts[len(s.starts)-1].seed - s.problem.Seed + 1
	switch {
	case !s.moving:
		s.at, s.moving, s.begun = s.first, true, s.runs
	case seeds < seedsMost:
		s.at, s.first, s.moving, s.begun = len(s.starts), len(s.starts), false, s.runs
		return s.lay(s.problem.Seed + seeds)
	default:
		s.at = 0
	}
	return nil
}
