package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rtsim/model"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// Sensitivity is what `rtsim sensitivity` prints, rtsim.sensitivity/1: every assumed parameter and
// cost at the ends of its range, one at a time, and which conclusions survive that.
type Sensitivity struct {
	Schema      string            `json:"schema"`
	Version     string            `json:"version"`
	Scenario    string            `json:"scenario"`
	Kernel      string            `json:"kernel"`
	DurationNs  sim.Time          `json:"duration_ns"`
	Set         map[string]string `json:"set"` // in all runs
	Seeds       []uint64          `json:"seeds"`
	Metrics     []string          `json:"metrics"`
	Designs     []Sensitive       `json:"designs"`
	Conclusions []Verdict         `json:"conclusions"`

	metrics []Metric
}

// Sensitive is one design: its values as all is, and with each assumption moved.
type Sensitive struct {
	Design      string   `json:"design"`
	Variant     string   `json:"variant"`
	Unsupported string   `json:"unsupported,omitempty"`
	Values      []*Value `json:"values"` // by metric
	Moves       []Move   `json:"moves"`
}

// Move is one assumption moved, alone, to a value.
type Move struct {
	Name    string   `json:"name"`
	Typical string   `json:"typical"`
	At      string   `json:"at"`
	Values  []*Value `json:"values"` // by metric
}

// assumption is what is moved.
type assumption struct {
	name, typical string
	ends          []string
	ofPath        bool // a design's own, a cost on its paths: those without it are as they were
}

// assumptions are the parameters and costs whose source says that they are assumed: numbers go to
// the ends of their ranges, words to every other word.
func assumptions(c *scenarios.Case) (all []assumption) {
	add := func(p *file.Parameter, ofPath bool) {
		if !strings.HasPrefix(p.Source, "assumed") {
			return
		}
		a := assumption{name: p.Name, typical: p.Value, ofPath: ofPath}
		ends := []string{p.Least, p.Greatest}
		if !p.IsNumber() {
			ends = p.OneOf
		}
		for _, end := range ends {
			if end != p.Value && end != "" {
				a.ends = append(a.ends, end)
			}
		}
		all = append(all, a)
	}
	for i := range c.Scenario.Parameters {
		add(&c.Scenario.Parameters[i], false)
	}
	for _, size := range c.Sizes() {
		add(&size, true)
	}
	for i := range c.Profile.Costs {
		if p, err := c.Settable(c.Profile.Costs[i].Name); err == nil {
			add(p, model.CostID(i) >= model.FirstDesignCost)
		}
	}
	return all
}

// SensitivityPlan is an analysis to be executed.
type SensitivityPlan struct {
	Work
	metrics []Metric
	all     []Metric // and those of the conclusions
	moves   []move   // the first is none
}

// move is a setting of one assumption, and the runs with it.
type move struct {
	point
	of  *assumption
	ran []bool // by design
}

// NewSensitivity plans an analysis of a base. Metrics are those that are shown.
func NewSensitivity(b *Base, metrics []string) (*SensitivityPlan, error) {
	p := &SensitivityPlan{Work: Work{base: b}}
	var wrong []error
	p.metrics, wrong = ParseMetrics(metrics)
	if len(metrics) == 0 {
		wrong = append(wrong, fmt.Errorf("no metric; write one, as %s", MetricForm))
	}
	p.all = slices.Clone(p.metrics)
	for _, c := range Conclusions {
		m, err := ParseMetric(c.Metric)
		if err != nil {
			panic(err) // the list is above
		}
		p.all = append(p.all, m)
	}
	b.Options.Thresholds = Thresholds(p.all, b.Options.Thresholds)
	middle, err := b.point()
	if err == nil {
		err = middle.c.Measurable()
	}
	if err := errors.Join(append(wrong, err)...); err != nil {
		return nil, err
	}
	p.moves = []move{{point: middle, ran: slices.Repeat([]bool{true}, len(b.Designs))}}
	for _, a := range assumptions(middle.c) {
		for _, end := range a.ends {
			at, err := b.point(file.Setting{Name: a.name, Value: end})
			if err != nil {
				return nil, err
			}
			m := move{point: at, of: &a}
			for _, d := range b.Designs {
				m.ran = append(m.ran, !a.ofPath || middle.c.IsPaid(a.name, d))
			}
			if slices.Contains(m.ran, true) {
				p.moves = append(p.moves, m)
			}
		}
	}
	for i := range p.moves {
		for d, ran := range p.moves[i].ran {
			for _, seed := range b.Seeds {
				if ran {
					p.runs = append(p.runs, run{&p.moves[i].point, d, seed})
				}
			}
		}
	}
	if n := len(p.runs); n > RunsMost {
		return nil, fmt.Errorf("%d runs; ask for at most %d: fewer designs or seeds", n, RunsMost)
	}
	return p, nil
}

// Execute makes the analysis. If the context ends its error is returned, and nothing else.
func (p *SensitivityPlan) Execute(ctx context.Context) (*Sensitivity, error) {
	results, err := p.execute(ctx)
	if err != nil {
		return nil, err
	}
	b, c := p.base, p.moves[0].c
	s := &Sensitivity{Schema: "rtsim.sensitivity/1", Version: b.Version,
		Scenario: c.Scenario.Name, Kernel: c.Scenario.Kernel, DurationNs: c.Options().Duration,
		Set: b.settings(), Seeds: b.Seeds, Conclusions: []Verdict{}, metrics: p.metrics}
	for i := range p.metrics {
		s.Metrics = append(s.Metrics, p.metrics[i].Name)
	}
	table := p.table(results)
	for d, design := range b.Designs {
		own := Sensitive{Design: b.Asked[d], Variant: design.Variant, Moves: []Move{},
			Unsupported: table[0][d][0].Unsupported, Values: valuesOf(p.metrics, table[0][d])}
		for i := range p.moves {
			if m := &p.moves[i]; m.of != nil && m.ran[d] {
				own.Moves = append(own.Moves, Move{m.of.name, m.of.typical, m.set[0].Value,
					valuesOf(p.metrics, table[i][d])})
			}
		}
		s.Designs = append(s.Designs, own)
	}
	for i := range Conclusions {
		if v := p.verdict(&Conclusions[i], table); v != nil {
			s.Conclusions = append(s.Conclusions, *v)
		}
	}
	return s, nil
}

// table gives the results by move, design and seed. What a cost does not touch is as without it.
func (p *SensitivityPlan) table(results []*scenarios.Result) [][][]*scenarios.Result {
	n := len(p.base.Seeds)
	var table [][][]*scenarios.Result
	for i := range p.moves {
		var row [][]*scenarios.Result
		for d, ran := range p.moves[i].ran {
			if !ran {
				row = append(row, table[0][d])
				continue
			}
			row = append(row, results[:n])
			results = results[n:]
		}
		table = append(table, row)
	}
	return table
}

func valuesOf(metrics []Metric, runs []*scenarios.Result) (values []*Value) {
	for i := range metrics {
		values = append(values, valueOf(&metrics[i], runs))
	}
	return values
}

// verdict asks a conclusion at every move; nil if a design of it was not run.
func (p *SensitivityPlan) verdict(c *Conclusion, table [][][]*scenarios.Result) *Verdict {
	m, _ := ParseMetric(c.Metric)
	design, than := slices.Index(p.base.Asked, c.Design), slices.Index(p.base.Asked, c.Than)
	if design < 0 || c.Than != "" && than < 0 {
		return nil
	}
	v := &Verdict{Conclusion: c.String(), Verdict: verdictSurvives, By: []string{},
		Undecided: []string{}, Settings: len(p.moves) - 1}
	for i := range p.moves {
		a := valueOf(&m, table[i][design])
		var b *Value
		if than >= 0 {
			b = valueOf(&m, table[i][than])
		}
		if a == nil || than >= 0 && b == nil {
			return nil // it does not exist in the era
		}
		h := c.of(a, b)
		switch {
		case i == 0 && h != holds:
			v.Verdict, v.Settings = verdictFalse, 0
			return v
		case i == 0 || h == holds:
		case h == refuted:
			v.Verdict = verdictOverturned
			v.By = append(v.By, p.moves[i].text())
		default:
			v.Undecided = append(v.Undecided, p.moves[i].text())
		}
	}
	return v
}

func (m *move) text() string { return m.of.name + "=" + m.set[0].Value }
