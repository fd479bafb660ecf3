package plots

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ledger is a canvas that notes what is drawn on it: the places of texts, strokes and fills.
type ledger struct {
	texts   []placed
	strokes []stroke
	fills   []stroke
	color   color.Color
	width   vg.Length
	origin  vg.Point
	upright bool // text runs upwards
}

// placed is a text and the box of its letters.
type placed struct {
	text string
	face font.Face
	box  vg.Rectangle
}

// stroke is a piece of a stroked line, from the one end to the other, or what is filled.
type stroke struct {
	color color.Color
	box   vg.Rectangle
}

var _ vg.Canvas = (*ledger)(nil)

// drawn returns what a drawing draws.
func drawn(d *Drawing) *ledger {
	l := &ledger{}
	d.draw(draw.NewCanvas(l, d.width, d.height))
	return l
}

func (l *ledger) SetLineWidth(w vg.Length)            { l.width = w }
func (l *ledger) SetLineDash([]vg.Length, vg.Length)  {}
func (l *ledger) SetColor(c color.Color)              { l.color = c }
func (l *ledger) Rotate(float64)                      { l.upright = true }
func (l *ledger) Translate(p vg.Point)                { l.origin = p }
func (l *ledger) Scale(x, y float64)                  {}
func (l *ledger) Push()                               {}
func (l *ledger) Pop()                                { l.origin, l.upright = vg.Point{}, false }
func (l *ledger) DrawImage(vg.Rectangle, image.Image) {}
func (l *ledger) FillString(f font.Face, p vg.Point, text string) {
	box := vg.Rectangle{
		Min: vg.Point{X: p.X, Y: p.Y - 0.22*f.Font.Size},
		Max: vg.Point{X: p.X + textWidth(f, text), Y: p.Y + 0.75*f.Font.Size},
	}
	if l.upright {
		box.Min, box.Max = vg.Point{X: -box.Max.Y, Y: box.Min.X},
			vg.Point{X: -box.Min.Y, Y: box.Max.X}
	}
	l.texts = append(l.texts, placed{text, f, box.Add(l.origin)})
}

// Fill notes the box around a path without arcs.
func (l *ledger) Fill(path vg.Path) {
	box := vg.Rectangle{Min: path[0].Pos, Max: path[0].Pos}
	for _, step := range path {
		if step.Type == vg.MoveComp || step.Type == vg.LineComp {
			box.Min.X, box.Max.X = min(box.Min.X, step.Pos.X), max(box.Max.X, step.Pos.X)
			box.Min.Y, box.Max.Y = min(box.Min.Y, step.Pos.Y), max(box.Max.Y, step.Pos.Y)
		}
	}
	l.fills = append(l.fills, stroke{l.color, box})
}

func (l *ledger) Stroke(path vg.Path) {
	var at, start vg.Point
	for _, step := range path {
		to := step.Pos
		switch step.Type {
		case vg.MoveComp:
			at, start = to, to
			continue
		case vg.CloseComp:
			to = start
		}
		l.strokes = append(l.strokes, stroke{l.color, vg.Rectangle{
			Min: vg.Point{X: min(at.X, to.X), Y: min(at.Y, to.Y)},
			Max: vg.Point{X: max(at.X, to.X), Y: max(at.Y, to.Y)},
		}})
		at = to
	}
}

// overlap reports whether two boxes share more than an edge.
func overlap(a, b vg.Rectangle) bool {
	const hair = 0.01
	return a.Min.X < b.Max.X-hair && b.Min.X < a.Max.X-hair &&
		a.Min.Y < b.Max.Y-hair && b.Min.Y < a.Max.Y-hair
}

func inside(r vg.Rectangle, width, height vg.Length) bool {
	for _, v := range []vg.Length{r.Min.X, r.Min.Y, r.Max.X, r.Max.Y} {
		if math.IsNaN(float64(v)) {
			return false
		}
	}
	return r.Min.X >= 0 && r.Min.Y >= 0 && r.Max.X <= width && r.Max.Y <= height
}
