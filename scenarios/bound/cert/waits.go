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
func (k *checker) takers(l lock, but int) (all []taker) {
	for _, r := range k.ways {
		for i := range r.code {
			if op := r.code[i].Op; r.task == but || op != model.OpLock && op != model.OpTry {
				continue
			}
			for target := -1; target < len(k.ends); target++ {
				if target < 0 && inWalk(r.code, i) ||
					target >= 0 && k.ends[target].queue != r.queue {
					continue
				}
				if k.lock(r.code[i].Ref, r, target) == l {
					all = append(all, taker{r, i, target})
				}
			}
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

// contended says whether others take a lock.
func (k *checker) contended(l lock, task int) bool { return len(k.takers(l, task)) > 0 }

// hold is how long a taker executes until it releases the lock.
func (k *checker) hold(t taker) sim.Time {
	ref := t.way.code[t.line].Ref
	return k.longest(t.way, t.line+1, t.target, func(l *model.Line) bool {
		return l.Op == model.OpUnlock && l.Ref == ref
	})
}

// spin is the wait for a raw lock: a hold of each other CPU.
func (k *checker) spin(r *way, line, target int) (sum sim.Time) {
	mine := k.heldAt(r, line, target)
	cpus := map[int32]sim.Time{}
	l := k.lock(r.code[line].Ref, r, target)
	for _, t := range k.takers(l, r.task) {
		cpu := k.tasks[t.way.task].cpu
		shared := func(h lock) bool { return slices.Contains(mine, h) }
		if cpu == k.tasks[r.task].cpu ||
			slices.ContainsFunc(k.heldAt(t.way, t.line, t.target), shared) {
			continue
		}
		ns := k.hold(t)
		if !slices.ContainsFunc(t.way.held[t.line], isIRQOff) {
			most := k.window("hold", l, t.way.task)
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

// wait is the root's for a sleeping lock that others take.
func (k *checker) wait(l lock) sim.Time {
	owner, turns := sim.Time(0), sim.Time(0)
	for i := range k.tasks {
		mine := slices.DeleteFunc(k.takers(l, k.root), func(t taker) bool {
			return t.way.task != i
		})
		peer := i != k.root && k.tasks[i].prio >= k.level && !k.tasks[i].burst
		if peer && k.takesOther(i, l) {
			k.refuse("%s waits for other locks too, which is not checked", k.tasks[i].name)
		}
		if len(mine) == 0 {
			continue
		}
		if k.tasks[i].prio > k.level {
			k.refuse("%s overtakes", k.tasks[i].name)
		}
		owner = max(owner, k.released("release", l, i, mine))
		if peer {
			turns += k.released("turn", l, i, mine)
		}
	}
	return k.pays(model.CostLockSlow) + k.queue(l, k.root, -1, false) + owner + turns +
		k.wakes(l, k.root) + k.queue(l, k.root, k.root, true) + k.pays(model.CostRetake)
}

// takesOther says whether a task waits for a sleeping lock besides one.
func (k *checker) takesOther(task int, l lock) bool {
	for _, r := range k.ways {
		for i := range r.code {
			s := &r.code[i].Step
			if r.task != task || s.Op != model.OpLock || isRaw(s.Ref) || s.Ref == model.RefOwnRing {
				continue
			}
			for e := range k.ends {
				o := k.lock(s.Ref, r, e)
				if k.ends[e].queue == r.queue && o != l && k.contended(o, task) {
					return true
				}
			}
		}
	}
	return false
}

// released checks the fixed point of a release, and is its window.
func (k *checker) released(what string, l lock, task int, mine []taker) sim.Time {
	window := k.window(what, l, task)
	if p := (checked{what, l, task}); k.seen[p] {
		return window
	} else {
		k.seen[p] = true
	}
	work := sim.Time(0)
	for _, t := range mine {
		work = max(work, k.hold(t))
	}
	queue := k.queue(l, task, k.root, true)
	work += k.pays(model.CostUnlock) + queue + k.pays(model.CostUnlockSlow)
	if what == "turn" {
		work += k.wakes(l, task) + queue + k.pays(model.CostRetake)
	} else {
		work += k.boost(l, task)
	}
	if needs := k.stretched(task, work, window); needs > window {
		k.refuse("%s needs %v until it has released %v, which is over %v", k.tasks[task].name,
			needs, l.ref, window)
	}
	return window
}
