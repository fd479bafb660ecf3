package cert

import (
	"slices"

	"rtsim/model"
	"rtsim/sim"
)

// How often loops go round.

// most is how often a loop goes round.
func (s *search) most(i int) int {
	sheaf, page := model.SlabObjects(s.k.slab(s.way.queue))
	switch s.way.code[i].Action {
	case model.ActPageTake:
		for j := range i { // of a new slab, or of each that was detached
			if s.way.code[j].Action == model.ActPageNew && j+int(s.way.code[j].Target) > i {
				return 1
			}
		}
		return sheaf
	case model.ActPageDetach, model.ActFlushGroup: // an object each at least
		return sheaf
	case model.ActPageNew:
		return (sheaf + page - 1) / page
	case model.ActWork: // the items besides one are counted by themselves
		if s.awake {
			return 1
		}
	case model.ActNoCQE:
		if s.awake {
			return 2
		}
	}
	return len(s.rounds(i))
}

// rounds are the endpoints that the rounds of a walk stand at; none: it is no walk.
func (s *search) rounds(i int) (targets []int) {
	k, queue := s.k, s.way.queue
	switch a := s.way.code[i].Action; a {
	case model.ActNextOpen, model.ActNodeNext, model.ActWakeQNext, model.ActHashNext:
		for e := range k.ends {
			same := k.ends[e].queue == queue
			if a == model.ActHashNext {
				same = k.bucket(k.ends[e].queue) == k.bucket(queue)
			}
			for n := 0; same && n <= k.comes(e, s.way); n++ {
				targets = append(targets, e)
			}
		}
	}
	return targets
}

// comes is how often an endpoint comes back in a walk; the others' walks are in sections in which
// none does.
func (k *checker) comes(e int, r *way) int {
	if r.task != k.root || k.again == nil {
		return 0
	}
	return k.again[e]
}

// returns is how often an endpoint may leave and come back while the root walks and the call takes
// some time. It leaves when it has been met.
func (k *checker) returns(e int, r *way, took sim.Time) int {
	pause, life, closes, straight := sim.Time(0), sim.Time(0), false, true
	for _, w := range k.w.Tasks[k.ends[e].task].Program {
		closes = closes || w.Kind == model.WordClose
		straight = straight && (w.Kind != model.WordGoto || w.Arg == 0)
		switch w.Kind {
		case model.WordSleep:
			pause += w.Time
		case model.WordFor:
			life += w.Time
		}
	}
	if !straight {
		pause, life = 0, 0
	}
	rest := took - k.met(e, r, false)
	if !closes || rest < pause {
		return 0
	}
	return min(1+int((rest-pause)/max(pause+life, 1)), 100)
}

// met is how long the first visit to an endpoint takes, and those before it.
func (k *checker) met(e int, r *way, only bool) sim.Time {
	least, byRank := sim.Never, true
	for i := range r.code {
		s := search{k: k, way: r, known: map[string]sim.Time{}, emptied: true}
		if !s.isLoop(i) || !slices.Contains(s.rounds(i), e) {
			continue
		}
		byRank = byRank && r.code[i].Action == model.ActNextOpen
		s.stops = func(l *model.Line) bool { return l == &r.code[i] }
		least = min(least, k.pays(r.code[i].Cost)+s.all(i+1, e))
	}
	if least == sim.Never {
		least = 0
	}
	for o := range k.ends {
		if !only && byRank && k.ends[o].queue == k.ends[e].queue &&
			k.tasks[k.ends[o].task].prio > k.tasks[k.ends[e].task].prio {
			least += k.met(o, r, true)
		}
	}
	return least
}

// slab is whose cache a queue's design allocates from; kworkers free requests.
func (k *checker) slab(queue int) model.SlabKind {
	switch {
	case queue < 0:
		return model.SlabRequest
	case k.w.Fixed != nil && k.w.Fixed[queue].Send != nil:
		return k.w.Fixed[queue].Slab
	}
	return k.w.Paths.Slab
}

// refillsOnce says whether a call empties the CPU's sheaf once at most: nobody else takes from it,
// and what it is refilled with is enough for all the rounds.
func (s *search) refillsOnce() bool {
	sheaf, _ := model.SlabObjects(s.k.slab(s.way.queue))
	for i := range s.way.code {
		if s.isLoop(i) && len(s.rounds(i)) > sheaf {
			return false
		}
	}
	return s.k.isAlone(s.way.task)
}
