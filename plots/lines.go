package plots

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Line is one series of a Lines figure: a value at each place of the x axis.
type Line struct {
	Name   string
	Values []Spread // by place
}

// Spread is a mean with the least and the greatest of what it is made of.
type Spread struct {
	Mean, Least, Greatest float64 // >= 0
	Missing               bool    // there is no value; the line has a gap
}

// LinesFigure is what to draw: values over a parameter, lines with the spread over the seeds.
type LinesFigure struct {
	Title, XLabel, YLabel string
	X                     []float64 // places, ascending; above 0 if Log
	XTexts                []string  // what they are called
	Log                   bool      // the x axis is logarithmic
	IsTime                bool      // values are in ns, else counts
	Lines                 []Line    // at most SeriesMax
	LevelsNs              []int64   // marked by horizontal lines; only of times
	Bands                 [][2]int  // places between which something is said to happen: shaded
	Caption               []string
}

func (f *LinesFigure) check() error {
	if n := len(f.Lines); n == 0 || n > SeriesMax {
		return fmt.Errorf("figure %q: %d lines, not 1 to %d", f.Title, n, SeriesMax)
	}
	if len(f.X) < 2 || len(f.X) != len(f.XTexts) {
		return fmt.Errorf("figure %q: %d places and %d names", f.Title, len(f.X), len(f.XTexts))
	}
	for _, l := range f.Lines {
		if len(l.Values) != len(f.X) {
			return fmt.Errorf("figure %q: line %q has %d values for %d places", f.Title, l.Name,
				len(l.Values), len(f.X))
		}
	}
	return nil
}

// Lines draws values over a parameter. The y axis is logarithmic; values of 0, which have no place
// there, are drawn at the bottom, which is then labelled 0.
func Lines(f LinesFigure) (d *Drawing, err error) {
	defer recovered(&err)
	if err := f.check(); err != nil {
		return nil, err
	}
	pg := newPage(Figure{Title: f.Title, Caption: f.Caption})
	for i, l := range f.Lines {
		pg.legend = append(pg.legend, entry{style: &styles[i],
			name: wrap(regular(nameSize), l.Name, legendWidthMax-legendIndent)})
	}
	pg.valueAxis(&f)
	pg.yLabel = f.YLabel
	pg.placeAcross()
	pg.x = plot.Axis{Scale: plot.LinearScale{}}
	first, last := f.X[0], f.X[len(f.X)-1]
	pg.x.Min, pg.x.Max = first-(last-first)/25, last+(last-first)/25
	if f.Log {
		pad := math.Pow(last/first, 1.0/25)
		pg.x.Scale, pg.x.Min, pg.x.Max = plot.LogScale{}, first/pad, last*pad
	}
	pg.x.Tick.Marker = placeTicks{f.X, f.XTexts}
	pg.placeDown(f.XLabel)
	return &Drawing{
		width: pageWidth, height: pg.height, title: f.Title,
		description: strings.Join(f.Caption, " "), numbers: linesNumbers(&f),
		draw: func(c draw.Canvas) {
			pg.draw(c, func(p pen) { p.drawLines(pg, &f) })
		},
	}, nil
}

// placeTicks labels the places that were run.
type placeTicks struct {
	at    []float64
	texts []string
}

// Ticks returns all places.
func (t placeTicks) Ticks(_, _ float64) []plot.Tick {
	var ticks []plot.Tick
	for i, at := range t.at {
		ticks = append(ticks, plot.Tick{Value: at, Label: t.texts[i]})
	}
	return ticks
}

// zeroTicks is a logarithmic axis whose lower end stands for 0.
type zeroTicks struct{ logTicks }

// Ticks returns those of the axis with one for 0.
func (t zeroTicks) Ticks(low, high float64) []plot.Tick {
	return append([]plot.Tick{{Value: low, Label: "0"}}, t.logTicks.Ticks(low, high)...)
}

// valueAxis sets the y axis: it has all values and levels.
func (pg *page) valueAxis(f *LinesFigure) {
	low, high, zero := math.Inf(1), math.Inf(-1), false
	include := func(v float64) {
		zero = zero || v == 0
		if v > 0 {
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	for _, l := range f.Lines {
		for _, v := range l.Values {
			if !v.Missing {
				include(v.Least)
				include(v.Mean)
				include(v.Greatest)
			}
		}
	}
	for _, level := range f.LevelsNs {
		include(float64(level))
	}
	if low > high {
		low, high = 1, 10
	}
	label := countLabel
	if f.IsTime {
		label = timeLabel
	}
	ticks := logTicks{labelsMax: 10, label: label, low: low, high: math.Inf(1)}
	pg.y = logAxis(low, high)
	pg.y.Tick.Marker = ticks
	if zero { // room to tell 0 from the least
		pg.y.Min /= math.Pow(pg.y.Max/pg.y.Min, 0.08)
		pg.y.Tick.Marker = zeroTicks{ticks}
	}
}

// heightOf is height with 0 at the bottom.
func (f frame) heightOf(v float64) vg.Length { return f.height(math.Max(v, f.y.Min)) }

// drawLines draws the bands, the levels, then lines, spreads and markers, the markers last.
func (p pen) drawLines(pg *page, f *LinesFigure) {
	for _, b := range f.Bands {
		p.fill(gridMinor, vg.Rectangle{Min: vg.Point{X: pg.at(f.X[b[0]]), Y: pg.Min.Y},
			Max: vg.Point{X: pg.at(f.X[b[1]]), Y: pg.Max.Y}})
	}
	for _, level := range f.LevelsNs {
		y := pg.heightOf(float64(level))
		p.StrokeLines(draw.LineStyle{Color: limitInk, Width: 0.9},
			[]vg.Point{{X: pg.Min.X, Y: y}, {X: pg.Max.X, Y: y}})
		p.SetColor(limitInk)
		p.write(regularTag(), vg.Point{X: pg.Min.X + 4, Y: y + 3}, 0, exactText(level))
	}
	var ends [][]vg.Point
	for i, l := range f.Lines {
		var path, all []vg.Point
		for k, v := range l.Values {
			if v.Missing {
				p.StrokeLines(styles[i].line(), path)
				path = nil
				continue
			}
			x := pg.at(f.X[k])
			at := vg.Point{X: x, Y: pg.heightOf(v.Mean)}
			path, all = append(path, at), append(all, at)
			if v.Least < v.Greatest {
				p.StrokeLines(draw.LineStyle{Color: styles[i].color, Width: 1}, []vg.Point{
					{X: x, Y: pg.heightOf(v.Least)}, {X: x, Y: pg.heightOf(v.Greatest)}})
			}
		}
		p.StrokeLines(styles[i].line(), path)
		ends = append(ends, all)
	}
	for i, all := range ends {
		for _, at := range all {
			drawMarker(p.Canvas, styles[i], at, markerRadius)
		}
	}
}

// linesNumbers writes what is drawn: place, mean, least and greatest.
func linesNumbers(f *LinesFigure) string {
	var b strings.Builder
	for _, l := range f.Lines {
		fmt.Fprintf(&b, "%s\n", printable(l.Name))
		for k, v := range l.Values {
			if v.Missing {
				fmt.Fprintf(&b, "%s missing\n", f.XTexts[k])
				continue
			}
			fmt.Fprintf(&b, "%s %.6g %.6g %.6g\n", f.XTexts[k], v.Mean, v.Least, v.Greatest)
		}
	}
	return b.String()
}
