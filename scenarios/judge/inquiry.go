package judge

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/claim"
	"rtsim/sim"
)

// Report is what `rtsim check --json` prints: rtsim.check/1.
type Report struct {
	Schema     string             `json:"schema"`
	Version    string             `json:"version"`
	Scenario   string             `json:"scenario"`
	Kernel     string             `json:"kernel"`
	DurationNs sim.Time           `json:"duration_ns"`
	Seeds      []uint64           `json:"seeds"`
	Set        map[string]string  `json:"set"`
	Family     int                `json:"family"` // claims about a probability, judged together
	Claims     []*claim.Judgement `json:"claims"`
	Skipped    []Skipped          `json:"skipped"`
}

// Skipped is a claim about a design that does not exist in the kernel's era.
type Skipped struct {
	Claim  string `json:"name"`
	Design string `json:"design"`
	Why    string `json:"why"`
}

// New gives the claims of a case's scenario as an inquiry, those about the designs of only, or
// about all if that is empty. It is an error if the scenario claims nothing, nothing of these
// designs, or measures nothing.
func New(c *scenarios.Case, only []string) (*Inquiry, []Skipped, error) {
	s := c.Scenario
	if len(s.Claims) == 0 {
		return nil, nil, s.Wrong(s.Root, "nothing is claimed; add claims, as in claims: [{name: "+
			"sends are never late, metric: send, never_over: 100us, designs: [doorbell]}]")
	}
	if err := c.Measurable(); err != nil {
		return nil, nil, err
	}
	wanted, err := named(c, only)
	if err != nil {
		return nil, nil, err
	}
	q, skipped := &Inquiry{Case: c}, []Skipped{}
	var known []string
	for _, stated := range s.Claims {
		for _, asked := range stated.Designs {
			d, err := scenarios.FindDesign(asked)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: claim %q: %w", s.Name, stated.Name, err)
			}
			if !slices.Contains(known, d.Variant) {
				known = append(known, d.Variant)
			}
			if len(only) > 0 && !slices.Contains(wanted, d) {
				continue
			}
			it := Item{Claim: stated, Asked: asked, Design: d}
			why := d.Unsupported(s.Kernel)
			if stated.Than != "" {
				if it.Than, err = scenarios.FindDesign(stated.Than); err != nil {
					return nil, nil, fmt.Errorf("%s: claim %q: %w", s.Name, stated.Name, err)
				}
				if why == "" && it.Than.Unsupported(s.Kernel) != "" {
					why = stated.Than + ": " + it.Than.Unsupported(s.Kernel)
				}
			}
			if why != "" {
				skipped = append(skipped, Skipped{stated.Name, asked, why})
				continue
			}
			if _, err := q.apart(&it); err != nil { // before anything runs
				return nil, nil, err
			}
			q.Items = append(q.Items, it)
		}
	}
	if err := q.claimless(only, known); err != nil {
		return nil, nil, err
	}
	return q, skipped, nil
}

// claimless is an error if nothing is claimed of a design that is asked for by its name, or of
// none.
func (q *Inquiry) claimless(only, known []string) error {
	without := slices.DeleteFunc(slices.Clone(only), func(name string) bool {
		d, err := scenarios.FindDesign(name)
		return err == nil && slices.Contains(known, d.Variant)
	})
	if slices.Contains(only, "all") && len(q.Items) > 0 || len(without) == 0 {
		return nil
	}
	return fmt.Errorf("%s claims nothing of %s; it has claims about %s", q.Case.Scenario.Name,
		strings.Join(without, ", "), strings.Join(known, ", "))
}

// named are the designs of these names.
func named(c *scenarios.Case, only []string) ([]*designs.Design, error) {
	if len(only) == 0 {
		return nil, nil
	}
	asked, found, err := scenarios.FindDesigns(only)
	return found, errors.Join(err, c.Exist(asked, found, only))
}

// Report is the judgements as a document.
func (q *Inquiry) Report(version string, judged []*claim.Judgement, skipped []Skipped) *Report {
	o := q.Case.Options()
	r := &Report{Schema: "rtsim.check/1", Version: version, Scenario: q.Case.Scenario.Name,
		Kernel: q.Case.Scenario.Kernel, DurationNs: o.Duration, Seeds: q.Seeds,
		Set: map[string]string{}, Claims: judged, Skipped: skipped}
	for _, s := range o.Set {
		r.Set[s.Name] = s.Value
	}
	for i := range q.Items {
		if q.Items[i].Claim.AtMost > 0 {
			r.Family++
		}
	}
	return r
}
