package model

import (
	"rtsim/model/trace"
	"rtsim/sim"
)

// Everything that changes is in State: plain values, arrays and slices of them. References are
// indices, so a copy is a snapshot and equality is comparison; TestStateIsPlain walks the type.
// What does not change (code, costs, names) is in Program.

// TaskID, LockID index State's slices; none is -1.
type (
	TaskID int32
	LockID int32
)

// NoTask and NoLock are absent references.
const (
	NoTask TaskID = -1
	NoLock LockID = -1
)

// taskState is the kernel's task state as far as wake-ups tell states apart.
type taskState uint8

const (
	running         taskState = iota
	interruptible             // wait, schedule after prepare, sleep
	uninterruptible           // a contended mutex, take
	rtlockWait                // a contended spinlock_t or rwlock_t; the outer state is in saved
)

// spinKind says whether a task on a CPU burns it, and on what.
type spinKind uint8

const (
	spinNone     spinKind = iota
	spinAdaptive          // in rtmutex_spin_on_owner, preemptible
	spinRaw               // for a raw_spinlock_t, preemption off
	spinPoll              // in user space on a queue's word
)

// phase is how far a task is within its present step.
type phase uint8

const (
	phEffect  phase = iota // its cost, if any, is paid or being paid (left); the effect is next
	phSlow                 // holds the lock's wait_lock and pays for the slow path of a lock
	phRetry                // as phSlow, woken or spinning before
	phUnlock               // as phSlow, of an unlock
	phWait                 // a waiter of the lock: spins, sleeps, or was woken and retries
	phReaders              // owns the rtmutex of an rwlock and waits for its readers
	phReturn               // slept in wait, sleep, take or schedule and is to return from it
)

// Task is a task's whole changing state.
type Task struct {
	// left is what remains of the present run or cost; valid while the run slot is not armed.
	left sim.Time
	// affinity has bit c for each allowed CPU. migrateOff > 0 pins the task to cpu (R1.28).
	affinity uint64
	pushSeq  uint64 // when it became pushable; 0: it is not (R1.23)
	vruntime sim.Time
	rrLeft   sim.Time // of its slice, SCHED_RR
	next     sim.Time // the release after the present one, of a periodic program; or noRelease

	pc     int32
	ending int32 // the word that was executed and not yet gone on after; -1: none
	normal int32 // its own priority, 0 for the fair class
	nice   int32 // of a fair task
	prio   int32 // effective: max(normal, top waiters of owned locks) (R2.5)
	cpu    int32 // where it runs, is queued, or was last

	rqNext, rqPrev TaskID // run queue of cpu
	wNext, wPrev   TaskID // waiters of blockedOn or a semaphore
	rawNext        TaskID // waiters of rawOn
	expNext        TaskID // expired soft timers of a CPU
	blockedOn      LockID // the rtmutex it waits for (pi_blocked_on)
	rawOn          LockID // the raw lock it spins for
	spinOwner      TaskID // whom it spins on
	piFirst        LockID // owned locks that have waiters
	waiterPrio     int32  // its rank in the waiters it is in

	// Depths of what is off. preemptOff counts what R1.9 lists: preempt_disable and raw locks,
	// held or waited for; sleeping spinlocks, BH and migration off leave preemption on.
	migrateOff, preemptOff, irqOff, bhOff int32

	reading  [maxReads]LockID // the rwlocks it reads, for finding deadlocks
	nReading int32

	loops [maxNest]int32 // remaining rounds of the open repeats, innermost last
	depth int32          // how many are open

	policy    Policy
	state     taskState
	saved     taskState // the outer state while state is rtlockWait (R2.15)
	asleep    trace.Sleep
	spin      spinKind
	phase     phase
	queued    bool // on a run queue (the running task too)
	onCPU     bool // the current task of cpu
	armed     bool // its run slot is set
	token     bool // a wake that found it not waiting
	softTimer bool // its sleep's timer is soft: armed by a fair policy (R3.9)
	pinEnds   bool // migration is allowed again when it goes on (local lock, BH)
	regs      registers
}

// maxNest bounds nested repeats, maxReads the rwlocks that one task reads at a time.
const (
	maxNest  = 8
	maxReads = 8
)

// busyKind is why a CPU executes no task.
type busyKind uint8

const (
	notBusy   busyKind = iota
	inHandler          // a hard interrupt handler, interrupts off
	inSwitch           // between two tasks, interrupts off
)

// CPU is one CPU's run queue and interrupt state.
type CPU struct {
	curr      TaskID // NoTask: idle
	rtFirst   TaskID // run queue of SCHED_FIFO and SCHED_RR, by priority, then R1.2
	fairFirst TaskID // run queue of the fair class, in order of arrival
	fairMin   sim.Time
	since     sim.Time // since when curr's own time is not accounted yet
	handler   int32    // slot of the handler that runs, inHandler
	heldFirst int32    // slots of interrupts that wait for irqs on, in the order they were due
	heldLast  int32
	stopper   TaskID // whom the stopper is to move away from here (R1.26)
	expFirst  TaskID // sleepers whose soft timer expired here, for ktimers
	server    fairServer
	busy      busyKind
	resched   bool // TIF_NEED_RESCHED of curr
	ipi       bool // a reschedule IPI is in flight to here
	counting  bool // since is valid
}

// lockState is one lock instance.
type lockState struct {
	owner   TaskID // of the rtmutex or raw lock
	first   TaskID // waiters: by priority, then first come; raw: first come
	piNext  LockID // next of the owner's piFirst list
	readers int32  // of an rwlock
	kind    LockKind
	inPI    bool // in its owner's piFirst list: owned and waited for
	writer  bool // rwlock: a writer has turned the readers' fast path off (bias removed)
	held    bool // rwlock: the writer is in
}

// Semaphore is a counting semaphore that hands over.
type Semaphore struct {
	count int32
	first TaskID
}

// State is everything that changes.
type State struct {
	counters
	queue sim.Queue
	cpus  []CPU
	tasks []Task
	locks []lockState
	sems  []Semaphore
	held  []int32 // next of the held interrupt lists, by slot; -1 ends
	tape  sim.Tape
	world world
}

// counters are what a copy takes as it is.
type counters struct {
	now sim.Time

	// Sets of CPUs. must: reschedule now unless closed. closed: preemption or interrupts are
	// off, or the CPU is busy. act: curr has a zero-time step. spin: curr spins. ended: curr
	// has gone past a word that is not recorded. pull: its RT level dropped (R1.25). serving: its
	// ktimers thread is awake.
	must, closed, act, spin, ended, pull, serving uint64

	pushSeq uint64
	digest  sim.Digest
	steps   int64
	words   int64    // executed at the instant wordsAt
	wordsAt sim.Time // guards against an instant that does not end
	alive   int32
	begun   bool
	opened  bool // within a step: interrupts are on again, what was held comes in at its end
	fault   fault
}

// copyFrom makes s equal to src and independent of it, in s's memory where that is large enough.
func (s *State) copyFrom(src *State) {
	s.counters = src.counters
	s.queue.CopyFrom(&src.queue)
	s.cpus = append(s.cpus[:0], src.cpus...)
	s.tasks = append(s.tasks[:0], src.tasks...)
	s.locks = append(s.locks[:0], src.locks...)
	s.sems = append(s.sems[:0], src.sems...)
	s.held = append(s.held[:0], src.held...)
	s.tape.CopyFrom(&src.tape)
	s.world.copyFrom(&src.world)
}
