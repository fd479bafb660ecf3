package scenarios

import (
	"strings"

	"rtsim/model"
	"rtsim/model/trace"
)

// firstPID is that of the first task, as on a machine that has booted.
const firstPID = 1000

// NamesOf is the table of names of a workload's records.
func NamesOf(w *model.Workload, prog *model.Program) *trace.Names {
	n := &trace.Names{CPUs: w.CPUs, Steps: prog.StepNames(), Endpoints: prog.EndpointTasks()}
	tasks := append(append([]model.TaskDecl(nil), w.Tasks...), prog.Threads()...)
	for i := range tasks {
		d := &tasks[i]
		n.Tasks = append(n.Tasks, trace.TaskName{Name: prog.TaskName(int32(i)),
			PID: int32(firstPID + i), Prio: d.Priority, Nice: d.Nice, CPUs: d.CPUs})
	}
	locks := prog.LockInstances()
	for l := range locks {
		n.Locks = append(n.Locks, prog.LockName(l))
	}
	for l := range locks { // the raw wait_lock of each, in the same order
		name, of, found := strings.Cut(prog.LockName(l), " ")
		name += "->wait_lock"
		if found {
			name += " " + of
		}
		n.Locks = append(n.Locks, name)
	}
	n.Sources = prog.Sources()
	return n
}
