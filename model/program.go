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
	OpDo   // Action
	OpTry  // trylock of Lock: the flag says whether it was taken
	OpExit // the program is over
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
	Time   sim.Time // cost of OpExec with a fixed time; argument of OpSleep
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
}

// Program is what never changes in a run; machines share it.
type Program struct {
	code  []Step
	entry []int32 // by task
	costs CostTable

	kinds     []LockKind // by lock declaration
	instances []LockID   // first instance of each declaration
	lockOf    []int32    // declaration of each instance, -1 for internal ones
	bhLock    LockID     // first instance of the CPUs' BH locks
	waitLocks LockID     // l + waitLocks is the wait_lock of rtmutex l; 0: slow paths take no time
	hasWait   []bool     // by task: its program has a wait
	names     []string   // of tasks
	lockNames []string   // of lock instances
	ktimers   []TaskID   // by CPU

	interrupts []InterruptDecl
	arrive     []sim.Time
	timerCPU   []int32
	until      sim.Time
	movable    bool // some task may run on more than one CPU
	fileTasks  int  // tasks of the file; ktimers follow

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
	if w.BHLock {
		p.bhLock = LockID(len(p.lockOf))
		for c := range w.CPUs {
			p.lockOf = append(p.lockOf, -1)
			p.lockNames = append(p.lockNames, "bh@"+itoa(c))
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

// compile translates a task's words, one step a word, so that a word is one zero-time step.
func (p *Program) compile(d *TaskDecl) {
	base := int32(len(p.code))
	p.entry = append(p.entry, base)
	wait := false
	for i := range d.Program {
		w := &d.Program[i]
		wait = wait || w.Kind == WordWait
		s := Step{Cost: NoCost, Lock: NoLock, Task: TaskID(w.Task), Word: int32(i), Arg: w.Arg}
		p.translate(&s, w, base)
		p.code = append(p.code, s)
	}
	p.hasWait = append(p.hasWait, wait)
	p.code = append(p.code, Step{Op: OpExit, Cost: NoCost, Word: -1})
}

// wordOps gives each word its operation and the cost paid before its effect.
var wordOps = [...]struct {
	op   Op
	cost CostID
}{
	WordRun: {OpExec, NoCost}, WordLock: {OpLock, CostLock}, WordUnlock: {OpUnlock, CostUnlock},
	WordReadLock: {OpReadLock, CostLock}, WordReadUnlock: {OpReadUnlock, CostUnlock},
	WordWriteLock: {OpLock, CostLock}, WordWriteUnlock: {OpUnlock, CostUnlock},
	WordSleep: {OpSleep, NoCost}, WordSleepUntil: {OpSleep, NoCost}, WordWait: {OpWait, NoCost},
	WordWake: {OpWake, CostWake}, WordPost: {OpPost, CostWake}, WordTake: {OpTake, NoCost},
	WordGoto: {OpJump, NoCost}, WordRepeat: {OpRepeat, NoCost}, WordEnd: {OpEnd, NoCost},
	WordYield: {OpYield, NoCost}, WordPreemptOff: {OpOff, NoCost},
	WordPreemptOn: {OpOn, NoCost}, WordIRQOff: {OpOff, NoCost}, WordIRQOn: {OpOn, NoCost},
	WordBHOff: {OpOff, NoCost}, WordBHOn: {OpOn, NoCost}, WordPrepare: {OpPrepare, NoCost},
	WordSchedule: {OpSchedule, NoCost}, WordSetPriority: {OpSetPriority, NoCost},
}

func (p *Program) translate(s *Step, w *Word, base int32) {
	s.Op, s.Cost = wordOps[w.Kind].op, wordOps[w.Kind].cost
	switch w.Kind {
	case WordRun, WordSleep, WordSleepUntil:
		s.Time, s.Until = w.Time, w.Kind == WordSleepUntil
	case WordLock, WordUnlock, WordReadLock, WordReadUnlock, WordWriteLock, WordWriteUnlock:
		s.Lock = p.instances[w.Lock]
		if p.kinds[w.Lock] == Raw {
			s.Cost = CostRawLock
		}
	case WordPost, WordTake:
		s.Arg = w.Lock
	case WordGoto:
		s.Target = base + w.Arg
	case WordRepeat:
		s.Target = base + w.Match + 1
	case WordEnd:
		s.Target = base + w.Match + 1
	case WordPreemptOff, WordPreemptOn:
		s.Arg = int32(offPreempt)
	case WordIRQOff, WordIRQOn:
		s.Arg = int32(offIRQ)
	case WordBHOff, WordBHOn:
		s.Arg = int32(offBH)
	}
	if s.Cost != NoCost && p.costs.fixed(s.Cost) == 0 {
		s.Cost = NoCost
	}
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

func itoa(n int) string {
	if n >= 10 {
		return itoa(n/10) + string(rune('0'+n%10))
	}
	return string(rune('0' + n))
}

// LockInstances returns how many lock instances the workload has.
func (p *Program) LockInstances() int32 { return int32(len(p.lockOf)) }
