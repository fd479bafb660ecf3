package cert

import (
	"math"
	"slices"

	"rtsim/model"
	"rtsim/sim"
)

// The longest way through the steps of a listing. A state is a step, the endpoint that the last
// walk stands at, how many rounds each loop has left, and whether the CPU's sheaf was empty before.

// measure is what of the steps is summed. Of another task than the root each is the most by itself,
// on whatever way.
type measure uint8

const (
	whole    measure = iota // of the root: what it executes, and its waits
	executed                // what the task executes, wake-ups before a retry included
	bare                    // the same without these, but with spinning for owners that run
	blocked                 // for how long it waits for sleeping locks
	pauses                  // for how many
	jobs                    // how many pieces of execution of others that has
)

// search is one search; no state is looked at twice.
type search struct {
	k     *checker
	way   *way
	of    measure
	stops func(*model.Line) bool // where it ends; nil: at the listing's end
	known map[string]sim.Time
	// awake: it finds something to do, so it does not sleep, and its wait goes round twice at most.
	awake bool
	// emptied: the CPU's sheaf was empty in this call before.
	emptied bool
}

// longest is the most from before a step to the end, or to before a step that stops it.
func (k *checker) longest(r *way, from, target int, of measure,
	stops func(*model.Line) bool) sim.Time {
	s := search{k: k, way: r, of: of, stops: stops, known: map[string]sim.Time{}}
	return s.all(from, target)
}

// roundsMost is how often steps in a loop in a loop are come to at most; each is a state.
const roundsMost = 10_000

// all is from a step on, with all rounds of all loops.
func (s *search) all(from, target int) sim.Time {
	left := make([]byte, len(s.way.code)+1) // the last: that the sheaf was empty
	for i := range s.way.code {
		if !s.isLoop(i) {
			continue
		}
		most := s.most(i)
		if s.inLoops(i) > roundsMost || most > math.MaxUint8 {
			s.k.refuse("%d rounds of the loop \"%s\" are not checked", most, s.way.code[i].Note)
			return 0
		}
		left[i] = byte(most)
	}
	if s.emptied {
		left[len(left)-1] = 1
	}
	return s.from(from, target, left)
}

// inLoops is how often a loop's steps are come to, with the rounds of all loops around it.
func (s *search) inLoops(loop int) int {
	n := 1
	for i := range loop + 1 {
		if s.isLoop(i) && i+int(s.way.code[i].Target) > loop {
			n *= max(s.most(i), 1)
		}
	}
	return n
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

// ways says which ways a test may go.
func (s *search) ways(i, target int, left []byte) (yes, no bool) {
	l := &s.way.code[i]
	emptied := left[len(left)-1] > 0
	switch {
	case s.awake && s.way.code[i+1].Op == model.OpSchedule:
		return false, true
	case l.Action == model.ActHashMatch && target >= 0:
		yes = s.k.ends[target].queue == s.way.queue
		return yes, !yes
	case l.Action == model.ActSheafSpare && emptied && s.refillsOnce(),
		l.Op == model.OpTry && l.Ref == model.RefSheaf && s.k.isAlone(s.way.task):
		return true, false
	}
	return true, true
}

// from is the most from a state on.
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
		next = s.fromLoop(i, target, left)
	case l.Target != 0 && (l.Op == model.OpDo || l.Op == model.OpTry):
		yes, no := s.ways(i, target, left)
		if yes {
			next = s.from(i+1, target, left)
		}
		if no {
			if l.Action == model.ActSheafSpare {
				left = slices.Clone(left)
				left[len(left)-1] = 1
			}
			next = max(next, s.from(i+int(l.Target), target, left))
		}
	default:
		next = s.from(i+1, target, left)
	}
	ns := s.k.step(s.way, i, target, s.of) + next
	s.known[key] = ns
	return ns
}

// fromLoop is the most from behind a loop's test on. Behind a walk nobody is stood at.
func (s *search) fromLoop(i, target int, left []byte) sim.Time {
	l, all, most := &s.way.code[i], s.rounds(i), s.most(i)
	if most == 0 {
		s.k.refuse("the loop \"%s\" is not checked", l.Note)
	}
	after, then := slices.Clone(left), target
	after[i] = byte(most)
	if len(all) > 0 {
		then = -1
	}
	next := s.from(i+int(l.Target), then, after)
	if left[i] > 0 {
		again := slices.Clone(left)
		again[i]--
		if len(all) > 0 {
			target = all[again[i]]
		}
		next = max(next, s.from(i+1, target, again))
	}
	return next
}

// step is what one step adds.
func (k *checker) step(r *way, i, target int, of measure) sim.Time {
	l := &r.code[i]
	ns := k.pays(l.Cost)
	if of >= blocked {
		ns = 0
	}
	if l.Op == model.OpSchedule {
		k.refuse("%s sleeps", r.kind)
	}
	if l.Op != model.OpLock && l.Op != model.OpUnlock {
		return ns
	}
	at := k.lock(l.Ref, r, target)
	switch {
	case isRaw(l.Ref) && l.Op == model.OpLock && of < blocked:
		return ns + k.spin(r, i, target)
	case isRaw(l.Ref) || l.Ref == model.RefOwnRing:
		return ns
	case l.Op == model.OpUnlock:
		if of < blocked && slices.ContainsFunc(k.rivals(at, taker{r, i, target}), waits) {
			ns += k.queue(at, r.task, -1, true) + k.pays(model.CostUnlockSlow)
		}
		return ns
	case len(k.rivals(at, taker{r, i, target})) == 0:
		return ns
	}
	return ns + k.waitIn(at, taker{r, i, target}, of)
}

// waitIn is what a wait for a lock adds.
func (k *checker) waitIn(at lock, here taker, of measure) sim.Time {
	task := here.way.task
	switch of {
	case pauses:
		return 1
	case blocked:
		return k.before(at, here)
	case jobs:
		return k.ahead(at, here, func(_ string, t taker) sim.Time { return k.pieces(t) })
	case bare:
		return k.slow(at, task) + k.spinning(at, here)
	case executed:
		return k.slow(at, task) + k.wakes(at, task, task)
	}
	return k.slow(at, task) + k.wakes(at, task, task) + k.before(at, here)
}

func isRaw(r model.Ref) bool {
	return !r.Sleeps() && r != model.RefNone && r != model.RefTarget
}
