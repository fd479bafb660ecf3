package designs

import "rtsim/model"

// x86 is a server class x86-64 machine. Where nothing was published for it, the Orin's value is
// scaled by the ratio of their uncontended atomics (about one half); such rows say so.
func x86() *Profile {
	p := orinAssumed()
	p.Name = "x86"
	p.About = "server class x86-64, PREEMPT_RT; the idle loop polls (mwait)"
	p.IdlePolls = true
	for id := range nCosts {
		c := &p.Costs[id]
		p.set(id, c.Least/2, c.Typical/2, c.Greatest/2,
			"assumed: half of the Orin's (ratio of their atomics)")
	}
	p.set(model.CostLock, 8, 12, 25, "assumed: an uncontended pair takes 25 ns")
	p.set(model.CostUnlock, 8, 12, 25, "assumed: an uncontended pair takes 25 ns")
	p.set(model.CostLockSlow, 250, 500, 1000, "assumed")
	p.set(model.CostRawLock, 4, 5, 12, "derived: 8 to 12 ns for the pair; i7-4790K: "+
		"interrupts off and on 1.8 ns (SLUB bulk-free commit fbd02630)")
	p.set(model.CostSwitch, 400, 700, 1100,
		"derived: pipe ping-pong 1.07 us threads on an i7-11 (ddumbying.vercel.app)")
	p.set(model.CostIPI, 500, 1000, 2200,
		"derived: KVM Skylake x2apic about 2.2 us per call function (commit 4180bf1b)")
	p.set(model.CostTimer, 1000, 1400, 8000,
		"measured: rtla timerlat top, IRQ latency average 1 us, greatest 8 to 22 us, untuned")
	p.set(model.CostTick, 1000, 1500, 2000, "assumed")
	p.set(costEnter, 40, 100, 225,
		"measured: null system call 0.08 us without, 0.45 us with mitigations (blog.i0.pm)")
	p.set(costExit, 40, 100, 225, "measured: as syscall_enter, the other half")
	p.set(costPoll, 45, 50, 135,
		"measured: core to core 47 ns one socket, 135 ns two (nviennot/core-to-core-latency)")
	return p
}
