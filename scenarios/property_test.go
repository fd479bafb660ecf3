package scenarios_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rtsim/scenarios"
	"rtsim/sim"
)

// What must hold of every schedule when the workload is written down in another way, or something
// is added that can't matter. Each test draws systems; -rapid.checks=100000 draws more.

func TestShiftedArrivalsShiftAll(t *testing.T) {
	// Look at the two files' difference: all tasks arrive later by D, and everything happens later
	// by D, and nothing else changes.
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		d := rapid.IntRange(1, 50).Draw(t, "shift")
		want := s.run(t, view{}).mapped(func(at sim.Time) sim.Time {
			return at + sim.Time(d)*sim.Microsecond
		})
		require.Equal(t, want, s.run(t, view{shift: d}), s.text(view{}))
	})
}

func TestScaledTimesScaleAll(t *testing.T) {
	// Look at the factor: all times of the file are k times as long, and so are those of the
	// schedule.
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		k := rapid.IntRange(2, 9).Draw(t, "factor")
		want := s.run(t, view{}).mapped(func(at sim.Time) sim.Time { return at * sim.Time(k) })
		require.Equal(t, want, s.run(t, view{scale: k}), s.text(view{}))
	})
}

func TestRenumberedCPUsChangeNothing(t *testing.T) {
	// Look at the order of CPUs: pinned tasks do the same on CPUs with other numbers, for ties are
	// decided by the order of tasks.
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		numbers := rapid.Permutation([]int{0, 1, 2, 3}[:s.cpus]).Draw(t, "CPUs")
		require.Equal(t, s.run(t, view{}), s.run(t, view{cpu: numbers}), s.text(view{}))
	})
}

func TestRenumberedPrioritiesChangeNothing(t *testing.T) {
	// Look at the priorities: only their order counts.
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		least := rapid.IntRange(1, 19).Draw(t, "least")
		step := rapid.IntRange(1, 20).Draw(t, "step")
		prio := func(p int) int { return least + step*(p/10-1) }
		require.Equal(t, s.run(t, view{}), s.run(t, view{prio: prio}), s.text(view{}))
	})
}

func TestOrderOfTasksDecidesTiesOnly(t *testing.T) {
	// Look at the first time at which the two schedules differ: at that instant, or before it at
	// the same one, two tasks had something to do, and the order of the file decided.
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		numbers := make([]int, len(s.tasks))
		for i := range numbers {
			numbers[i] = i
		}
		order := rapid.Permutation(numbers).Draw(t, "order")
		a, b := s.run(t, view{}), s.run(t, view{order: order})
		tie := s.firstTie(a)
		before := func(o *outcome) []scenarios.WordEnd {
			var words []scenarios.WordEnd
			for _, w := range o.Words {
				if w.At < tie {
					words = append(words, w)
				}
			}
			return words
		}
		require.Equal(t, before(a), before(b), s.text(view{}))
	})
}

// firstTie is the first instant at which two tasks arrive or end a word.
func (s *system) firstTie(o *outcome) sim.Time {
	who, first := map[sim.Time]string{}, sim.Never
	note := func(at sim.Time, name string) {
		if other, busy := who[at]; busy && other != name {
			first = min(first, at)
		}
		who[at] = name
	}
	for _, task := range s.tasks {
		note(sim.Time(task.arrive)*sim.Microsecond, task.name)
	}
	for _, w := range o.Words {
		note(w.At, w.Task)
	}
	return first
}

func TestLowestTaskChangesNothing(t *testing.T) {
	// Look at Z: it has the lowest priority, no lock, and can be preempted, so nobody else notices
	// it, wherever it runs.
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		more := fmt.Sprintf("  - {name: Z, priority: 1, cpus: [%d], arrive: %dus, program: "+
			"\"run %dus; run 1us\"}\n", rapid.IntRange(0, s.cpus-1).Draw(t, "CPU"),
			rapid.IntRange(0, 30).Draw(t, "arrive"), rapid.IntRange(1, 40).Draw(t, "run"))
		with := s.run(t, view{more: more}).only(func(name string) bool { return name != "Z" })
		all := s.run(t, view{}).only(func(string) bool { return true })
		require.Equal(t, all, with, s.text(view{more: more}))
	})
}

func TestStrangersChangeNothing(t *testing.T) {
	// Look at what is added: tasks with other CPUs and other locks.
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		more := ""
		for i := range rapid.IntRange(1, 3).Draw(t, "strangers") {
			more += fmt.Sprintf("  - {name: Z%d, priority: %d, cpus: [%d], arrive: %dus, program: "+
				"\"run %dus; lock L3; run 3us; unlock L3\"}\n", i,
				rapid.IntRange(1, 99).Draw(t, "priority"),
				s.cpus+rapid.IntRange(0, 1).Draw(t, "CPU"), rapid.IntRange(0, 9).Draw(t, "arrive"),
				rapid.IntRange(0, 9).Draw(t, "run"))
		}
		own := func(name string) bool { return name[0] != 'Z' }
		with := s.run(t, view{more: more, cpus: 2}).only(own)
		require.Equal(t, s.run(t, view{}).only(own), with)
	})
}

func TestTimeIsSpentAsProgrammed(t *testing.T) {
	// Look at the task: it runs for as long as its program says, not a nanosecond more, and a CPU
	// does one thing at a time.
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		o := s.run(t, view{})
		for _, task := range s.tasks {
			want := sim.Time(0)
			for _, op := range task.ops {
				want += op.length()
			}
			got := sim.Time(0)
			for _, slice := range o.Slices[task.name] {
				if slice.Kind == "run" {
					got += slice.To - slice.From
				}
			}
			require.Equal(t, want, got, "%s\n%s", task.name, s.text(view{}))
		}
	})
}

// length is how long an op runs by itself.
func (op systemOp) length() sim.Time {
	all := op.before
	if op.lock >= 0 {
		all += op.within
	}
	if op.nested >= 0 {
		all += op.inner + op.within
	}
	return sim.Time(all) * sim.Microsecond
}
