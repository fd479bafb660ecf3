package judge_test

import (
	"fmt"
	"strings"

	"rtsim/designs"
	k "rtsim/model"
)

// A design that is registered nowhere, as a test author has one: a word of bits a reader, and a
// wake-up by everybody who sets some. Its parts can be changed, which the mutants do.

// parts are the listings' pieces that a mutant changes.
type parts struct {
	before, after k.Code // of the whole walk, with the own ring's lock held
	target        k.Code // for each reader
	unlock        k.Code // of the own ring
	sleep         k.Code // in the reader's loop while there is no completion
}

var (
	bits  = k.Do(k.ActBell, designs.CostOf("doorbell_or"), "or the bits into the reader's word")
	awake = k.When(k.ActArmed, designs.CostOf("wait_nr_read"), "does the reader wait?",
		k.Wake(designs.CostOf("wake_check"), designs.CostOf("wake_enqueue")))
	drain = k.Seq(
		k.Lock(k.RefOwnRing),
		k.When(k.ActTakeBell, designs.CostOf("doorbell_take"), "take the bits",
			k.Do(k.ActPostCQE, designs.CostOf("post_cqe"), "post a completion")),
		k.Unlock(k.RefOwnRing))
	arm    = k.Do(k.ActArm, designs.CostOf("cqring_wait"), "say that it waits")
	disarm = k.Do(k.ActDisarm, k.NoCost, "say that it does not")
)

// mine is the design with some parts changed.
func mine(change func(p *parts)) *designs.Design {
	p := &parts{
		target: k.Seq(bits, awake),
		unlock: k.Unlock(k.RefOwnRing),
		sleep: k.Seq(arm, k.Prepare(),
			k.When(k.ActBellSilent, k.NoCost, "no bits meanwhile?", k.Schedule()), disarm),
	}
	if change != nil {
		change(p)
	}
	enter, exit := designs.CostOf("syscall_enter"), designs.CostOf("syscall_exit")
	return &designs.Design{Name: "mine", Variant: "mine", About: "a design of one's own",
		Paths: k.Paths{
			Send: k.Seq(k.Exec(enter, "enter"), k.Lock(k.RefOwnRing), p.before,
				k.While(k.ActNextOpen, designs.CostOf("sqe_issue"), "the next reader", p.target),
				p.after, p.unlock, k.Exec(exit, "exit")),
			Receive: k.Seq(k.Exec(enter, "enter"),
				k.When(k.ActBellSet, k.NoCost, "bits are set", drain),
				k.While(k.ActNoCQE, k.NoCost, "no completion yet", p.sleep,
					k.When(k.ActBellSet, k.NoCost, "bits are set", drain)),
				k.Exec(exit, "exit"),
				k.Do(k.ActReap, k.NoCost, "take the completions"),
				k.Do(k.ActRead, k.NoCost, "read the sequence number"),
				k.Do(k.ActHandle, designs.CostOf("handle"), "handle what is there")),
			Open:  k.Do(k.ActOpen, k.NoCost, "the queue knows the reader"),
			Close: k.Do(k.ActClose, k.NoCost, "and forgets it"),
		}}
}

// captured is a test that fails into a text.
type captured struct{ text []string }

// Errorf keeps what would be printed.
func (c *captured) Errorf(format string, args ...any) {
	c.text = append(c.text, fmt.Sprintf(format, args...))
}

// Name is that of the test.
func (c *captured) Name() string { return "TestMine" }

// String is all that was printed.
func (c *captured) String() string { return strings.Join(c.text, "\n") }
