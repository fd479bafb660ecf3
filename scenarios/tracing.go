package scenarios

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios/chrome"
	"rtsim/scenarios/ftrace"
	"rtsim/scenarios/perfetto"
	"rtsim/scenarios/tracepoint"
	"rtsim/sim"
)

// TraceWriter writes records to a file for viewers, in memory that does not grow with them.
type TraceWriter interface {
	Add(records []trace.Record) error
	Close() error
}

// TraceFormats are the formats that NewTraceWriter knows.
var TraceFormats = []string{"perfetto", "chrome", "ftrace"}

// NewTraceWriter begins a trace in a format, in which messages of interest are marked if it can.
func NewTraceWriter(format string, out io.Writer, names *trace.Names, marked []Message) (
	TraceWriter, error) {
	switch format {
	case "perfetto":
		return perfetto.NewWriter(out, names, marked), nil
	case "chrome":
		return chrome.NewWriter(out, names, marked), nil
	case "ftrace":
		return ftrace.NewWriter(out, names), nil
	}
	return nil, fmt.Errorf("unknown format %q", format)
}

// Message is one message of the measured sender.
type Message = tracepoint.Message

// Names is the table of names of the world's records.
func (w *World) Names() *trace.Names {
	return NamesOf(w.Workload, model.New(w.Workload, w.Profile.Table(), 1).Program())
}

// Worst finds the longest messages of a run, longest first: sends, or with receives those from
// the send to its handling. Messages that are not over when the run ends are left out, and those
// that are not measured.
func (w *World) Worst(ctx context.Context, seed uint64, n int, receives bool) ([]Message, error) {
	if w.Sender < 0 || w.Receiver < 0 {
		return nil, errors.New("no messages to choose the worst from; cut with --from and --to")
	}
	f := worstFinder{world: w, most: n, receives: receives}
	err := w.stream(ctx, seed, func(m *model.Machine) {
		m.Keep(trace.SendBegin, trace.SendEnd, trace.Publish, trace.Handle)
	}, func(records []trace.Record) (bool, error) {
		for i := range records {
			f.take(&records[i])
		}
		return false, nil
	})
	return f.worst, err
}

// worstFinder keeps the longest messages so far, and those that are not over.
type worstFinder struct {
	world    *World
	most     int
	receives bool
	worst    []Message
	open     []Message
	records  []trace.Record // the Publish of each open one; Task -1: none yet
}

func (f *worstFinder) take(r *trace.Record) {
	switch {
	case r.Task == f.world.Receiver && r.Kind == trace.Handle && f.receives:
		for i := 0; i < len(f.open); i++ {
			if p := &f.records[i]; p.Task >= 0 && p.B == r.B && p.A <= r.A {
				f.over(i, r.At)
				i--
			}
		}
	case r.Task != f.world.Sender:
	case r.Kind == trace.SendBegin:
		f.open = append(f.open, Message{Number: r.A, Begin: r.At})
		f.records = append(f.records, trace.Record{Task: -1})
	case r.Kind == trace.Publish:
		f.records[len(f.records)-1] = *r
	case r.Kind == trace.SendEnd && !f.receives:
		f.over(len(f.open)-1, r.At)
	}
}

// over takes a message into account that is over.
func (f *worstFinder) over(i int, at sim.Time) {
	m := f.open[i]
	m.End = at
	f.open, f.records = slices.Delete(f.open, i, i+1), slices.Delete(f.records, i, i+1)
	if m.Begin < f.world.From {
		return
	}
	f.worst = append(f.worst, m)
	slices.SortStableFunc(f.worst, func(a, b Message) int {
		return cmp.Compare(b.End-b.Begin, a.End-a.Begin)
	})
	f.worst = f.worst[:min(f.most, len(f.worst))]
}

// The stretch around a message that is shown with it: how a lock came to be held lies before.
const (
	shownBefore = sim.Millisecond
	shownAfter  = 200 * sim.Microsecond
)

// Around are windows around messages, joined where they meet, in order.
func Around(messages []Message) []tracepoint.Window {
	var all []tracepoint.Window
	byTime := slices.Clone(messages)
	slices.SortFunc(byTime, func(a, b Message) int { return cmp.Compare(a.Begin, b.Begin) })
	for _, m := range byTime {
		w := tracepoint.Window{From: max(m.Begin-shownBefore, 0), To: m.End + shownAfter}
		if n := len(all); n > 0 && w.From <= all[n-1].To {
			all[n-1].To = max(all[n-1].To, w.To)
		} else {
			all = append(all, w)
		}
	}
	return all
}

// Trace runs the world and writes the records that lie in the windows, notes too.
func (w *World) Trace(ctx context.Context, seed uint64, out TraceWriter,
	windows []tracepoint.Window) error {
	cut := tracepoint.NewCut(w.Names(), windows)
	err := w.stream(ctx, seed, func(m *model.Machine) {
		m.KeepAll()
		m.KeepNotes()
	}, func(records []trace.Record) (bool, error) {
		return cut.Done(), out.Add(cut.Take(records))
	})
	if until := w.Workload.Until; err == nil && until != sim.Never {
		err = out.Add(cut.End(until))
	}
	return errors.Join(err, out.Close())
}

// traceBatch is how much is simulated between two readings of the records: some thousands.
const traceBatch = sim.Millisecond

// stream runs the world in memory that does not grow: keep chooses the records, take has them
// batch by batch and says when it has enough.
func (w *World) stream(ctx context.Context, seed uint64, keep func(*model.Machine),
	take func([]trace.Record) (bool, error)) error {
	m := model.New(w.Workload, w.Profile.Table(), seed)
	defer func() { w.Asked.take(w.Workload.Answers, m.Tape()) }()
	keep(m)
	until := w.Workload.Until
	for enough := false; !enough && m.Next() <= until && m.Next() != sim.Never; {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if m.Next() > sim.Longest {
			return errors.New("the run goes on past 1000h; set until, or --duration")
		}
		fault := m.Run(min(m.Next()+traceBatch, until))
		err := refused(m.Tape())
		if err != nil {
			return err
		}
		if enough, err = take(m.Trace); fault != nil || err != nil {
			return errors.Join(fault, err)
		}
		m.Trace = m.Trace[:0]
	}
	return nil
}
