package campaign

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rtsim/scenarios"
	"rtsim/scenarios/file"
)

// Axis is a parameter or a cost that a sweep moves, and the values it takes: those of a range in
// even steps, or with log in steps of one factor, rounded to what the unit has.
type Axis struct {
	Name   string   `json:"name"`
	Unit   string   `json:"unit"`
	Log    bool     `json:"log"`
	Values []string `json:"values"` // as --set takes them, ascending

	numbers []int64 // the same: ns, parts per million, or as they are
	text    func(number int64) string
}

// Numbers are its values as numbers: ns, parts per million, or as they are.
func (a *Axis) Numbers() []int64 { return a.numbers }

const (
	axisPoints = 9    // of a range that does not say how many, unless it has fewer values
	allPoints  = 16   // so many integers are all taken
	pointsMost = 1000 // of one range
)

// AxisForm is what a range looks like.
const AxisForm = "NAME=A..B, NAME=A..B:N or NAME=A..B:N,log"

// ParseAxis reads NAME=A..B[:N][,log] about a parameter or cost of a case: N values from A to B.
// The error says what would be right.
func ParseAxis(text string, c *scenarios.Case) (*Axis, error) {
	name, values, ok := strings.Cut(text, "=")
	values, log := strings.CutSuffix(values, ",log")
	span, count, hasCount := strings.Cut(values, ":")
	first, last, isRange := strings.Cut(span, "..")
	if !ok || name == "" || !isRange || first == "" || last == "" || hasCount && count == "" {
		return nil, fmt.Errorf("write %s, as in burst_duty=0.1..0.9:5", AxisForm)
	}
	p, err := c.Settable(name)
	if err != nil {
		return nil, err
	}
	if !p.IsNumber() {
		return nil, fmt.Errorf("%s is one of %s, which have no range; compare them with --set",
			name, strings.Join(p.OneOf, ", "))
	}
	a := &Axis{Name: name, Unit: p.Unit, Log: log, text: p.Text}
	low, err := p.Number(first)
	if err != nil {
		return nil, err
	}
	high, err := p.Number(last)
	if err != nil {
		return nil, err
	}
	n, err := pointsOf(count, low, high, p)
	if err != nil {
		return nil, err
	}
	if log && low < 1 {
		return nil, fmt.Errorf("%s has no logarithm; begin above 0, or leave log out", first)
	}
	a.numbers = spaced(low, high, n, log)
	for _, number := range a.numbers {
		a.Values = append(a.Values, a.text(number))
	}
	return a, nil
}

// pointsOf reads how many values a range has.
func pointsOf(count string, low, high int64, p *file.Parameter) (int, error) {
	switch {
	case low > high:
		return 0, fmt.Errorf("the range ends before it begins; write %s..%s", p.Text(high),
			p.Text(low))
	case low == high:
		return 0, fmt.Errorf("the range is one value; write --set %s=%s", p.Name, p.Text(low))
	case count == "" && p.Unit != "duration" && p.Unit != "share" && high-low < allPoints:
		return int(high-low) + 1, nil
	case count == "":
		return axisPoints, nil
	}
	n, err := strconv.Atoi(count)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is no number of values; write 2 to %d", count, pointsMost)
	case n == 1:
		return 0, fmt.Errorf("a range of 1 value is none; write at least 2, or --set %s=%s", p.Name,
			p.Text(low))
	case n < 2 || n > pointsMost:
		return 0, fmt.Errorf("a range of %d values; write 2 to %d", n, pointsMost)
	}
	return n, nil
}

// digits is how many significant digits the inner values of a logarithmic range keep.
const digits = 3

// spaced gives n values from low to high, fewer if some are the same once rounded.
// Preconditions: low < high, n >= 2, low > 0 if log.
func spaced(low, high int64, n int, log bool) []int64 {
	values := []int64{low}
	for i := 1; i < n-1; i++ {
		share := float64(i) / float64(n-1)
		v := math.Round(float64(low) + share*(float64(high)-float64(low)))
		if log {
			v = float64(low) * math.Pow(float64(high)/float64(low), share)
			unit := math.Pow10(max(int(math.Floor(math.Log10(v)))+1-digits, 0))
			v = math.Round(v/unit) * unit
		}
		values = append(values, min(max(int64(v), low), high))
	}
	return slices.Compact(append(values, high))
}
