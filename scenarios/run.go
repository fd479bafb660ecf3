package scenarios

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// Options of a run.
type Options struct {
	Duration   sim.Time       // simulated; 0: 60 s
	Thresholds []sim.Time     // counted over besides 100 us
	Set        []file.Setting // scenario parameters and costs
	Answers    []sim.Answer   // in place of those that the seed draws
}

// check says what no flag can ask for, but a Go program can.
func (o *Options) check() error {
	for _, t := range append([]sim.Time{o.Duration}, o.Thresholds...) {
		if t < 0 || t > sim.Longest {
			return fmt.Errorf("options: a duration or threshold is %s; write 0 to %s", t,
				sim.Longest)
		}
	}
	return nil
}

// DefaultDuration is simulated unless asked otherwise.
const DefaultDuration = 60 * sim.Second

// overAlways is the threshold that every result counts.
const overAlways = 100 * sim.Microsecond

// Case is a scenario with its settings, ready to run any design.
type Case struct {
	Scenario *file.Scenario
	Era      *designs.Era
	Profile  *designs.Profile
	fixed    []model.Paths // by queue: of what has a design whatever is tested
	options  Options
	told     bool // by whoever made the options: an answer outside its range is an error
	limits   []sim.Time
}

// Run runs one design on a scenario, a built-in name or a file, with one seed: the same numbers
// as `rtsim compare`.
func Run(design, scenario string, seed uint64, o Options) (*Result, error) {
	c, err := Prepare(scenario, o)
	if err != nil {
		return nil, err
	}
	d, err := FindDesign(design)
	if err != nil {
		return nil, err
	}
	if err := c.Exist([]string{design}, []*designs.Design{d}, []string{design}); err != nil {
		return nil, err
	}
	return c.run(context.Background(), d, design, seed, nil)
}

// Prepare reads a scenario, a built-in name or a file, applies the settings, and checks that there
// is something to measure.
func Prepare(scenario string, o Options) (*Case, error) {
	data, ok := Builtin(scenario)
	if !ok {
		var err error
		if data, err = os.ReadFile(scenario); err != nil {
			return nil, fmt.Errorf("unknown scenario %q: neither built in, as %s, nor a file: %w",
				scenario, strings.Join(BuiltinNames(), ", "), err)
		}
	}
	c, err := Load(scenario, data, o)
	if err != nil {
		return nil, err
	}
	return c, c.Measurable()
}

// Load reads a scenario from the bytes of its file and applies the settings: those that are its
// parameters, the others are costs.
func Load(name string, data []byte, o Options) (*Case, error) {
	params, err := file.ScenarioParameters(name, data)
	if err != nil { // the whole file has more; which settings are right is not known
		if _, whole := file.ReadScenario(name, data, nil, file.Ended(),
			file.Designs(WrongDesign)); whole != nil {
			err = whole
		}
		return nil, err
	}
	own, rest := splitSettings(params, o.Set)
	s, err := file.ReadScenario(name, data, own, file.Ended(), file.Designs(WrongDesign))
	if err != nil {
		var problems file.Errors
		if errors.As(err, &problems) { // names of costs are the same in every profile
			return nil, append(unknownSettings(designs.Profiles()[0], rest, params), problems...)
		}
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Duration == 0 {
		o.Duration = DefaultDuration
	}
	c := &Case{Scenario: s, options: o, limits: thresholds(o.Thresholds)}
	if c.Era, _ = designs.FindEra(s.Kernel); c.Era == nil {
		panic("scenarios: the file may say kernel " + s.Kernel + ", which is no era")
	}
	if c.Profile, err = FindProfile(name, data, s.Costs); err != nil {
		return nil, blamed(own, unknownProfile(s.Costs), err, "costs", "kernel")
	}
	if err := SetCosts(c.Profile, rest, params); err != nil {
		return nil, err
	}
	if err := c.legalSizes(rest); err != nil {
		return nil, err
	}
	if c.fixed, err = fixedDesigns(s, c.Era, c.Profile); err != nil {
		return nil, err
	}
	return c, c.checkAnswers()
}

// fixedDesigns are the paths of the queues that have a design whatever is tested.
func fixedDesigns(s *file.Scenario, e *designs.Era, p *designs.Profile) ([]model.Paths, error) {
	fixed := make([]model.Paths, len(s.Designs))
	for queue, name := range s.Designs {
		if name == "" {
			continue
		}
		d, err := FindDesign(name)
		if err == nil && d.Unsupported(e.Kernel) != "" {
			err = fmt.Errorf("%s does not exist in kernel %s: %s", name, e.Kernel,
				d.Unsupported(e.Kernel))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: queue %s: %w", s.Name, s.Queues[queue], err)
		}
		fixed[queue] = d.In(e).Sized(p).Paths
	}
	return fixed, nil
}

// Measurable says what a scenario lacks to be measured, or why its run is too short for that.
func (c *Case) Measurable() error {
	s := c.Scenario
	switch {
	case s.Sender == "" || s.Receiver == "":
		return s.Wrong(s.Root, "nothing to measure; add queues and "+
			"measure: {sender: NAME, receiver: NAME}")
	case s.From >= c.options.Duration:
		return s.Wrong(s.FromAt, "nothing to measure: from is %s, and the run ends at %s; run "+
			"longer, with --duration", s.From, c.options.Duration)
	}
	return nil
}

// Exist is the error of the designs that were named and do not exist in the scenario's era. asked
// is what each was found by; "all" names none.
func (c *Case) Exist(asked []string, found []*designs.Design, named []string) error {
	var wrong []error
	for i, d := range found {
		why := d.Unsupported(c.Scenario.Kernel)
		if why != "" && slices.Contains(named, asked[i]) {
			wrong = append(wrong, fmt.Errorf("%s does not exist in kernel %s: %s", asked[i],
				c.Scenario.Kernel, why))
		}
	}
	return errors.Join(wrong...)
}

// Options returns what the case was prepared with, the defaults filled in.
func (c *Case) Options() Options { return c.options }

// Limits are the thresholds that its runs count over, ascending.
func (c *Case) Limits() []sim.Time { return slices.Clone(c.limits) }

// thresholds are the asked ones with 100 us, ascending.
func thresholds(asked []sim.Time) []sim.Time {
	all := append([]sim.Time{overAlways}, asked...)
	slices.Sort(all)
	return slices.Compact(all)
}

// drainMax is how long after the last send a run waits for messages that were not handled.
const drainMax = 10 * sim.Second

// batch is how much is simulated between two readings of the records.
const batch = 5 * sim.Millisecond

// run runs one design with one seed, until the context ends. asked is the name it was asked for;
// simulated, unless nil, is told how much.
func (c *Case) run(ctx context.Context, d *designs.Design, asked string, seed uint64,
	simulated *atomic.Int64) (*Result, error) {
	if why := d.Unsupported(c.Scenario.Kernel); why != "" {
		return &Result{Design: asked, Variant: d.Variant, Seed: seed, Unsupported: why}, nil
	}
	d = d.In(c.Era)
	w := c.Workload(d)
	m := model.New(w, c.Profile.Table(), seed)
	m.Keep(measuredKinds...)
	meter := c.meter(w)
	if err := c.drive(ctx, d, seed, m, meter, simulated, nil); err != nil {
		return nil, err
	}
	return c.result(d, asked, seed, m, meter), nil
}

// meter measures what the scenario says.
func (c *Case) meter(w *model.Workload) *measurer {
	m := newMeasurer(w, taskOf(w, c.Scenario.Sender), taskOf(w, c.Scenario.Receiver), c.limits)
	m.from = c.Scenario.From
	return m
}

// drive runs a machine to the end of the case and until every message is handled, or as long as
// is waited for one. Each batch of records is measured, shown to see unless that is nil, and
// dropped.
func (c *Case) drive(ctx context.Context, d *designs.Design, seed uint64, m *model.Machine,
	meter *measurer, simulated *atomic.Int64, see func([]trace.Record) error) error {
	end := c.options.Duration
	for at := sim.Time(0); ; {
		at += batch
		if at >= end && m.Now() < end {
			at = end
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		from := m.Now()
		err := m.Run(at)
		if err == nil && c.told {
			err = refused(m.Tape())
		}
		if err == nil && see != nil {
			err = see(m.Trace)
		}
		if err != nil {
			return fmt.Errorf("%s on %s, seed %d: %w", d.Variant, c.Scenario.Name, seed, err)
		}
		meter.take(m.Trace)
		if simulated != nil {
			simulated.Add(int64(max(min(at, end)-from, 0)))
		}
		m.Trace = m.Trace[:0]
		if at >= end && (meter.lost() == 0 && meter.sent == meter.returned ||
			at >= end+drainMax) {
			return nil
		}
	}
}

// Workload is the scenario's with the design's paths in it, as they are in its era; the sender
// stops after the duration.
func (c *Case) Workload(d *designs.Design) *model.Workload {
	w := c.Scenario.Workload
	w.Paths, w.Fixed = d.In(c.Era).Sized(c.Profile).Paths, c.fixed
	w.SendUntil = c.options.Duration
	w.Answers = c.options.Answers
	return &w
}

func taskOf(w *model.Workload, name string) int32 {
	return int32(slices.IndexFunc(w.Tasks, func(t model.TaskDecl) bool { return t.Name == name }))
}

func (c *Case) result(d *designs.Design, asked string, seed uint64, m *model.Machine,
	meter *measurer) *Result {
	r := &Result{
		Design: asked, Variant: d.Variant, Seed: seed,
		Messages: meter.sent, Refused: meter.refused, Lost: meter.lost(),
		Corrupted: meter.corrupted,
		Steps:     m.Steps(), Digest: m.Digest().String(),
		Send: newDistribution(meter.send), Receive: newDistribution(meter.receive),
		Response: newDistribution(meter.response), IRQStart: newDistribution(meter.irqStart),
		LowPreemptOff: newDistribution(meter.lowOff),
		Assumed:       d.AssumedCosts(c.Profile),
		longest:       meter.longest,
	}
	r.Asked.take(c.options.Answers, m.Tape())
	return r
}
