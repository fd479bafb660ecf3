package model

// A design's path is a Code: lines built once by these functions, spliced into the programs of
// the tasks that take the path, printed by `rtsim list`, checked by Code.Check. Control flow and
// locks stand in the listing; the structures they guard are named operations (Action). A design
// holds no closures.

// Code is a listing: steps whose jumps are relative to their own place.
type Code []Line

// Line is one step with what it says to a reader.
type Line struct {
	Step
	Note  string
	Depth int  // of nesting, for printing
	Else  bool // an unconditional jump that closes a branch or a loop: not printed
}

func line(s Step, note string) Code {
	s.Word = -1
	if s.Lock == 0 {
		s.Lock = NoLock
	}
	s.Task = NoTask
	return Code{{Step: s, Note: note}}
}

// Exec is a step that only takes time; note names the kernel function.
func Exec(cost CostID, note string) Code { return line(Step{Op: OpExec, Cost: cost}, note) }

// Lock takes the lock that ref names.
func Lock(ref Ref) Code {
	cost := CostLock
	if ref.raw() {
		cost = CostRawLock
	}
	return line(Step{Op: OpLock, Cost: cost, Ref: ref}, "lock "+ref.String())
}

// Unlock releases it.
func Unlock(ref Ref) Code {
	cost := CostUnlock
	if ref.raw() {
		cost = NoCost
	}
	return line(Step{Op: OpUnlock, Cost: cost, Ref: ref}, "unlock "+ref.String())
}

// Replacing is the code with another lock in one's place.
func (c Code) Replacing(lock, by Ref) Code {
	with := append(Code(nil), c...)
	for i := range with {
		l := &with[i]
		if l.Ref != lock || l.Op != OpLock && l.Op != OpUnlock {
			continue
		}
		other := Lock(by)[0]
		if l.Op == OpUnlock {
			other = Unlock(by)[0]
		}
		other.Depth = l.Depth
		*l = other
	}
	return with
}

// Do is one named operation on a kernel structure, after its cost.
func Do(a Action, cost CostID, note string) Code {
	return line(Step{Op: OpDo, Action: a, Cost: cost}, note)
}

// When runs the body if the operation's result is true.
func When(a Action, cost CostID, note string, body ...Code) Code {
	in := deeper(Seq(body...))
	head := Do(a, cost, note)
	head[0].Target = int32(len(in)) + 1
	return append(head, in...)
}

// Either runs one of two bodies by the operation's result.
func Either(a Action, cost CostID, note string, yes, no Code) Code {
	in := append(deeper(yes), Line{Step: Step{Op: OpJump, Cost: NoCost, Lock: NoLock,
		Task: NoTask, Word: -1, Target: int32(len(no)) + 1}, Else: true})
	head := Do(a, cost, note)
	head[0].Target = int32(len(in)) + 1
	return append(append(head, in...), deeper(no)...)
}

// While repeats the body as long as the operation's result is true.
func While(a Action, cost CostID, note string, body ...Code) Code {
	in := deeper(Seq(body...))
	head := Do(a, cost, note)
	head[0].Target = int32(len(in)) + 2
	code := append(head, in...)
	return append(code, Line{Step: Step{Op: OpJump, Cost: NoCost, Lock: NoLock, Task: NoTask,
		Word: -1, Target: -int32(len(in)) - 1}, Else: true})
}

// Try takes a lock if it is free, and runs one of two bodies: holding it, or not.
func Try(ref Ref, cost CostID, note string, got, busy Code) Code {
	code := Either(ActNone, cost, note, got, busy)
	code[0].Op, code[0].Ref = OpTry, ref
	return code
}

// Seq joins listings.
func Seq(parts ...Code) Code {
	var all Code
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func deeper(c Code) Code {
	out := append(Code(nil), c...)
	for i := range out {
		out[i].Depth++
	}
	return out
}

// Prepare is set_current_state(TASK_INTERRUPTIBLE); Schedule sleeps unless it was undone.
func Prepare() Code {
	return line(Step{Op: OpPrepare, Cost: NoCost}, "set_current_state(TASK_INTERRUPTIBLE)")
}

// Schedule is schedule() after Prepare.
func Schedule() Code {
	return line(Step{Op: OpSchedule, Cost: NoCost}, "schedule()")
}

// IRQOff and IRQOn are local_irq_save and local_irq_restore.
func IRQOff() Code {
	return line(Step{Op: OpOff, Cost: NoCost, Arg: int32(offIRQ)}, "local_irq_save")
}

// IRQOn ends an IRQOff.
func IRQOn() Code {
	return line(Step{Op: OpOn, Cost: NoCost, Arg: int32(offIRQ)}, "local_irq_restore")
}

// PreemptOff and PreemptOn are preempt_disable and preempt_enable.
func PreemptOff() Code {
	return line(Step{Op: OpOff, Cost: NoCost, Arg: int32(offPreempt)}, "preempt_disable")
}

// PreemptOn ends a PreemptOff.
func PreemptOn() Code {
	return line(Step{Op: OpOn, Cost: NoCost, Arg: int32(offPreempt)}, "preempt_enable")
}

// Wake is try_to_wake_up of the target's task as the waker does it on PREEMPT_RT: p->pi_lock,
// the state check, the remote run queue's lock, the enqueue, and the reschedule IPI (R1.13).
// check and enqueue are the costs of its two halves. Source: kernel/sched/core.c,
// try_to_wake_up, ttwu_queue (7.4).
func Wake(check, enqueue CostID) Code {
	return Seq(
		IRQOff(),
		Lock(RefPI),
		When(ActStateMatch, check, "try_to_wake_up: ttwu_state_match: does it sleep?",
			Lock(RefRQ),
			Exec(enqueue, "ttwu_do_activate: select_task_rq, enqueue, wakeup_preempt"),
			line(Step{Op: OpWake, Cost: NoCost, Ref: RefTarget}, "wake it; resched_curr: IPI"),
			Unlock(RefRQ)),
		Unlock(RefPI),
		IRQOn())
}

// Ref is a lock or a task that depends on who executes the step.
type Ref uint8

// The references. The target is the endpoint that the last operation chose.
const (
	RefNone     Ref = iota
	RefOwnRing      // uring_lock of the executing task's ring
	RefHash         // the queue's futex hash bucket: hb->lock
	RefNode         // the queue's node of option 1: raw
	RefPI           // p->pi_lock of the target's task: raw
	RefRQ           // rq->lock of the target's CPU: raw
	RefTarget       // the target's task
	RefSheaf        // the CPU's sheaves: local_trylock
	RefBarn         // barn->lock
	RefList         // n->list_lock of the cache's node
	RefKrc          // krcp->lock of the CPU: raw
	RefCPUSlab      // cpu_slab->lock of the CPU: local_lock
	RefListRaw      // n->list_lock, if it were raw
	RefHashFree     // hb->lock, if it did not turn migration off

	// Locks of each endpoint: the target's, and after it the executing task's own.
	RefEventfd    // ctx->wqh.lock of the eventfd
	RefOwnEventfd // its own
	RefSignal     // sighand->siglock
	RefOwnSignal
	RefSignalfd // sighand->signalfd_wqh.lock
	RefOwnSignalfd
	RefMsg // ctx->msg_lock: only tried
	RefOwnMsg
	RefCache // of option 3's cache: raw
	RefOwnCache
	endOwnRef
)

const (
	firstOwnRef = RefEventfd
	nOwnLocks   = (endOwnRef - firstOwnRef) / 2
)

func (r Ref) raw() bool {
	return r == RefNode || r == RefPI || r == RefRQ || r == RefKrc || r == RefListRaw ||
		r == RefCache || r == RefOwnCache
}

// refNames are the locks' names in the kernel, or in the design.
var refNames = [...]string{"-", "uring_lock", "hb->lock", "node->lock", "p->pi_lock", "rq->lock",
	"target", "cpu_sheaves->lock", "barn->lock", "list_lock", "krcp->lock", "cpu_slab->lock",
	"list_lock", "hb->lock", "wqh.lock", "wqh.lock",
	"siglock", "siglock", "signalfd_wqh.lock", "signalfd_wqh.lock", "msg_lock", "msg_lock",
	"cache->lock", "cache->lock"}

// String is the lock's name.
func (r Ref) String() string {
	switch r {
	case refIRQ:
		return "irqs off"
	case refPreempt:
		return "preemption off"
	}
	return refNames[r]
}

// Sleeps says whether taking the lock may sleep; a trylock does not.
func (r Ref) Sleeps() bool { return r != RefTarget && r != RefNone && !r.raw() }
