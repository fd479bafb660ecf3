package cert

import (
	"rtsim/model"
	"rtsim/sim"
)

// What a CPU does besides: handlers, bursts, switches, sections without preemption.

// handler is a source of interrupts; every 0: once in a window.
type handler struct{ cost, every sim.Time }

type handlers []handler

// handlers are those of a CPU in a window in which none of its tasks below the level runs, but one.
func (k *checker) handlers(cpu int32, task int, level int32) (all handlers) {
	for i := range k.w.Loads {
		d := &k.w.Loads[i]
		least, _ := d.Gap.Range()
		_, length := d.Length.Range()
		switch {
		case d.CPU != cpu:
		case d.Kind == model.LoadTick:
			all = append(all, handler{k.charged(model.CostTick), least})
		case d.Kind == model.LoadDevice:
			all = append(all, handler{length, least})
		case k.tasks[d.Task].prio < level:
			h := handler{k.charged(model.CostIRQHandler), 0}
			if shortest, _ := d.Length.Range(); task >= 0 && k.isAlone(task) {
				h.every = max(d.Floor+shortest, 1)
			}
			all = append(all, h)
		}
	}
	for i, t := range k.tasks {
		if t.cpu == cpu && t.timer && i != task {
			all = append(all, handler{k.charged(model.CostTimer), 0})
		}
	}
	for _, d := range k.w.Interrupts {
		if d.CPU == cpu {
			all = append(all, handler{d.Cost, 0})
		}
	}
	if task != k.root {
		all = append(all, handler{k.charged(model.CostIRQEntry), 0})
	}
	return all
}

// isAlone says whether a task shares its CPU with threads of bursts only.
func (k *checker) isAlone(task int) bool {
	for i, t := range k.tasks {
		if i != task && t.cpu == k.tasks[task].cpu && !t.burst {
			return false
		}
	}
	return true
}

// up is a quotient, rounded up.
func up(a, b sim.Time) sim.Time { return (a + b - 1) / b }

// most is what handlers take of a window after which a busy period may end.
func (h handlers) most(window, busy sim.Time) (sum sim.Time) {
	for _, s := range h {
		n := sim.Time(1)
		if s.every > 0 {
			n = up(window+busy, s.every)
		}
		sum += n * s.cost
	}
	return sum
}

// period is the longest time in which handlers run one after another, interrupts off before it.
func (h handlers) period(off sim.Time) sim.Time {
	x := off
	for _, s := range h {
		x += s.cost
	}
	for range 10_000 {
		y := off + h.most(x, 0)
		if y <= x {
			return y
		}
		x = y
	}
	return sim.Never / 1024
}

// interruptsOff is a busy period of a CPU.
func (k *checker) interruptsOff(cpu int32) sim.Time {
	off := k.pays(model.CostSwitch) + k.pays(model.CostIdleExit)
	for i, t := range k.tasks {
		if t.cpu == cpu {
			off = max(off, k.section(i, true, lock{}, -1))
		}
	}
	task, level := -1, k.level
	if cpu == k.tasks[k.root].cpu {
		task = k.root
	}
	return k.handlers(cpu, task, level).period(off)
}

// stretched is the right-hand side of T = work + N bursts + interrupts, at a window.
func (k *checker) stretched(task int, work, window sim.Time) sim.Time {
	cpu := k.tasks[task].cpu
	all := k.handlers(cpu, task, k.level)
	off := k.pays(model.CostSwitch) + k.pays(model.CostIdleExit)
	for i, t := range k.tasks {
		if t.cpu != cpu {
			continue
		}
		off = max(off, k.section(i, true, lock{}, -1))
		if i != task && !t.burst && t.prio >= k.level {
			k.refuse("%s runs on CPU %d at the level too", t.name, cpu)
		}
	}
	busy, quiet := all.period(off), all.period(0)
	sum, bursts := work+all.most(window, busy), 0
	for i := range k.w.Loads {
		d := &k.w.Loads[i]
		if d.Kind != model.LoadBurst || d.CPU != cpu || k.tasks[d.Task].prio < k.level {
			continue
		}
		if bursts++; bursts > 1 {
			k.refuse("several threads of bursts on CPU %d are not checked", cpu)
		}
		_, length := d.Length.Range()
		gap := d.Floor - k.pays(model.CostSwitch)
		n := sim.Time(1)
		for ; k.leaves(all, n, gap, window, busy, quiet) < work && n < 10_000; n++ {
		}
		sum += n * (k.charged(model.CostIRQHandler) + length + 2*k.pays(model.CostSwitch))
	}
	return sum
}

// leaves is what n gaps between bursts leave for the task at least.
func (k *checker) leaves(all handlers, n, gap, window, busy, quiet sim.Time) sim.Time {
	left := n * gap
	for _, s := range all {
		in := sim.Time(1)
		if s.every > 0 {
			in = min(n*(up(gap, s.every)+up(quiet+1, s.every)-1), up(window+busy, s.every))
		}
		left -= in * s.cost
	}
	return left
}

// section is the longest that a task keeps preemption, or interrupts, off; while the root is queued
// for a lock, unless waiter is -1.
func (k *checker) section(task int, irqs bool, l lock, waiter int) (most sim.Time) {
	for _, r := range k.ways {
		for i := range r.code {
			first := &r.code[i]
			off := first.Op == model.OpOff && (!irqs || first.Arg == model.IRQOff()[0].Arg)
			takesRaw := first.Op == model.OpLock && isRaw(first.Ref) && !irqs
			slow := first.Op == model.OpLock && !isRaw(first.Ref) && first.Ref != model.RefOwnRing
			if r.task != task || !off && !takesRaw && !slow {
				continue
			}
			for e := -1; e < len(k.ends); e++ {
				if e >= 0 && k.ends[e].queue != r.queue || e < 0 && inWalk(r.code, i) {
					continue
				}
				most = max(most, k.oneSection(r, i, e, slow, l, waiter))
			}
		}
	}
	return most
}

func (k *checker) oneSection(r *way, i, e int, slow bool, l lock, waiter int) sim.Time {
	first := &r.code[i]
	if slow {
		at := k.lock(first.Ref, r, e)
		if !k.contended(at, r.task) {
			return 0
		}
		if at == l && waiter >= 0 {
			return k.queue(at, r.task, waiter, true) + max(k.pays(model.CostLockSlow),
				k.pays(model.CostRetake))
		}
		return k.queue(at, r.task, -1, false) + max(k.pays(model.CostLockSlow),
			k.pays(model.CostRetake), k.pays(model.CostUnlockSlow))
	}
	ns := k.longest(r, i+1, e, func(x *model.Line) bool {
		if first.Op == model.OpOff {
			return x.Op == model.OpOn && x.Arg == first.Arg
		}
		return x.Op == model.OpUnlock && x.Ref == first.Ref
	})
	if first.Op == model.OpLock {
		ns += k.spin(r, i, e)
	}
	return ns
}

// boost is the time until an owner that is ready runs, wakes that until a woken waiter does.
func (k *checker) boost(l lock, task int) sim.Time {
	ipi, first, any := k.charged(model.CostIPI), sim.Time(0), k.tasks[task].prio == 0
	for i, t := range k.tasks {
		mine := k.tasks[task]
		if i == task || t.cpu != mine.cpu || t.burst && t.prio >= k.level ||
			t.prio < mine.prio || t.prio == mine.prio && !mine.yields {
			continue
		}
		first, any = max(first, k.section(i, false, l, k.root)), true
	}
	if !any {
		return 0
	}
	change := k.pays(model.CostSwitch)
	return max(max(ipi, first)+k.charged(model.CostIRQEntry), change) + change
}

func (k *checker) wakes(l lock, task int) sim.Time {
	ipi, entry := k.charged(model.CostIPI), k.charged(model.CostIRQEntry)
	change, exit := k.pays(model.CostSwitch), k.pays(model.CostIdleExit)
	first := k.charged(model.CostSwitch) + exit
	for i, t := range k.tasks {
		if i != task && t.cpu == k.tasks[task].cpu && !(t.burst && t.prio >= k.level) {
			first = max(first, change+exit, max(ipi, k.section(i, false, l, k.root))+entry)
		}
	}
	if k.p.IdlePolls {
		ipi, entry = 0, 0
	}
	return max(first, ipi+entry+exit) + change
}
