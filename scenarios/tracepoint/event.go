// Package tracepoint says records in the kernel's words: each becomes the tracepoint that a
// kernel would have hit, with the CPU and the task in whose context. The writers of files for
// viewers share it, so that they cannot differ.
package tracepoint

import (
	"rtsim/model/trace"
	"rtsim/sim"
)

// Point is a tracepoint of the kernel's, or one of ours where it has none.
type Point uint8

// The points. The comments name the fields of an Event that each uses.
const (
	Mark            Point = iota // none of the kernel's: see Record
	SchedSwitch                  // Task leaves with Prio and State, Next comes with NextPrio
	SchedWaking                  // Task with Prio; Target: its CPU so far
	SchedWakeup                  // Task with Prio; Target: its CPU from now on
	SchedMigrate                 // Task with Prio; From and Target CPU
	SchedPISetprio               // Task; Prio before and NextPrio after
	SchedExit                    // Task with Prio
	ContentionBegin              // the lock is in Record
	ContentionEnd
	LockAcquired
	LockRelease
	IRQEntry // the source is in Record
	IRQExit
	IRQDisable
	IRQEnable
	PreemptDisable
	PreemptEnable
	IPISend  // Target: to which CPU
	IPIEntry // a reschedule IPI arrives
	SendBegin
	SendEnd

	// What io_uring does, beside the marks of the notes that say so. Ring is whose.

	UringSubmit   // Opcode
	UringComplete // a completion is posted
	UringWait     // io_cqring_wait arms
	UringRun      // __io_run_local_work has run Count items
)

// Event is a tracepoint that was hit. Priorities are the kernel's numbers: 99 less rt_priority,
// or 120 and the nice value.
type Event struct {
	At      sim.Time
	CPU     int16 // where it was hit
	Context int32 // by which task, -1 idle
	InIRQ   bool  // in a hard interrupt
	Point   Point

	Task, Next     int32 // -1: the idle task
	Prio, NextPrio int32
	State          trace.Sleep // why Task left
	From, Target   int16
	Ring           int32 // the task whose ring it is
	Opcode         string
	Count          int
	Record         *trace.Record // what it was made from; valid until the next
}

// KernelPrio is the kernel's number of an rt_priority; 0 is the fair class with its nice value.
func KernelPrio(prio, nice int32) int32 {
	if prio > 0 {
		return 99 - prio
	}
	return 120 + nice
}

// IdlePrio is the kernel's number of the idle task's priority.
const IdlePrio = 120
