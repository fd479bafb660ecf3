package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Histogram draws the counts of the figure's one series: latency linear from 0, in us, counts
// logarithmic.
func Histogram(f Figure) (*Drawing, error) {
	drawings, err := Histograms(f)
	if err != nil {
		return nil, err
	}
	return drawings[0], nil
}

// Histograms draws each figure as Histogram does, all with the same axes and bins, so that designs
// can be compared from page to page. A figure that would have a single bar then, the first, shows
// nothing but that: it has axes of its own, and its caption says so.
func Histograms(figures ...Figure) (ds []*Drawing, err error) {
	defer recovered(&err)
	for _, f := range figures {
		if err := f.check(); err != nil {
			return nil, err
		}
		if len(f.Series) != 1 {
			return nil, fmt.Errorf("figure %q: a histogram shows one series, not %d",
				f.Title, len(f.Series))
		}
	}
	shared := scaleOf(figures...)
	for _, f := range figures {
		if s := f.Series[0]; s.N > 0 && s.MaxNs < shared.widthNs && shared.maxNs > s.MaxNs {
			f = alone(f, shared)
			ds = append(ds, histogram(f, scaleOf(f)))
			continue
		}
		ds = append(ds, histogram(f, shared))
	}
	return ds, nil
}

// scaleOf gives figures the same axes.
func scaleOf(figures ...Figure) scale {
	var shared scale
	for _, f := range figures {
		shared.include(f)
	}
	shared.widthNs = barWidthNs(shared.maxNs)
	for _, f := range figures {
		for _, b := range f.Series[0].bars(shared.widthNs) {
			shared.most = max(shared.most, b.count)
		}
	}
	return shared
}

// alone is a figure for axes of its own: without the thresholds that are far beyond its values.
func alone(f Figure, shared scale) Figure {
	line := "The axes are this figure's own: the others reach to " + timeText(shared.maxNs)
	near := []int64{}
	for _, t := range f.ThresholdsNs {
		if t <= 2*f.Series[0].MaxNs {
			near = append(near, t)
		} else {
			line += ", threshold " + exactText(t) + " is beyond"
		}
	}
	f.ThresholdsNs = near
	f.Caption = append(slices.Clone(f.Caption), line+".")
	return f
}

// scale is what histograms with the same axes share.
type scale struct {
	maxNs   int64 // the greatest value
	farNs   int64 // the greatest value or threshold
	widthNs int64 // of a bin
	most    int64 // in one bin
	tags    []tag // of all figures: the axis has room for each
}

func (sc *scale) include(f Figure) {
	if s := f.Series[0]; s.N > 0 {
		sc.maxNs = max(sc.maxNs, s.MaxNs)
	}
	sc.farNs = max(sc.farNs, sc.maxNs)
	for _, t := range f.ThresholdsNs {
		sc.farNs = max(sc.farNs, t)
	}
	sc.tags = append(sc.tags, histogramTags(f)...)
}

// histogramTags returns the labels above the frame: thresholds, then the maximum.
func histogramTags(f Figure) []tag {
	var tags []tag
	for _, t := range slices.Compact(slices.Sorted(slices.Values(f.ThresholdsNs))) {
		tags = append(tags, thresholdTag(t))
	}
	if s := f.Series[0]; s.N > 0 {
		tags = append(tags, tag{at: float64(s.MaxNs), text: maxText(s.MaxNs, f.ThresholdsNs),
			style: &styles[0]})
	}
	return tags
}

func histogram(f Figure, shared scale) *Drawing {
	s := f.Series[0]
	pg := newPage(f)
	line := s.Name + ": " + s.summary(f.ThresholdsNs)
	if s.Note != "" {
		line += ". " + s.Note
	}
	pg.subtitle = wrap(regular(nameSize), line, pageWidth-2*pageMargin)
	pg.above = histogramTags(f)

	pg.y = logAxis(1, float64(max(shared.most, 1)))
	pg.y.Min = math.Min(pg.y.Min, 0.5) // a bin with one value has a height
	pg.y.Tick.Marker = logTicks{labelsMax: 10, label: countLabel, low: 1, high: math.Inf(1)}
	pg.yLabel = "values per bin of " + exactText(shared.widthNs)
	pg.placeAcross()
	far := float64(shared.farNs + shared.widthNs)
	if shared.farNs == 0 || far < 0 {
		far = math.Max(1000, float64(shared.farNs))
	}
	pg.x = plot.Axis{Min: 0, Max: far * 1.05, Scale: plot.LinearScale{}}
	makeRoom(&pg.x, shared.tags, pg.width())
	pg.x.Tick.Marker = microTicks{labelsMax: 8}
	pg.placeDown(f.XLabel + " (us)")

	bars := s.bars(shared.widthNs)
	return &Drawing{
		width: pageWidth, height: pg.height,
		title: f.Title, description: describe(f), numbers: histogramNumbers(s, shared, bars),
		draw: func(c draw.Canvas) {
			pg.draw(c, func(p pen) { p.drawBars(pg, bars, shared.widthNs, f.ThresholdsNs) })
		},
	}
}

// drawBars draws the bins, neighbours as one shape. The outline keeps a single narrow bin visible.
func (p pen) drawBars(pg *page, bars []bar, widthNs int64, thresholds []int64) {
	p.drawThresholds(pg.frame, thresholds)
	if len(bars) == 0 {
		p.noSamples(pg.frame)
	}
	for i := 0; i < len(bars); {
		from := i
		for i++; i < len(bars) && bars[i].index == bars[i-1].index+1; i++ {
		}
		outline := pg.skyline(bars[from:i], widthNs)
		p.SetColor(styles[0].color)
		p.Fill(outline)
		p.SetLineStyle(draw.LineStyle{Color: styles[0].color, Width: 0.9})
		p.Stroke(outline)
	}
	peak := pg.Max.Y
	if len(bars) > 0 {
		peak = pg.top(bars[len(bars)-1])
	}
	last := len(pg.above) - 1
	p.drawTags(pg.above, pg.frame, pg.Max.Y+2, 1, func(i int) vg.Length {
		if i == last {
			return peak
		}
		return pg.Max.Y
	})
	if len(bars) > 0 {
		at := vg.Point{X: pg.at(pg.above[last].at), Y: peak}
		drawMarker(p.Canvas, styles[0], at, endRadius)
	}
}

// top is the height of a bar.
func (pg *page) top(b bar) vg.Length { return pg.frame.height(float64(b.count)) }

// skyline is the outline of bins that touch each other.
func (pg *page) skyline(bars []bar, widthNs int64) vg.Path {
	edge := func(index int64) vg.Length { return pg.at(float64(index) * float64(widthNs)) }
	var path vg.Path
	path.Move(vg.Point{X: edge(bars[0].index), Y: pg.Min.Y})
	for _, b := range bars {
		path.Line(vg.Point{X: edge(b.index), Y: pg.top(b)})
		path.Line(vg.Point{X: edge(b.index + 1), Y: pg.top(b)})
	}
	path.Line(vg.Point{X: edge(bars[len(bars)-1].index + 1), Y: pg.Min.Y})
	path.Close()
	return path
}

// histogramNumbers writes what is drawn: where a bin begins and how many values it holds.
func histogramNumbers(s Series, shared scale, bars []bar) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s N=%d bin_ns=%d\n", printable(s.Name), s.N, shared.widthNs)
	for _, bar := range bars {
		fmt.Fprintf(&b, "%d %d\n", bar.index*shared.widthNs, bar.count)
	}
	return b.String()
}
