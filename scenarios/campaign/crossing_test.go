package campaign

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"rtsim/sim"
)

// Look at testdata/crossings.txt: values by hand, and where they say that designs change places.
func TestCrossings(t *testing.T) {
	find := func(t *testing.T, d *datadriven.TestData) string {
		s := &Sweep{Metrics: []string{"send.max"}, metrics: []Metric{{Name: "send.max"}},
			designs: []string{"a", "b"}, levels: []sim.Time{100}}
		s.metrics[0].IsTime = d.Cmd == "times"
		s.Axes = []*Axis{axisOf("x", d.HasArg("log"))}
		if d.HasArg("grid") {
			s.Axes = append(s.Axes, axisOf("y", false))
		}
		s.readCells(t, d.Input)
		s.findCrossings()
		s.findPassings()
		text := ""
		for _, finding := range s.Findings() {
			text += finding + "\n"
		}
		return text
	}
	datadriven.RunTest(t, "testdata/crossings.txt", find)
}

func axisOf(name string, log bool) *Axis {
	return &Axis{Name: name, Log: log,
		text: func(n int64) string { return fmt.Sprint(n) }}
}

// readCells reads lines of x, of y in a grid, of a's value in each of two seeds, and of b's.
func (s *Sweep) readCells(t *testing.T, input string) {
	t.Helper()
	var v [6]int64
	for line := range strings.Lines(input) {
		fields := v[6-4-len(s.Axes):]
		var into []any
		for i := range fields {
			into = append(into, &fields[i])
		}
		_, err := fmt.Sscan(line, into...)
		require.NoError(t, err, line)
		var at []string
		for i, a := range s.Axes {
			text := fmt.Sprint(fields[i])
			if n := len(a.Values); n == 0 || a.numbers[n-1] < fields[i] {
				a.Values, a.numbers = append(a.Values, text), append(a.numbers, fields[i])
			}
			at = append(at, text)
		}
		for d, name := range s.designs {
			one, two := v[2+2*d], v[3+2*d]
			s.Cells = append(s.Cells, Cell{At: at, Design: name, Values: []*Value{{
				Mean: float64(one+two) / 2, Least: min(one, two), Greatest: max(one, two),
				Seeds: []int64{one, two}}}})
		}
	}
}
