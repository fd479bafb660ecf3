// Package bound computes analytic worst-case bounds: how long a send, or a receive, of a scenario
// can take at most, whatever the choice tape answers.
package bound

import (
	"fmt"

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
	return &Bound{Unbounded: "no bound is derived yet"}, nil
}
