package scenarios

import (
	"fmt"
	"strings"

	"rtsim/sim"
)

// Table is the comparison as a reviewer puts it beside the RFC's: one row a design, over all
// seeds; counts of more than one seed are means with their spread.
type Table struct {
	Header []string
	Rows   [][]string
}

// NewTable builds the table of a comparison.
func NewTable(c *Comparison) *Table {
	t := &Table{Header: []string{"design", "row", "messages", "send > 100us", "paired difference",
		"send max", "send 99.9 %",
		"receive > 100us", "receive max", "receive 50 %", "irq start max", "lost", "assumed"}}
	for i := range c.Summary {
		t.Rows = append(t.Rows, c.tableRow(&c.Summary[i]))
	}
	t.nameRows(func(i int) (variant, asked string) {
		return c.Summary[i].Variant, c.Summary[i].Design
	})
	c.addRare(t, "refused", func(r *Result) int64 { return r.Refused })
	c.addRare(t, "corrupted", func(r *Result) int64 { return r.Corrupted })
	return t
}

// nameRows calls each row by its design's full name, or by what was asked for if a design was asked
// for by several names, so that no two rows are called the same.
func (t *Table) nameRows(names func(row int) (variant, asked string)) {
	rows := map[string]int{}
	for i := range t.Rows {
		variant, _ := names(i)
		rows[variant]++
	}
	for i := range t.Rows {
		variant, asked := names(i)
		if t.Rows[i][0] = variant; rows[variant] > 1 {
			t.Rows[i][0] = asked
		}
	}
}

// addRare adds a column for what few designs can do, if one of them did.
func (c *Comparison) addRare(t *Table, name string, count func(r *Result) int64) {
	var column []string
	isThere := false
	for i := range c.Summary {
		n := int64(0)
		for _, r := range c.Of(&c.Summary[i]) {
			n += count(r)
		}
		isThere = isThere || n > 0
		column = append(column, fmt.Sprint(n))
	}
	if !isThere {
		return
	}
	t.Header = append(t.Header, name)
	for i := range t.Rows {
		if len(t.Rows[i]) == len(t.Header)-1 { // not a sentence instead of numbers
			t.Rows[i] = append(t.Rows[i], column[i])
		}
	}
}

func (c *Comparison) tableRow(s *Summary) []string {
	own := c.Of(s)
	if s.Unsupported != "" {
		return []string{s.Variant, "unsupported: " + s.Unsupported}
	}
	messages, lost := int64(0), int64(0)
	for _, r := range own {
		messages += r.Messages
		lost += r.Lost
	}
	send, receive := c.Histogram(s, "send"), c.Histogram(s, "receive")
	return []string{s.Variant, s.Row, fmt.Sprint(messages),
		countText(s.Send.Over["100000"], s.Seeds), pairedText(s), Micros(send.Max()),
		percentileText(send, 999, 1000), countText(s.Receive.Over["100000"], s.Seeds),
		Micros(receive.Max()), percentileText(receive, 50, 100),
		Micros(c.Histogram(s, "irq_start").Max()), fmt.Sprint(lost),
		fmt.Sprint(len(own[0].Assumed))}
}

func countText(s Spread, seeds int) string {
	if seeds == 1 {
		return fmt.Sprint(s.Least)
	}
	return fmt.Sprintf("%.0f (%d..%d)", s.Mean, s.Least, s.Greatest)
}

// pairedText is how many more sends were over 100 us than the first design's, on the same arrivals.
func pairedText(s *Summary) string {
	if s.Against == nil {
		return "-"
	}
	p := s.Against.Paired["100000"]
	if s.Seeds == 1 {
		return fmt.Sprintf("%+d", p.Least)
	}
	return fmt.Sprintf("%+.0f (%+d..%+d)", p.Mean, p.Least, p.Greatest)
}

func percentileText(h *Histogram, p, parts int64) string {
	if v, ok := h.Percentile(p, parts); ok {
		return Micros(v)
	}
	return "n/a"
}

// Micros prints a duration as people read it: in microseconds with one decimal, below one in
// nanoseconds, from a millisecond on in milliseconds with three; rounded to the nearest, but never
// from above the threshold of the counts down to it.
func Micros(t sim.Time) string {
	const tenth = sim.Microsecond / 10
	tenths := (t + tenth/2) / tenth
	if t > overAlways && tenths*tenth <= overAlways {
		tenths++
	}
	switch {
	case t < 0:
		return "-"
	case t < sim.Microsecond:
		return fmt.Sprintf("%d ns", t)
	case tenths*tenth < sim.Millisecond:
		return fmt.Sprintf("%d.%d us", tenths/10, tenths%10)
	}
	thousandths := (t + sim.Microsecond/2) / sim.Microsecond
	return fmt.Sprintf("%d.%03d ms", thousandths/1000, thousandths%1000)
}

// Text is the table for a terminal: columns aligned, the header in two lines to keep them narrow.
func (t *Table) Text() string {
	first, second := make([]string, len(t.Header)), make([]string, len(t.Header))
	for i, name := range t.Header {
		before, after, isTwo := strings.Cut(name, " ")
		if !isTwo {
			before, after = "", name
		}
		first[i], second[i] = before, after
	}
	lines := append([][]string{first, second}, t.Rows...)
	width := make([]int, len(t.Header))
	for _, cells := range lines {
		for i, cell := range cells {
			if len(cells) == len(t.Header) {
				width[i] = max(width[i], len(cell))
			}
		}
	}
	var b strings.Builder
	for _, cells := range lines {
		line := ""
		for i, cell := range cells {
			pad := strings.Repeat(" ", max(width[i]-len(cell), 0))
			switch {
			case i == 0:
				line += cell + pad
			case len(cells) < len(t.Header): // a sentence instead of numbers
				line += "  " + cell
			default:
				line += "  " + pad + cell
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// Markdown is the table as table.md.
func (t *Table) Markdown() string {
	var b strings.Builder
	b.WriteString("| " + strings.Join(t.Header, " | ") + " |\n|---|")
	b.WriteString(strings.Repeat("---:|", len(t.Header)-1) + "\n")
	for _, row := range t.Rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	return b.String()
}
