package model

import "rtsim/sim"

// This file holds what a workload is before it runs: plain declarations, made by the readers of
// files (scenarios/file) and by tests. Names are resolved to indices there; New turns it into a
// machine and panics on a declaration that the readers should have refused.

// Policy is a scheduling policy; only these three exist here.
type Policy uint8

// The policies, in the file's words: fifo, rr, other.
const (
	FIFO Policy = iota
	RR
	Other // the fair class, SCHED_OTHER
)

// LockKind is a kernel lock type as PREEMPT_RT implements it (rt-kernel.md 2.1).
type LockKind uint8

// The kinds, in the file's words: spin, local, mutex, rw, raw.
const (
	Spin  LockKind = iota // spinlock_t: an rtmutex, state preserving, no migration while held
	Local                 // local_lock_t: one spinlock_t a CPU
	Mutex                 // struct mutex: an rtmutex, may be held across a sleep
	RW                    // rwlock_t: an rtmutex and a count of readers
	Raw                   // raw_spinlock_t: FIFO, preemption off
)

// MaxCPUs bounds the machine: sets of CPUs are one 64-bit word.
const MaxCPUs = 64

// Workload is a closed world: CPUs, locks, tasks with their programs, interrupts.
type Workload struct {
	CPUs        int      // 1..MaxCPUs
	Until       sim.Time // the end, included; sim.Never: when nothing is left to happen
	BHLock      bool     // bh_off takes the CPU's BH lock (R3.8)
	Locks       []LockDecl
	Semaphores  []SemaphoreDecl
	Tasks       []TaskDecl // their order is the order of ties
	Interrupts  []InterruptDecl
	FairServers []FairServerDecl

	// What a scenario adds; a plain workload file leaves it empty.
	Queues    []string   // names; a word's Lock indexes them
	Paths     Paths      // the design under test
	Loads     []LoadDecl // interrupts and bursts
	Buckets   []int32    // by queue: whose futex hash bucket its word is in, too; nil: its own
	Fixed     []Paths    // by queue: its design, whatever is tested; nil or without a send: Paths
	Measured  int32      // the task whose sends are counted; -1: none
	SendUntil sim.Time   // it sends nothing that falls due at or after this; 0: it goes on

	// Answers replace those of the seed (sim.Tape). One whose site the machine does not have is
	// never asked for: which sites there are depends on the design.
	Answers []sim.Answer
}

// Paths are a design's listings: what send, receive, open and close do. Receive waits until
// something came and handles it.
type Paths struct {
	Send, Receive, Open, Close Code
	// Reclaim frees a CPU's batch of requests after a grace period, in a kworker of the CPU; nil:
	// the design frees nothing so.
	Reclaim Code
	Slab    SlabKind // whose objects it allocates
	Pool    PoolDecl
}

// PoolDecl is requests that are there from the start; the zero value is none.
type PoolDecl struct {
	Requests  int32
	PerSender bool // for each sender and endpoint, else for each endpoint
}

// pathsOf are a queue's listings.
func (w *Workload) pathsOf(queue int32) *Paths {
	if w.Fixed != nil && w.Fixed[queue].Send != nil {
		return &w.Fixed[queue]
	}
	return &w.Paths
}

// reclaim is what the CPUs' kworkers run, nil if nothing is freed so. Designs that free requests
// free them alike.
func (w *Workload) reclaim() Code {
	for queue := range int32(len(w.Queues)) {
		if code := w.pathsOf(queue).Reclaim; code != nil {
			return code
		}
	}
	return w.Paths.Reclaim
}

// LoadKind is a kind of interrupt load.
type LoadKind uint8

// The kinds.
const (
	LoadBurst  LoadKind = iota // wakes Task for Length; the next is due Gap after its end
	LoadDevice                 // a handler of Length, every Gap
	LoadTick                   // the periodic tick: CostTick, every Gap, constant
)

// LoadDecl is one source of interrupts.
type LoadDecl struct {
	Name   string // of its random streams
	Kind   LoadKind
	CPU    int32
	Task   int32 // LoadBurst: the interrupt thread, whose program is wait; burst; goto 0
	Length sim.Dist
	Gap    sim.Dist
	Floor  sim.Time // LoadBurst: the least time from a burst's real end to the next
}

// LockDecl declares one lock; a word's Lock indexes Workload.Locks.
type LockDecl struct {
	Name string
	Kind LockKind
}

// SemaphoreMax is the most that a semaphore counts, as SEM_VALUE_MAX: a post beyond it is an error
// of the run.
const SemaphoreMax = 1<<31 - 1

// SemaphoreDecl declares one semaphore.
type SemaphoreDecl struct {
	Name  string
	Count int32 // its first count, 0..SemaphoreMax
}

// TaskDecl declares one task.
type TaskDecl struct {
	Name     string
	Policy   Policy
	Priority int32    // rt_priority 1..99 for FIFO and RR, 0 for Other
	Nice     int32    // -20..19, Other only
	CPUs     uint64   // affinity, bit c is CPU c, never empty
	FirstCPU int32    // its previous CPU at the start, in CPUs
	Arrive   sim.Time // when a timer wakes it first; unused if Asleep
	TimerCPU int32    // whose timer interrupt wakes it at Arrive
	Asleep   bool     // starts asleep; parked in its first word if that is a WordWait
	Program  []Word
}

// InterruptDecl is one hard interrupt: its wakes happen when Cost is over.
type InterruptDecl struct {
	At    sim.Time
	CPU   int32
	Cost  sim.Time
	Wakes []int32 // tasks, in order
}

// FairServerDecl is a CPU's deferred reservation for the fair class (R1.21).
type FairServerDecl struct {
	CPU     int32
	Runtime sim.Time
	Period  sim.Time
}

// WordKind is what one word of a program does; the file's words are in the comments.
type WordKind uint8

// The words.
const (
	WordRun         WordKind = iota // run D
	WordLock                        // lock L: spin, local, mutex, raw
	WordUnlock                      // unlock L
	WordReadLock                    // read_lock L
	WordReadUnlock                  // read_unlock L
	WordWriteLock                   // write_lock L
	WordWriteUnlock                 // write_unlock L
	WordSleep                       // sleep D
	WordSleepUntil                  // sleep_until T (Time is from the start of the run)
	WordWait                        // wait
	WordWake                        // wake T
	WordPost                        // post Q
	WordTake                        // take Q
	WordGoto                        // goto N: N in Arg
	WordRepeat                      // repeat N: count in Arg, >= 1; Match is its end
	WordEnd                         // end: Match is its repeat
	WordYield                       // yield
	WordPreemptOff                  // preempt_off
	WordPreemptOn                   // preempt_on
	WordIRQOff                      // irq_off
	WordIRQOn                       // irq_on
	WordBHOff                       // bh_off
	WordBHOn                        // bh_on
	WordPrepare                     // prepare
	WordSchedule                    // schedule
	WordSetPriority                 // set_priority [T] P: Task is T or -1 for itself, P in Arg

	// Words of scenario files.
	WordSend    // send Q: publish a message and wake whoever receives
	WordReceive // receive Q: wait for messages, handle them
	WordOpen    // open Q: this task's end of the queue comes into being
	WordClose   // close Q: and goes
	WordEvery   // every D [jitter J]: to the next release; Time is D, Aux is J
	WordFor     // for D ... end: rounds until D has passed, asked at the end
	WordBurst   // the burst of load Arg
)

// Word is one word of a program with its names resolved.
type Word struct {
	Kind  WordKind
	Time  sim.Time // of run, sleep, sleep_until, every, for
	Aux   sim.Time // every's jitter
	Lock  int32    // index into Locks, or into Semaphores for post and take
	Task  int32    // index into Tasks; -1 is the task itself
	Arg   int32    // goto's target, repeat's count, set_priority's priority
	Match int32    // repeat's or for's end, end's repeat or for
}
