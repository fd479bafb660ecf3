package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// curve is a series with samples as it is drawn.
type curve struct {
	series Series
	style  *style
	points []point // at most two in a pixel column
}

// CCDF draws the complementary distribution P(X >= x) of every series on one pair of logarithmic
// axes. After its maximum a curve falls to 1/(2N): 0 has no place there. Values of 0 ns are drawn
// at the left edge, which is then labelled 0, and the caption says so.
func CCDF(f Figure) (d *Drawing, err error) {
	defer recovered(&err)
	if err := f.check(); err != nil {
		return nil, err
	}
	pg := newPage(f)
	thresholds := slices.Compact(slices.Sorted(slices.Values(f.ThresholdsNs)))
	var curves []curve
	for i, s := range f.Series {
		pg.addEntry(s, &styles[i], thresholds)
		if s.N > 0 {
			curves = append(curves, curve{s, &styles[i], s.points()})
			pg.below = append(pg.below,
				tag{at: float64(s.MaxNs), text: maxText(s.MaxNs, thresholds),
					style: &styles[i]})
		}
	}
	for _, t := range thresholds {
		pg.above = append(pg.above, thresholdTag(t))
	}
	pg.sayZeros(curves)
	pg.addCaption("P(X >= x) over the distinct values; past its maximum a curve falls to 1/(2N).")
	pg.ccdfAxes(curves, thresholds)
	pg.placeDown(f.XLabel)
	for i, c := range curves {
		curves[i].points = thin(c.points, pg.column)
	}
	return &Drawing{
		width: pageWidth, height: pg.height,
		title: f.Title, description: describe(f), numbers: ccdfNumbers(curves),
		draw: func(c draw.Canvas) {
			pg.draw(c, func(p pen) { p.drawCurves(pg, curves, thresholds) })
		},
	}, nil
}

// sayZeros adds a line to the caption if there are values of 0 ns.
func (pg *page) sayZeros(curves []curve) {
	var counts []string
	for _, c := range curves {
		if first := c.points[0]; first.atNs == 0 {
			zeros := first.atLeast
			if len(c.points) > 1 {
				zeros -= c.points[1].atLeast
			}
			counts = append(counts, fmt.Sprintf("%s %s", c.series.Name, groups(zeros)))
		}
	}
	if pg.zero = len(counts) > 0; pg.zero {
		pg.addCaption("Values of 0 ns are drawn at the left edge: " +
			strings.Join(counts, ", ") + ".")
	}
}

// ccdfAxes sets both axes and the frame's left and right edge.
func (pg *page) ccdfAxes(curves []curve, thresholds []int64) {
	low, high, most := math.Inf(1), math.Inf(-1), int64(1)
	include := func(ns int64) {
		if ns > 0 {
			low, high = math.Min(low, float64(ns)), math.Max(high, float64(ns))
		}
	}
	for _, c := range curves {
		most = max(most, c.series.N)
		for _, p := range c.points {
			include(p.atNs)
		}
	}
	for _, t := range thresholds {
		include(t)
	}
	if low > high {
		low, high = 1e3, 1e6
	}
	least := 0.5 / float64(most)
	pg.y = logAxis(least, 1)
	pg.y.Tick.Marker = logTicks{labelsMax: 10, label: fractionLabel, low: least, high: 1}
	pg.yLabel = "P(X >= x), the share of values at x or above"
	pg.placeAcross()
	pg.x = logAxis(low, high)
	pg.x.Tick.Marker = logTicks{
		labelsMax: int(pg.width() / 52), label: timeLabel, low: 1, high: math.Inf(1),
	}
	if pg.zero { // room to see what happens at the edge
		pg.x.Min /= math.Pow(pg.x.Max/pg.x.Min, 0.05)
	}
	makeRoom(&pg.x, slices.Concat(pg.below, pg.above), pg.width())
}

// steps returns the curve's path: level up to a value, then down to the share above it.
func (c curve) steps(f frame) []vg.Point {
	n := float64(c.series.N)
	x, y := f.Min.X, f.height(1)
	path := []vg.Point{{X: x, Y: y}}
	to := func(nextX, nextY vg.Length) {
		if nextX != x || nextY != y {
			x, y = nextX, nextY
			path = append(path, vg.Point{X: x, Y: y})
		}
	}
	for _, p := range c.points {
		level := f.height(float64(p.atLeast) / n)
		to(x, level)
		to(f.at(float64(p.atNs)), level)
	}
	to(x, f.height(0.5/n))
	return path
}

// end is where the curve has its maximum.
func (c curve) end(f frame) vg.Point {
	last := c.points[len(c.points)-1]
	return vg.Point{
		X: f.at(float64(last.atNs)),
		Y: f.height(float64(last.atLeast) / float64(c.series.N)),
	}
}

const (
	markerStep = vg.Length(110)     // the way along a curve from marker to marker
	endRadius  = markerRadius * 1.4 // of the marker at the maximum
	endClear   = vg.Length(16)      // no other marker so near to it
)

// drawCurves draws the thresholds, all curves, and over them all markers, so that nothing hides
// which curve is which. The markers of different series are out of step with each other.
func (p pen) drawCurves(pg *page, curves []curve, thresholds []int64) {
	p.drawThresholds(pg.frame, thresholds)
	p.drawTags(pg.above, pg.frame, pg.Max.Y+2, 1, func(int) vg.Length { return pg.Max.Y })
	if len(curves) == 0 {
		p.noSamples(pg.frame)
	}
	p.drawTags(pg.below, pg.frame, pg.floor()-2, -1, func(i int) vg.Length {
		return curves[i].end(pg.frame).Y
	})
	paths := make([][]vg.Point, len(curves))
	for i, c := range curves {
		paths[i] = c.steps(pg.frame)
		p.StrokeLines(c.style.line(), paths[i])
	}
	for i, c := range curves {
		start := markerStep * (vg.Length(i) + 0.5) / vg.Length(len(curves))
		end := c.end(pg.frame)
		for _, at := range along(paths[i], start, markerStep) {
			if d := at.Sub(end); at.Y >= end.Y && d.Dot(d) > endClear*endClear {
				drawMarker(p.Canvas, *c.style, at, markerRadius)
			}
		}
	}
	for _, c := range curves {
		drawMarker(p.Canvas, *c.style, c.end(pg.frame), endRadius)
	}
}

// ccdfNumbers writes what is drawn: value and how many of N values are there or above.
func ccdfNumbers(curves []curve) string {
	var b strings.Builder
	for _, c := range curves {
		fmt.Fprintf(&b, "%s N=%d max_ns=%d\n", printable(c.series.Name), c.series.N, c.series.MaxNs)
		for _, p := range c.points {
			fmt.Fprintf(&b, "%d %d\n", p.atNs, p.atLeast)
		}
	}
	return b.String()
}
