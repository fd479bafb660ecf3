package scenarios_test

import (
	"fmt"
	"math/rand"
	"regexp"
	"strconv"
	"strings"

	"rtsim/model"
	"rtsim/sim"
)

// This file widens the random workloads by what the naive scheduler is not asked about: which of
// several fair tasks runs, fair servers, slices of real length, costs.

var (
	fifoPolicy = regexp.MustCompile(`policy: fifo, priority: \d+`)
	nanosecond = regexp.MustCompile(`\b(\d+)ns\b`)
)

// moreWorkloadYAML gives the text of the wider workload with this seed.
func moreWorkloadYAML(seed int64) string {
	r := rand.New(rand.NewSource(seed))
	if r.Intn(3) == 0 {
		return chainWorkload(r)
	}
	text := randomWorkload(r)
	if r.Intn(3) == 0 {
		text = fifoPolicy.ReplaceAllStringFunc(text, func(policy string) string {
			if r.Intn(2) == 0 {
				return policy
			}
			return fmt.Sprintf("policy: other, nice: %d", r.Intn(40)-20)
		})
	}
	if r.Intn(3) == 0 {
		text = fmt.Sprintf("fair_server: {cpu: 0, runtime: %dns, period: %dns}\n",
			1+r.Intn(20), 40+r.Intn(80)) + text
	}
	if r.Intn(8) == 0 { // a SCHED_RR slice is 100 ms
		text = nanosecond.ReplaceAllStringFunc(text, func(time string) string {
			n, err := strconv.Atoi(strings.TrimSuffix(time, "ns"))
			if err != nil {
				panic(err)
			}
			return fmt.Sprintf("%dms", 10*n)
		})
	}
	return text
}

// chainWorkload gives the text of a workload in which owners wait for owners, priorities change
// from outside, hogs keep woken waiters from their CPUs, and waiters have been told to sleep.
func chainWorkload(r *rand.Rand) string {
	moment := func() int { return 1 + r.Intn(12) }
	cpus, locks, tasks := 1+r.Intn(3), 2+r.Intn(2), 6+r.Intn(4)
	kinds := make([]string, locks)
	for i := range kinds {
		kinds[i] = fmt.Sprintf("L%d: %s", i, []string{"mutex", "spin"}[i*2/(locks+r.Intn(locks))])
	}
	var b strings.Builder
	fmt.Fprintf(&b, "cpus: %d\nlocks: {%s}\ntasks:\n", cpus+1, strings.Join(kinds, ", "))
	for i := range tasks {
		cpu, priority, program := r.Intn(cpus), 10*(1+r.Intn(6)), ""
		switch first := r.Intn(locks); r.Intn(10) {
		case 0: // a hog
			priority = 60
			program = fmt.Sprintf("repeat 3; run %dns; sleep %dns; end", 3*moment(), moment())
		case 1: // changes priorities, from a CPU that it has for itself
			cpu = cpus
			program = "repeat 5"
			for range 4 {
				program += fmt.Sprintf("; run %dns; set_priority T%d %d",
					1+r.Intn(6), r.Intn(tasks), 10*(1+r.Intn(6)))
			}
			program += "; end"
		case 2: // wakes, from there too
			cpu = cpus
			program = fmt.Sprintf("repeat 8; run %dns; wake T%d; end", 1+r.Intn(8), r.Intn(tasks))
		case 3: // may be woken while it waits for a lock
			program = fmt.Sprintf("prepare; run %dns; lock L%d; run %dns; unlock L%d; schedule",
				moment(), locks-1, moment(), locks-1)
		default:
			program = nestedLocks(r, first, locks)
		}
		fmt.Fprintf(&b, "  - {name: T%d, policy: fifo, priority: %d, cpus: [%d], arrive: %dns, "+
			"program: %q}\n", i, priority, cpu, r.Intn(3)*moment(), program)
	}
	return b.String()
}

// nestedLocks gives a program that takes a lock and most often the next one inside.
func nestedLocks(r *rand.Rand, first, locks int) string {
	moment := func() int { return 1 + r.Intn(20) }
	inside := ""
	if first+1 < locks {
		inside = fmt.Sprintf("lock L%d; run %dns; unlock L%d; ", first+1, moment(), first+1)
	}
	return fmt.Sprintf("lock L%d; run %dns; %sunlock L%d; run 1ns", first, moment(), inside, first)
}

// moreCosts gives costs of 0 to 2 ns each, all zero for most seeds.
func moreCosts(seed int64) *model.CostTable {
	if seed%4 != 0 {
		return model.ZeroCosts()
	}
	r := rand.New(rand.NewSource(seed))
	costs := &model.CostTable{Name: "small", Ns: make([]sim.Time, model.FirstDesignCost),
		IdlePolls: r.Intn(2) == 0}
	for i := range costs.Ns {
		costs.Ns[i] = sim.Time(r.Intn(3))
	}
	return costs
}
