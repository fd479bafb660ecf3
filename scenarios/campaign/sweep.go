package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// Sweep is what `rtsim sweep` prints, rtsim.sweep/1: every metric of every design at each point of
// a range, or of a grid of two, and where one design overtakes another.
type Sweep struct {
	Schema     string            `json:"schema"`
	Version    string            `json:"version"`
	Scenario   string            `json:"scenario"`
	Kernel     string            `json:"kernel"`
	DurationNs sim.Time          `json:"duration_ns"`
	Set        map[string]string `json:"set"` // at all points
	Seeds      []uint64          `json:"seeds"`
	Axes       []*Axis           `json:"axes"` // one or two
	Metrics    []string          `json:"metrics"`
	Cells      []Cell            `json:"cells"` // designs within points, the last axis first
	Crossings  []Crossing        `json:"crossings"`
	Passings   []Passing         `json:"passings"`

	metrics []Metric
	levels  []sim.Time // of times
	designs []string
}

// Cell is one design at one point.
type Cell struct {
	At          []string `json:"at"` // its value on each axis
	Design      string   `json:"design"`
	Variant     string   `json:"variant"`
	Values      []*Value `json:"values"`  // by metric; null: too few messages for it
	Digests     []string `json:"digests"` // by seed
	Unsupported string   `json:"unsupported,omitempty"`
}

// SweepPlan is a sweep to be executed.
type SweepPlan struct {
	Work
	axes    []*Axis
	metrics []Metric
	points  []point // the last axis first
}

// NewSweep plans a sweep of a base over one or two ranges, in the form that ParseAxis reads. The
// error has everything that is wrong with ranges, metrics and settings.
func NewSweep(b *Base, vary, metrics []string) (*SweepPlan, error) {
	p := &SweepPlan{Work: Work{base: b}}
	var wrong []error
	p.metrics, wrong = ParseMetrics(metrics)
	if len(metrics) == 0 {
		wrong = append(wrong, fmt.Errorf("no metric; write one, as %s", MetricForm))
	}
	b.Options.Thresholds = Thresholds(p.metrics, b.Options.Thresholds)
	middle, err := b.point()
	if err == nil {
		err = middle.c.Measurable()
	}
	if err != nil {
		return nil, errors.Join(append(wrong, err)...)
	}
	if n := len(vary); n < 1 || n > 2 {
		wrong = append(wrong, fmt.Errorf("a sweep has one --vary or two, not %d", n))
	}
	for _, text := range vary {
		a, err := ParseAxis(text, middle.c)
		if err == nil {
			err = p.clash(a)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("--vary %s: %w", text, err))
			continue
		}
		p.axes = append(p.axes, a)
	}
	if len(wrong) == 0 {
		wrong = p.grid()
	}
	return p, errors.Join(wrong...)
}

// clash says why a range cannot be beside the others and the settings.
func (p *SweepPlan) clash(a *Axis) error {
	if slices.ContainsFunc(p.axes, func(o *Axis) bool { return o.Name == a.Name }) {
		return fmt.Errorf("%s is varied twice; write one range of it", a.Name)
	}
	set := p.base.Options.Set
	if slices.ContainsFunc(set, func(s file.Setting) bool { return s.Name == a.Name }) {
		return fmt.Errorf("%s is set too; leave --set %s out", a.Name, a.Name)
	}
	return nil
}

// grid prepares all points and their runs.
func (p *SweepPlan) grid() (wrong []error) {
	n := len(p.base.Designs) * len(p.base.Seeds)
	for _, a := range p.axes {
		n *= len(a.Values)
	}
	if n > RunsMost {
		return []error{fmt.Errorf("%d runs; ask for at most %d: fewer values, designs or seeds", n,
			RunsMost)}
	}
	sets := [][]file.Setting{nil}
	for _, a := range p.axes {
		var next [][]file.Setting
		for _, set := range sets {
			for _, value := range a.Values {
				next = append(next, append(slices.Clone(set), file.Setting{Name: a.Name,
					Value: value}))
			}
		}
		sets = next
	}
	for _, set := range sets {
		at, err := p.base.point(set...)
		if err != nil {
			return []error{err} // a setting that only some other forbids; the others say the same
		}
		p.points = append(p.points, at)
	}
	for i := range p.points {
		p.add(&p.points[i])
	}
	return nil
}

// add adds the runs of all designs and seeds at a point.
func (w *Work) add(at *point) {
	for d := range w.base.Designs {
		for _, seed := range w.base.Seeds {
			w.runs = append(w.runs, run{at, d, seed})
		}
	}
}

// Execute makes the sweep. If the context ends its error is returned, and nothing else.
func (p *SweepPlan) Execute(ctx context.Context) (*Sweep, error) {
	results, err := p.execute(ctx)
	if err != nil {
		return nil, err
	}
	c, b := p.points[0].c, p.base
	s := &Sweep{Schema: "rtsim.sweep/1", Version: b.Version, Scenario: c.Scenario.Name,
		Kernel: c.Scenario.Kernel, DurationNs: c.Options().Duration, Set: b.settings(),
		Seeds: b.Seeds, Axes: p.axes, Crossings: []Crossing{}, Passings: []Passing{},
		metrics: p.metrics, levels: c.Limits(), designs: b.Asked}
	for i := range p.metrics {
		s.Metrics = append(s.Metrics, p.metrics[i].Name)
	}
	n := len(b.Seeds)
	for i := range p.points {
		for d := range b.Designs {
			s.Cells = append(s.Cells, p.cell(i, d, results[:n]))
			results = results[n:]
		}
	}
	s.findCrossings()
	s.findPassings()
	return s, nil
}

// settings are the base's, the last of each name.
func (b *Base) settings() map[string]string {
	set := map[string]string{}
	for _, s := range b.Options.Set {
		set[s.Name] = s.Value
	}
	return set
}

func (p *SweepPlan) cell(at, design int, runs []*scenarios.Result) Cell {
	c := Cell{Design: p.base.Asked[design], Variant: p.base.Designs[design].Variant,
		Unsupported: runs[0].Unsupported}
	for _, s := range p.points[at].set {
		c.At = append(c.At, s.Value)
	}
	for i := range p.metrics {
		c.Values = append(c.Values, valueOf(&p.metrics[i], runs))
	}
	for _, r := range runs {
		c.Digests = append(c.Digests, r.Digest)
	}
	return c
}

// Designs are the designs, as asked for, in their order within a point.
func (s *Sweep) Designs() []string { return s.designs }

// Shown are the metrics, in their order within a cell.
func (s *Sweep) Shown() []Metric { return s.metrics }

// Levels are the thresholds that times may pass.
func (s *Sweep) Levels() []sim.Time { return s.levels }
