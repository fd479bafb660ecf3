package cert

import (
	"slices"

	"rtsim/model"
	"rtsim/sim"
)

// Waits for locks, built from the same rules as the bound's, which stand in scenarios/bound.

// taker is a place where a task takes a lock.
type taker struct {
	way          *way
	line, target int
}

// takers are all of a lock but those of one task.
func (k *checker) takers(l lock, but int) []taker {
	id := waiting{l, but}
	all, known := k.users[id]
	if !known {
		all = k.findTakers(l, but)
		k.users[id] = all
	}
	return all
}

func (k *checker) findTakers(l lock, but int) (all []taker) {
	for _, r := range k.ways {
		for i := range r.code {
			if op := r.code[i].Op; r.task == but || op != model.OpLock && op != model.OpTry {
				continue
			}
			for _, target := range k.targets(r, i) {
				if k.lock(r.code[i].Ref, r, target) == l {
					all = append(all, taker{r, i, target})
				}
			}
		}
	}
	return all
}

// targets are the endpoints that a walk around a line may stand at there, -1 without a walk.
func (k *checker) targets(r *way, line int) (all []int) {
	if !inWalk(r.code, line) {
		return []int{-1}
	}
	for e := range k.ends {
		if k.ends[e].queue == r.queue {
			all = append(all, e)
		}
	}
	return all
}

func needsTarget(r model.Ref) bool {
	return slices.Contains([]model.Ref{model.RefPI, model.RefRQ, model.RefMsg, model.RefCache,
		model.RefEventfd, model.RefSignal, model.RefSignalfd}, r)
}

// inWalk says whether a line is in the body of a walk, where there is an endpoint to stand at.
func inWalk(code model.Code, line int) bool {
	for i := range line {
		switch code[i].Action {
		case model.ActNextOpen, model.ActNodeNext, model.ActWakeQNext, model.ActHashNext:
			if i+int(code[i].Target) > line {
				return true
			}
		}
	}
	return false
}

// contended says whether others take a lock, waited whether they wait for it.
func (k *checker) contended(l lock, task int) bool { return len(k.takers(l, task)) > 0 }

func (k *checker) waited(l lock, task int) bool {
	return slices.ContainsFunc(k.takers(l, task), waits)
}

// waits says whether it is no trylock.
func waits(t taker) bool { return t.way.code[t.line].Op == model.OpLock }

// rivals are the takers that may be there while a task is at a place of its own: those that hold no
// other lock which it holds there.
func (k *checker) rivals(l lock, here taker) []taker {
	mine := slices.DeleteFunc(k.heldAt(here.way, here.line, here.target), func(h lock) bool {
		return h == l
	})
	return slices.DeleteFunc(slices.Clone(k.takers(l, here.way.task)), func(t taker) bool {
		return slices.ContainsFunc(k.heldAt(t.way, t.line, t.target), func(h lock) bool {
			return slices.Contains(mine, h)
		})
	})
}

// hold is how much of something there is until a taker releases the lock.
func (k *checker) hold(t taker, of measure) sim.Time {
	id := stretch{t, of}
	ns, known := k.took[id]
	if !known {
		k.took[id] = sim.Never / 1024 // who comes back here goes in a circle
		ref := t.way.code[t.line].Ref
		ns = k.longest(t.way, t.line+1, t.target, of, func(l *model.Line) bool {
			return l.Op == model.OpUnlock && l.Ref == ref
		})
		k.took[id] = ns
	}
	return ns
}

// stretch names a hold, waiting the takers of a lock but one.
type stretch struct {
	taker
	of measure
}

type waiting struct {
	of     lock
	waiter int
}

func isIRQOff(r model.Ref) bool { return r.String() == "irqs off" }

// heldAt are the locks that are held where a line begins.
func (k *checker) heldAt(r *way, line, target int) (all []lock) {
	for _, h := range r.held[line] {
		if !isIRQOff(h) && h.String() != "preemption off" && (target >= 0 || !needsTarget(h)) {
			all = append(all, k.lock(h, r, target))
		}
	}
	return all
}

// before is how long the sections take that are before a waiter's.
func (k *checker) before(l lock, here taker) sim.Time {
	ns, known := k.waits[here]
	if !known {
		k.waits[here] = 0 // a circle is refused by hold
		ns = k.ahead(l, here, func(what string, t taker) sim.Time {
			return k.released(what, l, t, here.way.task)
		})
		k.waits[here] = ns
	}
	return ns
}

// ahead adds up what the sections have of something that are before a waiter's: the owner's, and
// those of who is at the level, or is boosted by one that is.
func (k *checker) ahead(l lock, here taker, of func(what string, t taker) sim.Time) sim.Time {
	owner, turns := sim.Time(0), sim.Time(0)
	for _, t := range k.rivals(l, here) {
		if t.way.task == k.root {
			continue // who waits for the root is not waited for
		}
		if k.tasks[t.way.task].prio > k.level {
			k.refuse("%s overtakes", k.tasks[t.way.task].name)
		}
		owner = max(owner, of("release", t))
	}
	for p, peer := range k.tasks {
		if p == here.way.task || p == k.root || peer.prio < k.level || peer.burst {
			continue
		}
		most := sim.Time(0)
		for _, t := range k.rivals(l, here) {
			own := t.way.task == p && t.way.code[t.line].Op == model.OpLock
			if t.way.task != k.root && (own || t.way.task != p && k.boosts(p, t)) {
				most = max(most, of("turn", t))
			}
		}
		turns += most
	}
	return owner + turns
}

// boosts says whether a peer may wait for a lock that a taker holds already.
func (k *checker) boosts(peer int, t taker) bool {
	return slices.ContainsFunc(k.heldAt(t.way, t.line, t.target), func(h lock) bool {
		return !isRaw(h.ref) && k.waitsFor(peer, h)
	})
}

// released checks the fixed point of a release, and is its window.
func (k *checker) released(what string, l lock, t taker, waiter int) sim.Time {
	task, window := t.way.task, sim.Time(0)
	if !k.once() {
		window = k.window(what, l, t, waiter)
	}
	j := job{work: k.hold(t, executed), blocked: k.hold(t, blocked),
		pauses: k.hold(t, pauses)}
	queue := k.queue(l, task, waiter, true)
	if k.charged(model.CostUnlockSlow) > 0 {
		j.tail = queue + k.pays(model.CostUnlockSlow)
	}
	j.work += k.pays(model.CostUnlock) + queue + k.pays(model.CostUnlockSlow) +
		k.others(l, task)
	if what == "turn" {
		j.work += k.wakes(l, task, waiter) + queue + k.pays(model.CostRetake)
	} else {
		j.work += k.boost(l, task, waiter)
	}
	switch {
	case k.once():
		k.mayRun(task)
		return j.work + j.blocked
	case k.err != nil:
		return window
	}
	if needs := k.stretched(task, j, window); needs > window {
		k.refuse("%s needs %v until it has released %v, which is over %v", k.tasks[task].name,
			needs, l.ref, window)
	}
	return window
}

// others is what tasks of an owner's CPU execute before it, that peers boost by other locks: one
// section for each peer.
func (k *checker) others(l lock, owner int) (sum sim.Time) {
	if k.apart() {
		return 0
	}
	for p, peer := range k.tasks {
		if p == k.root || p == owner || peer.prio < k.level || peer.burst {
			continue
		}
		most := sim.Time(0)
		for _, mine := range k.sleeping(p, false) {
			other := k.of(mine)
			for _, t := range k.takers(other, owner) {
				if other == l || k.tasks[t.way.task].cpu != k.tasks[owner].cpu {
					continue
				}
				most = max(most, k.hold(t, bare)+k.pays(model.CostUnlock)+
					k.queue(other, t.way.task, -1, false)+k.pays(model.CostUnlockSlow)+
					k.pays(model.CostSwitch))
			}
		}
		sum += most
	}
	return sum
}
