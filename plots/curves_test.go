package plots

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// Look at: the path of the values 0, 10 and 10 ns, on axes of one decade an inch and no rounding.
// It begins at 1, falls to 2/3 at the left edge, for 0 has no other place, is level up to 10 ns,
// and falls there to 1/(2N), 1/6: it goes along the axes only.
func TestACurveIsMadeOfSteps(t *testing.T) {
	f := frame{
		Rectangle: vg.Rectangle{Max: vg.Point{X: 200, Y: 100}},
		x:         plot.Axis{Min: 1, Max: 100, Scale: plot.LogScale{}},
		y:         plot.Axis{Min: 0.1, Max: 1, Scale: plot.LogScale{}},
	}
	s := Series{N: 3, MaxNs: 10, Bins: []Bin{{0, 1}, {10, 2}}}
	c := curve{series: s, points: s.points()}
	level := f.height(2.0 / 3)
	want := []vg.Point{
		{X: 0, Y: 100}, {X: 0, Y: level}, {X: 100, Y: level}, {X: 100, Y: f.height(1.0 / 6)},
	}
	got := c.steps(f)
	require.Len(t, got, len(want))
	for i := range want {
		require.InDelta(t, float64(want[i].X), float64(got[i].X), 1e-9, "point %d", i)
		require.InDelta(t, float64(want[i].Y), float64(got[i].Y), 1e-9, "point %d", i)
	}
	require.Equal(t, vg.Point{X: f.at(10), Y: level}, c.end(f))
}

// Look at: a bin with a single value, which may be the worst of a million. Its bar is a quarter of
// a decade high at the least, whatever the other counts.
func TestASingleValueCanBeSeen(t *testing.T) {
	d, err := Histogram(Figure{Series: []Series{{
		N: 11, MaxNs: 50_000, Bins: []Bin{{1000, 10}, {50_000, 1}},
	}}})
	require.NoError(t, err)
	low, high := d.height, vg.Length(0)
	for _, s := range drawn(d).strokes {
		if tall := s.box.Max.Y - s.box.Min.Y; s.color == styles[0].color && tall > 0 {
			low, high = min(low, tall), max(high, tall)
		}
	}
	require.Greater(t, high, low)
	require.GreaterOrEqual(t, low, (high-low)/4)
}
