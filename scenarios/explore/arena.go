package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios"
	"rtsim/scenarios/tracepoint"
	"rtsim/sim"
)

// arena makes a short run again and again with other answers. A run is a window of one of a few
// starts: machines that a seed alone has brought to the begin of the window. Only what is asked
// within the window can be answered, and which gap it begins in (pending.go); as a window is longer
// than what can make one message late, no more is needed, and a run takes as long as its window.
type arena struct {
	problem          *Problem
	workload         *model.Workload
	costs            *model.CostTable
	names            *trace.Names
	sites            []site
	sender, receiver int32
	earliest         sim.Time // a message that begins before is not measured
	receives         bool
	starts           []start
	follow           sim.Time       // for how long a message is followed that is not over
	quick            *model.Machine // keeps what times messages
	seen             *model.Machine // keeps all
	runs             int
	steps            int64
}

// start is where windows begin.
type start struct {
	*stress // the run
	from    sim.Time
	to      sim.Time // the last instant of the window, but for messages that are not over
	m       *model.Machine
	before  []trace.Record // what holds at its begin, as records
	pending []question     // that were asked for before
	raided  bool
	caught  candidate // by raids, the longest
}

// message is one message of a run.
type message struct {
	number      int32
	begin, over sim.Time
}

func (m message) total() sim.Time { return m.over - m.begin }

// pin is an answer by the number of its site.
type pin struct {
	site    sim.StreamID
	ordinal uint64
	value   int64
}

func byQuestion(a, b pin) int {
	return cmp.Or(cmp.Compare(a.site, b.site), cmp.Compare(a.ordinal, b.ordinal))
}

// candidate is a possible run: a window with answers, and its longest message.
type candidate struct {
	start int
	pins  []pin // sorted by question, each once
	worst message
	only  int32    // the number of the message that counts, plus 1; 0: any
	to    sim.Time // how far it was run
}

// newArena prepares a problem.
func newArena(p *Problem) (*arena, error) {
	if p.Metric != scenarios.MetricSend && p.Metric != scenarios.MetricReceive {
		return nil, fmt.Errorf("no metric %q to search; write send or receive", p.Metric)
	}
	if err := p.Case.Measurable(); err != nil {
		return nil, err
	}
	if why := p.Design.Unsupported(p.Case.Scenario.Kernel); why != "" {
		return nil, fmt.Errorf("%s does not exist in kernel %s: %s", p.Design.Variant,
			p.Case.Scenario.Kernel, why)
	}
	a := &arena{problem: p, workload: p.Case.Workload(p.Design), costs: p.Case.Profile.Table(),
		receives: p.Metric == scenarios.MetricReceive, earliest: p.Case.Scenario.From}
	a.workload.SendUntil = 0 // a window ends, the sender does not
	a.sender = taskNamed(a.workload, p.Case.Scenario.Sender)
	a.receiver = taskNamed(a.workload, p.Case.Scenario.Receiver)
	m := model.New(a.workload, a.costs, p.Seed)
	a.names = scenarios.NamesOf(a.workload, m.Program())
	a.sites = sitesOf(a.workload, m.Tape())
	return a, nil
}

func taskNamed(w *model.Workload, name string) int32 {
	return int32(slices.IndexFunc(w.Tasks, func(t model.TaskDecl) bool { return t.Name == name }))
}

// followed is in which steps a message is followed beyond the window.
const followed = 500 * sim.Microsecond

// openAll adds starts: a run up to the begin of each window. from is ascending.
func (a *arena) openAll(r *stress, from []sim.Time, window sim.Time) error {
	m := a.machine(r)
	m.KeepAll()
	var windows []tracepoint.Window
	for _, at := range from {
		windows = append(windows, tracepoint.Window{From: at, To: at})
	}
	cut := tracepoint.NewCut(a.names, windows)
	for _, at := range from {
		for now := m.Now(); now < at-1; now = m.Now() { // up to the instant before
			if err := m.Run(min(at-1, now+scanBatch)); err != nil {
				return a.failed(r.seed, err)
			}
			cut.Take(m.Trace)
			m.Trace = m.Trace[:0]
		}
		before := slices.Clone(cut.End(at))
		if err := m.Run(at); err != nil {
			return a.failed(r.seed, err)
		}
		before = append(before, m.Trace...)
		cut.Take(m.Trace)
		m.Trace = m.Trace[:0]
		a.starts = append(a.starts, start{stress: r, from: at, to: at + window, m: m.Clone(),
			before: before, pending: a.pendingAt(m, window)})
	}
	if a.quick == nil {
		a.quick = a.machine(r)
		a.quick.Keep(trace.SendBegin, trace.SendEnd, trace.Publish, trace.Handle)
		m.KeepNotes()
		a.seen = m
	}
	return nil
}

func (a *arena) failed(seed uint64, err error) error {
	return fmt.Errorf("%s on %s, seed %d: %w", a.problem.Design.Variant,
		a.problem.Case.Scenario.Name, seed, err)
}

// begin puts a machine at the begin of a candidate's window and tells it the answers.
func (a *arena) begin(m *model.Machine, c *candidate) *start {
	s := &a.starts[c.start]
	m.CopyFrom(s.m)
	m.Trace = m.Trace[:0]
	tape := m.Tape()
	for _, p := range c.pins {
		tape.Answer(p.site, p.ordinal, p.value)
	}
	s.ask(m, c.pins)
	return s
}

// run makes a candidate's run and finds its longest message.
func (a *arena) run(ctx context.Context, c *candidate) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s := a.begin(a.quick, c)
	before := a.quick.Steps()
	for c.to = s.to; ; c.to += followed {
		if err := a.quick.Run(c.to); err != nil {
			return a.failed(s.seed, err)
		}
		open := sim.Time(0)
		c.worst, open = a.longest(a.quick.Trace, c.only)
		if open > s.to || c.to-open > a.follow { // or none is
			break
		}
	}
	a.runs, a.steps = a.runs+1, a.steps+a.quick.Steps()-before
	return nil
}

// longest is the longest of the measured messages that begin and are over within the records, or
// only one of them, and when the first that is not over began.
func (a *arena) longest(records []trace.Record, only int32) (worst message, open sim.Time) {
	open = a.messages(records, func(m message) {
		if m.total() > worst.total() && (only == 0 || m.number == only-1) {
			worst = m
		}
	})
	return worst, open
}

// messages finds the measured messages that begin and are over within the records, and when the
// first of those began that are not, sim.Never if all are.
func (a *arena) messages(records []trace.Record, over func(message)) (from sim.Time) {
	type sent struct {
		message
		serial, queue int32
	}
	var open []sent
	for i := range records {
		r := &records[i]
		switch {
		case r.Kind == trace.SendBegin && (r.Task != a.sender || r.At < a.earliest):
		case r.Kind == trace.SendBegin:
			open = append(open, sent{message: message{number: r.A, begin: r.At}})
		case len(open) == 0:
		case r.Task == a.sender && r.Kind == trace.Publish:
			last := &open[len(open)-1]
			last.serial, last.queue = r.A, r.B
		case r.Task == a.sender && r.Kind == trace.SendEnd && !a.receives:
			m := open[len(open)-1].message
			m.over = r.At
			over(m)
			open = open[:0]
		case r.Task == a.receiver && r.Kind == trace.Handle && a.receives:
			rest := open[:0]
			for _, s := range open {
				if s.serial == 0 || s.queue != r.B || s.serial > r.A {
					rest = append(rest, s)
					continue
				}
				s.over = r.At
				over(s.message)
			}
			open = rest
		}
	}
	if len(open) == 0 {
		return sim.Never
	}
	return open[0].begin
}

// witness is a candidate as whoever wants to repeat it needs it. The run ends a little after the
// message, so that all of it is in a trace.
func (a *arena) witness(c *candidate) Found {
	s := &a.starts[c.start]
	f := Found{Seed: s.seed, Until: c.worst.over + sim.Microsecond, Message: c.worst.number,
		Begin: c.worst.begin, Total: c.worst.total()}
	told := func(x Answer) bool {
		return slices.ContainsFunc(f.Answers, func(y Answer) bool {
			return x.Site == y.Site && x.Ordinal == y.Ordinal
		})
	}
	for _, p := range c.pins {
		f.Answers = append(f.Answers, Answer{Site: a.quick.Tape().Name(p.site), Ordinal: p.ordinal,
			Value: p.value})
	}
	for _, x := range slices.Concat(a.workload.Answers, s.answers) { // those of the case
		if !told(x) {
			f.Answers = append(f.Answers, x)
		}
	}
	return f
}

var errNotRepeated = errors.New("a witness is not what its answers give")

// confirm repeats a witness from the beginning, as a command does, and leaves of its answers those
// that are asked for, each as it was given: a move may ask for more than the range allows.
func (a *arena) confirm(f *Found) error {
	w := *a.workload
	w.Answers, w.SendUntil = f.Answers, f.Until
	m := model.New(&w, a.costs, f.Seed)
	m.Keep(trace.SendBegin, trace.SendEnd, trace.Publish, trace.Handle)
	m.Tape().Listen()
	if err := m.Run(f.Until); err != nil {
		return a.failed(f.Seed, err)
	}
	tape := m.Tape()
	for _, q := range tape.Asked() {
		for i := range f.Answers {
			if x := &f.Answers[i]; x.Ordinal == q.Ordinal && x.Site == tape.Name(q.Site) {
				x.Value = q.Value
			}
		}
	}
	f.Answers = slices.DeleteFunc(f.Answers, func(x Answer) bool {
		return x.Ordinal >= tape.Ordinal(tape.Stream(x.Site))
	})
	ok := false
	a.messages(m.Trace, func(x message) {
		ok = ok || x.number == f.Message && x.begin == f.Begin && x.total() == f.Total
	})
	if !ok {
		return fmt.Errorf("%w: %s, %v", errNotRepeated, a.problem.Design.Variant, f.Flags())
	}
	return nil
}
