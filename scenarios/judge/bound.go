package judge

import (
	"encoding/json"
	"fmt"

	"rtsim/scenarios"
	"rtsim/scenarios/blame"
	"rtsim/scenarios/bound"
	"rtsim/scenarios/claim"
	"rtsim/sim"
)

// bounded is what the analysis says of an item's metric.
type bounded struct {
	is      *bound.Bound // nil: the metric has no analysis
	checked error        // what the checker of certificates says; nil: it agrees
}

// bound computes the bound of an item's metric and has its certificate checked. The assumptions
// go into the judgement, and so does the value if it was accepted.
func (q *Inquiry) bound(it *Item, j *claim.Judgement) (b bounded, err error) {
	metric := it.Claim.Metric
	if metric != scenarios.MetricSend && metric != scenarios.MetricReceive {
		return bounded{}, nil
	}
	s := &bound.System{Scenario: q.Case.Scenario, Profile: q.Case.Profile,
		Design: it.Design.In(q.Case.Era).Sized(q.Case.Profile), Fixed: q.Case.Fixed()}
	if b.is, err = bound.Compute(s, metric); err != nil {
		return bounded{}, err
	}
	if b.is.Unbounded != "" {
		return b, nil
	}
	b.checked = certified(s, b.is)
	if b.checked == nil {
		value := b.is.Value
		j.BoundNs = &value
		j.Assumptions = append(j.Assumptions, b.is.Assumptions...)
		for _, t := range b.is.Terms {
			j.Terms = append(j.Terms, claim.Term(t))
		}
		if j.Certificate, err = json.MarshalIndent(b.is.Certificate, "", "  "); err != nil {
			return bounded{}, fmt.Errorf("certificate of %s: %w", it.Asked, err)
		}
	}
	return b, nil
}

// value is a bound that was accepted.
func (b bounded) value() (sim.Time, bool) {
	if b.is == nil || b.is.Unbounded != "" || b.checked != nil {
		return 0, false
	}
	return b.is.Value, true
}

// proves says whether nothing can be above the limit.
func (b bounded) proves(limit sim.Time) bool {
	v, ok := b.value()
	return ok && v <= limit
}

// said is the bound in a clause.
func (b bounded) said() string {
	switch {
	case b.is == nil:
		return "no bound: there is no analysis of this metric"
	case b.is.Unbounded != "":
		return b.is.Unbounded
	case b.checked != nil:
		return fmt.Sprintf("a bound of %s that the checker of certificates refuses: %v",
			blame.Us(b.is.Value), b.checked)
	}
	return fmt.Sprintf("bound %s, certificate checked (%s)", blame.Us(b.is.Value), b.is.Method)
}
