package claim

import (
	"fmt"

	"rtsim/sim"
)

// Verdict is what is known of a claim. There are five, and none stands for another: a run that saw
// no violation proves nothing, and a bound that is over the limit refutes nothing.
type Verdict string

// The verdicts.
const (
	// Proved: an analytic bound is at or under the limit, and its certificate was checked.
	Proved Verdict = "PROVED"
	// Refuted: there is a run that violates the claim, and a command that repeats it; or, of a
	// claim about a probability, that is greater than the claim allows, with its confidence.
	Refuted Verdict = "REFUTED"
	// Exhausted: no violation with up to so many actions of an adversary, at the instants that
	// were tried. There may be one with more.
	Exhausted Verdict = "EXHAUSTED"
	// Estimated: a probability is at most what the claim allows, with its confidence.
	Estimated Verdict = "ESTIMATED"
	// Open: none of these. The best witness and the bound, if any, say how far apart they are.
	Open Verdict = "OPEN"
)

// Held says whether a claim with this verdict holds, as far as its own words ask.
func (v Verdict) Held() bool { return v == Proved || v == Estimated }

// Probability is where a probability lies: by its interval, a point in between.
type Probability struct {
	Estimate   float64 `json:"estimate"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Confidence float64 `json:"confidence"` // of the interval
	Method     string  `json:"method"`     // how the interval was found
}

// Judgement is the verdict on one claim about one design, with its evidence. What is not known is
// nil or empty.
type Judgement struct {
	Claim       string       `json:"name"`
	Design      string       `json:"design"`
	Verdict     Verdict      `json:"verdict"`
	Held        bool         `json:"held"`
	LimitNs     *sim.Time    `json:"limit_ns"`             // what the claim allows, if it is a time
	AtMost      *float64     `json:"at_most,omitempty"`    // what it allows, if a probability
	Confidence  *float64     `json:"confidence,omitempty"` // that is asked for then
	BoundNs     *sim.Time    `json:"bound_ns"`             // no run is over it
	WitnessNs   *sim.Time    `json:"witness_ns"`           // the worst run that was found
	Gap         *float64     `json:"gap"`                  // (bound - witness) / bound; 0: met
	Probability *Probability `json:"probability"`
	Evidence    string       `json:"evidence"`           // a sentence: why this verdict
	Terms       []Term       `json:"terms,omitempty"`    // that add up to the bound
	Witness     string       `json:"witness,omitempty"`  // a sentence: who is to blame for it
	Assumptions []string     `json:"assumptions"`        // what the verdict stands on
	Repeat      string       `json:"repeat"`             // the command that repeats the evidence
	Seed        uint64       `json:"seed,omitempty"`     // of the witness
	UntilNs     sim.Time     `json:"until_ns,omitempty"` // and how long its run is
	Answers     []string     `json:"answers,omitempty"`  // and what replaces its draws
	Small       *Small       `json:"small"`              // the witness, made small
	Certificate []byte       `json:"-"`                  // of the bound, as a document

	Picture []string `json:"-"` // of the witness, of the small one if there is one
}

// Term is one addend of a bound.
type Term struct {
	Name string   `json:"name"`
	Ns   sim.Time `json:"ns"`
	Why  string   `json:"why,omitempty"`
}

// Small is a witness as the smallest scenario file that violates the claim for the same reason.
type Small struct {
	File       []byte   `json:"-"`
	Name       string   `json:"file,omitempty"` // under which it was written
	Happenings int      `json:"happenings"`     // arrivals of tasks, and interrupts
	Ns         sim.Time `json:"ns"`             // how long its worst message takes
	Sentence   string   `json:"sentence"`       // why
	Repeat     string   `json:"repeat"`         // the command, with FILE for the file's name
}

// Close fills in what follows from the rest: whether the claim holds, and the gap. A run over its
// bound is a broken invariant: the analysis is wrong, or the machine, and no verdict is to be
// believed.
func (j *Judgement) Close() {
	j.Held = j.Verdict.Held()
	if j.BoundNs != nil && j.WitnessNs != nil {
		if *j.WitnessNs > *j.BoundNs {
			panic(fmt.Sprintf("claim: %s of %s: a run of %s is over the bound of %s", j.Claim,
				j.Design, *j.WitnessNs, *j.BoundNs))
		}
		gap := float64(*j.BoundNs-*j.WitnessNs) / max(float64(*j.BoundNs), 1)
		j.Gap = &gap
	}
	if j.Assumptions == nil {
		j.Assumptions = []string{}
	}
}
