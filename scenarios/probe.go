package scenarios

import (
	"context"
	"errors"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

// A probe is a run that is watched value by value. It may be ended before its time, as whoever
// looks for a violation needs no more than the first; and its workload may be altered, so that two
// runs differ in what somebody wants to know the effect of. Rejected: to count in Result whatever
// a claim may ask for; claims are many and a run is told of each value once.

// Value is one measured time of a run.
type Value struct {
	Metric     string   // MetricSend and its like
	Message    int32    // counted from 0, or NoMessage
	Begin, End sim.Time // the value is the time between
}

// NoMessage is the message of a value that belongs to none, as the start of a burst.
const NoMessage = -1

// Total is the measured time.
func (v Value) Total() sim.Time { return v.End - v.Begin }

// Probe is a run to watch.
type Probe struct {
	Case   *Case
	Design *designs.Design
	Seed   uint64
	// Alter changes the workload before the machine is built; may be nil. An answer may then be
	// outside its range, and is taken as the nearest inside.
	Alter func(*model.Workload)
	// See is told each value, in the order of their ends, and says whether the run is to go on. A
	// run that is ended goes on for up to 5 ms of simulated time, of which See is told nothing.
	See func(Value) bool
}

// Probed is what a watched run was, besides its values.
type Probed struct {
	Messages, Refused, Lost int64
	Corrupted               int64    // as in Result
	Disordered              int64    // times the receiver went back to an older message
	Ended                   bool     // before its time
	Until                   sim.Time // how far it came
	Digest                  string
}

// errEnded ends a run that has shown enough.
var errEnded = errors.New("the run has shown enough")

// Run runs the probe until the end of its case, or until See has seen enough. A broken invariant is
// a *Crash.
func (p *Probe) Run(ctx context.Context) (_ *Probed, err error) {
	defer Crashed(p.Design.Variant, p.Seed, &err)
	c := p.Case
	if p.Alter != nil { // by which ranges change
		c = c.Answering(c.options.Answers)
	}
	w := c.Workload(p.Design)
	if p.Alter != nil {
		p.Alter(w)
	}
	m := model.New(w, c.Profile.Table(), p.Seed)
	m.Keep(measuredKinds...)
	meter, out := c.meter(w), &Probed{}
	meter.saw = func(v Value) { out.Ended = out.Ended || !p.See(v) }
	handled := map[int32]int32{}
	see := func(records []trace.Record) error {
		if out.Ended {
			return errEnded
		}
		for i := range records {
			if r := &records[i]; r.Kind == trace.Handle && r.Task == meter.receiver {
				if r.A < handled[r.B] {
					out.Disordered++
				}
				handled[r.B] = r.A
			}
		}
		return nil
	}
	err = c.drive(ctx, p.Design, p.Seed, m, meter, nil, see)
	if err != nil && !errors.Is(err, errEnded) {
		return nil, err
	}
	out.Messages, out.Refused, out.Lost = meter.sent, meter.refused, meter.lost()
	out.Corrupted, out.Until, out.Digest = meter.corrupted, m.Now(), m.Digest().String()
	return out, nil
}

// Within is the case with another duration. Nothing that happens before its end differs, but for
// the measured sender, which sends nothing that falls due later.
func (c *Case) Within(d sim.Time) *Case {
	short := *c
	short.options.Duration = d
	return &short
}

// Answering is the case with other answers in place of what the seed draws. One outside its range
// is taken as the nearest inside.
func (c *Case) Answering(answers []sim.Answer) *Case {
	other := *c
	other.options.Answers, other.told = answers, false
	return &other
}

// Fixed are the paths of queues that have a design whatever is tested, as in a Workload.
func (c *Case) Fixed() []model.Paths { return c.fixed }
