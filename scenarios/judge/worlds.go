package judge

import (
	"slices"

	"rtsim/model"
	"rtsim/sim"
)

// Other things that may run on some CPUs. Streams of draws have the names of tasks and sources, so
// a task of another name draws otherwise and shifts nobody else's draws. Ticks stay: they are the
// kernel's own.

// within says whether a task may run on these CPUs only.
func within(t *model.TaskDecl, cpus uint64) bool { return t.CPUs&^cpus == 0 }

// renamed gives what runs there other draws.
func renamed(w *model.Workload, cpus uint64) {
	w.Tasks, w.Loads = slices.Clone(w.Tasks), slices.Clone(w.Loads)
	for i := range w.Tasks {
		if within(&w.Tasks[i], cpus) {
			w.Tasks[i].Name += "-other"
		}
	}
	for i := range w.Loads {
		if cpus>>w.Loads[i].CPU&1 == 1 {
			w.Loads[i].Name += "-other"
		}
	}
}

// emptied has nothing run there: tasks never wake, and nothing interrupts.
func emptied(w *model.Workload, cpus uint64) {
	w.Tasks, w.Loads = slices.Clone(w.Tasks), slices.Clone(w.Loads)
	for i := range w.Tasks {
		if within(&w.Tasks[i], cpus) {
			w.Tasks[i].Asleep = true
		}
	}
	never := sim.Dist{Kind: sim.Constant, Least: sim.Longest}
	for i := range w.Loads {
		if l := &w.Loads[i]; cpus>>l.CPU&1 == 1 && l.Kind != model.LoadTick {
			l.Gap = never
		}
	}
}

// lengthened has all bursts and handlers there take the longest that they may.
func lengthened(w *model.Workload, cpus uint64) {
	w.Loads = slices.Clone(w.Loads)
	for i := range w.Loads {
		if l := &w.Loads[i]; cpus>>l.CPU&1 == 1 && l.Kind != model.LoadTick {
			_, greatest := l.Length.Range()
			l.Length = sim.Dist{Kind: sim.Constant, Least: greatest}
		}
	}
}
