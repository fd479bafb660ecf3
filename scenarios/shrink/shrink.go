// Package shrink makes of a witness, a message that took longer than a claim allows, the smallest
// scenario file in which a message still does, for the same reason.
package shrink

import (
	"context"
	"errors"
	"fmt"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/blame"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// Input is a witness: a run, and a message in it.
type Input struct {
	Case   *scenarios.Case // the scenario with its settings, and with the answers that were found
	Design *designs.Design
	Asked  string // the design's name as the user gave it
	Seed   uint64
	Metric string   // scenarios.MetricSend or MetricReceive
	Limit  sim.Time // which the message exceeds
	// Message is its number, or -1: the first over the limit.
	Message int32
}

// Small is a witness that was made small.
type Small struct {
	File       []byte   // a scenario file
	Happenings int      // arrivals of tasks, and interrupts
	TotalNs    sim.Time // how long its worst message takes, above the limit
	Kind       string   // the chain of causes by which the witness and the file are alike
	Sentence   string   // why that message was late
	Picture    []string // of it, one row a line
	Column     sim.Time // what a column of the picture stands for
	Seeds      uint64   // the file was run with seeds 1 to this, and holds for each
	// Repeat is the command that shows it, with FILE for the file's name.
	Repeat string
}

// ErrNone says that no small file was found that violates for the same reason.
var ErrNone = errors.New("no small file violates for the same reason")

// columns is the greatest width of the picture.
const columns = 80

// Shrink makes a witness small. The error is ErrNone if it cannot; the witness stands then as it
// was found.
func Shrink(ctx context.Context, in Input) (*Small, error) {
	o, err := in.witness(ctx)
	if err != nil {
		return nil, err
	}
	t := &trials{in: &in, base: in.settings(), reason: o.reason(), known: map[trialKey]outcome{}}
	c := in.cast(o)
	s, err := t.first(ctx, c)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nil, fmt.Errorf("%w: %s", ErrNone, t.reason)
	}
	if s, err = t.smallest(ctx, s, c.thread); err != nil {
		return nil, err
	}
	return t.small(ctx, s)
}

// first is the first variant that holds somewhere; nil if none does.
func (t *trials) first(ctx context.Context, c *cast) (*sketch, error) {
	for _, v := range c.variants() {
		if t.runs > runsMost {
			break
		}
		draft := c.draft(v, t.in.Limit)
		draft.kernel, draft.costs = t.in.era()
		if s, err := t.align(ctx, draft, c.thread); err != nil || s != nil {
			return s, err
		}
	}
	return nil, nil
}

// settings are those of costs: those of parameters are what the sketch says.
func (in *Input) settings() scenarios.Options {
	var o scenarios.Options
	for _, s := range in.Case.Options().Set {
		isParameter := false
		for i := range in.Case.Scenario.Parameters {
			isParameter = isParameter || in.Case.Scenario.Parameters[i].Name == s.Name
		}
		if !isParameter {
			o.Set = append(o.Set, s)
		}
	}
	return o
}

// era is the kernel and the costs as a file says them, "" if they need not be said.
func (in *Input) era() (kernel, costs string) {
	s := in.Case.Scenario
	if s.Kernel != designs.Eras()[0].Kernel {
		kernel = s.Kernel
	}
	if s.Costs != "orin-"+s.Kernel {
		costs = s.Costs
	}
	return kernel, costs
}

// small shows a sketch as the command will that repeats it.
func (t *trials) small(ctx context.Context, s *sketch) (*Small, error) {
	in := t.in
	c, err := scenarios.Load(fileName, s.file(), t.base)
	if err != nil {
		return nil, err
	}
	q := scenarios.Question{Case: c, Design: in.Design, Asked: in.Asked, Seed: 1,
		Metric: in.Metric, Worst: 1, Columns: columns}
	e, err := q.Explain(ctx)
	if err != nil {
		return nil, err
	}
	if len(e.Worst) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNone, t.reason)
	}
	w := &e.Worst[0]
	why := reasonOf(blame.Chain(w.Parts), c.Scenario.Sender, c.Scenario.Receiver)
	if w.TotalNs <= in.Limit || !t.reason.covers(why) {
		return nil, fmt.Errorf("%w: %s", ErrNone, t.reason)
	}
	repeat := in.repeat(t.base.Set)
	s.comments = []string{fmt.Sprintf("%s, a %s of %s: %s.", in.Asked, in.Metric,
		blame.Us(w.TotalNs), w.Sentence), repeat}
	return &Small{File: s.file(), Happenings: len(s.all), TotalNs: w.TotalNs,
		Kind: t.reason.String(), Sentence: w.Sentence, Picture: w.Picture, Column: w.Column,
		Seeds: t.seeds, Repeat: repeat}, nil
}

// repeat is the command that explains the file.
func (in *Input) repeat(set []file.Setting) string {
	words := []string{"explain", fileName, "--design", in.Asked}
	if in.Metric != scenarios.MetricSend {
		words = append(words, "--metric", in.Metric)
	}
	for _, s := range set {
		words = append(words, "--set", s.Name+"="+s.Value)
	}
	return scenarios.CommandLine(words)
}
