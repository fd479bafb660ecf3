package cert

import (
	"slices"

	"rtsim/model"
	"rtsim/sim"
)

// The longest way through the steps of a listing. A state is a step, the endpoint that the last
// walk stands at, and how many rounds each loop has left.

// search is one search; no state is looked at twice.
type search struct {
	k     *checker
	way   *way
	stops func(*model.Line) bool // where it ends; nil: at the listing's end
	known map[string]sim.Time
	// awake: it finds something to do, so it does not sleep, and its wait goes round twice at most.
	awake bool
}

// longest is the longest time from before a step to the end, or to before a step that stops it.
func (k *checker) longest(r *way, from, target int, stops func(*model.Line) bool) sim.Time {
	s := search{k: k, way: r, stops: stops, known: map[string]sim.Time{}}
	left := make([]byte, len(r.code))
	for i := range r.code {
		if s.isLoop(i) {
			left[i] = byte(len(s.rounds(i)))
		}
	}
	return s.from(from, target, left)
}

// isLoop says whether a test is a loop's: the last step before where it leads to jumps back to it.
func (s *search) isLoop(i int) bool {
	l := &s.way.code[i].Step
	if l.Op != model.OpDo || l.Target <= 1 {
		return false
	}
	end := i + int(l.Target)
	last := &s.way.code[end-1].Step
	return last.Op == model.OpJump && end-1+int(last.Target) == i
}

// rounds are a loop's: for each the endpoint that it stands at, -1 if it is no walk.
func (s *search) rounds(i int) (targets []int) {
	k, queue := s.k, s.way.queue
	switch a := s.way.code[i].Action; a {
	case model.ActNoCQE:
		if s.awake {
			return []int{-1, -1}
		}
	case model.ActNextOpen, model.ActNodeNext, model.ActWakeQNext, model.ActHashNext:
		for e := range k.ends {
			same := k.ends[e].queue == queue
			if a == model.ActHashNext {
				same = k.bucket(k.ends[e].queue) == k.bucket(queue)
			}
			for n := 0; same && n <= k.returns(e, s.way); n++ {
				targets = append(targets, e)
			}
		}
	}
	return targets
}

// returns is how often an endpoint may leave and come back while the root walks; the others' walks
// are in sections in which none does.
func (k *checker) returns(e int, r *way) int {
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
	if r.task != k.root || !closes || k.c.Value < pause {
		return 0
	}
	return min(1+int((k.c.Value-pause)/max(pause+life, 1)), 100)
}

// from is the longest time from a state.
func (s *search) from(i, target int, left []byte) sim.Time {
	if i == len(s.way.code) || s.stops != nil && s.stops(&s.way.code[i]) || s.k.err != nil {
		return 0
	}
	key := string(append([]byte{byte(i), byte(i >> 8), byte(target + 1)}, left...))
	if ns, known := s.known[key]; known {
		return ns
	}
	l := &s.way.code[i]
	next := sim.Time(0)
	switch {
	case l.Op == model.OpJump:
		next = s.from(i+int(l.Target), target, left)
	case s.isLoop(i):
		all := s.rounds(i)
		if len(all) == 0 {
			s.k.refuse("the loop \"%s\" is not checked", l.Note)
		}
		after := slices.Clone(left)
		after[i] = byte(len(all))
		next = s.from(i+int(l.Target), -1, after)
		if left[i] > 0 {
			again := slices.Clone(left)
			again[i]--
			next = max(next, s.from(i+1, all[again[i]], again))
		}
	case l.Target != 0 && (l.Op == model.OpDo || l.Op == model.OpTry):
		sleeps := s.awake && s.way.code[i+1].Op == model.OpSchedule
		same := target >= 0 && s.k.ends[target].queue == s.way.queue
		if match := l.Action == model.ActHashMatch; !sleeps && (!match || same) {
			next = s.from(i+1, target, left)
		}
		if l.Action != model.ActHashMatch || !same {
			next = max(next, s.from(i+int(l.Target), target, left))
		}
	default:
		next = s.from(i+1, target, left)
	}
	ns := s.k.step(s.way, i, target) + next
	s.known[key] = ns
	return ns
}

// step is what one step takes, waits included.
func (k *checker) step(r *way, i, target int) sim.Time {
	l := &r.code[i]
	ns := k.pays(l.Cost)
	if l.Op == model.OpSchedule {
		k.refuse("%s sleeps", r.kind)
	}
	if l.Op != model.OpLock && l.Op != model.OpUnlock {
		return ns
	}
	at := k.lock(l.Ref, r, target)
	switch {
	case l.Op == model.OpLock && isRaw(l.Ref):
		return ns + k.spin(r, i, target)
	case isRaw(l.Ref) || l.Ref == model.RefOwnRing || !k.contended(at, r.task):
		return ns
	case l.Op == model.OpUnlock:
		return ns + k.queue(at, r.task, -1, true) + k.pays(model.CostUnlockSlow)
	case r.task != k.root:
		k.refuse("%s waits for %v in a section, which is not checked", k.tasks[r.task].name, l.Ref)
	}
	return ns + k.wait(at)
}

func isRaw(r model.Ref) bool {
	return !r.Sleeps() && r != model.RefNone && r != model.RefTarget
}
