// Package bound computes analytic worst-case bounds: how long a send of a scenario can take at
// most, or a receive (receive.go), whatever the choice tape answers. The bound is of the simulator,
// to the nanosecond: every cost at its greatest with its jitter, every burst at its longest, every
// gap at its floor.
//
// # What is summed
//
//	R = C + sum of waits + I(R)
//
// C is the longest way through the path's listing (eval.go), I the hard interrupts of the sender's
// CPU (irq.go). A raw lock is first come first served, so the wait is one hold of each other CPU
// that takes it, stretched by that CPU's interrupts if they are on (locks.go). A sleeping lock has
// priority inheritance: one section of a lower task, the owner's, and one of each real-time task
// that may be queued before (wait.go). The owner is boosted, but not above the bursts of its CPU;
// how long it needs is T = x + N bursts + I(T), where N counts the gaps between bursts that x, its
// section, does not fit into (bursts.go). That is formula (a) of the theory, the sum over the
// chain. Formula (b) counts the bursts of a CPU, and interrupts, once for the whole call
// (together.go). The bound is the lesser of both.
//
// # What is assumed
//
// The rules of the model: R2.4 to R2.11 (A1, A3), a holder of a spinlock does not move (A2), no
// throttling (A8). Of the scenario: every task has one CPU; the sender is alone on its own, but
// for lower bursts (A6); nobody above its level takes its locks (A5); locks are taken in one order
// (A7); programs take no locks of their own; no fair server. Where that fails no bound is given,
// and Unbounded says which task it is about. A loop is bounded by its action: a walk by the
// endpoints, a walk of slabs by a sheaf's objects. A loop that another CPU can make go round again
// is not.
//
// # Where it is not tight
//
// Waits of one call each count the timers of their CPU anew, though a task that sleeps 10 ms has
// one in a call. A section that waits for other locks counts all these as contended, and handlers
// and bursts for all the time that it waits.
package bound

import (
	"fmt"
	"slices"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/scenarios/bound/cert"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// System is what a bound is of: a scenario with its settings, a design in its era, its costs.
type System struct {
	Scenario *file.Scenario
	Design   *designs.Design // in the scenario's era
	Profile  *designs.Profile
	Fixed    []model.Paths // by queue: of what has a design whatever is tested; as in a Workload
}

// Bound is the result: a value, or why there is none.
type Bound struct {
	Value       sim.Time
	Unbounded   string // why there is no value, who and where; "" if there is one
	Method      string // how it was derived, one line
	Terms       []Term // they add up to Value
	Assumptions []string
	Certificate *cert.Certificate // nil without a value
}

// Term is one addend of a bound.
type Term struct {
	Name string
	Ns   sim.Time
	Why  string
}

// Compute bounds a metric, "send" or "receive", of the measured sender and receiver. The error is
// of a metric that does not exist, or of a scenario that measures nothing.
func Compute(s *System, metric string) (*Bound, error) {
	if metric != "send" && metric != "receive" {
		return nil, fmt.Errorf("bound: no metric %q; write send or receive", metric)
	}
	if s.Scenario.Sender == "" || s.Scenario.Receiver == "" {
		return nil, fmt.Errorf("bound: %s measures nothing; add measure: {sender: NAME, "+
			"receiver: NAME}", s.Scenario.Name)
	}
	if metric == "receive" {
		return receive(s), nil
	}
	return send(s), nil
}

// send bounds the sender's time in a call.
func send(s *System) *Bound {
	apart, together := calls(s, false), calls(s, true)
	if together.Unbounded == "" && (apart.Unbounded != "" || together.Value < apart.Value) {
		return together
	}
	return apart
}

// calls bounds the sender's calls by one of the formulas.
func calls(s *System, together bool) *Bound {
	a, why := analyse(s, s.Scenario.Sender)
	if why != "" {
		return &Bound{Unbounded: "no bound is derived: " + why}
	}
	a.together = together
	var worst *Bound
	for _, r := range a.tasks[a.root].runs {
		if r.path.kind != "send" {
			continue
		}
		b := a.call(r)
		if worst == nil || b.Unbounded != "" || worst.Unbounded == "" && b.Value > worst.Value {
			worst = b
		}
	}
	return worst
}

// call bounds one call of a path of the root's. An endpoint that leaves and comes back during the
// call is walked again; how often that can be depends on the bound.
func (a *analysis) call(r run) *Bound {
	for a.back = make([]int, len(a.endpoints)); ; {
		b := &Bound{}
		v := a.rootPath(r, b)
		if v.why != "" {
			return &Bound{Unbounded: "no bound is derived: " + v.why}
		}
		cpu := a.tasks[a.root].cpu
		all := a.sources(cpu, a.root, a.level)
		before := busy(all, a.off(cpu))
		own := func(x sim.Time) sim.Time { return total(all, x, before) }
		if a.together {
			a.atOnce(b, v, own)
		} else {
			whole := least(func(x sim.Time) sim.Time { return b.Value + own(x) })
			b.add("interrupts", whole-b.Value, "handlers on the sender's own CPU")
		}
		if b.Value >= longest {
			return &Bound{Unbounded: fmt.Sprintf("no bound is derived: it would be over %v",
				longest)}
		}
		back := a.returns(b.Value)
		if slices.Equal(back, a.back) {
			a.certify(b, "send")
			return b
		}
		a.back = back
	}
}

// certify completes a bound that has a value: how it was derived, and its certificate.
func (a *analysis) certify(b *Bound, metric string) {
	b.Method = "response-time analysis: the path, its waits, interrupts"
	b.Assumptions = []string{
		"every cost at its greatest with its jitter; the longest bursts, gaps at their floor",
		"every task has one CPU; the sender is alone on its own; no fair server, no throttling",
		"raw locks first come first served; spinlocks by priority, with inheritance",
		"programs take no locks but in send, receive, open and close"}
	c := &cert.Certificate{Metric: metric, Value: b.Value, Points: a.points}
	if a.together {
		b.Method += "; bursts and interrupts counted once for the whole call"
		c.Formula = "b"
	}
	for _, t := range b.Terms {
		c.Terms = append(c.Terms, cert.Term{Name: t.Name, Ns: t.Ns})
	}
	b.Certificate = c
}
