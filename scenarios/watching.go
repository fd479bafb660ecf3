package scenarios

import (
	"math/bits"

	"rtsim/model"
	"rtsim/model/watch"
	"rtsim/sim"
)

// Watch shows the records of a finished run to all monitors and returns the first fault, empty if
// there is none. The machine must have kept all its records.
func Watch(w *model.Workload, m *model.Machine, costs *model.CostTable) string {
	set := watch.All(WatchedSystem(w, m.Program(), costs))
	for i := range m.Trace {
		set.Observe(&m.Trace[i])
	}
	set.Settle()
	return set.Fault()
}

// WatchedSystem describes a workload to the monitors.
func WatchedSystem(w *model.Workload, p *model.Program, costs *model.CostTable) watch.System {
	s := watch.System{CPUs: w.CPUs}
	for i := range w.Tasks {
		d := &w.Tasks[i]
		s.Tasks = append(s.Tasks, watch.Task{Name: d.Name, Prio: d.Priority, CPU: d.FirstCPU})
	}
	var other uint64
	for i := range w.Tasks {
		if w.Tasks[i].Policy == model.Other {
			other |= w.Tasks[i].CPUs
		}
	}
	for ; other != 0; other &= other - 1 { // ktimers follow the file's tasks
		s.Tasks = append(s.Tasks, watch.Task{Name: p.TaskName(int32(len(s.Tasks))), Prio: 1,
			CPU: int32(bits.TrailingZeros64(other))})
	}
	s.Locks = watchedLocks(w, p)
	for _, d := range w.FairServers {
		s.FairServers |= 1 << d.CPU
	}
	s.SwitchMax = longest(costs, model.CostSwitch) + longest(costs, model.CostIdleExit)
	return s
}

// watchedLocks are the file's locks and, after them, the CPUs' BH locks; what a design has of its
// own comes last and is not described.
func watchedLocks(w *model.Workload, p *model.Program) []watch.Lock {
	var locks []watch.Lock
	bhLeft := 0
	if w.BHLock {
		bhLeft = w.CPUs
	}
	for l := range p.LockInstances() {
		d := p.LockDeclOf(l)
		if d < 0 {
			bhLeft--
		}
		if d < 0 && bhLeft < 0 {
			break
		}
		pins := d < 0 || w.Locks[d].Kind != model.Mutex && w.Locks[d].Kind != model.Raw
		locks = append(locks, watch.Lock{Name: p.LockName(l), Pins: pins})
	}
	return locks
}

// longest is a cost with all its jitter.
func longest(costs *model.CostTable, id model.CostID) sim.Time {
	if int(id) >= len(costs.Ns) {
		return 0
	}
	return costs.Ns[id] + costs.Ns[id]*sim.Time(costs.JitterPercent)/100
}
