// Package scenarios runs workloads and designs, and measures: schedules, latencies, comparisons.
package scenarios

import (
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

// Slice is a stretch of CPU time of one task; neighbouring ones of one task and kind are merged.
type Slice struct {
	Task string   `json:"task"`
	Kind string   `json:"kind"` // run, or spin: adaptive or raw
	From sim.Time `json:"from"`
	To   sim.Time `json:"to"`
}

// Acquisition is the taking of a lock of any kind but rw.
type Acquisition struct {
	Lock string   `json:"lock"`
	Task string   `json:"task"`
	At   sim.Time `json:"at"`
}

// WordEnd is the end of one word of a task's program, in order of execution.
type WordEnd struct {
	Task string   `json:"task"`
	Word int32    `json:"word"`
	At   sim.Time `json:"at"`
}

// Schedule is what a workload's run looks like from outside: rtsim.schedule/1.
type Schedule struct {
	Schema   string        `json:"schema"`
	CPUs     [][]Slice     `json:"cpus"`
	Acquired []Acquisition `json:"acquired"`
	Words    []WordEnd     `json:"words"`
	Digest   string        `json:"digest"`
}

// RunWorkload runs a workload to its end and returns the machine with all its records; the error is
// a fault: model.ErrDeadlock, ErrInstant, ErrSemaphore.
// Preconditions: every time of the workload, and the end of the run, are at most sim.Longest.
func RunWorkload(w *model.Workload, costs *model.CostTable, seed uint64) (*model.Machine, error) {
	m := model.New(w, costs, seed)
	m.KeepAll()
	return m, m.Run(w.Until)
}

// ScheduleOf reads the schedule out of a finished run's records.
func ScheduleOf(w *model.Workload, m *model.Machine) *Schedule {
	b := scheduleBuilder{
		prog: m.Program(),
		out: &Schedule{Schema: "rtsim.schedule/1", CPUs: make([][]Slice, w.CPUs),
			Acquired: []Acquisition{}, Words: []WordEnd{}, Digest: m.Digest().String()},
		cpus: make([]onCPU, w.CPUs), spins: map[int32]bool{},
	}
	for c := range b.cpus {
		b.cpus[c].task = -1
		b.out.CPUs[c] = []Slice{}
	}
	for i := range m.Trace {
		b.record(w, &m.Trace[i])
	}
	for c := range b.cpus {
		b.cut(c, m.Now())
	}
	return b.out
}

// onCPU is what a CPU does since an instant; task -1: nothing of a task's.
type onCPU struct {
	task  int32
	irq   bool
	since sim.Time
}

type scheduleBuilder struct {
	prog  *model.Program
	out   *Schedule
	cpus  []onCPU
	spins map[int32]bool // by task, the machine's own threads too
}

func (b *scheduleBuilder) record(w *model.Workload, r *trace.Record) {
	c := int(r.CPU)
	switch r.Kind {
	case trace.SchedSwitch:
		b.cut(c, r.At)
		b.cpus[c].task = r.Task
	case trace.SpinBegin, trace.SpinEnd:
		b.cut(c, r.At)
		b.spins[r.Task] = r.Kind == trace.SpinBegin
	case trace.IRQEntry, trace.IRQExit:
		b.cut(c, r.At)
		b.cpus[c].irq = r.Kind == trace.IRQEntry
	case trace.LockAcquired:
		if d := b.prog.LockDeclOf(r.A); d >= 0 && w.Locks[d].Kind != model.RW {
			b.out.Acquired = append(b.out.Acquired,
				Acquisition{w.Locks[d].Name, b.prog.TaskName(r.Task), r.At})
		}
	case trace.Word:
		if int(r.Task) < len(w.Tasks) {
			b.out.Words = append(b.out.Words, WordEnd{b.prog.TaskName(r.Task), r.A, r.At})
		}
	}
}

// cut ends the stretch that CPU c is in.
func (b *scheduleBuilder) cut(c int, at sim.Time) {
	cpu := &b.cpus[c]
	since := cpu.since
	cpu.since = at
	if cpu.task < 0 || cpu.irq || at == since {
		return
	}
	kind := "run"
	if b.spins[cpu.task] {
		kind = "spin"
	}
	name := b.prog.TaskName(cpu.task)
	list := &b.out.CPUs[c]
	if n := len(*list); n > 0 {
		last := &(*list)[n-1]
		if last.Task == name && last.Kind == kind && last.To == since {
			last.To = at
			return
		}
	}
	*list = append(*list, Slice{name, kind, since, at})
}
