package plots

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// page is the layout of a figure: title, subtitle, labels above the frame, frame with the legend
// to its right, x axis, caption. Its height is what these need; nothing covers anything.
type page struct {
	frame
	zero     bool // the left edge stands for 0
	height   vg.Length
	title    []string
	subtitle []string
	caption  []string
	legend   []entry
	key      []band    // what the bands in the frame mean
	least    vg.Length // of the frame's height; 0: plotHeight
	above    []tag     // labels in the strip above the frame
	below    []tag     // labels in the frame's own strip
}

// entry is a series in the legend.
type entry struct {
	style  *style // nil: no samples, so no line to explain
	name   []string
	detail []string
}

const (
	legendWidthMax = vg.Length(200)
	legendSample   = vg.Length(34) // length of the line shown
	legendIndent   = legendSample + 7
	legendGap      = vg.Length(18) // between the frame and the legend
	entryGap       = vg.Length(7)
	titleLine      = titleSize * 1.25
	nameLine       = nameSize * 1.2
	detailLine     = captionSize * 1.25
	plotHeight     = vg.Length(300) // of the y axis, at least
	yLabelWidth    = axisSize * 1.5
)

func newPage(f Figure) *page {
	pg := &page{
		title: wrap(bold(titleSize), f.Title, pageWidth-2*pageMargin),
	}
	for _, line := range f.Caption {
		pg.addCaption(line)
	}
	return pg
}

func (pg *page) addCaption(line string) {
	pg.caption = append(pg.caption,
		wrap(regular(captionSize), line, pageWidth-2*pageMargin)...)
}

// addEntry adds a series to the legend.
func (pg *page) addEntry(s Series, st *style, thresholds []int64) {
	width := legendWidthMax - legendIndent
	e := entry{
		style:  st,
		name:   wrap(regular(nameSize), s.Name, width),
		detail: wrap(regular(captionSize), s.summary(thresholds), width),
	}
	if s.N == 0 {
		e.style = nil
	}
	if s.Note != "" {
		e.detail = append(e.detail, wrap(regular(captionSize), s.Note, width)...)
	}
	pg.legend = append(pg.legend, e)
}

func (pg *page) legendSize() (width, height vg.Length) {
	for _, e := range pg.legend {
		for _, line := range e.name {
			width = max(width, legendIndent+textWidth(regular(nameSize), line))
		}
		for _, line := range e.detail {
			width = max(width, legendIndent+textWidth(regular(captionSize), line))
		}
		height += nameLine*vg.Length(len(e.name)) + detailLine*vg.Length(len(e.detail)) + entryGap
	}
	return width, height
}

// placeAcross sets the frame's left and right edge from the width of the y labels and the legend.
func (pg *page) placeAcross() {
	var labels vg.Length
	for _, t := range pg.y.Tick.Marker.Ticks(pg.y.Min, pg.y.Max) {
		labels = max(labels, textWidth(regular(tickSize), t.Label))
	}
	pg.Min.X = pageMargin + yLabelWidth + labels + tickGap + tickLength
	pg.Max.X = pageWidth - pageMargin - legendGap
	if len(pg.legend) > 0 {
		width, _ := pg.legendSize()
		pg.Max.X -= width
	}
}

// width is the frame's.
func (pg *page) width() vg.Length { return pg.Max.X - pg.Min.X }

// placeDown gives the labels their rows and sets all heights.
func (pg *page) placeDown(xLabel string) {
	pg.xLabel = wrap(regular(axisSize), xLabel, pg.width())
	if rows := stack(pg.below, pg.at); rows > 0 {
		pg.strip = tagRow*vg.Length(rows) + 4
	}
	_, legend := pg.legendSize()
	if pg.least == 0 {
		pg.least = plotHeight
	}
	frameHeight := max(pg.least+pg.strip, legend)
	top := pageMargin + titleLine*vg.Length(len(pg.title)) +
		nameLine*vg.Length(len(pg.subtitle)) + 6
	if rows := stack(pg.above, pg.at); rows > 0 {
		top += tagRow*vg.Length(rows) + 4
	}
	bottom := xLabelDrop + labelLine*vg.Length(len(pg.xLabel)) + pg.keyHeight() +
		detailLine*vg.Length(len(pg.caption)) + pageMargin
	pg.height = vg.Length(math.Ceil(float64(top + frameHeight + bottom)))
	pg.Max.Y = pg.height - top
	pg.Min.Y = pg.Max.Y - frameHeight
}

// draw draws everything; data draws what is inside the frame, over the grid.
func (pg *page) draw(c draw.Canvas, data func(p pen)) {
	p := pen{c}
	p.fill(paper, c.Rectangle)
	p.SetColor(ink)
	y := pg.height - pageMargin - titleSize*0.8
	for _, line := range pg.title {
		p.write(bold(titleSize), vg.Point{X: pageMargin, Y: y}, 0, line)
		y -= titleLine
	}
	for _, line := range pg.subtitle {
		p.write(regular(nameSize), vg.Point{X: pageMargin, Y: y}, 0, line)
		y -= nameLine
	}
	p.drawGrid(pg.frame)
	data(p)
	p.drawAxes(pg.frame, pg.zero)
	pg.drawLegend(p)
	y = pg.Min.Y - xLabelDrop - labelLine*vg.Length(len(pg.xLabel)) - 4
	pg.drawKey(p, y+captionSize)
	y -= pg.keyHeight()
	p.SetColor(faintInk)
	for _, line := range pg.caption {
		p.write(regular(captionSize), vg.Point{X: pageMargin, Y: y}, 0, line)
		y -= detailLine
	}
}

func (pg *page) drawLegend(p pen) {
	x, y := pg.Max.X+legendGap, pg.Max.Y-nameSize*0.8
	for _, e := range pg.legend {
		if e.style != nil {
			middle := y + nameSize*0.32
			p.StrokeLines(e.style.line(), []vg.Point{
				{X: x, Y: middle}, {X: x + legendSample, Y: middle},
			})
			drawMarker(p.Canvas, *e.style, vg.Point{X: x + legendSample/2, Y: middle}, markerRadius)
		}
		p.SetColor(ink)
		for _, line := range e.name {
			p.write(regular(nameSize), vg.Point{X: x + legendIndent, Y: y}, 0, line)
			y -= nameLine
		}
		p.SetColor(faintInk)
		for _, line := range e.detail {
			p.write(regular(captionSize), vg.Point{X: x + legendIndent, Y: y + 1}, 0, line)
			y -= detailLine
		}
		y -= entryGap
	}
}

// line is the pen for a series' curve.
func (s style) line() draw.LineStyle {
	return draw.LineStyle{Color: s.color, Width: curveWidth, Dashes: s.dashes}
}

// noSamples says so in the middle of an empty frame.
func (p pen) noSamples(f frame) {
	p.SetColor(faintInk)
	p.write(regular(titleSize), vg.Point{
		X: (f.Min.X + f.Max.X) / 2, Y: (f.floor() + f.Max.Y) / 2,
	}, 0.5, "no samples")
}

// drawThresholds draws their lines from the frame's upper edge to the y axis' lower end.
func (p pen) drawThresholds(f frame, thresholds []int64) {
	for _, t := range thresholds {
		x := f.at(float64(t))
		p.StrokeLines(draw.LineStyle{Color: limitInk, Width: 0.9},
			[]vg.Point{{X: x, Y: f.Max.Y}, {X: x, Y: f.floor()}})
	}
}
