// Package watch holds monitors: small automata over the machine's records, one property each.
// They know what the records tell and nothing else, so a schedule that the machine and its own
// state agree on can still be found wrong.
package watch

import (
	"rtsim/model/trace"
	"rtsim/sim"
)

// System is what a monitor must know of the simulated system before the first record.
type System struct {
	CPUs  int
	Tasks []Task // by a record's Task
	Locks []Lock // by a record's lock; those beyond have no name and pin nobody

	// FairServers has bit c for each CPU whose fair tasks may run above RT ones for a while.
	FairServers uint64
	// SwitchMax is the longest time from a sched_switch until its CPU can reschedule again.
	SwitchMax sim.Time
}

// Task is one task as it is before the first record: on no run queue.
type Task struct {
	Name string
	Prio int32 // its own priority, 0 for the fair class
	CPU  int32
}

// Lock is one lock.
type Lock struct {
	Name string
	Pins bool // who holds it may not migrate: spinlock_t, local_lock_t, rwlock_t
}

// Monitor watches one property. Each of its questions answers with what is wrong, or nothing.
type Monitor struct {
	Name string
	// meets is asked about every record, before the view takes it in.
	meets func(v *view, r *trace.Record) string
	// settled is asked at the end of every instant: nothing more happens at that time.
	settled func(v *view) string
}

// Monitors are all there are.
var Monitors = []*Monitor{
	timeGoesOn, oneCPU, wokenBeforeRun, highestRuns, pinnedStays,
	exclusion, inheritance, noLostWakeup, noLateralSteal, spinsForReason, rawInOrder,
}

// Set is some monitors and what they have in common: the system as the records tell it.
type Set struct {
	monitors []*Monitor
	view     view
	begun    bool
	fault    string
}

// All is a set of all monitors.
func All(s System) *Set { return Of(s, Monitors...) }

// Of is a set of the monitors named.
func Of(s System, monitors ...*Monitor) *Set {
	return &Set{monitors: monitors, view: newView(s)}
}

// Observe takes the next record. A later time than the last record's settles that one's instant.
func (s *Set) Observe(r *trace.Record) {
	if s.begun && r.At > s.view.now {
		s.Settle()
	}
	for _, m := range s.monitors {
		if m.meets != nil {
			s.found(m, r.At, m.meets(&s.view, r))
		}
	}
	s.begun = true
	s.view.take(r)
}

// Settle says that the last record's instant is over.
func (s *Set) Settle() {
	for _, m := range s.monitors {
		if m.settled != nil {
			s.found(m, s.view.now, m.settled(&s.view))
		}
	}
}

func (s *Set) found(m *Monitor, at sim.Time, what string) {
	if what != "" && s.fault == "" {
		s.fault = at.String() + ": " + m.Name + ": " + what
	}
}

// Fault is the first thing that was wrong, with its time and its monitor; empty: nothing was.
func (s *Set) Fault() string { return s.fault }
