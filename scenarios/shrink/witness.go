package shrink

import (
	"context"
	"fmt"

	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios"
	"rtsim/sim"
)

// The witness is run without notes up to the message, with a snapshot now and then; from the last
// one that is early enough it is run again, with all records: to keep them from the start would
// take twice the time. Early enough is when all who are asked about have done something since, so
// that the records say what they are: some messages earlier, and many bursts.

const (
	snapshotEvery  = 100 * sim.Millisecond
	timeBefore     = 500 * sim.Millisecond
	messagesBefore = 4
	// drainMost is how long a message of the last instant is waited for.
	drainMost = 10 * sim.Second
)

// witness is the message that is to be made small.
func (in *Input) witness(ctx context.Context) (*observed, error) {
	w := in.Case.Workload(in.Design)
	f := finder{in: in, m: in.machine(w), sender: taskOf(w, in.Case.Scenario.Sender),
		receiver: taskOf(w, in.Case.Scenario.Receiver)}
	before, number, err := f.find(ctx)
	if err != nil {
		return nil, err
	}
	again := runner{c: in.Case, d: in.Design, metric: in.Metric, longest: f.end()}
	o, err := again.observe(ctx, w, before, func(n int32, _ sim.Time) bool { return n == number })
	if err == nil && o == nil {
		panic(fmt.Sprintf("shrink: message %d is over in a run, not in its repetition", number))
	}
	return o, err
}

func (in *Input) machine(w *model.Workload) *model.Machine {
	return model.New(w, in.Case.Profile.Table(), in.Seed)
}

// finder finds the message, and a snapshot of some time before it.
type finder struct {
	in               *Input
	m                *model.Machine
	sender, receiver int32
	snapshots        []*model.Machine
	open             []begun
	begins           [messagesBefore]sim.Time // of the last messages, by number, modulo
	sent             int32
	calls            bool // the sender is in a call
}

// begun is a message that is not over.
type begun struct {
	number, serial int32
	at             sim.Time
	before         sim.Time // when the one began that is so many before it
}

func (f *finder) end() sim.Time { return f.in.Case.Options().Duration + drainMost }

func (f *finder) find(ctx context.Context) (*model.Machine, int32, error) {
	f.m.Keep(trace.SendBegin, trace.SendEnd, trace.Publish, trace.Handle)
	for f.m.Now() < f.in.Case.Options().Duration || len(f.open) > 0 && f.m.Now() < f.end() {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		f.snapshot()
		if err := f.m.Run(f.m.Now() + snapshotEvery); err != nil {
			return nil, 0, err
		}
		for i := range f.m.Trace {
			if m, over := f.take(&f.m.Trace[i]); over {
				return f.snapshots[f.early(&m)], m.number, nil
			}
		}
		f.m.Trace = f.m.Trace[:0]
	}
	if f.in.Message >= 0 {
		return nil, 0, fmt.Errorf("%s on %s, seed %d: message %d is not over the limit of %s",
			f.in.Asked, f.in.Case.Scenario.Name, f.in.Seed, f.in.Message, f.in.Limit)
	}
	return nil, 0, fmt.Errorf("%s on %s, seed %d: no %s is over %s", f.in.Asked,
		f.in.Case.Scenario.Name, f.in.Seed, f.in.Metric, f.in.Limit)
}

// snapshot keeps the machine as it is now, and drops what is too old for any message. In the midst
// of a call it does not: the records from there on would have its end and not its begin.
func (f *finder) snapshot() {
	if f.calls {
		return
	}
	next := begun{at: f.m.Now(), before: f.begins[f.sent%messagesBefore]}
	if len(f.open) > 0 {
		next = f.open[0]
	}
	f.snapshots = append(f.snapshots[f.early(&next):], f.m.Clone())
}

// early is the last snapshot that is early enough for a message.
func (f *finder) early(m *begun) int {
	early, n := min(m.at-timeBefore, m.before), 0
	for n+1 < len(f.snapshots) && f.snapshots[n+1].Now() <= early {
		n++
	}
	return n
}

// take reads a record and says whether the wanted message is over with it.
func (f *finder) take(r *trace.Record) (begun, bool) {
	receives := f.in.Metric == scenarios.MetricReceive
	switch {
	case r.Kind == trace.Handle && r.Task == f.receiver && receives:
		n := 0
		for n < len(f.open) && f.open[n].serial > 0 && f.open[n].serial <= r.A {
			if f.wanted(&f.open[n], r.At) {
				return f.open[n], true
			}
			n++
		}
		f.open = f.open[n:]
	case r.Task != f.sender:
	case r.Kind == trace.SendBegin:
		f.calls = true
		f.open = append(f.open, begun{number: r.A, at: r.At, before: f.begins[r.A%messagesBefore]})
		f.begins[r.A%messagesBefore], f.sent = r.At, r.A+1
	case r.Kind == trace.Publish && len(f.open) > 0:
		f.open[len(f.open)-1].serial = r.A
	case r.Kind == trace.SendEnd:
		f.calls = false
		if receives {
			break
		}
		m := f.open[0]
		f.open = f.open[1:]
		return m, f.wanted(&m, r.At)
	}
	return begun{}, false
}

func (f *finder) wanted(m *begun, end sim.Time) bool {
	return m.at >= f.in.Case.Scenario.From && end-m.at > f.in.Limit &&
		(f.in.Message < 0 || f.in.Message == m.number)
}
