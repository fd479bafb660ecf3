package explore

import (
	"context"
	"errors"
	"slices"

	"rtsim/sim"
)

// Search is an adversary that plays against a scenario: it changes answers on the tape so that one
// message takes as long as possible, and whatever it finds is a run that the scenario allows.
//
// In each window, of a plain run (scan.go) or a stressed one (stress.go), it begins with what can
// be planned (ambush.go, raid.go, siege.go). Then it draws. It keeps the best run of each kind of
// blame chain (an archive, as MAP-Elites), since what is best so far may be a dead end, and takes
// the next move from the best or, three times in ten, from a kind that was seldom moved from. The
// moves compete: one that has helped is tried more often. When nothing helps any more, the best of
// the window is besieged and the search begins again at another window, and now and then the best
// run of all is polished (polish.go). A search is a function of the problem and the plan; its
// budget is counted in runs, not in time.
//
// Rejected: annealing, which in a sketch needed twice the runs of aligned moves; Bayesian
// optimization, as a run takes less than a millisecond; coverage of code or states, as the chain of
// blame says better what is new.
//
// Sources: Mouret and Clune, 2015 (MAP-Elites); Groce and others, ISSTA 2012 (swarm testing: random
// omission of features); Briand, Labiche, Shousha, GECCO 2005 (search for deadline misses).

const (
	archiveMost = 64   // niches that are kept
	stallAfter  = 300  // runs without a longer message until the search begins again
	waysMost    = 12   // windows of one seed
	restedMost  = 3    // windows of one seed that begin with a task that has slept for long
	seedsMost   = 4    // seeds whose runs windows are taken from, in turns
	tightPer    = 95   // per cent of a bound that end a search
	huntPer     = 40   // per cent of the runs from one polishing to the next
	polishPer   = 20   // of these a polishing takes at most
	planMost    = 3    // a pass without moves takes that part of the runs at most
	idleMost    = 1000 // moves in a row that change nothing: there is nothing to change
)

// searcher is a search in progress.
type searcher struct {
	*arena
	plan    Plan
	mover   *mover
	archive []niche
	best    candidate // of all
	local   candidate // since the last restart
	lastNew int       // run of the last improvement of local
	idle    int       // moves in a row that changed nothing
	at      int       // the window that is next
	first   int       // the first one of the seed
	moving  bool      // the pass makes moves
	begun   int       // runs when the pass began
	report  SearchReport
	tried   [nMoves]int
	helped  [nMoves]int
}

var errEnough = errors.New("the search has found enough")

// Search looks for a long message among the possible runs of a scenario. The context ends it early:
// what was found so far is returned with the context's error. Found.Total is 0 if no message was
// over in any window.
func Search(ctx context.Context, p *Problem, plan Plan) (Found, SearchReport, error) {
	a, err := newArena(p)
	if err != nil {
		return Found{}, SearchReport{}, err
	}
	plan = plan.filled()
	a.follow = plan.follow
	s := &searcher{arena: a, plan: plan,
		mover: &mover{a: a, rng: sim.NewStream(plan.Seed, "explore/search")}}
	err = s.all(ctx)
	if errors.Is(err, errEnough) || errors.Is(err, errSpent) {
		err = nil
	}
	f, err := s.found(ctx, err)
	return f, s.counted(), err
}

// found is the best run as a witness, and the error that has ended the search, if any.
func (s *searcher) found(ctx context.Context, ended error) (Found, error) {
	if s.best.worst.total() == 0 {
		return Found{}, ended
	}
	if ended == nil {
		ended = s.prune(ctx, &s.best)
	}
	f := s.witness(&s.best)
	if wrong := s.confirm(&f); wrong != nil {
		return Found{}, wrong
	}
	return f, ended
}

var errSpent = errors.New("the budget is spent")

// all searches until an error ends it: of the context, of a run, enough, or spent.
func (s *searcher) all(ctx context.Context) error {
	if err := s.stressedFirst(ctx, seedsMost); err != nil {
		return err
	}
	if err := s.lay(s.problem.Seed); err != nil {
		return err
	}
	for round := 1; ; round++ {
		for s.runs < s.plan.Evaluations*min(huntPer*round, 100)/100 {
			if err := s.restart(ctx); err != nil {
				return err
			}
			for s.runs-s.lastNew < stallAfter {
				if err := s.one(ctx); err != nil {
					return err
				}
			}
			if s.moving && s.local.worst.total() >= s.plan.Target/2 {
				if err := s.siege(ctx, &s.local); err != nil {
					return err
				}
			}
		}
		if s.runs >= s.plan.Evaluations { // a stall may end exactly there
			return errSpent
		}
		if s.best.worst.total() < s.plan.Target/2 {
			continue // there is nothing yet that is worth it
		}
		if err := s.siege(ctx, &s.best); err != nil {
			return err
		}
		share := min(huntPer*round+polishPer, 100)
		if err := s.polish(ctx, &s.best, s.plan.Evaluations*share/100); err != nil {
			return err
		}
	}
}

// evaluate runs a candidate and notes it if it is the best so far.
func (s *searcher) evaluate(ctx context.Context, c *candidate) error {
	if s.runs >= s.plan.Evaluations {
		return errSpent
	}
	if err := s.run(ctx, c); err != nil {
		return err
	}
	total := c.worst.total()
	if total > s.local.worst.total() {
		if level(total) > level(s.local.worst.total()) {
			s.lastNew = s.runs
		}
		s.local = c.clone()
	}
	if total > s.best.worst.total() {
		s.best, s.report.AtBest = c.clone(), s.runs
		if s.plan.Target > 0 && total > s.plan.Target ||
			s.plan.Bound > 0 && total*100 >= s.plan.Bound*tightPer {
			return errEnough
		}
	}
	return nil
}

func (c *candidate) clone() candidate {
	copied := *c
	copied.pins = slices.Clone(c.pins)
	return copied
}

// one makes one move.
func (s *searcher) one(ctx context.Context) error {
	if s.mover.oneIn(50) {
		s.mover.swarmReset()
	}
	from := s.pick()
	kind := s.move()
	next := candidate{start: from.best.start,
		pins: s.mover.propose(kind, &from.best, from.view)}
	from.moved++
	s.tried[kind]++
	if slices.Equal(next.pins, from.best.pins) { // a move that could not be made costs no run
		if s.idle++; s.idle > idleMost {
			return errSpent
		}
		return nil
	}
	s.idle = 0
	if err := s.evaluate(ctx, &next); err != nil {
		return err
	}
	was, is := level(from.best.worst.total()), level(next.worst.total())
	if is > was {
		s.helped[kind]++
	}
	if is >= was || s.mover.oneIn(16) {
		return s.keep(&next)
	}
	return nil
}

// move chooses a move: each by the share of its tries that helped, none never.
func (s *searcher) move() moveKind {
	const unit = 1_000
	var weights [nMoves]int
	sum := 0
	for k := range weights {
		weights[k] = unit*(s.helped[k]+1)/(s.tried[k]+2) + unit/20
		sum += weights[k]
	}
	at := s.mover.below(sum)
	for k, w := range weights {
		if at < w {
			return moveKind(k)
		}
		at -= w
	}
	panic("explore: the weights of the moves do not add up")
}

// counted completes the report.
func (s *searcher) counted() SearchReport {
	s.report.Evaluations, s.report.Steps = s.runs, s.steps
	for k, name := range moveNames {
		s.report.Moves = append(s.report.Moves, MoveCount{name, s.tried[k], s.helped[k]})
	}
	return s.report
}
