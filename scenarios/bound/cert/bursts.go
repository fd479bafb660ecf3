package cert

import (
	"slices"

	"rtsim/model"
	"rtsim/sim"
)

// Bursts on the way to a release.

// job is what a task has to do until then: what it executes, the raw section at its end, and its
// own waits.
type job struct {
	work, tail, blocked sim.Time
	pauses              sim.Time
}

// gap is what lies between two bursts, and who takes of it.
type gap struct {
	length, block sim.Time // block: from one gap to the next
	// The longest that interrupts are off; busy periods, with that before them and without.
	off, busy, quiet sim.Time
	all              handlers
}

// takes is what handlers take of a window: for each time by which the last busy period before it
// may have begun, what has fallen due since, less what ran before the window.
func (g *gap) takes(window sim.Time) (most sim.Time) {
	try := func(since sim.Time) {
		if since <= g.busy {
			most = max(most, g.all.most(window, since)-max(since-g.off, 0))
		}
	}
	try(min(g.off, g.busy))
	for _, h := range g.all {
		for n := sim.Time(0); h.every > 0 && n*h.every <= window+g.busy; n++ {
			if since := n*h.every + 1 - window; since > 0 {
				try(since)
			} else if skip := -since / h.every; skip > 1 {
				n += skip - 1
			}
		}
	}
	return most
}

// stretched is the right-hand side of T = job + bursts + interrupts, at a window. Of bursts there
// are as many as delay the job, and no more than fit.
func (k *checker) stretched(task int, j job, window sim.Time) sim.Time {
	cpu := k.tasks[task].cpu
	k.mayRun(task)
	g := k.gapOf(task)
	for i := range g.all {
		g.all[i].pieces = 1 + j.pauses
	}
	sum, bursts := j.work+j.blocked+g.takes(window), 0
	for i := range k.w.Loads {
		d := &k.w.Loads[i]
		if d.Kind != model.LoadBurst || d.CPU != cpu || k.tasks[d.Task].prio < k.level {
			continue
		}
		if bursts++; bursts > 1 {
			k.refuse("several threads of bursts on CPU %d are not checked", cpu)
		}
		g.of(k, d)
		sum += min(k.delay(&g, j), g.fits(window))
	}
	return sum
}

// mayRun refuses a task if another one of its CPU is at the level: it may go before it at any time.
func (k *checker) mayRun(task int) {
	for i, t := range k.tasks {
		if i != task && !t.burst && t.cpu == k.tasks[task].cpu && t.prio >= k.level {
			k.refuse("%s runs on CPU %d at the level too", t.name, t.cpu)
		}
	}
}

// gapOf is who takes of the gaps on a task's CPU while it runs at the level.
func (k *checker) gapOf(task int) gap {
	cpu := k.tasks[task].cpu
	g := gap{all: k.handlers(cpu, task, k.level),
		off: k.pays(model.CostSwitch) + k.pays(model.CostIdleExit)}
	for i, t := range k.tasks {
		if t.cpu == cpu {
			g.off = max(g.off, k.section(i, true, lock{}, -1))
		}
	}
	due := slices.Clone(g.all) // with the handlers of bursts, which may be before the window
	for _, d := range k.w.Loads {
		if d.Kind == model.LoadBurst && d.CPU == cpu && k.tasks[d.Task].prio >= k.level {
			due = append(due, handler{cost: k.charged(model.CostIRQHandler)})
		}
	}
	g.busy, g.quiet = due.period(g.off), g.all.period(0)
	return g
}

// of makes the gap one of a thread's.
func (g *gap) of(k *checker, d *model.LoadDecl) {
	_, length := d.Length.Range()
	g.length = d.Floor - k.pays(model.CostSwitch)
	g.block = k.charged(model.CostIRQHandler) + length + 2*k.pays(model.CostSwitch)
}

// fits is what bursts can execute of a window, whatever there is to do: one after another, as fast
// as they may come.
func (g *gap) fits(window sim.Time) sim.Time {
	each := g.block + max(g.length, 0)
	whole := window / each
	return whole*g.block + min(g.block, window-whole*each)
}

// delay is what bursts take until the job is done. An IPI that was in flight comes during the first
// of them; or that one ended as it came, and there is one less.
func (k *checker) delay(g *gap, j job) sim.Time {
	with := g.needed(j)
	if j.pauses > 0 {
		return (with + j.pauses) * g.block
	}
	landed := *g
	landed.all = slices.DeleteFunc(slices.Clone(g.all), func(h handler) bool { return h.inFlight })
	without := landed.needed(j)
	if with == without {
		return without * g.block
	}
	return max(without, with-1)*g.block + min(g.block, k.charged(model.CostIPI)+g.busy)
}

// needed is how many gaps it takes until only the tail is left.
func (g *gap) needed(j job) sim.Time {
	before := j.work - j.tail
	for n := sim.Time(1); n < 10_000; n++ {
		window := sim.Time(0)
		for {
			over := before + j.blocked + (n-1+j.pauses)*g.block + g.takes(window)
			if over <= window || over > sim.Second*100 {
				break
			}
			window = over
		}
		if g.leaves(n, window, g.all, 0, nil) >= before {
			return n
		}
	}
	return sim.Never / 1024 / g.block
}

// leaves is what n gaps in a window leave at least. Handlers that come in every gap take what they
// need of it, any others no more than those leave; which are which may be chosen, of those that
// come again and again.
func (g *gap) leaves(n, window sim.Time, open handlers, taken sim.Time, rare handlers) sim.Time {
	each := func(s handler) sim.Time {
		if s.every == 0 { // once in a piece of the job, and a gap is in one
			return 1
		}
		return up(g.length, s.every) + up(g.quiet+1, s.every) - 1
	}
	if len(open) == 0 {
		room := max(g.length-taken, 0)
		left := n * room
		for _, s := range rare {
			left -= min(s.cost, room) * min(n*each(s), s.in(window, g.busy))
		}
		return max(left, 0)
	}
	s := open[0]
	left := g.leaves(n, window, open[1:], taken, append(slices.Clone(rare), s))
	if s.every > 0 {
		left = max(left, g.leaves(n, window, open[1:], taken+s.cost*each(s), rare))
	}
	return left
}
