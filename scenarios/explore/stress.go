package explore

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

// Stressed runs. A window is a few milliseconds, and no answer in it brings about what takes
// longer: a cache that runs empty, a backlog. Plain runs are far from that, as draws are from the
// worst. So windows start in stressed runs, too: of one source of bursts, or of all, each burst is
// as long and each gap as short as it may be, from the start of the run. Such a run is as legal as
// any, and comes to states that a plain one does not come to in years. Where to look in it: at
// messages that take a sleeping lock which a task on a CPU with bursts has had so shortly before
// that one burst would have kept it, the locks that are taken least first (and then ambush.go).
//
// The answers of the stress are part of a witness, which is repeated from the seed. Rejected:
// chains of windows, each started where one before ended in a state that was new, for lack of a
// measure of new that names no structure of a design; and to stress devices or costs, which keep
// nobody from running for long.

// stress is a run of a seed in which some answers are replaced from the start.
type stress struct {
	seed    uint64
	answers []Answer // none: a plain run
}

const (
	stressed   = 400 * sim.Millisecond // how long such a run is looked through at most
	stressMost = 1000                  // bursts of a source in it at most
	windowsOf  = 2                     // windows for one lock of a stressed run
	locksMost  = 2                     // and for how many locks
	stressPer  = 10                    // per cent of the runs that begin a search so at most
)

// stresses are the stressed runs of a seed, and how long each is looked through; a window more is
// answered.
func (a *arena) stresses(seed uint64, window sim.Time) (all []stress, until sim.Time) {
	until = stressed
	every := stress{seed: seed}
	for i := range a.workload.Loads {
		d := &a.workload.Loads[i]
		if d.Kind != model.LoadBurst {
			continue
		}
		_, length := d.Length.Range()
		gap, _ := d.Gap.Range()
		until = min(until, (length+gap)*stressMost-window)
		bursts := uint64(max(until+window, 0)/max(length+gap, 1)) + 1
		one := stress{seed: seed}
		one.alike("load-length/"+d.Name, bursts, length)
		one.alike("load-gap/"+d.Name, bursts+1, gap)
		all = append(all, one)
		every.answers = append(every.answers, one.answers...)
	}
	if len(all) > 1 {
		all = append(all, every)
	}
	return all, until
}

// alike answers the first questions of a site alike.
func (r *stress) alike(site string, questions uint64, value sim.Time) {
	for n := range questions {
		r.answers = append(r.answers, Answer{Site: site, Ordinal: n, Value: int64(value)})
	}
}

// longestBurst is how long a burst may be.
func (a *arena) longestBurst() (longest sim.Time) {
	for i := range a.workload.Loads {
		if d := &a.workload.Loads[i]; d.Kind == model.LoadBurst {
			_, length := d.Length.Range()
			longest = max(longest, length)
		}
	}
	return longest
}

// machine is a machine at the start of a run. What the case answers stays.
func (a *arena) machine(r *stress) *model.Machine {
	w := *a.workload
	w.Answers = slices.Concat(r.answers, w.Answers)
	return model.New(&w, a.costs, r.seed)
}

// Stressed is what Search does first, with the problem's seed alone: it looks for a message over
// the target in stressed runs, within a few hundred runs. Found.Total is 0 if no message was over
// in any window, or if there is none.
func Stressed(ctx context.Context, p *Problem, target sim.Time) (Found, SearchReport, error) {
	a, err := newArena(p)
	if err != nil {
		return Found{}, SearchReport{}, err
	}
	s := &searcher{arena: a, plan: Plan{Target: target}.filled(),
		mover: &mover{a: a, rng: sim.NewStream(1, "explore/search")}}
	err = s.stressedFirst(ctx, 1)
	if errors.Is(err, errEnough) {
		err = nil
	}
	f, err := s.found(ctx, err)
	return f, s.counted(), err
}

// stressedFirst goes through the windows of the stressed runs of some seeds. A search begins with
// them, as they take few runs: a part of the budget at most. What it draws later does not depend
// on them, and its passes come to them last.
func (s *searcher) stressedFirst(ctx context.Context, seeds uint64) error {
	draws := s.mover.rng
	defer func() { s.mover.rng, s.first, s.begun = draws, len(s.starts), s.runs }()
	for i := range seeds {
		first := len(s.starts)
		if err := s.layStressed(s.problem.Seed + i); err != nil {
			return err
		}
		for range s.starts[first:] {
			if s.runs >= s.plan.Evaluations*stressPer/100 {
				s.starts = s.starts[:s.at] // the others are left out
				return nil
			}
			if err := s.restart(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// layStressed opens windows of the stressed runs of a seed.
func (s *searcher) layStressed(seed uint64) error {
	all, until := s.stresses(seed, s.plan.Window)
	if until < s.plan.Window {
		return nil // the bursts are too short to keep anybody from anything
	}
	for i := range all {
		begins, err := s.company(&all[i], until)
		if err != nil {
			return err
		}
		var from []sim.Time
		for _, begin := range begins {
			from = append(from, max(begin-leadsTo, sim.Microsecond))
		}
		if err := s.open(&all[i], from); err != nil {
			return err
		}
	}
	return nil
}

// company gives when messages begin that take a sleeping lock which another task has had within a
// burst before, on a CPU with bursts: some for each lock, the first ones, of some locks, those that
// are taken least.
func (s *searcher) company(r *stress, until sim.Time) (begins []sim.Time, err error) {
	m := s.machine(r)
	m.Keep(trace.SendBegin, trace.LockAcquired)
	begin, had := sim.Time(0), map[int32]sim.Time{}
	taken, near := map[int32]int{}, map[int32][]sim.Time{}
	for at := scanBatch; at <= until; at += scanBatch {
		if err := m.Run(at); err != nil {
			return nil, s.failed(r.seed, err)
		}
		for i := range m.Trace {
			x := &m.Trace[i]
			own := x.Task == s.sender || s.receives && x.Task == s.receiver
			switch {
			case x.Kind == trace.SendBegin:
				if x.Task == s.sender {
					begin = x.At
				}
			case !m.Sleeps(x.A):
			case own:
				taken[x.A]++
				last, known := had[x.A]
				known = known && last >= x.At-s.longestBurst() && begin >= s.earliest
				if known && !slices.Contains(near[x.A], begin) {
					near[x.A] = append(near[x.A], begin)
				}
			case s.burstOn(int32(x.CPU)) >= 0:
				had[x.A] = x.At
			}
		}
		m.Trace = m.Trace[:0]
	}
	locks := slices.SortedFunc(maps.Keys(near), func(x, y int32) int {
		return cmp.Or(cmp.Compare(taken[x], taken[y]), cmp.Compare(x, y))
	})
	for _, lock := range locks[:min(len(locks), locksMost)] {
		some := near[lock]
		begins = append(begins, some[:min(len(some), windowsOf)]...)
	}
	return begins, nil
}
