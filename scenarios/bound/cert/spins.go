package cert

import (
	"slices"

	"rtsim/model"
	"rtsim/sim"
)

// What a waiter executes while it waits: raw locks, wait_locks, slow paths, an owner that runs.

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
		most = max(most, k.handlers(cpu, t.way.task, 100).stretch(runs, sim.Never/1024))
	}
	return most
}
