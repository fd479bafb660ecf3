// Package designs holds the wake-up designs, one file each, and the cost profiles. A design is a
// few listings that read like the kernel's paths; everything else (scenarios, figures, tests,
// `rtsim list`) finds it by its registration.
package designs

import (
	"rtsim/model"
	"rtsim/sim"
)

// The costs of the designs' own steps; the machine's own come first (model.CostLock ...).
const (
	costEnter       = model.FirstDesignCost + iota // entry of a system call
	costExit                                       // and its exit
	costFutexKey                                   // get_futex_key of a shared word, page present
	costFutexHash                                  // futex_hash of a global key
	costFutexBase                                  // work under hb->lock before the first waiter
	costFutexWalk                                  // one waiter of the plist looked at and matched
	costFutexFn                                    // io_futex_wake_fn but for the work it adds
	costFutexMark                                  // futex_wake_mark: unlink, wake_q_add
	costFutexQueue                                 // under hb->lock: compare the word, plist_add
	costSQE                                        // one SQE fetched and issued
	costWorkPush                                   // mpscq: exchange of the tail
	costWorkLink                                   // mpscq: from the exchange to the link (W2)
	costWorkRead                                   // a read of the target's cq_wait_nr
	costClaim                                      // exchange of cq_wait_nr to the wake-up (W1)
	costWakeCheck                                  // try_to_wake_up until the state is matched
	costWakeEnqueue                                // and under rq->lock
	costWaitSetup                                  // io_cqring_wait until it may sleep
	costWorkPop                                    // one mpscq_pop
	costWorkRun                                    // the callback of one work item
	costPostCQE                                    // one CQE
	costNodeFind                                   // slot to node, the caller's own table
	costNodeMark                                   // pending mark of one waiter (cmpxchg)
	costFileSlot                                   // registered file of the target ring
	costBell                                       // fetch_or on the target's word
	costBellTake                                   // exchange of the own word with zero
	costHandle                                     // the loop reads what is new, user space
	costPublish                                    // a store that another CPU will read
	costPoll                                       // a cache line from another CPU
	costSheafPop                                   // one look at a sheaf or at the barn
	costPageDetach                                 // one slab off or onto the partial list
	costPageTake                                   // the objects of one slab into a sheaf
	costPageNew                                    // a new slab from the page allocator
	costRequestInit                                // zero and fill a request
	costKfree                                      // kvfree_call_rcu under krcp->lock
	costFreeGroup                                  // build_detached_freelist
	costFreeCmpxchg                                // __slab_free without the list
	costFreeList                                   // and with it
	costTwRead                                     // llist: a read of the first entry's nr_tw
	costWorkCmpxchg                                // llist: the exchange of the head after it
	costWorkTake                                   // llist: a look at the own lists, or taking
	costCPUSlab                                    // one look at kmem_cache_cpu
	costFdWrite                                    // fdget and vfs_write of an eventfd
	costEventCount                                 // an eventfd's count read and written
	costPollWake                                   // io_poll_wake until its request is owned
	costPollArm                                    // io_arm_apoll but for the file's poll
	costPollQueue                                  // one entry onto or off a wait queue
	costReadIssue                                  // io_read until the file's read_iter
	costEvfdGrab                                   // io_eventfd_grab, and what it looks at
	costSigLookup                                  // rt_tgsigqueueinfo until the siglock
	costSigPrepare                                 // prepare_signal, the user's count
	costSigQueue                                   // siginfo copied and queued
	costSigComplete                                // complete_signal of a blocked signal
	costSigLook                                    // next_signal
	costSigTake                                    // dequeue_signal
	costSigCopy                                    // one signalfd_siginfo to user space
	costCacheMove                                  // a request into or out of a locked cache
	costCacheRead                                  // head of a lock-free cache, and its next
	costCacheSwap                                  // exchange of that head
	costPoolFind                                   // find_first_bit
	costPoolTake                                   // one atomic on a shared bitmap
	costPoolCredit                                 // one on a bitmap of this sender's own
	nCosts
)

// costNames is what --set, tables and random streams call them, by CostID.
var costNames = [nCosts]string{
	model.CostLock: "lock", model.CostUnlock: "unlock", model.CostLockSlow: "lock_slow",
	model.CostRetake: "lock_retake", model.CostUnlockSlow: "unlock_slow",
	model.CostRawLock: "raw_lock", model.CostWake: "wake_word", model.CostSwitch: "switch",
	model.CostIPI: "ipi_flight", model.CostIRQEntry: "irq_entry",
	model.CostIdleExit: "idle_exit", model.CostTimer: "timer_irq", model.CostTick: "tick",
	model.CostIRQHandler: "irq_handler",

	costEnter: "syscall_enter", costExit: "syscall_exit", costFutexKey: "futex_key",
	costFutexHash: "futex_hash", costFutexBase: "futex_base", costFutexWalk: "futex_walk",
	costFutexFn: "futex_wake_fn", costFutexMark: "futex_wake_mark",
	costFutexQueue: "futex_queue", costSQE: "sqe_issue", costWorkPush: "work_push",
	costWorkLink: "work_link", costWorkRead: "wait_nr_read", costClaim: "wake_claim",
	costWakeCheck: "wake_check", costWakeEnqueue: "wake_enqueue",
	costWaitSetup: "cqring_wait", costWorkPop: "work_pop", costWorkRun: "work_run",
	costPostCQE: "post_cqe", costNodeFind: "node_find", costNodeMark: "node_mark",
	costFileSlot: "file_slot", costBell: "doorbell_or", costBellTake: "doorbell_take",
	costHandle: "handle", costPublish: "publish", costPoll: "line_transfer",
	costSheafPop: "sheaf_pop", costPageDetach: "slab_detach", costPageTake: "slab_take",
	costPageNew: "slab_new", costRequestInit: "request_init", costKfree: "kfree_rcu",
	costFreeGroup: "free_group", costFreeCmpxchg: "free_cmpxchg", costFreeList: "free_list",
	costTwRead: "nr_tw_read", costWorkCmpxchg: "work_cmpxchg", costWorkTake: "work_take",
	costCPUSlab: "cpu_slab",

	costFdWrite: "fd_write", costEventCount: "eventfd_count", costPollWake: "poll_wake",
	costPollArm: "poll_arm", costPollQueue: "poll_queue", costReadIssue: "read_issue",
	costEvfdGrab: "evfd_grab", costSigLookup: "signal_lookup", costSigPrepare: "signal_prepare",
	costSigQueue: "signal_queue", costSigComplete: "signal_complete",
	costSigLook: "signal_look", costSigTake: "signal_take", costSigCopy: "signal_copy",
	costCacheMove: "cache_move", costCacheRead: "cache_read", costCacheSwap: "cache_swap",
	costPoolFind: "pool_find", costPoolTake: "pool_take", costPoolCredit: "pool_credit",
}

// CostOf is the cost of a name, as list --parameters has it: for a design that is written outside
// of this package. It panics if there is none of that name, as a listing is built before it runs.
func CostOf(name string) model.CostID {
	for id := range nCosts {
		if costNames[id] == name {
			return id
		}
	}
	panic("designs: no cost " + name)
}

// Cost is one row of a profile, in nanoseconds.
type Cost struct {
	Name                     string
	Least, Typical, Greatest sim.Time
	// Source says where the numbers come from; Assumed that nobody measured them: then the
	// range is half to twice the typical value unless the source says otherwise.
	Source  string
	Assumed bool
}

// Profile is a table of costs for one kind of machine and kernel.
type Profile struct {
	Name  string
	About string
	Costs [nCosts]Cost
	Sizes [nSizes]Size
	// IdlePolls: the idle loop watches the reschedule flag, so waking it needs no IPI.
	IdlePolls bool
	// JitterPercent: a step's cost is uniform within this share of its value, so that constant
	// costs do not lock phases; assumed.
	JitterPercent int32
}

// Profiles are all profiles, in the order in which they are listed.
func Profiles() []*Profile {
	all := []*Profile{orin74(), orin618(), x86(), zero()}
	for _, p := range all {
		p.Sizes = typicalSizes()
	}
	return all
}

// Find returns a cost of the profile by its name, to be read or changed.
func (p *Profile) Find(name string) (*Cost, bool) {
	for i := range p.Costs {
		if p.Costs[i].Name == name {
			return &p.Costs[i], true
		}
	}
	return nil, false
}

// Table is the profile as a machine takes it: every cost at its typical value.
func (p *Profile) Table() *model.CostTable {
	t := &model.CostTable{Name: p.Name, JitterPercent: p.JitterPercent, IdlePolls: p.IdlePolls}
	for i := range p.Costs {
		t.Ns = append(t.Ns, p.Costs[i].Typical)
		t.Names = append(t.Names, p.Costs[i].Name)
	}
	return t
}

// set fills one row. A row with a source that starts with "assumed" is assumed.
func (p *Profile) set(id model.CostID, least, typical, greatest sim.Time, source string) {
	if least > typical || typical > greatest {
		panic("designs: cost " + costNames[id] + " is not least <= typical <= greatest")
	}
	assumed := len(source) >= 7 && source[:7] == "assumed"
	p.Costs[id] = Cost{costNames[id], least, typical, greatest, source, assumed}
}

// zero is the profile in which only run takes time.
func zero() *Profile {
	p := &Profile{Name: "zero", About: "nothing but run takes time"}
	for id := range nCosts {
		p.set(id, 0, 0, 0, "by definition")
	}
	return p
}

// machineCosts are those that every sleeping wake-up pays besides its listing's steps.
var machineCosts = [...]model.CostID{model.CostLockSlow, model.CostRetake, model.CostUnlockSlow,
	model.CostSwitch, model.CostIPI, model.CostIRQEntry, model.CostIdleExit, model.CostTimer,
	model.CostTick, model.CostIRQHandler}

// AssumedCosts names the costs on the design's paths, the machine's own included, that have no
// measured source in the profile.
func (d *Design) AssumedCosts(p *Profile) []string {
	used := [nCosts]bool{}
	for _, code := range []model.Code{d.Paths.Send, d.Paths.Receive, d.Paths.Open,
		d.Paths.Close, d.Paths.Reclaim} {
		for i := range code {
			if c := code[i].Cost; c != model.NoCost {
				used[c] = true
			}
		}
	}
	for _, c := range machineCosts {
		used[c] = true
	}
	names := []string{}
	for id := range p.Costs {
		if used[id] && p.Costs[id].Assumed {
			names = append(names, p.Costs[id].Name)
		}
	}
	return names
}
