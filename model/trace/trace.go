// Package trace holds the records that the machine emits: small values named after the kernel's
// tracepoints. Drawing, measuring, blame, monitors and files for viewers are functions of them.
package trace

import "rtsim/sim"

// Kind says what a record reports; the comments say what Task, A and B hold.
type Kind uint8

// The kinds. An absent task, CPU or lock is -1.
const (
	SchedSwitch    Kind = iota // Task: next, -1 idle; A: previous; B: Sleep why the previous left
	SchedWakeup                // Task was woken onto CPU; A: by task, -1 an interrupt; B: Sleep
	SchedMigrate               // Task is moved to CPU; A: from CPU
	SchedPISetprio             // Task's effective priority; A: before; B: after
	SetPriority                // Task's own priority by set_priority; A: before; B: after
	SpinBegin                  // Task starts to spin; A: lock; B: 1 if it is raw
	SpinEnd                    // Task stops spinning; A: lock; B: 1 if it is raw
	LockWait                   // Task goes to sleep for a lock; A: lock; B: its owner or -1
	LockAcquired               // A: lock; B: Mode
	LockReleased               // A: lock; B: Mode
	WaiterQueued               // Task joins the waiters of a lock; A: lock; B: its priority
	WaiterLeft                 // Task leaves the waiters; A: lock
	IRQEntry                   // CPU enters a handler; A: source (slot)
	IRQExit                    // CPU leaves it; A: source
	IRQOff                     // Task's CPU section without interrupts; B: 1 begins, 0 ends
	PreemptOff                 // Task's section without preemption; B: 1 begins, 0 ends
	TaskSleep                  // Task leaves the run queue; A: Sleep
	TaskExit                   // Task ended
	Word                       // Task went on after a word or step; A: its number
	IPI                        // a reschedule IPI is sent to CPU; A: from CPU
	IPIArrives                 // it arrives
	Deadlock                   // Task closes a cycle; A: lock
	SendBegin                  // Task starts the call that wakes; A: message; B: ns after release
	SendEnd                    // the call returned; A: message
	Publish                    // Task's message is visible; A: its number, from 1; B: queue
	Handle                     // Task's loop has handled messages 1 to A; B: queue
	BurstDue                   // an interrupt thread's burst is due; Task: the thread
	BurstBegin                 // its first instruction
	Refused                    // a post was refused; Task: sender; A: message; B: target's task
	InUse                      // a cache hands out a request in use; A: which; B: target's task
	SendLate                   // before SendBegin: A times LateLap later than its B says

	// Notes. They say how the time between the happenings above was spent, are kept only on
	// demand, and do not enter the digest, which has what comes of them.

	Event     // Task operated on a kernel object; A: the endpoint; B: 2 * action + its result
	Step      // Task is at a step in which time may pass; A: its number in the program
	Switching // CPU switches to Task (-1 idle); A: ns to leave idle, then B: ns to switch
	WaitLock  // Task has the wait_lock of A, an rtmutex; B: 1 from now on, 0 until now
	NKinds
)

// FirstNote is the first kind of notes.
const FirstNote = Event

// LateLap is what SendBegin's B can't count to: it is the rest of the lateness.
const LateLap = sim.Time(1) << 31

// Sleep says why a task is not on a run queue, or how it left a CPU.
type Sleep int32

// The reasons. Runnable: it did not leave the queue (it was preempted).
const (
	Runnable  Sleep = iota
	NotYet          // has not arrived
	Parked          // asleep: true, until the first wake
	InWait          // the word wait
	InSleep         // sleep, sleep_until
	InTake          // take
	InSched         // schedule, after prepare
	OnLock          // waits for a sleeping lock
	OnReaders       // holds an rwlock's rtmutex and waits for its readers
	Exited
)

// Ready says whether a SchedWakeup is none: the task was ready when the trace, or the part of it
// that was cut out, began. No machine records it.
func Ready(r *Record) bool {
	return r.Kind == SchedWakeup && r.A < 0 && Sleep(r.B) == Runnable
}

// Mode is how an rwlock is held; other locks are held ModeWrite.
const (
	ModeWrite = iota
	ModeRead
	ModeMutex // the rtmutex inside an rwlock, before its readers have left
)

// Record is one happening, 24 bytes.
type Record struct {
	At   sim.Time
	Task int32
	A, B int32
	CPU  int16
	Kind Kind
}
