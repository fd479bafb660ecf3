package campaign

import (
	"fmt"
	"math"

	"rtsim/sim"
)

// Where designs change places. A grid says only that it happens between two of its points, so that
// is what is stated; where in between is interpolated, and called about. What counts is what all
// seeds agree on: between two points at which they do, and with different answers, there may be
// others at which they do not.

// Between is where on an axis something changes.
type Between struct {
	Axis string `json:"axis"`
	// Other is the value on the other axis of a grid, "" if there is none.
	Other string  `json:"other,omitempty"`
	From  string  `json:"from"`
	To    string  `json:"to"`
	About *string `json:"about"` // interpolated; null if there is nothing between or it jumps
}

// Crossing is where a design falls below another in a metric.
type Crossing struct {
	Metric    string `json:"metric"`
	Design    string `json:"design"`    // the lower one from there on
	Overtakes string `json:"overtakes"` // the other
	Between
}

// Passing is where a design's metric passes a level: a threshold in ns, or 0 for a count.
type Passing struct {
	Metric string `json:"metric"`
	Design string `json:"design"`
	Level  int64  `json:"level"`
	Up     bool   `json:"up"`
	Between
}

// line is the points along one axis with the other one, if any, at one value.
type line struct {
	axis   *Axis
	other  string
	points []int
}

// lines are all of them, along the first axis first.
func (s *Sweep) lines() (all []line) {
	if len(s.Axes) == 1 {
		l := line{axis: s.Axes[0]}
		for i := range s.Axes[0].Values {
			l.points = append(l.points, i)
		}
		return []line{l}
	}
	first, second := s.Axes[0], s.Axes[1]
	columns := len(second.Values)
	for j, other := range second.Values {
		l := line{axis: first, other: other}
		for i := range first.Values {
			l.points = append(l.points, i*columns+j)
		}
		all = append(all, l)
	}
	for i, other := range first.Values {
		l := line{axis: second, other: other}
		for j := range second.Values {
			l.points = append(l.points, i*columns+j)
		}
		all = append(all, l)
	}
	return all
}

// Value is a metric of a design at a point, all by number; nil if there is none.
func (s *Sweep) Value(point, design, metric int) *Value {
	return s.Cells[point*len(s.designs)+design].Values[metric]
}

// changes finds where along a line a sign changes from 1 to -1 or back; 0 is undecided. difference
// is what is 0 where it changes.
func (l *line) changes(sign func(point int) int, difference func(point int) float64,
	found func(b Between, sign int)) {
	last := -1 // the last point that is decided
	for k, point := range l.points {
		now := sign(point)
		if now == 0 {
			continue
		}
		if last >= 0 && sign(l.points[last]) != now {
			b := Between{Axis: l.axis.Name, Other: l.other, From: l.axis.Values[last],
				To: l.axis.Values[k]}
			if difference != nil {
				b.About = l.axis.about(last, k, difference(l.points[last]), difference(point))
			}
			found(b, now)
		}
		last = k
	}
}

// about interpolates where a difference that is d0 at one value of the axis and d1 at another, with
// the other sign, is 0: linear in the value, or in its logarithm. It is nil if the unit has nothing
// between the two.
func (a *Axis) about(i, k int, d0, d1 float64) *string {
	x0, x1 := float64(a.numbers[i]), float64(a.numbers[k])
	if x1-x0 < 2 {
		return nil
	}
	share := d0 / (d0 - d1)
	x := x0 + share*(x1-x0)
	if a.Log {
		x = x0 * math.Pow(x1/x0, share)
	}
	unit := math.Pow10(max(int(math.Floor(math.Log10(max(x, 1))))+1-digits, 0))
	n := int64(math.Round(x/unit) * unit)
	text := a.text(min(max(n, a.numbers[i]), a.numbers[k]))
	return &text
}

// findCrossings looks at every pair of designs, and every metric, along every line.
func (s *Sweep) findCrossings() {
	for m := range s.metrics {
		for _, l := range s.lines() {
			for a := range s.designs {
				for b := range a {
					s.crossings(&l, m, a, b)
				}
			}
		}
	}
}

func (s *Sweep) crossings(l *line, metric, a, b int) {
	pair := func(point int) (x, y *Value) {
		return s.Value(point, a, metric), s.Value(point, b, metric)
	}
	sign := func(point int) int {
		x, y := pair(point)
		if x == nil || y == nil {
			return 0
		}
		return above(x, y)
	}
	difference := func(point int) float64 {
		x, y := pair(point)
		return x.Mean - y.Mean
	}
	l.changes(sign, difference, func(at Between, sign int) {
		lower, other := s.designs[a], s.designs[b]
		if sign > 0 {
			lower, other = other, lower
		}
		s.Crossings = append(s.Crossings, Crossing{s.Metrics[metric], lower, other, at})
	})
}

// findPassings looks at every design and metric along every line: where times pass the thresholds,
// and where counts are not 0 any more, or 0 again.
func (s *Sweep) findPassings() {
	for m := range s.metrics {
		levels := []sim.Time{0}
		if s.metrics[m].IsTime {
			levels = s.levels
		}
		for _, l := range s.lines() {
			for d := range s.designs {
				for _, level := range levels {
					s.passings(&l, m, d, int64(level))
				}
			}
		}
	}
}

func (s *Sweep) passings(l *line, metric, design int, level int64) {
	sign := func(point int) int {
		v := s.Value(point, design, metric)
		switch {
		case v == nil:
		case v.Least > level:
			return 1
		case v.Greatest <= level:
			return -1
		}
		return 0
	}
	difference := func(point int) float64 {
		return s.Value(point, design, metric).Mean - float64(level)
	}
	if !s.metrics[metric].IsTime {
		difference = nil // a count that leaves 0 says nothing about where it did
	}
	l.changes(sign, difference, func(at Between, sign int) {
		s.Passings = append(s.Passings, Passing{s.Metrics[metric], s.designs[design], level,
			sign > 0, at})
	})
}

// String says where, in words.
func (b *Between) String() string {
	text := fmt.Sprintf("between %s %s and %s", b.Axis, b.From, b.To)
	if b.About != nil {
		text += fmt.Sprintf(" (about %s)", *b.About)
	}
	return text
}
