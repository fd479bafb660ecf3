package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// frame is the data area with its two axes. The strip is the lowest part of the area: it belongs
// to the x axis, but is below the range of the y axis.
type frame struct {
	vg.Rectangle
	strip  vg.Length
	x, y   plot.Axis
	xLabel []string // lines
	yLabel string
}

// at returns where a value of the x axis lies; values below its range, as 0 on a logarithmic axis,
// lie at the left edge.
func (f frame) at(v float64) vg.Length {
	if v < f.x.Min {
		v = f.x.Min
	}
	return f.Min.X + vg.Length(f.x.Norm(v))*(f.Max.X-f.Min.X)
}

// height returns where a value of the y axis lies.
func (f frame) height(v float64) vg.Length {
	bottom := f.floor()
	return bottom + vg.Length(f.y.Norm(v))*(f.Max.Y-bottom)
}

// floor is the lower end of the y axis.
func (f frame) floor() vg.Length { return f.Min.Y + f.strip }

// column returns the pixel column of a value.
func (f frame) column(atNs int64) int {
	return int(math.Floor(float64((f.at(float64(atNs)) - f.Min.X) / pixel)))
}

// logAxis covers [low, high], 0 < low <= high, with a twentieth more at both ends. It spans at
// least a factor of 5, for which the ticker has two labels or more.
func logAxis(low, high float64) plot.Axis {
	a := plot.Axis{Scale: plot.LogScale{}}
	l, h := math.Log(low), math.Log(high)
	if short := math.Log(5) - (h - l); short > 0 {
		l, h = l-short/2, h+short/2
	}
	pad := (h - l) / 20
	a.Min, a.Max = math.Exp(l-pad), math.Exp(h+pad)
	return a
}

// makeRoom moves the axis' upper end so that every tag ends within the width.
func makeRoom(a *plot.Axis, tags []tag, width vg.Length) {
	forward, back := math.Log, math.Exp
	if _, linear := a.Scale.(plot.LinearScale); linear {
		forward = func(v float64) float64 { return v }
		back = forward
	}
	low := forward(a.Min)
	high := forward(a.Max)
	for _, t := range tags {
		share := float64((t.width() + tagGap) / width)
		high = math.Max(high, low+(forward(math.Max(t.at, a.Min))-low)/(1-share))
	}
	a.Max = back(high)
}

// hair draws a thin line.
func (p pen) hair(c color.Color, dashes []vg.Length, from, to vg.Point) {
	p.StrokeLines(draw.LineStyle{Color: c, Width: hairWidth, Dashes: dashes},
		[]vg.Point{from, to})
}

// fill draws a rectangle.
func (p pen) fill(c color.Color, r vg.Rectangle) {
	p.SetColor(c)
	p.Fill(r.Path())
}

// drawGrid draws the grid, lighter between the labelled lines.
func (p pen) drawGrid(f frame) {
	for _, labelled := range []bool{false, true} {
		c := gridMinor
		if labelled {
			c = gridMajor
		}
		for _, t := range f.y.Tick.Marker.Ticks(f.y.Min, f.y.Max) {
			if y := f.height(t.Value); (t.Label != "") == labelled {
				p.hair(c, nil, vg.Point{X: f.Min.X, Y: y}, vg.Point{X: f.Max.X, Y: y})
			}
		}
		for _, t := range f.x.Tick.Marker.Ticks(f.x.Min, f.x.Max) {
			if x := f.at(t.Value); (t.Label != "") == labelled {
				p.hair(c, nil, vg.Point{X: x, Y: f.Min.Y}, vg.Point{X: x, Y: f.Max.Y})
			}
		}
	}
}

const (
	tickLength = vg.Length(5)
	tickGap    = vg.Length(4) // between a tick and its label, at least between two labels
)

// drawAxes draws the frame, the ticks and the labels. zero says that the left edge stands for 0.
func (p pen) drawAxes(f frame, zero bool) {
	p.StrokeLines(draw.LineStyle{Color: axisInk, Width: 0.8}, []vg.Point{
		f.Min, {X: f.Max.X, Y: f.Min.Y}, f.Max, {X: f.Min.X, Y: f.Max.Y}, f.Min,
	})
	if f.strip > 0 {
		p.hair(axisInk, nil, vg.Point{X: f.Min.X, Y: f.floor()},
			vg.Point{X: f.Max.X, Y: f.floor()})
	}
	p.drawXTicks(f, zero)
	face := regular(tickSize)
	for _, t := range f.y.Tick.Marker.Ticks(f.y.Min, f.y.Max) {
		y := f.height(t.Value)
		long := tickLength
		if t.Label == "" {
			long /= 2
		}
		p.hair(axisInk, nil, vg.Point{X: f.Min.X - long, Y: y}, vg.Point{X: f.Min.X, Y: y})
		p.SetColor(ink)
		p.write(face, vg.Point{
			X: f.Min.X - tickLength - tickGap, Y: y - midRise(face),
		}, 1, t.Label)
	}
	label := regular(axisSize)
	p.SetColor(ink)
	for i, line := range f.xLabel {
		y := f.Min.Y - xLabelDrop - labelLine*vg.Length(i)
		p.write(label, vg.Point{X: (f.Min.X + f.Max.X) / 2, Y: y}, 0.5, line)
	}
	p.writeUp(label, vg.Point{X: pageMargin + axisSize*0.8, Y: (f.floor() + f.Max.Y) / 2}, f.yLabel)
}

const (
	xTickDrop  = tickLength + tickGap + tickSize*0.75 // from the frame to the base line
	xLabelDrop = xTickDrop + 18
	labelLine  = axisSize * 1.25
)

// drawXTicks leaves out a label that would touch the one to its left or the legend.
func (p pen) drawXTicks(f frame, zero bool) {
	face := regular(tickSize)
	ticks := f.x.Tick.Marker.Ticks(f.x.Min, f.x.Max)
	if zero {
		ticks = append([]plot.Tick{{Value: f.x.Min, Label: "0"}}, ticks...)
	}
	free := f.Min.X - pageWidth
	for _, t := range ticks {
		x := f.at(t.Value)
		half := textWidth(face, t.Label) / 2
		long := tickLength
		if t.Label == "" {
			long /= 2
		}
		p.hair(axisInk, nil, vg.Point{X: x, Y: f.Min.Y}, vg.Point{X: x, Y: f.Min.Y - long})
		if t.Label == "" || x-half < free || x+half > f.Max.X+legendGap-tickGap {
			continue
		}
		p.SetColor(ink)
		p.write(face, vg.Point{X: x, Y: f.Min.Y - xTickDrop}, 0.5, t.Label)
		free = x + half + tickGap
	}
}
