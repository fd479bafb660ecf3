// Package cert checks certificates of analytic bounds. It rebuilds what a bound claims from the
// listings and the scenario by itself and shares no code with scenarios/bound, which makes them: a
// bound is proved only if both agree.
//
// A certificate has a window for each fixed point that the bound stands on: how long a raw lock is
// held, how long until a lock's owner has released it. The checker takes the windows, not the
// values, from it: it puts each into the right-hand side that it has built and refuses one that is
// less than what comes out, for then it is no fixed point; a window that is too long only makes the
// bound longer. Where bounds are derived by trees, it looks for the longest way through the steps,
// one after another. What it does not know, it refuses and does not believe.
package cert

import (
	"fmt"
	"slices"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// Certificate is what a bound claims of itself: its value, the terms that add up to it, and the
// fixed points that it stands on.
type Certificate struct {
	Metric string // "send" or "receive"
	// Formula is what the value is a fixed point of: "" or "a", a sum over the waits, each with its
	// bursts and interrupts; "b", of a send, with those of the whole call (once.go).
	Formula string
	Value   sim.Time
	Terms   []Term
	Points  []Point
	Call    *Certificate // of a receive: of the call that it begins with
}

// Term is one named addend of the value.
type Term struct {
	Name string
	Ns   sim.Time
}

// Point is a fixed point.
type Point struct {
	// What it is: "hold", how long the task holds the raw lock; "release", from its boost until it
	// has released the lock; "turn", the same of a waiter, from the release before.
	What string
	Lock string // its name
	Of   int    // which of the locks of this name: by bucket, queue, task, CPU or endpoint
	Task string
	// Where it took it: the listing, its queue (-1: none), the line from 0, and the endpoint that a
	// walk stands at there, -1 without a walk.
	Path            string
	Queue, Line, At int
	For             string // who waits for the release or the turn: a task; "" of a hold
	// Window is the longest, interrupts and bursts included.
	Window sim.Time
}

// Check says what is wrong with a certificate for a scenario, a design in its era, a profile, and
// the paths of queues that have a design of their own; nil: the bound holds.
func Check(c *Certificate, s *file.Scenario, d *designs.Design, p *designs.Profile,
	fixed []model.Paths) error {
	if c == nil {
		return fmt.Errorf("there is no certificate")
	}
	sum := sim.Time(0)
	for _, t := range c.Terms {
		if t.Ns < 0 {
			return fmt.Errorf("the term %s is negative", t.Name)
		}
		sum += t.Ns
	}
	if sum != c.Value {
		return fmt.Errorf("the terms add up to %v, not to %v", sum, c.Value)
	}
	if c.Formula != "" && c.Formula != "a" && (c.Formula != "b" || c.Metric != "send") {
		return fmt.Errorf("the formula %q of a %s is not known", c.Formula, c.Metric)
	}
	switch c.Metric {
	case "send":
	case "receive":
		return checkReceive(c, s, d, p, fixed)
	default:
		return fmt.Errorf("certificates of a %s are not checked", c.Metric)
	}
	w := s.Workload
	w.Paths, w.Fixed = d.Sized(p).Paths, fixed
	k, err := build(c, &w, p, s.Sender)
	if err != nil {
		return err
	}
	for _, r := range k.ways {
		if r.task == k.root && r.kind == "send" {
			k.call(r)
		}
	}
	return k.err
}

// call checks the bound of one call: its steps and waits, and the handlers meanwhile. How often an
// endpoint comes back depends on how long that is.
func (k *checker) call(r *way) {
	cpu := k.tasks[k.root].cpu
	in := k.handlers(cpu, k.root, k.level).most(k.c.Value, k.interruptsOff(cpu))
	for k.again = make([]int, len(k.ends)); ; {
		took := k.longest(r, 0, -1, whole, nil) + in
		if k.once() {
			took += k.meanwhile(k.longest(r, 0, -1, jobs, nil))
		}
		if took > k.c.Value {
			k.refuse("the call takes up to %v, which is over the bound of %v", took, k.c.Value)
		}
		var again []int
		for e := range k.ends {
			again = append(again, k.returns(e, r, took))
		}
		if k.err != nil || slices.Equal(again, k.again) {
			return
		}
		k.again = again
	}
}

// refuse notes the first thing that is wrong.
func (k *checker) refuse(format string, args ...any) {
	if k.err == nil {
		k.err = fmt.Errorf(format, args...)
	}
}

// window is a fixed point's, as the certificate has it.
func (k *checker) window(what string, l lock, t taker, waiter int) sim.Time {
	by := ""
	if waiter >= 0 {
		by = k.tasks[waiter].name
	}
	name := k.tasks[t.way.task].name
	for _, p := range k.c.Points {
		if p.What == what && p.Lock == l.ref.String() && p.Of == l.of && p.Task == name &&
			p.For == by && p.Path == t.way.kind && p.Queue == t.way.queue && p.Line == t.line &&
			p.At == t.target {
			return p.Window
		}
	}
	k.refuse("it says nothing of the %s of %v by %s for %q", what, l.ref, name, by)
	return 0
}
