package explore

import (
	"cmp"
	"slices"

	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

// Where bursts are far apart a window has one of each CPU at most. None is left to delay a task
// with, so that it takes a lock just before a message does: it has to come then by itself. In a
// long run there are messages for which somebody does, by the phases of periodic tasks, so a seed's
// run is looked through for those, for each lock and each CPU with bursts.

const (
	meetsOf   = 2  // messages for a lock and a CPU
	meetsMost = 12 // in all
)

// meet is a message that takes a lock so soon after a task of a CPU with bursts.
type meet struct {
	lock, cpu int32
	late      sim.Time
	begin     sim.Time // of the message
}

// meets finds them as a run goes on.
type meets struct {
	a     *arena
	begin sim.Time // of the message, if one is being sent
	had   []meet   // who has had what when: late is the instant
	all   []meet
}

// sparse says whether the bursts of a load are so far apart that a window has one at most.
func (a *arena) sparse(load int, window sim.Time) bool {
	least, _ := a.workload.Loads[load].Gap.Range()
	return a.workload.Loads[load].Kind == model.LoadBurst && least >= window
}

// take takes the records of a machine into account.
func (x *meets) take(m *model.Machine, records []trace.Record) {
	for i := range records {
		r := &records[i]
		switch {
		case r.Task == x.a.sender && r.Kind == trace.SendBegin:
			x.begin = r.At
		case r.Kind != trace.LockAcquired || !m.Sleeps(r.A):
		case r.Task != x.a.sender:
			x.has(r)
		case x.begin >= x.a.earliest:
			x.met(r)
		}
	}
}

// has notes that a task has a lock.
func (x *meets) has(r *trace.Record) {
	if x.a.burstOn(int32(r.CPU)) < 0 {
		return
	}
	i := slices.IndexFunc(x.had, func(h meet) bool {
		return h.lock == r.A && h.cpu == int32(r.CPU)
	})
	if i < 0 {
		i = len(x.had)
		x.had = append(x.had, meet{lock: r.A, cpu: int32(r.CPU)})
	}
	x.had[i].late = r.At
}

// met notes that the sender has it.
func (x *meets) met(r *trace.Record) {
	for _, h := range x.had {
		if h.lock != r.A || r.At-h.late > x.a.longestBurst() {
			continue
		}
		x.all = append(x.all, meet{h.lock, h.cpu, r.At - h.late, x.begin})
	}
	if len(x.all) > 1000 {
		x.all = x.nearest()
	}
}

// nearest are some for each lock and CPU, the nearest first.
func (x *meets) nearest() (some []meet) {
	slices.SortStableFunc(x.all, func(a, b meet) int { return cmp.Compare(a.late, b.late) })
	for _, m := range x.all {
		alike := 0
		for _, o := range some {
			if o.lock == m.lock && o.cpu == m.cpu {
				alike++
			}
		}
		if alike < meetsOf {
			some = append(some, m)
		}
	}
	return some
}
