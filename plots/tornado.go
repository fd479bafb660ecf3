package plots

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"rtsim/scenarios/campaign"
)

// barsOfTornado is how many assumptions a figure has.
const barsOfTornado = 20

// Tornados draws an analysis: a figure a metric and design, in which each bar is an assumption that
// moves the metric when it goes to the ends of its range, the furthest first. Designs that nothing
// moves have none.
func Tornados(s *campaign.Sensitivity) (all []Named, err error) {
	for m := range s.Shown() {
		for i := range s.Designs {
			d := &s.Designs[i]
			bars, middle, ok := d.Bars(m)
			if !ok || len(bars) == 0 {
				continue
			}
			drawing, err := tornado(s, m, d.Design, bars, middle)
			if err != nil {
				return nil, err
			}
			all = append(all, Named{"tornado-" + fileName(s.Metrics[m]+"-"+d.Design), drawing})
		}
	}
	return all, nil
}

func tornadoCaption(s *campaign.Sensitivity) []string {
	seeds := fmt.Sprintf("seed %d", s.Seeds[0])
	if n := len(s.Seeds); n > 1 {
		seeds = fmt.Sprintf("means of seeds %d to %d", s.Seeds[0], s.Seeds[n-1])
	}
	lines := []string{fmt.Sprintf("%s, %s simulated each; scenario %s, kernel %s; rtsim %s.", seeds,
		s.DurationNs, s.Scenario, s.Kernel, s.Version),
		"Each assumption alone, at the ends of its range or at each other word; the line is as " +
			"it is."}
	if len(s.Set) > 0 {
		var set []string
		for _, name := range slices.Sorted(maps.Keys(s.Set)) {
			set = append(set, name+"="+s.Set[name])
		}
		lines = append(lines, "Other settings: "+strings.Join(set, ", ")+".")
	}
	return lines
}

func tornado(s *campaign.Sensitivity, metric int, design string, bars []campaign.Bar,
	middle float64) (d *Drawing, err error) {
	defer recovered(&err)
	m := s.Shown()[metric]
	caption := tornadoCaption(s)
	if n := len(bars) - barsOfTornado; n > 0 {
		caption = append(caption, fmt.Sprintf("%d more that move it less are in table.md.", n))
		bars = bars[:barsOfTornado]
	}
	title := fmt.Sprintf("%s: %s: what moves %s", s.Scenario, design, m.Name)
	pg := newPage(Figure{Title: title, Caption: caption})
	var names []string
	high := middle
	for _, b := range bars {
		names = append([]string{b.Name}, names...) // the furthest on top
		high = math.Max(high, slices.Max(b.Means))
	}
	pg.y = fields(names)
	pg.placeAcross()
	pg.x = plot.Axis{Min: 0, Max: math.Max(high*1.12, 1), Scale: plot.LinearScale{}}
	label := metricLabel(&m)
	pg.x.Tick.Marker = countTicks{labelsMax: 8}
	if m.IsTime {
		pg.x.Tick.Marker = microTicks{labelsMax: 8}
		label += " (us)"
	}
	pg.placeDown(label)
	return &Drawing{
		width: pageWidth, height: pg.height, title: title,
		description: strings.Join(caption, " "), numbers: tornadoNumbers(bars, middle),
		draw: func(c draw.Canvas) {
			pg.draw(c, func(p pen) { p.drawTornado(pg, bars, middle) })
		},
	}, nil
}

// countTicks marks a linear axis of counts.
type countTicks struct{ labelsMax int }

// Ticks returns multiples of a 1-2-5 step, all of them labelled.
func (t countTicks) Ticks(low, high float64) []plot.Tick {
	ticks := microTicks(t).Ticks(low, high)
	for i := range ticks {
		ticks[i].Label = groups(int64(ticks[i].Value))
	}
	return ticks
}

// drawTornado draws a bar from the middle to each end, what gives the end at it.
func (p pen) drawTornado(pg *page, bars []campaign.Bar, middle float64) {
	face := regular(captionSize)
	for i, b := range bars {
		row := float64(len(bars)-1-i) + 0.5
		y := pg.frame.height(row)
		half := (pg.frame.height(row+0.32) - pg.frame.height(row-0.32)) / 2
		for k, v := range b.Means {
			from, to := pg.at(math.Min(v, middle)), pg.at(math.Max(v, middle))
			p.fill(styles[k%SeriesMax].color, vg.Rectangle{
				Min: vg.Point{X: from, Y: y - half}, Max: vg.Point{X: to, Y: y + half}})
		}
		least, greatest := 0, 0
		for k, v := range b.Means {
			if v < b.Means[least] {
				least = k
			}
			if v > b.Means[greatest] {
				greatest = k
			}
		}
		p.SetColor(ink)
		if b.Means[greatest] > middle {
			p.write(face, vg.Point{X: pg.at(b.Means[greatest]) + 3, Y: y - midRise(face)}, 0,
				b.Ends[greatest])
		}
		at := pg.at(b.Means[least]) - 3
		if b.Means[least] < middle && at-textWidth(face, b.Ends[least]) > pg.Min.X {
			p.write(face, vg.Point{X: at, Y: y - midRise(face)}, 1, b.Ends[least])
		}
	}
	x := pg.at(middle)
	p.StrokeLines(draw.LineStyle{Color: ink, Width: 1.2}, []vg.Point{{X: x, Y: pg.Min.Y},
		{X: x, Y: pg.Max.Y}})
}

// tornadoNumbers writes what is drawn: the middle, then each assumption's ends.
func tornadoNumbers(bars []campaign.Bar, middle float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "as is %.6g\n", middle)
	for _, bar := range bars {
		b.WriteString(bar.Name)
		for k, v := range bar.Means {
			fmt.Fprintf(&b, " %s %.6g", bar.Ends[k], v)
		}
		b.WriteString("\n")
	}
	return b.String()
}
