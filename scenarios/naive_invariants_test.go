package scenarios_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

const naiveInvariantRuns = 2000

func TestNaiveKeepsInvariants(t *testing.T) {
	// Look at the seed in the message: randomWorkloadYAML(seed) is the file that breaks a rule.
	for seed := range int64(naiveInvariantRuns) {
		text := randomWorkloadYAML(seed)
		s, err := naiveParse(text)
		require.NoError(t, err, "seed %d", seed)
		broken := ""
		s.check = func(settled bool) {
			what := s.brokenLocks()
			if what == "" {
				what = s.brokenQueues()
			}
			if what == "" && settled {
				what = s.brokenConservation()
			}
			if broken == "" {
				broken = what
			}
		}
		require.NoError(t, s.run(), "seed %d\n%s", seed, text)
		if broken == "" {
			broken = s.brokenEnd()
		}
		require.Empty(t, broken, "seed %d\n%s", seed, text)
	}
}

// brokenLocks looks for two holders of one lock, a priority that is not the highest of the
// task's own and its top waiters', and a waiter out of its place.
func (s *naiveSim) brokenLocks() string {
	for _, l := range s.locks {
		writers := 0
		for _, t := range s.tasks {
			if t.holds[l.name] == l && !slices.Contains(l.readers, t) {
				writers++
				if l.owner != t {
					return t.name + " holds a lock that it does not own"
				}
			}
		}
		if writers > 1 || writers == 1 && len(l.readers) > 0 {
			return "two tasks hold " + l.name
		}
		for i, w := range l.waiters {
			if l.kind != "raw" && (w.rank != w.eff || i > 0 && l.waiters[i-1].rank < w.rank) {
				return w.name + " is out of its place among the waiters of " + l.name
			}
		}
	}
	for _, t := range s.tasks {
		if t.eff != s.effective(t) {
			return t.name + " has another priority than its waiters give it"
		}
	}
	return ""
}

// brokenQueues looks for run queues out of order and tasks where they must not be.
func (s *naiveSim) brokenQueues() string {
	seen := map[*naiveTask]bool{}
	for _, c := range s.cpus {
		for i, t := range c.queue {
			if seen[t] || !t.queued || t.cpu != c.id || !t.allowed[c.id] {
				return t.name + " is queued where it should not be"
			}
			seen[t] = true
			if i > 0 && c.queue[i-1].eff < t.eff {
				return "a run queue is out of order"
			}
		}
		if c.curr != nil && !c.curr.blocking && !slices.Contains(c.queue, c.curr) {
			return "a running task is not queued"
		}
	}
	for _, t := range s.tasks {
		if t.queued != (t.why == "") || t.queued != seen[t] {
			return t.name + " sleeps and is queued, or neither"
		}
	}
	return ""
}

// brokenConservation looks, when an instant is over, for a CPU that does not run the best of its
// tasks although it may, and for a spinner that should not spin.
func (s *naiveSim) brokenConservation() string {
	for _, c := range s.cpus {
		if c.handler != nil || s.out.Deadlock != nil {
			continue
		}
		if c.curr == nil && len(c.queue) > 0 {
			return "a CPU is idle beside a runnable task"
		}
		if mayReschedule(c) && (c.resched || level(c) > 0 && c.curr.eff < level(c)) {
			return "a CPU does not run the best of its tasks"
		}
		if s.strands(c) {
			return "a task that could move to a lower CPU does not"
		}
		if t := c.curr; t != nil && t.spinOwner != nil && !s.maySpin(t) {
			return t.name + " spins"
		}
	}
	return ""
}

// strands says whether the next task to push has somewhere to go. A migrate-disabled one has not,
// and a change of a queued task's priority pushes nothing (R1.7).
func (s *naiveSim) strands(c *naiveCPU) bool {
	t := s.pushable(c)
	if t == nil || t.migrateOff > 0 || !mayReschedule(c) {
		return false
	}
	for _, other := range s.tasks {
		for _, w := range other.program {
			if w.op == "set_priority" {
				return false
			}
		}
	}
	s.here = c.id
	return s.findLowest(t) >= 0
}

// brokenEnd looks, after a run, for time that no word accounts for, for a deadlock, and, if the
// run was not cut off, for locks that were not given back.
func (s *naiveSim) brokenEnd() string {
	if s.out.Deadlock != nil {
		return "a deadlock where locks are taken in one order"
	}
	ran := map[string]int64{}
	for _, list := range s.out.CPUs {
		for _, slice := range list {
			if slice.Kind == "run" {
				ran[slice.Task] += slice.To - slice.From
			}
		}
	}
	for _, ended := range s.out.Words {
		if w := s.task(ended.Task).program[ended.Word]; w.op == "run" {
			ran[ended.Task] -= w.time
		}
	}
	for _, t := range s.tasks {
		inHand := int64(0)
		if t.left >= 0 {
			inHand = t.program[t.pc].time - t.left
		}
		if ran[t.name] != inHand {
			return t.name + " ran longer or shorter than its words say"
		}
		if s.now != s.until && (len(t.holds) > 0 || t.waits != nil) {
			return t.name + " holds or awaits a lock at the end"
		}
	}
	return ""
}
