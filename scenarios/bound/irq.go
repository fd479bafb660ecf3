package bound

import (
	"rtsim/model"
	"rtsim/sim"
)

// Hard interrupts: how much handlers may take of a window on a CPU. The instants of a periodic
// source are period apart. A handler comes in late while interrupts are off or others run, but has
// ended within a busy period: the longest time that interrupts are off, and all handlers that fall
// due until none is left. So at most ceil((window + busy) / period) overlap a window. What a task
// must run for, to arm it again (its timer, the next burst), comes once in a window in which none
// of the CPU's other tasks runs.

// source is one of a CPU's.
type source struct {
	cost   sim.Time
	period sim.Time // 0: it comes once in the window, or in each piece of one
	times  sim.Time // how many pieces; 0: one
	flies  bool     // it is an IPI that is in flight when the window begins
}

// count is how many of its handlers overlap a window.
func (s source) count(window, busy sim.Time) sim.Time {
	if s.period == 0 {
		return max(s.times, 1)
	}
	return ceil(window+busy, s.period)
}

// after is the same of a window that begins while a task runs that has interrupts on and has run
// for longer than some ns: then no handler is due but one whose next instant was past when it
// ended; busy is a period without interrupts off.
func (s source) after(window, busy sim.Time) sim.Time {
	if s.period == 0 {
		return 1
	}
	return ceil(window, s.period) + ceil(busy+1, s.period) - 1
}

func ceil(a, b sim.Time) sim.Time { return (a + b - 1) / b }

// busy is the length of a busy period that begins with interrupts off for so long.
func busy(all []source, off sim.Time) sim.Time {
	first := off
	for _, s := range all {
		first += s.cost
	}
	return least(func(x sim.Time) sim.Time {
		y := off
		for _, s := range all {
			y += s.cost * s.count(max(x, first), 0)
		}
		return y
	})
}

// sources are those of a CPU while task t, or nobody at its level, runs. Threads of bursts at or
// above the level are not among them: bursts.go counts their handlers.
func (a *analysis) sources(cpu int32, t int, level int32) (all []source) {
	for i := range a.w.Loads {
		d := &a.w.Loads[i]
		if d.CPU != cpu {
			continue
		}
		least, _ := d.Gap.Range()
		switch d.Kind {
		case model.LoadTick:
			all = append(all, source{cost: a.own(model.CostTick), period: least})
		case model.LoadDevice:
			_, greatest := d.Length.Range()
			all = append(all, source{cost: greatest, period: least})
		case model.LoadBurst:
			if a.tasks[d.Task].prio < level {
				all = append(all, source{cost: a.own(model.CostIRQHandler),
					period: a.below(d, t)})
			}
		}
	}
	for i := range a.tasks {
		if i != t && a.tasks[i].cpu == cpu && a.sleeps(i) {
			all = append(all, source{cost: a.own(model.CostTimer)})
		}
	}
	for i := range a.w.Interrupts {
		if d := &a.w.Interrupts[i]; d.CPU == cpu {
			all = append(all, source{cost: d.Cost})
		}
	}
	if t != a.root { // an IPI in flight; that of what made the window begin is in ready
		all = append(all, source{cost: a.own(model.CostIRQEntry), flies: true})
	}
	return all
}

// below is the least time between two bursts of a thread below the level: on the CPU of a task that
// is alone there they go on while that one sleeps for a lock. Elsewhere one comes in a window.
func (a *analysis) below(d *model.LoadDecl, t int) sim.Time {
	if t < 0 || !a.lone(t) {
		return 0
	}
	shortest, _ := d.Length.Range()
	return max(d.Floor+shortest, 1)
}

// sleeps says whether a task arms timers.
func (a *analysis) sleeps(t int) bool {
	if t >= len(a.w.Tasks) {
		return true // a kworker's delayed work, and its grace period
	}
	for _, w := range a.w.Tasks[t].Program {
		if w.Kind == model.WordSleep || w.Kind == model.WordEvery {
			return true
		}
	}
	return false
}

// total is what the sources take of a window at most.
func total(all []source, window, busy sim.Time) (sum sim.Time) {
	for _, s := range all {
		sum += s.cost * s.count(window, busy)
	}
	return sum
}

// off is the longest that a CPU's interrupts are off: in a raw section or a switch.
func (a *analysis) off(cpu int32) sim.Time {
	if ns, known := a.offs[cpu]; known {
		return ns
	}
	a.offs[cpu] = forever // what interrupts are off for does not depend on interrupts
	off := a.cost(model.CostSwitch) + a.cost(model.CostIdleExit)
	for t := range a.tasks {
		if a.tasks[t].cpu == cpu {
			off = max(off, a.atomic(t, true, key{}, -1))
		}
	}
	a.offs[cpu] = off
	return off
}

// atomic is the longest that a task keeps preemption off, hard interrupts not counted, or only
// interrupts; if waiter is not -1, while that is queued for a lock that another holds.
func (a *analysis) atomic(t int, irqs bool, lock key, waiter int) sim.Time {
	id := atomicID{t, irqs, lock, waiter}
	ns, known := a.atomics[id]
	if !known {
		ns = a.longestAtomic(t, irqs, lock, waiter)
		a.atomics[id] = ns
	}
	return ns
}

// atomicID names a stretch that was worked out.
type atomicID struct {
	task   int
	irqs   bool
	lock   key
	waiter int
}

func (a *analysis) longestAtomic(t int, irqs bool, lock key, waiter int) (most sim.Time) {
	was := a.execOnly
	a.execOnly = true
	defer func() { a.execOnly = was }()
	for _, r := range a.tasks[t].runs {
		for line := range r.path.code {
			l := &r.path.code[line]
			var ends func(*model.Line) bool
			switch {
			case l.Op == model.OpOff && (!irqs || l.Arg == irqOff):
				ends = func(e *model.Line) bool { return e.Op == model.OpOn && e.Arg == l.Arg }
			case l.Op == model.OpLock && raw(l.Ref) && !irqs:
				ends = func(e *model.Line) bool { return e.Op == model.OpUnlock && e.Ref == l.Ref }
			default:
				continue
			}
			for _, at := range a.places(t, r, line) {
				v := a.section(&at, line, ends)
				if l.Op == model.OpLock {
					v.exec += a.rawWait(a.key(l.Ref, at), line, at)
				}
				if v.why != "" {
					return forever
				}
				most = max(most, v.exec)
			}
		}
	}
	for k := range a.uses {
		for i := range a.uses[k] {
			switch {
			case a.uses[k][i].task != t || raw(k.ref) || !a.waited(k, t):
			case k == lock && waiter >= 0:
				most = max(most, a.queuedOwner(k, t, waiter)+
					max(a.cost(model.CostLockSlow), a.cost(model.CostRetake)))
			default:
				most = max(most, a.queued(k, t)+a.waitLock())
			}
		}
	}
	return most
}

// irqOff is the argument of a step that turns interrupts off.
var irqOff = model.IRQOff()[0].Arg

// stretch is how long a section with preemption off and interrupts on lasts, from its own beginning
// or from the release of who was before it in the queue.
func (a *analysis) stretch(cpu int32, t int, exec sim.Time) sim.Time {
	all := a.sources(cpu, t, 100)
	before := busy(all, 0)
	return least(func(x sim.Time) sim.Time { return exec + total(all, x, before) })
}

// least is the least fixed point of a monotone function, at most forever.
func least(f func(sim.Time) sim.Time) sim.Time {
	for x := sim.Time(0); ; {
		y := f(x)
		if y <= x {
			return y
		}
		if x = y; x >= forever/4 {
			return forever
		}
	}
}
