package model

import "rtsim/sim"

// A task's behaviour is data: a slice of steps. Alternatives rejected: goroutines and coroutines
// read as well, but their position lives on a stack that can be neither copied, compared, hashed
// nor printed; a state interface scatters one path over many methods.

// Op is what a step does once its cost is paid.
type Op uint8

// The operations. Structures of the kernel are reached by OpDo with a named Action.
const (
	OpExec Op = iota // nothing more: its cost was the step
	OpLock
	OpUnlock
	OpReadLock
	OpReadUnlock
	OpSleep
	OpWait
	OpWake
	OpPost
	OpTake
	OpJump      // to Target
	OpJumpFalse // to Target if the task's flag is false
	OpRepeat
	OpEnd
	OpYield
	OpOff // preemption, interrupts, BH: Arg is an offKind
	OpOn
	OpPrepare
	OpSchedule
	OpSetPriority
	OpEvery // sleep until the next release: Time is the period, Aux the jitter
	OpFor   // open a loop that ends by time
	OpBurst // as OpExec, for the time that load Arg asks
	OpDo    // Action
	OpTry   // trylock of Lock: on failure jump to Target
	OpExit  // the program is over

	// What resolve makes of OpDo: on which structure the action is.
	opOpen
	opNode
	opAlloc
	opFree
	opHash
	opRing
	opPoll
	opCache
	opLlist
	opCPUSlab
)

type offKind int32

const (
	offPreempt offKind = iota
	offIRQ
	offBH
	offMigrate
)

// Step is one step of a task's program.
type Step struct {
	Time   sim.Time // cost of OpExec with a fixed time; argument of OpSleep, OpEvery, OpFor
	Aux    sim.Time // OpEvery: jitter
	Cost   CostID   // paid before the effect; NoCost: none
	Lock   LockID   // OpLock...: base of the lock's instances
	Task   TaskID   // OpWake, OpSetPriority; NoTask: itself or the registers' task
	Target int32    // jumps; OpRepeat: after its end; OpEnd: after its repeat
	Arg    int32
	Word   int32 // number in the workload's program or in the listing; -1: not reported
	Op     Op
	Action Action
	Ref    Ref // which lock or task of the registers, instead of Lock and Task
	Until  bool
	toWord bool // Target is a word's number until the program is laid out
}

// Program is what never changes in a run; machines share it.
type Program struct {
	code  []Step
	pays  []payment // by step, what it pays before its effect
	entry []int32   // by task
	costs CostTable

	kinds      []LockKind // by lock declaration
	instances  []LockID   // first instance of each declaration
	lockOf     []int32    // declaration of each instance, -1 for internal ones
	bhLock     LockID     // first instance of the CPUs' BH locks
	waitLocks  LockID     // l + waitLocks is the wait_lock of rtmutex l; 0: slow paths take no time
	hasWait    []bool     // by task: its program has a wait
	names      []string   // of tasks
	steps      []StepName // of the first steps; the others are words
	lockNames  []string   // of lock instances
	semaphores []string   // names
	internal   []LockKind // kinds of the last instances: the BH locks, then a scenario's
	ktimers    []TaskID   // by CPU

	interrupts []InterruptDecl
	arrive     []sim.Time
	timerCPU   []int32
	until      sim.Time
	movable    bool // some task may run on more than one CPU
	fileTasks  int  // tasks of the file; the kernel's own threads follow
	threads    []TaskDecl

	runSlot, irqSlot, timerSlot, cpuSlot, ipiSlot, sliceSlot, serverSlot, pullSlot, loadSlot int

	net network
}

// newProgram lays out locks and names; code follows.
func newProgram(w *Workload, costs *CostTable) *Program {
	p := &Program{costs: *costs, until: w.Until, interrupts: w.Interrupts, bhLock: NoLock}
	for _, d := range w.Locks {
		n := 1
		if d.Kind == Local {
			n = w.CPUs
		}
		p.kinds = append(p.kinds, d.Kind)
		p.instances = append(p.instances, LockID(len(p.lockOf)))
		for c := range n {
			name := d.Name
			if d.Kind == Local {
				name += "@" + itoa(c)
			}
			p.lockOf = append(p.lockOf, int32(len(p.kinds)-1))
			p.lockNames = append(p.lockNames, name)
		}
	}
	for _, d := range w.Semaphores {
		p.semaphores = append(p.semaphores, d.Name)
	}
	if w.BHLock {
		p.bhLock = LockID(len(p.lockOf))
		for c := range w.CPUs {
			p.lockOf = append(p.lockOf, -1)
			p.lockNames = append(p.lockNames, "bh@"+itoa(c))
			p.internal = append(p.internal, Local)
		}
	}
	for i := range w.Tasks {
		d := &w.Tasks[i]
		p.names = append(p.names, d.Name)
		p.arrive = append(p.arrive, d.Arrive)
		p.timerCPU = append(p.timerCPU, d.TimerCPU)
		p.movable = p.movable || d.CPUs&(d.CPUs-1) != 0
	}
	p.fileTasks = len(w.Tasks)
	return p
}

// Names of what a record's numbers mean, for printing.

// TaskName returns the name of a task, "-" for none.
func (p *Program) TaskName(id int32) string {
	if id < 0 {
		return "-"
	}
	return p.names[id]
}

// LockName returns the name of a lock instance, NAME@CPU for a local one.
func (p *Program) LockName(id int32) string { return p.lockNames[id] }

// LockDeclOf returns the declaration of a lock instance, -1 if it is not the workload's.
func (p *Program) LockDeclOf(id int32) int32 { return p.lockOf[id] }

// FileTasks returns how many tasks the workload declares; ktimers threads follow them.
func (p *Program) FileTasks() int { return p.fileTasks }

// Threads are the kernel's own threads, which follow the file's tasks.
func (p *Program) Threads() []TaskDecl { return p.threads }

func itoa(n int) string {
	if n >= 10 {
		return itoa(n/10) + string(rune('0'+n%10))
	}
	return string(rune('0' + n))
}

// LockInstances returns how many lock instances the workload has.
func (p *Program) LockInstances() int32 { return int32(len(p.lockOf)) }
