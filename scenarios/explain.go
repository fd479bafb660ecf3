package scenarios

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios/blame"
	"rtsim/sim"
)

// Why the worst messages were late. One run, in which every record and note is kept for as long as
// a message may ask for it, and a message is explained when it is over, if it is late or among the
// worst so far. Rejected: a run that finds the worst, and a second one that explains them. What
// all late messages have in common needs their parts anyhow, and to explain one message takes less
// than to simulate it again.

// Explanation is what `rtsim explain --json` prints: rtsim.explain/1.
type Explanation struct {
	Schema     string            `json:"schema"`
	Version    string            `json:"version"`
	Scenario   string            `json:"scenario"`
	Kernel     string            `json:"kernel"`
	DurationNs sim.Time          `json:"duration_ns"`
	Set        map[string]string `json:"set"`
	Answers    []string          `json:"answers,omitempty"` // that were replaced
	Design     string            `json:"design"`
	Variant    string            `json:"variant"`
	Seed       uint64            `json:"seed"`
	Digest     string            `json:"digest"` // the same as that of compare
	Metric     string            `json:"metric"`
	Messages   int64             `json:"messages"` // that are measured
	Lost       int64             `json:"lost"`     // of all
	Worst      []Explained       `json:"worst"`
	Over       []*blame.Tally    `json:"over"` // by threshold, ascending

	Asked Asked `json:"-"`
}

// Explained is one message: its parts add up to its total.
type Explained struct {
	Message  int32        `json:"message"`
	AtNs     sim.Time     `json:"at_ns"`
	TotalNs  sim.Time     `json:"total_ns"`
	Sentence string       `json:"sentence"`
	Parts    []blame.Part `json:"parts"`

	// Picture and Chart are there if the question asks for columns, which stand for Column.
	Picture []string     `json:"-"`
	Column  sim.Time     `json:"-"`
	Chart   *blame.Chart `json:"-"`
}

// The metrics, named as in the results; the first two can be explained.
const (
	MetricSend          = "send"
	MetricReceive       = "receive"
	MetricResponse      = "response"
	MetricIRQStart      = "irq_start"
	MetricLowPreemptOff = "low_preempt_off"
)

// Question is what is to be explained.
type Question struct {
	Case   *Case
	Design *designs.Design
	Asked  string // its name as the user gave it
	Seed   uint64
	Metric string
	Worst  int // how many messages, at least 1
	// Columns, unless it is 0, is the greatest width of a picture of each.
	Columns int64

	simulated atomic.Int64
}

// Progress says how much of all that is to be simulated is done, and of how many runs. It may be
// asked while Explain is at work.
func (q *Question) Progress() (done, all sim.Time, runs int) {
	return sim.Time(q.simulated.Load()), q.Case.options.Duration, 1
}

// changesMost bounds what is remembered for messages that are not over, about 60 bytes each.
const changesMost = 4_000_000

// Explain runs a design and explains its worst messages.
func (q *Question) Explain(ctx context.Context) (*Explanation, error) {
	c := q.Case
	w := c.Workload(q.Design)
	m := model.New(w, c.Profile.Table(), q.Seed)
	m.KeepAll()
	m.KeepNotes()
	e := &Explanation{Schema: "rtsim.explain/1", Scenario: c.Scenario.Name,
		Kernel: c.Scenario.Kernel, DurationNs: c.options.Duration, Set: map[string]string{},
		Answers: sim.AnswerTexts(c.options.Answers),
		Design:  q.Asked, Variant: q.Design.Variant, Seed: q.Seed, Metric: q.Metric,
		Worst: []Explained{}}
	for _, s := range c.options.Set {
		e.Set[s.Name] = s.Value
	}
	for _, limit := range c.limits {
		e.Over = append(e.Over, blame.NewTally(limit))
	}
	meter := c.meter(w)
	f := blame.NewFollower(NamesOf(w, m.Program()), meter.sender, meter.receiver)
	f.Receives, f.From = q.Metric == MetricReceive, meter.from
	f.Over = func(message *blame.Message) { e.add(f, message, q) }
	see := func(records []trace.Record) error {
		f.TakeAll(records)
		if f.Changes() > changesMost {
			return fmt.Errorf("message %d of %s is not handled by %s, which is longer than can be "+
				"explained; explain its send", f.Open[0].Number, f.Open[0].Begin, m.Now())
		}
		return nil
	}
	if err := c.drive(ctx, q.Design, q.Seed, m, meter, &q.simulated, see); err != nil {
		return nil, err
	}
	for _, t := range e.Over {
		t.Sort()
	}
	e.Digest, e.Messages = m.Digest().String(), meter.sent-meter.early
	e.Lost = int64(len(meter.pending))
	e.Asked.take(c.options.Answers, m.Tape())
	return e, nil
}

// add explains a message if it is over a threshold or among the worst so far.
func (e *Explanation) add(f *blame.Follower, m *blame.Message, q *Question) {
	total, worst := f.Total(m), q.Worst
	isWorst := len(e.Worst) < worst || total > e.Worst[len(e.Worst)-1].TotalNs
	if !isWorst && total <= e.Over[0].ThresholdNs {
		return
	}
	parts := f.Parts(m)
	for _, t := range e.Over {
		t.Add(parts)
	}
	if !isWorst {
		return
	}
	if len(e.Worst) == worst {
		e.Worst = e.Worst[:worst-1]
	}
	x := Explained{Message: m.Number, AtNs: m.Begin, TotalNs: total,
		Sentence: blame.Sentence(parts), Parts: parts}
	if q.Columns > 0 {
		x.Column = Picture{From: m.Begin, To: m.Begin + total}.Fitting(q.Columns)
		x.Picture = f.Picture(m, parts, x.Column)
		x.Chart = f.Chart(m, parts)
	}
	e.Worst = append(e.Worst, x)
	slices.SortStableFunc(e.Worst, func(a, b Explained) int {
		return cmp.Compare(b.TotalNs, a.TotalNs)
	})
}
