package scenarios_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rtsim/model"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// Random systems for properties: pinned SCHED_FIFO tasks with short programs of running and of
// critical sections, which nest in the locks' order. A draw of 0 is harmless, times are
// differences, and CPUs are relative to the task before, so that a failure shrinks to a few
// tasks from 0 on.

// system is one of them.
type system struct {
	cpus  int
	tasks []systemTask
}

// systemTask is a task; its times are in units of the view.
type systemTask struct {
	name     string
	priority int
	cpu      int
	arrive   int
	ops      []systemOp
}

// systemOp is a run, in a lock if there is one, and within it in another.
type systemOp struct {
	before, within, inner int
	lock, nested          int // -1: none; nested is greater than lock
}

const (
	systemLocks = 3
	systemTasks = 6
)

// drawSystem draws one.
func drawSystem(t *rapid.T) *system {
	s := &system{cpus: rapid.IntRange(1, 4).Draw(t, "cpus")}
	cpu, at := 0, 0
	for i := range rapid.IntRange(1, systemTasks).Draw(t, "tasks") {
		cpu = (cpu + rapid.IntRange(0, s.cpus-1).Draw(t, "cpu +")) % s.cpus
		at += rapid.IntRange(0, 6).Draw(t, "arrive +")
		task := systemTask{name: string(rune('A' + i)), cpu: cpu, arrive: at,
			priority: 10 * rapid.IntRange(1, 5).Draw(t, "priority")}
		for range rapid.IntRange(1, 3).Draw(t, "ops") {
			op := systemOp{lock: -1, nested: -1, before: rapid.IntRange(0, 5).Draw(t, "run")}
			op.lock = rapid.IntRange(-1, systemLocks-1).Draw(t, "lock")
			if op.lock >= 0 {
				op.within = rapid.IntRange(0, 5).Draw(t, "hold")
			}
			if op.lock >= 0 && op.lock < systemLocks-1 && rapid.Bool().Draw(t, "nests") {
				op.nested = op.lock + 1
				op.inner = rapid.IntRange(0, 5).Draw(t, "hold inner")
			}
			task.ops = append(task.ops, op)
		}
		s.tasks = append(s.tasks, task)
	}
	return s
}

// view is how a system is written down; the zero value of each is as it was drawn.
type view struct {
	scale int   // times are multiplied by it; 0: by 1
	shift int   // and all arrivals come later by so much, before that
	cpu   []int // by CPU, which it becomes
	prio  func(int) int
	order []int  // of the tasks
	more  string // further tasks
	cpus  int    // further CPUs
}

func (op systemOp) text(unit int) string {
	run := func(n int) string { return fmt.Sprintf("run %dns; ", n*unit) }
	text := run(op.before)
	if op.lock < 0 {
		return text
	}
	text += fmt.Sprintf("lock L%d; ", op.lock) + run(op.within)
	if op.nested >= 0 {
		text += fmt.Sprintf("lock L%d; ", op.nested) + run(op.inner) +
			fmt.Sprintf("unlock L%d; ", op.nested) + run(op.within)
	}
	return text + fmt.Sprintf("unlock L%d; ", op.lock)
}

// text is the workload file.
func (s *system) text(v view) string {
	unit := 1000 * max(v.scale, 1)
	var b strings.Builder
	fmt.Fprintf(&b, "cpus: %d\n", s.cpus+v.cpus)
	b.WriteString("locks: {L0: spin, L1: mutex, L2: spin, L3: spin}\ntasks:\n")
	order := v.order
	if order == nil {
		for i := range s.tasks {
			order = append(order, i)
		}
	}
	for _, i := range order {
		task := &s.tasks[i]
		cpu, priority := task.cpu, task.priority
		if v.cpu != nil {
			cpu = v.cpu[cpu]
		}
		if v.prio != nil {
			priority = v.prio(priority)
		}
		program := ""
		for _, op := range task.ops {
			program += op.text(unit)
		}
		fmt.Fprintf(&b, "  - {name: %s, priority: %d, cpus: [%d], ", task.name, priority, cpu)
		fmt.Fprintf(&b, "arrive: %dns, ", (task.arrive+v.shift)*unit)
		fmt.Fprintf(&b, "program: \"%s\"}\n", strings.TrimSuffix(program, "; "))
	}
	return b.String() + v.more
}

// outcome is a schedule by task, whatever its CPU is called.
type outcome struct {
	Slices   map[string][]scenarios.Slice
	Acquired []scenarios.Acquisition
	Words    []scenarios.WordEnd
}

// run runs a view of the system.
func (s *system) run(t require.TestingT, v view) *outcome {
	return runText(t, s.text(v))
}

func runText(t require.TestingT, text string) *outcome {
	f, err := file.Read("system.yaml", []byte(text))
	require.NoError(t, err, text)
	m, err := scenarios.RunWorkload(&f.Workload, model.ZeroCosts(), 1)
	require.NoError(t, err, text)
	schedule := scenarios.ScheduleOf(&f.Workload, m)
	o := &outcome{Slices: map[string][]scenarios.Slice{}, Acquired: schedule.Acquired,
		Words: schedule.Words}
	for _, cpu := range schedule.CPUs {
		for _, slice := range cpu {
			o.Slices[slice.Task] = append(o.Slices[slice.Task], slice)
		}
	}
	return o
}

// mapped is the outcome with each time passed through a function.
func (o *outcome) mapped(time func(sim.Time) sim.Time) *outcome {
	to := &outcome{Slices: map[string][]scenarios.Slice{}, Acquired: slices.Clone(o.Acquired),
		Words: slices.Clone(o.Words)}
	for name, all := range o.Slices {
		for _, s := range all {
			s.From, s.To = time(s.From), time(s.To)
			to.Slices[name] = append(to.Slices[name], s)
		}
	}
	for i := range to.Acquired {
		to.Acquired[i].At = time(to.Acquired[i].At)
	}
	for i := range to.Words {
		to.Words[i].At = time(to.Words[i].At)
	}
	return to
}

// only is what concerns some tasks.
func (o *outcome) only(keep func(name string) bool) *outcome {
	to := &outcome{Slices: map[string][]scenarios.Slice{}}
	for name, all := range o.Slices {
		if keep(name) {
			to.Slices[name] = all
		}
	}
	for _, a := range o.Acquired {
		if keep(a.Task) {
			to.Acquired = append(to.Acquired, a)
		}
	}
	for _, w := range o.Words {
		if keep(w.Task) {
			to.Words = append(to.Words, w)
		}
	}
	return to
}

// ends is when each task's last word ended.
func (o *outcome) ends() map[string]sim.Time {
	ends := map[string]sim.Time{}
	for _, w := range o.Words {
		ends[w.Task] = w.At
	}
	return ends
}

func TestSystemsAreDrawn(t *testing.T) {
	// Look at the program that is refused, if one is: each system is a legal workload file in which
	// every task comes to its end, for sections nest in one order.
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		ends := s.run(t, view{}).ends()
		require.Len(t, ends, len(s.tasks), s.text(view{}))
	})
}
