package designs

import (
	"rtsim/model"
	"rtsim/sim"
)

// orin74 is a Jetson Orin class arm64 machine (Cortex-A78AE, 2.2 GHz) with the 7.4 kernel. Few of
// its numbers were ever published; the rest are assumed, with a range wide enough to hold what
// comparable machines showed. The ranges were fixed before anything was calibrated; what is done
// under two locks was then fitted within them.
func orin74() *Profile {
	p := orinAssumed()
	p.fitHolds()
	return p
}

// orinAssumed is the profile as it was before anything was calibrated; other machines are scaled
// from it.
func orinAssumed() *Profile {
	p := &Profile{Name: "orin-7.4", JitterPercent: 10,
		About: "Jetson Orin class arm64, PREEMPT_RT 7.4: mpscq local work, sheaves"}
	p.orinMachine()
	p.orinFutex()
	p.orinRing()
	p.orinSlab()
	p.orinPoll()
	p.orinCache()
	return p
}

func (p *Profile) orinMachine() {
	pair := "assumed: an uncontended spinlock_t pair on RT takes 40 to 60 ns (two cmpxchg, " +
		"migrate_disable and enable, RCU)"
	p.set(model.CostLock, 15, 30, 60, pair)
	p.set(model.CostUnlock, 15, 30, 60, pair)
	p.set(model.CostLockSlow, 400, 800, 1600,
		"assumed: enqueue and boost under wait_lock, one or two rq and pi locks with a line each")
	p.set(model.CostRetake, 150, 300, 600, "assumed: wait_lock and the tree, no boost")
	p.set(model.CostUnlockSlow, 500, 1000, 2000,
		"assumed: deboost and wake-up; acquire, sleep and hand-over make 3 to 5 us together")
	p.set(model.CostRawLock, 10, 20, 40,
		"assumed: one atomic with fences; 15 to 25 ns for the pair on such a core")
	p.set(model.CostWake, 400, 800, 1600, "assumed: as wake_check and wake_enqueue together")
	p.set(model.CostSwitch, 700, 1200, 2000,
		"derived: pipe ping-pong, half a round trip, 1.07 us threads, 2.41 us processes "+
			"(ddumbying.vercel.app, Linux 6.6), two system calls included")
	p.set(model.CostIPI, 500, 1000, 2400,
		"derived: ThunderX2, sent to handler about 2.4 us with the call function's queue "+
			"(linux-arm-kernel, Norov 2017); a bare reschedule IPI is shorter")
	p.set(model.CostIRQEntry, 250, 500, 1000, "assumed: entry and exit around a flag's test")
	p.set(model.CostIdleExit, 1000, 2800, 5000,
		"assumed: WFI, no deep state; idle exit and switch 4 us together; tuned RT cores show "+
			"2 to 5 us from wake-up to running (Raspberry Pi 5, 6.6-rt: 1/2/14 us)")
	p.set(model.CostTimer, 1000, 1800, 3000,
		"derived: rtla timerlat shows 1 us average from timer to handler; wake-up added")
	p.set(model.CostTick, 2000, 3000, 4000, "assumed")
	p.set(model.CostIRQHandler, 750, 1500, 3000,
		"assumed: a primary handler that only wakes its thread")
	p.set(costWakeCheck, 100, 200, 400, "assumed: a quarter of a remote wake-up of 0.8 us")
	p.set(costWakeEnqueue, 300, 600, 1200, "assumed: the rest, with the remote rq's lines")
	p.set(costPublish, 20, 40, 80, "assumed: a store to a line that another core has")
	p.set(costPoll, 38, 80, 80,
		"measured: Jetson AGX Orin core to core, 38 ns in a cluster, 80 ns far "+
			"(nviennot/core-to-core-latency, issue 141)")
}

func (p *Profile) orinFutex() {
	p.set(costEnter, 100, 200, 400, "assumed: half of a null system call of 0.4 us")
	p.set(costExit, 100, 200, 400, "assumed: the other half")
	p.set(costFutexKey, 100, 200, 400, "assumed: GUP-fast of one present page")
	p.set(costFutexHash, 25, 50, 100, "assumed: jhash of a key")
	p.set(costFutexBase, 100, 200, 400,
		"assumed: hb->lock is held 0.3 us besides the waiters, lock operations included")
	p.set(costFutexWalk, 50, 75, 100, "assumed: 50 to 100 ns a waiter scanned")
	p.set(costFutexFn, 50, 100, 200, "assumed: unlink, result, no lock")
	p.set(costFutexMark, 50, 100, 200, "assumed: unlink, wake_q_add with a task reference")
	p.set(costFutexQueue, 200, 400, 800, "assumed: user read, compare, plist_add")
}

func (p *Profile) orinRing() {
	p.set(costSQE, 75, 150, 300, "assumed")
	p.set(costWorkPush, 25, 50, 100, "assumed: one exchange on a shared line, "+
		"of 0.1 us for a local work add")
	p.set(costWorkLink, 1, 5, 10, "assumed: window W2, a store after an exchange")
	p.set(costWorkRead, 10, 20, 40, "assumed: the line was just written")
	p.set(costClaim, 30, 60, 100, "assumed: window W1 without a registered eventfd")
	p.set(costWaitSetup, 75, 150, 300, "assumed")
	p.set(costWorkPop, 25, 50, 100, "assumed")
	p.set(costWorkRun, 100, 200, 400, "assumed: local work and one CQE take 0.6 us together")
	p.set(costPostCQE, 75, 150, 300, "assumed")
	p.set(costNodeFind, 25, 50, 100, "assumed: one load from the caller's own table")
	p.set(costNodeMark, 25, 50, 100, "assumed: one cmpxchg on the waiter's line")
	p.set(costFileSlot, 25, 50, 100, "assumed: one load from the caller's own table")
	p.set(costTwRead, 25, 50, 100, "assumed: the first entry's line, from another core, most of "+
		"0.1 us for a local work add")
	p.set(costWorkCmpxchg, 10, 25, 50, "assumed: one cmpxchg on a line that was just read")
	p.set(costWorkTake, 25, 50, 100, "assumed: one exchange on a line that adders write")
	p.set(costBell, 25, 60, 120, "assumed: one atomic on a line that others write")
	p.set(costBellTake, 25, 60, 120, "assumed")
	p.set(costHandle, 250, 500, 1000, "assumed: user space reads a lock-free queue")
}

func (p *Profile) orinSlab() {
	p.set(costSheafPop, 10, 20, 40,
		"assumed: alloc and free take 60 to 80 ns together on RT, their locks included")
	p.set(costCPUSlab, 10, 20, 40,
		"assumed: alloc and free take 60 to 80 ns together on RT, their locks included")
	p.set(costPageDetach, 75, 150, 300,
		"assumed: a trip to list_lock takes 0.4 to 1 us for a few slabs")
	p.set(costPageTake, 75, 150, 300,
		"derived: 11 to 26 ns an object beyond the fast path (commit fbd02630, i7-4790K)")
	p.set(costPageNew, 500, 1000, 4000, "assumed: a page from the pcp list, freelist set up")
	p.set(costRequestInit, 40, 80, 160, "assumed: four lines zeroed, a few fields")
	p.set(costKfree, 25, 50, 100, "assumed: one store to the CPU's page of pointers")
	p.set(costFreeGroup, 30, 60, 120, "assumed: page of the pointer, a look at the next three")
	p.set(costFreeCmpxchg, 25, 50, 100, "assumed: one double-word cmpxchg")
	p.set(costFreeList, 100, 200, 400, "assumed: cmpxchg and list under list_lock")
}

// fitHolds moves what is done under hb->lock and under list_lock, by the same factor 0.7, to the
// two published rows: see scenarios/calibration.go.
func (p *Profile) fitHolds() {
	p.fit(costFutexBase, 140)
	p.fit(costFutexWalk, 52)
	p.fit(costFutexFn, 70)
	p.fit(costFutexQueue, 280)
	p.fit(costWakeCheck, 140)
	p.fit(costWakeEnqueue, 420)
	p.fit(costPageDetach, 105)
	p.fit(costFreeList, 140)
}

// fit moves a cost within its range; its source keeps the value that was assumed before.
func (p *Profile) fit(id model.CostID, typical sim.Time) {
	c := &p.Costs[id]
	p.set(id, c.Least, typical, c.Greatest, c.Source+"; fitted at duty 0.35 to the two "+
		"published rows, within the range assumed before; "+c.Typical.String()+" until then")
}
