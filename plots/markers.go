package plots

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// marker is the shape of a series' points.
type marker int

const (
	circle marker = iota
	square
	triangle
	diamond
	triangleDown
	plus
	cross
	ring
	openSquare
	openTriangle
	openDiamond
	star
)

// shape is a marker's outline on a circle of radius 1: a closed polygon, or strokes.
type shape struct {
	corners [][2]float64
	round   bool
	open    bool // filled with paper
	strokes bool // corners are pairs of ends
}

var (
	boxCorners  = [][2]float64{{-.86, -.86}, {.86, -.86}, {.86, .86}, {-.86, .86}}
	upCorners   = [][2]float64{{0, 1.15}, {-1.05, -.75}, {1.05, -.75}}
	downCorners = [][2]float64{{0, -1.15}, {1.05, .75}, {-1.05, .75}}
	rhomb       = [][2]float64{{0, 1.25}, {-1.1, 0}, {0, -1.25}, {1.1, 0}}
	upright     = [][2]float64{{0, 1.2}, {0, -1.2}, {-1.2, 0}, {1.2, 0}}
	oblique     = [][2]float64{{-.9, -.9}, {.9, .9}, {-.9, .9}, {.9, -.9}}
	sixRays     = [][2]float64{{0, 1.2}, {0, -1.2}, {-1.04, -.6}, {1.04, .6}, {-1.04, .6},
		{1.04, -.6}}
)

var shapes = [SeriesMax]shape{
	circle:       {round: true},
	square:       {corners: boxCorners},
	triangle:     {corners: upCorners},
	diamond:      {corners: rhomb},
	triangleDown: {corners: downCorners},
	plus:         {corners: upright, strokes: true},
	cross:        {corners: oblique, strokes: true},
	ring:         {round: true, open: true},
	openSquare:   {corners: boxCorners, open: true},
	openTriangle: {corners: upCorners, open: true},
	openDiamond:  {corners: rhomb, open: true},
	star:         {corners: sixRays, strokes: true},
}

// drawMarker draws a series' marker with a rim of paper, so that it stands out from any line.
func drawMarker(c draw.Canvas, s style, at vg.Point, radius vg.Length) {
	form := shapes[s.marker]
	c.SetLineDash(nil, 0)
	if form.strokes {
		for _, pen := range []draw.LineStyle{
			{Color: paper, Width: 3.4}, {Color: s.color, Width: 1.8},
		} {
			for i := 0; i < len(form.corners); i += 2 {
				c.StrokeLines(pen, []vg.Point{
					corner(at, radius, form.corners[i]), corner(at, radius, form.corners[i+1]),
				})
			}
		}
		return
	}
	outline := form.path(at, radius)
	if form.open {
		c.SetColor(paper)
		c.Fill(outline)
		c.SetLineStyle(draw.LineStyle{Color: s.color, Width: 1.4})
		c.Stroke(outline)
		return
	}
	c.SetLineStyle(draw.LineStyle{Color: paper, Width: 1.6})
	c.Stroke(outline)
	c.SetColor(s.color)
	c.Fill(outline)
}

// path is the closed outline. A circle is four curves, not an arc: SVG arcs would be written with
// more decimals than the rest.
func (f shape) path(at vg.Point, r vg.Length) vg.Path {
	var p vg.Path
	if !f.round {
		for i, k := range f.corners {
			if i == 0 {
				p.Move(corner(at, r, k))
				continue
			}
			p.Line(corner(at, r, k))
		}
		p.Close()
		return p
	}
	const k = 0.5523 // the control points' distance that makes a curve a quarter of a circle
	quarter := [][2]float64{{1, 0}, {1, k}, {k, 1}, {0, 1}}
	p.Move(corner(at, r, quarter[0]))
	for turn := 0; turn < 4; turn++ {
		p.CubeTo(corner(at, r, quarter[1]), corner(at, r, quarter[2]), corner(at, r, quarter[3]))
		for i, q := range quarter {
			quarter[i] = [2]float64{-q[1], q[0]}
		}
	}
	p.Close()
	return p
}

func corner(at vg.Point, r vg.Length, k [2]float64) vg.Point {
	return vg.Point{X: at.X + r*vg.Length(k[0]), Y: at.Y + r*vg.Length(k[1])}
}

// along returns points on a path, the first at the distance start from its beginning and then
// one every step: steep parts get as many as flat ones.
func along(path []vg.Point, start, step vg.Length) []vg.Point {
	var marks []vg.Point
	next := start
	for i := 1; i < len(path); i++ {
		a, b := path[i-1], path[i]
		d := b.Sub(a)
		length := max(d.X, -d.X) + max(d.Y, -d.Y) // steps go along the axes
		for ; next <= length && length > 0; next += step {
			marks = append(marks, a.Add(d.Scale(next/length)))
		}
		next -= length
	}
	return marks
}
