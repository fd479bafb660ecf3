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

// spin is the wait for a raw lock: a hold of each other CPU.
func (k *checker) spin(r *way, line, target int) (sum sim.Time) {
	cpus := map[int32]sim.Time{}
	l := k.lock(r.code[line].Ref, r, target)
	for _, t := range k.rivals(l, taker{r, line, target}) {
		cpu := k.tasks[t.way.task].cpu
		if cpu == k.tasks[r.task].cpu {
			continue
		}
		ns := k.hold(t, executed)
		if !slices.ContainsFunc(t.way.held[t.line], isIRQOff) {
			most := k.window("hold", l, t, -1)
			all := k.handlers(cpu, t.way.task, 100)
			if ns+all.most(most, all.period(0)) > most {
				k.refuse("%s holds %v for longer than %v", k.tasks[t.way.task].name, l.ref, most)
			}
			ns = most
		}
		cpus[cpu] = max(cpus[cpu], ns)
	}
	for _, ns := range cpus {
		sum += ns
	}
	return sum
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

// queue is the wait for a lock's wait_lock: a section of each other CPU whose tasks take the lock.
// While the lock is owned none of them is a slow release.
func (k *checker) queue(l lock, task, waiter int, owned bool) sim.Time {
	longest := max(k.pays(model.CostLockSlow), k.pays(model.CostRetake))
	if !owned {
		longest = max(longest, k.pays(model.CostUnlockSlow))
	}
	cpus := map[int32]bool{}
	for _, t := range k.takers(l, waiter) {
		cpus[k.tasks[t.way.task].cpu] = true
	}
	delete(cpus, k.tasks[task].cpu)
	return sim.Time(len(cpus)) * longest
}

// slow is what a waiter itself executes for a lock that others take, until it has it.
func (k *checker) slow(l lock, waiter int) sim.Time {
	return k.pays(model.CostLockSlow) + k.queue(l, waiter, -1, false) +
		k.queue(l, waiter, waiter, true) + k.pays(model.CostRetake)
}

// spinning is how long a waiter spins at most, while the owner runs on another CPU.
func (k *checker) spinning(l lock, here taker) (most sim.Time) {
	for _, t := range k.rivals(l, here) {
		cpu := k.tasks[t.way.task].cpu
		if cpu == k.tasks[here.way.task].cpu {
			continue
		}
		runs := k.hold(t, bare) + k.pays(model.CostUnlock) +
			k.queue(l, t.way.task, -1, false) + k.pays(model.CostUnlockSlow)
		all := k.handlers(cpu, t.way.task, 100)
		over := runs
		for busy := all.period(0); over < sim.Never/1024; {
			next := runs + all.most(over, busy)
			if next <= over {
				break
			}
			over = next
		}
		most = max(most, over)
	}
	return most
}

// before is how long the sections take that are before a waiter's: the owner's, and those of who is
// at the level, or is boosted by one that is.
func (k *checker) before(l lock, here taker) sim.Time {
	if ns, known := k.waits[here]; known {
		return ns
	}
	k.waits[here] = 0 // a circle is refused by hold
	owner, turns, waiter := sim.Time(0), sim.Time(0), here.way.task
	for _, t := range k.rivals(l, here) {
		if t.way.task == k.root {
			continue // who waits for the root is not waited for
		}
		if k.tasks[t.way.task].prio > k.level {
			k.refuse("%s overtakes", k.tasks[t.way.task].name)
		}
		owner = max(owner, k.released("release", l, t, waiter))
	}
	for p, peer := range k.tasks {
		if p == waiter || p == k.root || peer.prio < k.level || peer.burst {
			continue
		}
		most := sim.Time(0)
		for _, t := range k.rivals(l, here) {
			own := t.way.task == p && t.way.code[t.line].Op == model.OpLock
			if t.way.task != k.root && (own || t.way.task != p && k.boosts(p, t)) {
				most = max(most, k.released("turn", l, t, waiter))
			}
		}
		turns += most
	}
	k.waits[here] = owner + turns
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
	task := t.way.task
	window := k.window(what, l, t, waiter)
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
	if k.err != nil {
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
