package scenarios_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rtsim/scenarios"
	"rtsim/sim"
)

// Independent periodic tasks on one CPU, released together, with deadlines at the end of their
// periods: the one class in which the classical analysis is exact, and a shorter job never hurts.
// Source: Joseph and Pandya, The Computer Journal 29(5), 1986; Audsley and others, Software
// Engineering Journal 8(5), 1993.

// hyperperiod is a multiple of all periods that are drawn, in us.
const hyperperiod = 24

// periodicTask is one of them; the first has the highest priority.
type periodicTask struct{ cost, period int }

// drawPeriodic draws tasks that use at most the whole CPU.
func drawPeriodic(t *rapid.T) []periodicTask {
	var tasks []periodicTask
	left := hyperperiod
	for range rapid.IntRange(1, 4).Draw(t, "tasks") {
		period := rapid.SampledFrom([]int{4, 6, 8, 12, 24}).Draw(t, "period")
		jobs := hyperperiod / period
		if jobs > left {
			break
		}
		cost := rapid.IntRange(1, left/jobs).Draw(t, "cost")
		left -= cost * jobs
		tasks = append(tasks, periodicTask{cost, period})
	}
	return tasks
}

// periodicOutcome runs them for some hyperperiods.
func periodicOutcome(t *rapid.T, tasks []periodicTask, periods int) *outcome {
	var b strings.Builder
	fmt.Fprintf(&b, "cpus: 1\nuntil: %dus\ntasks:\n", periods*hyperperiod)
	for i, task := range tasks {
		program := ""
		for at := 0; at < periods*hyperperiod; at += task.period {
			program += fmt.Sprintf("sleep_until %dus; run %dus; ", at, task.cost)
		}
		b.WriteString(c(string(rune('A'+i)), 0, 90-i, 0, strings.TrimSuffix(program, "; ")))
	}
	return runText(t, b.String())
}

// worstResponses are the longest from a release to its job's end.
func worstResponses(tasks []periodicTask, o *outcome) []sim.Time {
	worst := make([]sim.Time, len(tasks))
	for _, w := range o.Words {
		if i := w.Task[0] - 'A'; w.Word%2 == 1 {
			release := sim.Time(w.Word/2) * sim.Time(tasks[i].period) * sim.Microsecond
			worst[i] = max(worst[i], w.At-release)
		}
	}
	return worst
}

// analysed is the least R = C + sum over higher tasks of ceil(R/T) C; 0 if it is over the period.
func analysed(tasks []periodicTask, i int) sim.Time {
	for r := tasks[i].cost; ; {
		next := tasks[i].cost
		for _, high := range tasks[:i] {
			next += (r + high.period - 1) / high.period * high.cost
		}
		if next > tasks[i].period {
			return 0
		}
		if next == r {
			return sim.Time(r) * sim.Microsecond
		}
		r = next
	}
}

func TestPeriodicTasksMeetTheAnalysis(t *testing.T) {
	// Look at the task: its longest response is the one of the analysis, to the nanosecond.
	rapid.Check(t, func(t *rapid.T) {
		tasks := drawPeriodic(t)
		worst := worstResponses(tasks, periodicOutcome(t, tasks, 1))
		for i := range tasks {
			if r := analysed(tasks, i); r > 0 {
				require.Equal(t, r, worst[i], "%v task %d", tasks, i)
			} else {
				require.Greater(t, worst[i], sim.Time(tasks[i].period)*sim.Microsecond, "%v", tasks)
			}
		}
	})
}

func TestShorterJobsNeverHurtHere(t *testing.T) {
	// Look at the task whose cost falls: no response of any task grows. With locks this is false
	// (TestFalsehoods).
	rapid.Check(t, func(t *rapid.T) {
		tasks := drawPeriodic(t)
		before := worstResponses(tasks, periodicOutcome(t, tasks, 1))
		i := rapid.IntRange(0, len(tasks)-1).Draw(t, "shorter")
		tasks[i].cost = rapid.IntRange(1, tasks[i].cost).Draw(t, "cost")
		for k, after := range worstResponses(tasks, periodicOutcome(t, tasks, 1)) {
			require.LessOrEqual(t, after, before[k], "%v task %d", tasks, k)
		}
	})
}

func TestPeriodicScheduleRepeats(t *testing.T) {
	// Look at the second and the third hyperperiod: they are the same.
	rapid.Check(t, func(t *rapid.T) {
		tasks := drawPeriodic(t)
		o := periodicOutcome(t, tasks, 3)
		const h = hyperperiod * sim.Microsecond
		within := func(n sim.Time) map[string][]scenarios.Slice {
			all := map[string][]scenarios.Slice{}
			for name, list := range o.Slices {
				for _, s := range list {
					s.From, s.To = max(s.From-n*h, 0), min(s.To-n*h, h)
					if s.From < s.To {
						all[name] = append(all[name], s)
					}
				}
			}
			return all
		}
		require.Equal(t, within(1), within(2), "%v", tasks)
	})
}
