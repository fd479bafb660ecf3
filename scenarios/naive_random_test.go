package scenarios_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
)

// This file makes random small workloads, valid by the contract. Locks are taken in one order
// (mutexes, then BH, then spinning kinds, then raw), so none deadlocks; nothing waits for a wake
// or a semaphore while it holds a lock, so every lock is given back.

// naiveGen is one workload in the making.
type naiveGen struct {
	r     *rand.Rand
	cpus  int
	bh    bool     // bh_lock
	locks []string // in the order of taking
	kinds []string
	sems  []string
	tasks []string
	loops bool // some program goes back to 0
	dense bool // many tasks, many critical sections, short times
	deep  map[string]bool
}

// naivePlace is what holds at a place in a program.
type naivePlace struct {
	next   int  // locks from this number on may be taken
	atomic bool // preemption or interrupts are off
	spin   bool // a lock is held that must not be held across a sleep
	held   bool // any lock is held, or BH is off
	depth  int
}

// randomWorkloadYAML gives the text of the workload with this seed.
func randomWorkloadYAML(seed int64) string {
	return randomWorkload(rand.New(rand.NewSource(seed)))
}

// randomWorkload gives the text of a random workload. Each kind of feature is missing from many
// workloads, so that a difference can be found in a file without the others.
func randomWorkload(r *rand.Rand) string {
	g := &naiveGen{
		r: r, cpus: 1 + r.Intn(4), dense: r.Intn(2) == 0, deep: map[string]bool{},
	}
	for _, feature := range []string{
		"sleep", "wait", "semaphore", "preempt", "irq", "bh", "yield", "priority", "prepare",
		"repeat", "interrupt", "fair", "rr",
	} {
		g.deep[feature] = r.Intn(3) == 0
	}
	g.bh = g.deep["bh"] && r.Intn(2) == 0
	g.chooseLocks()
	for i := range 1 + r.Intn(2) {
		if g.deep["semaphore"] {
			g.sems = append(g.sems, fmt.Sprintf("Q%d", i))
		}
	}
	tasks := 2 + r.Intn(5)
	if g.dense {
		tasks = max(tasks, 4)
	}
	for i := range tasks {
		g.tasks = append(g.tasks, fmt.Sprintf("T%d", i))
	}
	var b strings.Builder
	body := g.taskLines() + g.interruptLines()
	fmt.Fprintf(&b, "cpus: %d\n", g.cpus)
	if g.loops || r.Intn(4) == 0 {
		fmt.Fprintf(&b, "until: %dns\n", 200+r.Intn(600))
	}
	if g.bh {
		b.WriteString("bh_lock: true\n")
	}
	var pairs []string
	for i, name := range g.locks {
		pairs = append(pairs, name+": "+g.kinds[i])
	}
	fmt.Fprintf(&b, "locks: {%s}\n", strings.Join(pairs, ", "))
	if len(g.sems) > 0 {
		counts := make([]string, len(g.sems))
		for i, name := range g.sems {
			counts[i] = fmt.Sprintf("%s: %d", name, r.Intn(2))
		}
		fmt.Fprintf(&b, "semaphores: {%s}\n", strings.Join(counts, ", "))
	}
	return b.String() + body
}

// chooseLocks picks 1 to 3 locks of mixed kinds.
func (g *naiveGen) chooseLocks() {
	order := []string{"mutex", "spin", "local", "rw", "raw"}
	class := func(kind string) int {
		return map[string]int{"mutex": 0, "raw": 2, "spin": 1, "local": 1, "rw": 1}[kind]
	}
	locks := 1 + g.r.Intn(3)
	if g.dense {
		locks = max(locks, 2)
	}
	for i := range locks {
		g.locks = append(g.locks, fmt.Sprintf("L%d", i))
		g.kinds = append(g.kinds, order[g.r.Intn(len(order))])
	}
	slices.SortStableFunc(g.kinds, func(a, b string) int { return class(a) - class(b) })
}

// taskLines gives the tasks. Fair tasks are pinned, one a CPU: which of several fair tasks runs
// is not promised.
func (g *naiveGen) taskLines() string {
	var b strings.Builder
	b.WriteString("tasks:\n")
	fairLeft := g.r.Perm(g.cpus)
	for _, name := range g.tasks {
		cpus := g.r.Perm(g.cpus)[:1+g.r.Intn(g.cpus)]
		if g.r.Intn(2) == 0 {
			cpus = cpus[:1]
		}
		policy := fmt.Sprintf("policy: fifo, priority: %d", g.priority())
		switch {
		case g.deep["fair"] && len(fairLeft) > 0 && g.r.Intn(2) == 0:
			policy = "policy: other"
			cpus = fairLeft[:1]
			fairLeft = fairLeft[1:]
		case g.deep["rr"] && g.r.Intn(2) == 0:
			policy = fmt.Sprintf("policy: rr, priority: %d", g.priority())
		}
		program := g.program()
		start := fmt.Sprintf("arrive: %dns", g.r.Intn(2)*g.moment())
		if g.r.Intn(8) == 0 {
			start += fmt.Sprintf(", timer_cpu: %d", g.r.Intn(g.cpus))
		}
		if strings.HasPrefix(program, "wait;") || g.deep["wait"] && g.r.Intn(4) == 0 {
			start = "asleep: true"
		}
		fmt.Fprintf(&b, "  - {name: %s, %s, cpus: [%s], %s, program: %q}\n", name, policy,
			strings.Trim(strings.ReplaceAll(fmt.Sprint(cpus), " ", ", "), "[]"), start, program)
	}
	return b.String()
}

// priority gives one of few, so that there are ties.
func (g *naiveGen) priority() int { return 10 * (1 + g.r.Intn(4)) }

// interruptLines gives the interrupts, in the order of time.
func (g *naiveGen) interruptLines() string {
	if !g.deep["interrupt"] && !g.deep["wait"] {
		return ""
	}
	var b strings.Builder
	b.WriteString("interrupts:\n")
	at := 0
	for range 1 + g.r.Intn(4) {
		at += g.r.Intn(3) * g.moment()
		cost := g.r.Intn(2) * g.r.Intn(15)
		wakes := g.any(g.tasks)
		if g.r.Intn(3) == 0 {
			wakes += ", " + g.any(g.tasks)
		}
		fmt.Fprintf(&b, "  - {at: %dns, cpu: %d, cost: %dns, wakes: [%s]}\n",
			at, g.r.Intn(g.cpus), cost, wakes)
	}
	return b.String()
}

// any picks one.
func (g *naiveGen) any(list []string) string { return list[g.r.Intn(len(list))] }

// moment is a number up to 40; half of them are round, so that things happen at one instant.
func (g *naiveGen) moment() int {
	if g.dense {
		return 1 + g.r.Intn(10)
	}
	if g.r.Intn(2) == 0 {
		return 5 * (1 + g.r.Intn(8))
	}
	return 1 + g.r.Intn(40)
}

// span is a duration of a run or a sleep.
func (g *naiveGen) span() string { return fmt.Sprintf("%dns", g.moment()) }

// program gives a task's program; one that begins with a wait may serve for ever.
func (g *naiveGen) program() string {
	var words []string
	for range 1 + g.r.Intn(3) {
		words = append(words, g.item(naivePlace{})...)
		words = append(words, "run "+g.span())
	}
	if g.deep["wait"] && g.r.Intn(3) == 0 {
		words = append([]string{"wait"}, words...)
		if g.r.Intn(2) == 0 {
			words = append(words, "goto 0")
			g.loops = true
		}
	}
	return strings.Join(words, "; ")
}

// block gives one to three items.
func (g *naiveGen) block(p naivePlace) []string {
	p.depth++
	var words []string
	for range 1 + g.r.Intn(3) {
		words = append(words, g.item(p)...)
	}
	return words
}

// item gives one thing to do, most often a run or a critical section.
func (g *naiveGen) item(p naivePlace) []string {
	pick := g.r.Intn(20)
	switch {
	case pick < 4 && !g.dense || pick < 1 || p.depth > 3:
		return []string{"run " + g.span()}
	case pick < 12:
		return g.section(p)
	case pick < 14:
		return g.offSection(p)
	case pick < 16:
		return g.sleeping(p)
	case pick < 18:
		return g.plain(p)
	case g.deep["repeat"] && pick == 18:
		words := []string{fmt.Sprintf("repeat %d", 1+g.r.Intn(3)), "run " + g.span()}
		return append(append(words, g.block(p)...), "end")
	case g.deep["prepare"] && pick == 19 && !p.held && !p.atomic:
		inner := g.block(naivePlace{depth: 2})
		return append(append([]string{"prepare"}, inner...), "schedule")
	}
	return []string{"run " + g.span()}
}
