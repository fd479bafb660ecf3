package cert

import (
	"rtsim/model"
	"rtsim/sim"
)

// Formula (b): what delays the owners is counted once for the whole call. While it waits, at each
// instant one task is in its way, which executes, or is kept from it by bursts or handlers of its
// CPU. So the value has to be no less than what the call and these tasks execute (walk.go, with
// releases that are not stretched), and of the whole time what bursts of all other CPUs can execute
// in it, and what handlers of one CPU can; in each piece of such execution there may be one of each
// source more.

// once says whether it is checked by this formula.
func (k *checker) once() bool { return k.c.Formula == "b" }

// pieces is of how many pieces the time until a taker's release consists.
func (k *checker) pieces(t taker) sim.Time { return 1 + k.hold(t, pauses) + k.hold(t, jobs) }

// meanwhile is what bursts and handlers take of the value, in so many pieces.
func (k *checker) meanwhile(pieces sim.Time) (sum sim.Time) {
	for i := range k.w.Loads {
		d := &k.w.Loads[i]
		if d.Kind != model.LoadBurst || d.CPU == k.tasks[k.root].cpu ||
			k.tasks[d.Task].prio < k.level {
			continue
		}
		g := gap{}
		g.of(k, d)
		sum += g.fits(k.c.Value)
	}
	first, later := sim.Time(0), sim.Time(0)
	for task := range k.tasks {
		if task == k.root || !k.mayOwn(task) {
			continue
		}
		g := k.gapOf(task)
		one, rest := sim.Time(0), sim.Time(0)
		for _, h := range g.all {
			one += h.cost
			if h.every > 0 { // up(w+off, every) is at most 1 + (off-1)/every + w/every
				one += up(h.cost*max(min(g.off, g.busy)-1, 0), h.every)
				rest += up(h.cost*k.c.Value, h.every)
			}
		}
		first, later = max(first, one), max(later, rest)
	}
	return sum + first*pieces + later
}

// mayOwn says whether a task takes a sleeping lock that others take too.
func (k *checker) mayOwn(task int) bool {
	for _, r := range k.ways {
		for i := range r.code {
			s := &r.code[i].Step
			if r.task != task || s.Op != model.OpLock && s.Op != model.OpTry || isRaw(s.Ref) ||
				s.Ref == model.RefOwnRing {
				continue
			}
			for _, e := range k.targets(r, i) {
				if k.contended(k.lock(s.Ref, r, e), task) {
					return true
				}
			}
		}
	}
	return false
}
