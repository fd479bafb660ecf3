package model

import "rtsim/sim"

// CostID names one cost of a profile.
type CostID int32

// NoCost is a step that takes no time.
const NoCost CostID = -1

// The costs that the machine itself charges. Those of a design's own steps follow, from
// FirstDesignCost on; designs/cost.go names them all with their ranges and sources.
const (
	CostLock       CostID = iota // spinlock_t, mutex, rwlock_t: the lock's fast path
	CostUnlock                   // its release, the fast path
	CostLockSlow                 // enqueue and boost under wait_lock (R2.2)
	CostRetake                   // take under wait_lock, woken or after spinning (R2.9)
	CostUnlockSlow               // deboost and wake under wait_lock (R2.11)
	CostRawLock                  // raw_spinlock_t, uncontended
	CostWake                     // try_to_wake_up, charged to the waker (R1.14)
	CostSwitch                   // context switch
	CostIPI                      // flight of a reschedule IPI
	CostIRQEntry                 // entry and exit of a hard interrupt
	CostIdleExit                 // leaving idle, before the switch
	CostTimer                    // hrtimer interrupt and its expiry
	CostTick                     // the periodic tick
	CostIRQHandler               // a primary handler that only wakes a thread
	FirstDesignCost
)

// CostTable is the costs of one run: their values and how far they jitter.
type CostTable struct {
	Name          string
	Ns            []sim.Time // by CostID
	JitterPercent int32      // a cost is uniform within +- this share of its value; 0: constant
	IdlePolls     bool       // the idle loop polls the flag: no IPI to an idle CPU (R1.13)
	Names         []string   // by CostID, of the random streams
}

// fixed is the cost's value without jitter; what the table lacks costs nothing.
func (t *CostTable) fixed(id CostID) sim.Time {
	if id < 0 || int(id) >= len(t.Ns) {
		return 0
	}
	return t.Ns[id]
}

// known is the cost if it takes time in this table, else NoCost.
func (t *CostTable) known(id CostID) CostID {
	if t.fixed(id) == 0 {
		return NoCost
	}
	return id
}

// ZeroCosts is the profile in which only run takes time.
func ZeroCosts() *CostTable { return &CostTable{Name: "zero"} }
