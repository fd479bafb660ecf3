package campaign

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"rtsim/scenarios"
)

// What an analysis says, as people read it.

// Bar is one assumption of a design: where a metric goes when it is moved, least first.
type Bar struct {
	Name  string
	Ends  []string // the values it was moved to
	Means []float64
}

// width is how far the metric moves from where it is.
func (b *Bar) width(from float64) float64 {
	far := 0.0
	for _, v := range b.Means {
		far = max(far, math.Abs(v-from))
	}
	return far
}

// Bars are the assumptions of a design by how far they move a metric, furthest first; those that do
// not move it are left out. middle is the metric as all is; there is none of it if ok is false.
func (d *Sensitive) Bars(metric int) (bars []Bar, middle float64, ok bool) {
	if d.Unsupported != "" || d.Values[metric] == nil {
		return nil, 0, false
	}
	middle = d.Values[metric].Mean
	for i := range d.Moves {
		m := &d.Moves[i]
		v := m.Values[metric]
		if v == nil {
			continue
		}
		if n := len(bars); n == 0 || bars[n-1].Name != m.Name {
			bars = append(bars, Bar{Name: m.Name})
		}
		b := &bars[len(bars)-1]
		b.Ends, b.Means = append(b.Ends, m.At), append(b.Means, v.Mean)
	}
	bars = slices.DeleteFunc(bars, func(b Bar) bool { return b.width(middle) == 0 })
	slices.SortStableFunc(bars, func(a, b Bar) int {
		return cmp.Compare(b.width(middle), a.width(middle))
	})
	return bars, middle, true
}

// Shown are the metrics, in their order within a design.
func (s *Sensitivity) Shown() []Metric { return s.metrics }

// furthest is how many assumptions of each design, and of each conclusion, a terminal shows.
const furthest = 3

// table is a metric of every design, with the assumptions that move it furthest; at most so many a
// design, all if that is 0.
func (s *Sensitivity) table(metric, most int) *scenarios.Table {
	m := &s.metrics[metric]
	t := &scenarios.Table{Header: []string{"design", "as is", "moved", "gives"}}
	for i := range s.Designs {
		d := &s.Designs[i]
		bars, middle, ok := d.Bars(metric)
		switch {
		case d.Unsupported != "":
			t.Rows = append(t.Rows, []string{d.Variant, "unsupported: " + d.Unsupported})
			continue
		case !ok:
			t.Rows = append(t.Rows, []string{d.Variant, "n/a", "", ""})
			continue
		case len(bars) == 0:
			t.Rows = append(t.Rows, []string{d.Variant, m.Text(middle), "by nothing", ""})
		}
		if most > 0 {
			bars = bars[:min(len(bars), most)]
		}
		for k, b := range bars {
			row := []string{"", ""}
			if k == 0 {
				row = []string{d.Variant, m.Text(middle)}
			}
			var gives []string
			for _, v := range b.Means {
				gives = append(gives, m.Text(v))
			}
			t.Rows = append(t.Rows, append(row, b.Name+" to "+strings.Join(b.Ends, ", "),
				strings.Join(gives, ", ")))
		}
	}
	return t
}

// Text is an analysis for a terminal: the conclusions, and what moves each design furthest.
func (s *Sensitivity) Text() string {
	var b strings.Builder
	for i := range s.Conclusions {
		b.WriteString(s.Conclusions[i].Text(furthest) + "\n")
	}
	if len(s.Conclusions) == 0 {
		b.WriteString(noConclusion)
	}
	for m := range s.metrics {
		b.WriteString("\n" + s.Metrics[m] + "\n" + s.table(m, furthest).Text())
	}
	return b.String()
}

const noConclusion = "No conclusion is about these designs alone.\n"

// Markdown is the same as table.md, with all assumptions.
func (s *Sensitivity) Markdown() string {
	var b strings.Builder
	b.WriteString("## Conclusions\n\n")
	for i := range s.Conclusions {
		b.WriteString("* " + strings.Join(strings.Fields(s.Conclusions[i].Text(0)), " ") + "\n")
	}
	if len(s.Conclusions) == 0 {
		b.WriteString(noConclusion)
	}
	for m := range s.metrics {
		b.WriteString("\n## " + s.Metrics[m] + "\n\n" + s.table(m, 0).Markdown())
	}
	return b.String()
}
