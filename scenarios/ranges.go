package scenarios

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rtsim/sim"
)

// Ranges is what `rtsim compare --calibrations` prints, rtsim.calibrations/1: for each design the
// range of each figure over the calibrations.
type Ranges struct {
	Schema       string          `json:"schema"`
	Version      string          `json:"version"`
	Scenario     string          `json:"scenario"`
	Kernel       string          `json:"kernel"`
	DurationNs   sim.Time        `json:"duration_ns"`
	Calibrations []CalibratedRun `json:"calibrations"`
	Designs      []DesignRange   `json:"designs"`
}

// CalibratedRun is one calibration: all settings of its runs, and the designs over their seeds.
type CalibratedRun struct {
	Name    string            `json:"name"`
	Set     map[string]string `json:"set"`
	Summary []Summary         `json:"summary"`
}

// DesignRange is a design over the calibrations.
type DesignRange struct {
	Design      string           `json:"design"`
	Variant     string           `json:"variant"`
	Row         string           `json:"row"`         // RowFitted and its like
	Unexplained []string         `json:"unexplained"` // calibrations that miss a fitted row
	Unsupported string           `json:"unsupported,omitempty"`
	Ranges      map[string]Range `json:"ranges"` // by column; none if values are too few
}

// Range is the least and the greatest of a figure over the calibrations. A count is the mean over
// the seeds, rounded; a time is that of all seeds together.
type Range struct {
	Least    int64 `json:"least"`
	Greatest int64 `json:"greatest"`
}

// rangeColumns are the figures: how a table calls them, their key, and how a value is printed.
var rangeColumns = []struct {
	title, key string
	text       func(int64) string
	of         func(c *Comparison, s *Summary) (v int64, ok bool)
}{
	{"send > 100us", "send_over_100us", decimal, late(func(s *Summary) MetricSummary {
		return s.Send
	})},
	{"send max", "send_max_ns", microsOf, longestOf("send")},
	{"send 99.9 %", "send_p99.9_ns", microsOf, percentileOf("send", 999, 1000)},
	{"receive > 100us", "receive_over_100us", decimal, late(func(s *Summary) MetricSummary {
		return s.Receive
	})},
	{"receive max", "receive_max_ns", microsOf, longestOf("receive")},
	{"receive 50 %", "receive_p50_ns", microsOf, percentileOf("receive", 50, 100)},
	{"irq start max", "irq_start_max_ns", microsOf, longestOf("irq_start")},
	{"lost", "lost", decimal, lost},
}

type figureOf = func(c *Comparison, s *Summary) (v int64, ok bool)

func decimal(v int64) string  { return fmt.Sprint(v) }
func microsOf(v int64) string { return Micros(sim.Time(v)) }

func late(metric func(s *Summary) MetricSummary) figureOf {
	return func(_ *Comparison, s *Summary) (int64, bool) {
		return int64(math.Round(metric(s).Over["100000"].Mean)), true
	}
}

func longestOf(metric string) figureOf {
	return func(c *Comparison, s *Summary) (int64, bool) {
		return int64(c.Histogram(s, metric).Max()), true
	}
}

func percentileOf(metric string, p, parts int64) figureOf {
	return func(c *Comparison, s *Summary) (int64, bool) {
		v, ok := c.Histogram(s, metric).Percentile(p, parts)
		return int64(v), ok
	}
}

func lost(c *Comparison, s *Summary) (int64, bool) {
	sum := int64(0)
	for _, r := range c.Of(s) {
		sum += r.Lost
	}
	return sum, true
}

// NewRanges puts the comparisons of the calibrations together, one each and in the same order, all
// of the same designs.
func NewRanges(calibrations []Calibration, cs []*Comparison) *Ranges {
	r := &Ranges{Schema: "rtsim.calibrations/1", Version: cs[0].Version,
		Scenario: cs[0].Scenario, Kernel: cs[0].Kernel, DurationNs: cs[0].DurationNs}
	for i, c := range cs {
		r.Calibrations = append(r.Calibrations,
			CalibratedRun{calibrations[i].Name, c.Set, c.Summary})
	}
	for i := range cs[0].Summary {
		r.Designs = append(r.Designs, designRange(calibrations, cs, i))
	}
	return r
}

// designRange is the design with number i of all comparisons.
func designRange(calibrations []Calibration, cs []*Comparison, i int) DesignRange {
	first := &cs[0].Summary[i]
	d := DesignRange{Design: first.Design, Variant: first.Variant, Row: RowPredicted,
		Unexplained: []string{}, Ranges: map[string]Range{},
		Unsupported: cs[0].Of(first)[0].Unsupported}
	if d.Unsupported != "" {
		return d
	}
	var rows []string
	for k, c := range cs {
		rows = append(rows, c.Summary[i].Row)
		if c.Summary[i].Row == RowUnexplained {
			d.Unexplained = append(d.Unexplained, calibrations[k].Name)
		}
	}
	for _, row := range []string{RowNotCalibrated, RowFitted, RowUnexplained} {
		if slices.Contains(rows, row) {
			d.Row = row
			break
		}
	}
	for _, column := range rangeColumns {
		var values []int64
		for _, c := range cs {
			if v, ok := column.of(c, &c.Summary[i]); ok {
				values = append(values, v)
			}
		}
		if len(values) == len(cs) {
			d.Ranges[column.key] = Range{slices.Min(values), slices.Max(values)}
		}
	}
	return d
}

// Table is the ranges as people read them: one row a design.
func (r *Ranges) Table() *Table {
	t := &Table{Header: []string{"design", "row"}}
	for _, column := range rangeColumns {
		t.Header = append(t.Header, column.title)
	}
	for i := range r.Designs {
		t.Rows = append(t.Rows, r.Designs[i].cells())
	}
	t.nameRows(func(i int) (variant, asked string) {
		return r.Designs[i].Variant, r.Designs[i].Design
	})
	return t
}

func (d *DesignRange) cells() []string {
	if d.Unsupported != "" {
		return []string{d.Variant, "unsupported: " + d.Unsupported}
	}
	row := d.Row
	if len(d.Unexplained) > 0 && row == RowFitted {
		row += "; not explained at " + strings.Join(d.Unexplained, ", ")
	}
	cells := []string{d.Variant, row}
	for _, column := range rangeColumns {
		cell := "n/a"
		if v, ok := d.Ranges[column.key]; ok {
			if cell = column.text(v.Least); column.text(v.Greatest) != cell {
				cell += " .. " + column.text(v.Greatest)
			}
		}
		cells = append(cells, cell)
	}
	return cells
}
