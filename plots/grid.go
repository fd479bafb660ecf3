package plots

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// GridCell is one field of a Grid figure: a value by its shade, or series by their markers.
type GridCell struct {
	Text   string  // written in it if it fits
	Shade  float64 // 0 light to 1 dark
	Series []int   // whose markers it has, instead of a shade
}

// GridFigure is what to draw: a map of two parameters.
type GridFigure struct {
	Title, XLabel, YLabel string
	XTexts, YTexts        []string     // what the columns and rows are called
	Cells                 [][]GridCell // by column, then row from the bottom
	Names                 []string     // of the series, for the legend; none for shades
	Scale                 []string     // what shades 0 and 1 stand for; none for series
	Caption               []string
}

// Grid draws a map of two parameters, every field as wide as every other.
func Grid(f GridFigure) (d *Drawing, err error) {
	defer recovered(&err)
	if len(f.Cells) != len(f.XTexts) || len(f.Names) > SeriesMax {
		return nil, fmt.Errorf("figure %q: %d columns and %d names, %d series", f.Title,
			len(f.Cells), len(f.XTexts), len(f.Names))
	}
	for _, column := range f.Cells {
		if len(column) != len(f.YTexts) {
			return nil, fmt.Errorf("figure %q: %d rows and %d names", f.Title, len(column),
				len(f.YTexts))
		}
	}
	pg := newPage(Figure{Title: f.Title, Caption: f.Caption})
	for i, name := range f.Names {
		pg.legend = append(pg.legend, entry{style: &styles[i],
			name: wrap(regular(nameSize), name, legendWidthMax-legendIndent)})
	}
	for _, text := range f.Scale {
		pg.legend = append(pg.legend, entry{detail: wrap(regular(captionSize), text,
			legendWidthMax-legendIndent)})
	}
	pg.y = fields(f.YTexts)
	pg.yLabel = f.YLabel
	pg.placeAcross()
	pg.x = fields(f.XTexts)
	pg.placeDown(f.XLabel)
	return &Drawing{
		width: pageWidth, height: pg.height, title: f.Title,
		description: strings.Join(f.Caption, " "), numbers: gridNumbers(&f),
		draw: func(c draw.Canvas) {
			pg.draw(c, func(p pen) { p.drawCells(pg, &f) })
		},
	}, nil
}

// fields is an axis with one place a text, labelled in its middle.
func fields(texts []string) plot.Axis {
	a := plot.Axis{Min: 0, Max: float64(len(texts)), Scale: plot.LinearScale{}}
	t := placeTicks{texts: texts}
	for i := range texts {
		t.at = append(t.at, float64(i)+0.5)
	}
	a.Tick.Marker = t
	return a
}

// shadeOf goes from nearly white to dark blue, so that dark is much, in print too.
func shadeOf(share float64) color.RGBA {
	light, dark := [3]float64{0xF4, 0xF7, 0xFB}, [3]float64{0x08, 0x30, 0x6B}
	mix := func(i int) uint8 { return uint8(math.Round(light[i] + share*(dark[i]-light[i]))) }
	return color.RGBA{R: mix(0), G: mix(1), B: mix(2), A: 255}
}

func (p pen) drawCells(pg *page, f *GridFigure) {
	face := regularTag()
	for i, column := range f.Cells {
		for j, cell := range column {
			r := vg.Rectangle{
				Min: vg.Point{X: pg.at(float64(i)), Y: pg.frame.height(float64(j))},
				Max: vg.Point{X: pg.at(float64(i + 1)), Y: pg.frame.height(float64(j + 1))},
			}
			middle := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
			background, foreground := shadeOf(cell.Shade), ink
			if cell.Shade > 0.4 {
				foreground = paper
			}
			if cell.Series != nil {
				background, foreground = gridMinor, ink
			}
			p.fill(background, r)
			p.StrokeLines(draw.LineStyle{Color: paper, Width: 1}, []vg.Point{r.Min,
				{X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}, r.Min})
			for k, series := range cell.Series {
				step := vg.Length(k) - vg.Length(len(cell.Series)-1)/2
				drawMarker(p.Canvas, styles[series], vg.Point{X: middle.X + step*markerRadius*4,
					Y: middle.Y + tagSize*0.7}, markerRadius*1.4)
			}
			if cell.Series != nil {
				middle.Y -= tagSize * 0.6
			}
			if textWidth(face, cell.Text) <= r.Max.X-r.Min.X-2 {
				p.SetColor(foreground)
				p.write(face, vg.Point{X: middle.X, Y: middle.Y - midRise(face)}, 0.5, cell.Text)
			}
		}
	}
}

// gridNumbers writes what is drawn: column, row, what is in it.
func gridNumbers(f *GridFigure) string {
	var b strings.Builder
	for i, column := range f.Cells {
		for j, cell := range column {
			what := cell.Text
			for _, series := range cell.Series {
				what += " " + f.Names[series]
			}
			fmt.Fprintf(&b, "%s %s %s\n", f.XTexts[i], f.YTexts[j], what)
		}
	}
	return b.String()
}
