package scenarios

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// Options of a run.
type Options struct {
	Duration   sim.Time       // simulated; 0: 60 s
	Thresholds []sim.Time     // counted over besides 100 us
	Set        []file.Setting // scenario parameters and costs
}

// DefaultDuration is simulated unless asked otherwise.
const DefaultDuration = 60 * sim.Second

// overAlways is the threshold that every result counts.
const overAlways = 100 * sim.Microsecond

// Case is a scenario with its settings, ready to run any design.
type Case struct {
	Scenario *file.Scenario
	Profile  *designs.Profile
	options  Options
	limits   []sim.Time
}

// Run runs one design on a scenario, a built-in name or a file, with one seed: the same numbers
// as `rtsim compare`.
func Run(design, scenario string, seed uint64, o Options) (*Result, error) {
	c, err := Prepare(scenario, o)
	if err != nil {
		return nil, err
	}
	d, ok := designs.Find(design)
	if !ok {
		return nil, fmt.Errorf("unknown design %q; known are %v", design, designs.Names())
	}
	return c.run(context.Background(), d, design, seed)
}

// Prepare reads a scenario, a built-in name or a file, and applies the settings: first those that
// are its parameters, the others are costs.
func Prepare(scenario string, o Options) (*Case, error) {
	name, data := scenario+".yaml", []byte(nil)
	if builtin, ok := Builtin(scenario); ok {
		data = builtin
	} else {
		var err error
		if data, err = os.ReadFile(scenario); err != nil {
			return nil, fmt.Errorf("scenario %q is neither built in (%v) nor a file: %w",
				scenario, BuiltinNames(), err)
		}
		name = scenario
	}
	params, err := file.ScenarioParameters(name, data)
	if err != nil {
		return nil, err
	}
	own, rest := splitSettings(params, o.Set)
	s, err := file.ReadScenario(name, data, own)
	if err != nil {
		return nil, err
	}
	if o.Duration == 0 {
		o.Duration = DefaultDuration
	}
	c := &Case{Scenario: s, options: o, limits: thresholds(o.Thresholds)}
	if c.Profile, err = profileOf(s); err != nil {
		return nil, err
	}
	if err := setCosts(c.Profile, rest, params); err != nil {
		return nil, err
	}
	if s.Sender == "" {
		return nil, fmt.Errorf("%s: nothing to measure; add queues and `measure: {sender: NAME, "+
			"receiver: NAME}`", name)
	}
	return c, nil
}

// thresholds are the asked ones with 100 us, ascending.
func thresholds(asked []sim.Time) []sim.Time {
	all := append([]sim.Time{overAlways}, asked...)
	slices.Sort(all)
	return slices.Compact(all)
}

func splitSettings(params []file.Parameter, set []file.Setting) (own, rest []file.Setting) {
	for _, s := range set {
		known := slices.ContainsFunc(params, func(p file.Parameter) bool {
			return p.Name == s.Name
		})
		if known {
			own = append(own, s)
		} else {
			rest = append(rest, s)
		}
	}
	return own, rest
}

// profileOf is the cost profile of a scenario: named in full, or a family and the kernel.
func profileOf(s *file.Scenario) (*designs.Profile, error) {
	name := s.Costs
	if p, ok := designs.FindProfile(name); ok {
		return p, nil
	}
	if p, ok := designs.FindProfile(name + "-" + s.Kernel); ok {
		return p, nil
	}
	var known []string
	for _, p := range designs.Profiles() {
		known = append(known, p.Name)
	}
	return nil, fmt.Errorf("no cost profile %q for kernel %s; known are %v", name, s.Kernel,
		known)
}

// jitterName is the setting of a profile's jitter.
const jitterName = "cost_jitter_percent"

// setCosts applies settings to a profile. A name that is no cost is an error with the near ones.
func setCosts(p *designs.Profile, set []file.Setting, params []file.Parameter) error {
	for _, s := range set {
		if s.Name == jitterName {
			n, err := strconv.Atoi(s.Value)
			if err != nil || n < 0 || n > 50 {
				return fmt.Errorf("--set %s=%s: want a whole number from 0 to 50", s.Name, s.Value)
			}
			p.JitterPercent = int32(n)
			continue
		}
		c, ok := p.Find(s.Name)
		if !ok {
			return fmt.Errorf("--set %s: no parameter and no cost has this name; near: %v", s.Name,
				nearNames(s.Name, p, params))
		}
		v, err := sim.ParseTime(s.Value)
		if err != nil {
			return fmt.Errorf("--set %s: %w", s.Name, err)
		}
		if v < c.Least || v > c.Greatest {
			return fmt.Errorf("--set %s=%s is outside its range %s to %s", s.Name, s.Value,
				c.Least, c.Greatest)
		}
		c.Typical = v
	}
	return nil
}

func nearNames(name string, p *designs.Profile, params []file.Parameter) []string {
	all := []string{jitterName}
	for i := range p.Costs {
		all = append(all, p.Costs[i].Name)
	}
	for i := range params {
		all = append(all, params[i].Name)
	}
	return Near(name, all)
}

// drainMax is how long after the last send a run waits for messages that were not handled.
const drainMax = 10 * sim.Second

// batch is how much is simulated between two readings of the records.
const batch = 5 * sim.Millisecond

// run runs one design with one seed, until the context ends. asked is the name it was asked for.
func (c *Case) run(ctx context.Context, d *designs.Design, asked string, seed uint64) (*Result, error) {
	w := c.workload(d)
	sender, receiver := taskOf(w, c.Scenario.Sender), taskOf(w, c.Scenario.Receiver)
	m := model.New(w, c.Profile.Table(), seed)
	m.Keep(measuredKinds...)
	meter := newMeasurer(w, sender, receiver, c.limits)
	end := c.options.Duration
	for at := sim.Time(0); ; {
		at += batch
		if at >= end && m.Now() < end {
			at = end
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := m.Run(at); err != nil {
			return nil, fmt.Errorf("%s on %s, seed %d: %w", d.Variant, c.Scenario.Name, seed, err)
		}
		meter.take(m.Trace)
		m.Trace = m.Trace[:0]
		if at >= end && (len(meter.pending) == 0 && meter.sent == meter.send.Count() ||
			at >= end+drainMax) {
			break
		}
	}
	return c.result(d, asked, seed, m, meter), nil
}

// workload is the scenario's with the design's paths in it.
func (c *Case) workload(d *designs.Design) *model.Workload {
	w := c.Scenario.Workload
	w.Paths = d.Paths
	w.SendUntil = c.options.Duration
	return &w
}

func taskOf(w *model.Workload, name string) int32 {
	return int32(slices.IndexFunc(w.Tasks, func(t model.TaskDecl) bool { return t.Name == name }))
}

func (c *Case) result(d *designs.Design, asked string, seed uint64, m *model.Machine,
	meter *measurer) *Result {
	return &Result{
		Design: asked, Variant: d.Variant, Seed: seed,
		Messages: meter.sent, Lost: int64(len(meter.pending)),
		Steps: m.Steps(), Digest: m.Digest().String(),
		Send: newDistribution(meter.send), Receive: newDistribution(meter.receive),
		Response: newDistribution(meter.response), IRQStart: newDistribution(meter.irqStart),
		LowPreemptOff: newDistribution(meter.lowOff),
		Assumed:       d.AssumedCosts(c.Profile),
	}
}
