package cert

import (
	"rtsim/model"
	"rtsim/sim"
)

// What a CPU does besides: handlers, bursts, switches, sections without preemption.

// handler is a source of interrupts; every 0: once in a window, or in each piece of it.
type handler struct {
	cost, every, pieces sim.Time
	inFlight            bool // an IPI that was sent before the window
}

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
			all = append(all, handler{cost: k.charged(model.CostTick), every: least})
		case d.Kind == model.LoadDevice:
			all = append(all, handler{cost: length, every: least})
		case k.tasks[d.Task].prio < level:
			h := handler{cost: k.charged(model.CostIRQHandler)}
			if shortest, _ := d.Length.Range(); task >= 0 && k.isAlone(task) {
				h.every = max(d.Floor+shortest, 1)
			}
			all = append(all, h)
		}
	}
	for i, t := range k.tasks {
		if t.cpu == cpu && t.timer && i != task {
			all = append(all, handler{cost: k.charged(model.CostTimer)})
		}
	}
	for _, d := range k.w.Interrupts {
		if d.CPU == cpu {
			all = append(all, handler{cost: d.Cost})
		}
	}
	if task != k.root {
		all = append(all, handler{cost: k.charged(model.CostIRQEntry), inFlight: true})
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
		sum += s.in(window, busy) * s.cost
	}
	return sum
}

// stretch is how long work takes with handlers, unless that is far longer than some time.
func (h handlers) stretch(work, far sim.Time) sim.Time {
	took := work
	for busy := h.period(0); took < far; {
		next := work + h.most(took, busy)
		if next <= took {
			break
		}
		took = next
	}
	return took
}

// in is how many come in a window after which a busy period may end.
func (s handler) in(window, busy sim.Time) sim.Time {
	if s.every == 0 {
		return max(s.pieces, 1)
	}
	return up(window+busy, s.every)
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

// section is the longest that a task keeps preemption, or interrupts, off; while the root is queued
// for a lock, unless waiter is -1.
func (k *checker) section(task int, irqs bool, l lock, waiter int) sim.Time {
	id := part{task, irqs, l, waiter}
	ns, known := k.parts[id]
	if !known {
		ns = k.longestSection(task, irqs, l, waiter)
		k.parts[id] = ns
	}
	return ns
}

// part names a section.
type part struct {
	task   int
	irqs   bool
	of     lock
	waiter int
}

func (k *checker) longestSection(task int, irqs bool, l lock, waiter int) (most sim.Time) {
	for _, r := range k.ways {
		for i := range r.code {
			first := &r.code[i]
			off := first.Op == model.OpOff && (!irqs || first.Arg == model.IRQOff()[0].Arg)
			takesRaw := first.Op == model.OpLock && isRaw(first.Ref) && !irqs
			slow := (first.Op == model.OpLock || first.Op == model.OpTry) && !isRaw(first.Ref) &&
				first.Ref != model.RefOwnRing
			if r.task != task || !off && !takesRaw && !slow {
				continue
			}
			for _, e := range k.targets(r, i) {
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
		if !k.waited(at, r.task) {
			return 0
		}
		if at == l && waiter >= 0 {
			return k.queue(at, r.task, waiter, true) + max(k.pays(model.CostLockSlow),
				k.pays(model.CostRetake))
		}
		return k.queue(at, r.task, -1, false) + max(k.pays(model.CostLockSlow),
			k.pays(model.CostRetake), k.pays(model.CostUnlockSlow))
	}
	ns := k.longest(r, i+1, e, bare, func(x *model.Line) bool {
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
