package campaign

import (
	"encoding/csv"
	"fmt"
	"strings"

	"rtsim/scenarios"
	"rtsim/sim"
)

// A sweep as people and programs read it.

// Tables are a sweep's, one a metric: one row a point, one column a design, means over the seeds.
func (s *Sweep) Tables() []*scenarios.Table {
	var all []*scenarios.Table
	for m := range s.metrics {
		t := &scenarios.Table{}
		for _, a := range s.Axes {
			t.Header = append(t.Header, a.Name)
		}
		t.Header = append(t.Header, s.designs...)
		for i := 0; i < len(s.Cells); i += len(s.designs) {
			row := append([]string{}, s.Cells[i].At...)
			for d := range s.designs {
				row = append(row, s.cellText(&s.Cells[i+d], m))
			}
			t.Rows = append(t.Rows, row)
		}
		all = append(all, t)
	}
	return all
}

func (s *Sweep) cellText(c *Cell, metric int) string {
	switch v := c.Values[metric]; {
	case c.Unsupported != "":
		return "-"
	case v == nil:
		return "n/a"
	default:
		return s.metrics[metric].Text(v.Mean)
	}
}

// Text is a sweep for a terminal: the tables, and where designs change places.
func (s *Sweep) Text() string {
	var b strings.Builder
	for m, t := range s.Tables() {
		b.WriteString(s.Metrics[m] + "\n" + t.Text() + "\n")
	}
	b.WriteString(strings.Join(s.Findings(), "\n") + "\n")
	return b.String()
}

// Markdown is the same as table.md.
func (s *Sweep) Markdown() string {
	var b strings.Builder
	for m, t := range s.Tables() {
		b.WriteString("## " + s.Metrics[m] + "\n\n" + t.Markdown() + "\n")
	}
	b.WriteString("## Where designs change places\n\n")
	for _, finding := range s.Findings() {
		b.WriteString("* " + finding + "\n")
	}
	return b.String()
}

// Findings say in words where designs change places, where they pass the thresholds, and which do
// not exist in the era; one sentence if none do.
func (s *Sweep) Findings() []string {
	var all []string
	for i := range s.Crossings {
		c := &s.Crossings[i]
		all = append(all, fmt.Sprintf("%s: %s falls below %s %s%s", c.Metric, c.Design,
			c.Overtakes, &c.Between, s.where(&c.Between)))
	}
	for i := range s.Passings {
		all = append(all, s.passingText(&s.Passings[i]))
	}
	for _, c := range s.Cells[:len(s.designs)] {
		if c.Unsupported != "" {
			all = append(all, fmt.Sprintf("%s: unsupported: %s", c.Variant, c.Unsupported))
		}
	}
	if len(all) == 0 {
		all = append(all, "No design overtakes another, and none passes a threshold.")
	}
	return all
}

func (s *Sweep) passingText(p *Passing) string {
	what := "rises above "
	switch {
	case p.Level == 0 && p.Up:
		what = "is not 0 any more "
	case p.Level == 0:
		what = "is 0 again "
	case p.Up:
		what += sim.Time(p.Level).String() + " "
	default:
		what = "falls to " + sim.Time(p.Level).String() + " or less "
	}
	return fmt.Sprintf("%s: %s %s%s%s", p.Metric, p.Design, what, &p.Between, s.where(&p.Between))
}

// where says at which value of the other axis.
func (s *Sweep) where(b *Between) string {
	for _, a := range s.Axes {
		if b.Other != "" && a.Name != b.Axis {
			return fmt.Sprintf(", at %s %s", a.Name, b.Other)
		}
	}
	return ""
}

// CSV is a sweep as results.csv: one line a point, design and seed.
func (s *Sweep) CSV() (string, error) {
	var head []string
	for _, a := range s.Axes {
		head = append(head, a.Name)
	}
	head = append(head, "design", "variant", "seed")
	for i, m := range s.metrics {
		name := s.Metrics[i]
		if m.IsTime {
			name += "_ns"
		}
		head = append(head, name)
	}
	lines := [][]string{append(head, "digest")}
	for i := range s.Cells {
		c := &s.Cells[i]
		for k, seed := range s.Seeds {
			line := append(append([]string{}, c.At...), c.Design, c.Variant, fmt.Sprint(seed))
			for _, v := range c.Values {
				cell := ""
				if v != nil {
					cell = fmt.Sprint(v.Seeds[k])
				}
				line = append(line, cell)
			}
			lines = append(lines, append(line, c.Digests[k]))
		}
	}
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(lines); err != nil {
		return "", fmt.Errorf("write CSV: %w", err)
	}
	return b.String(), nil
}
