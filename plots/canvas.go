package plots

import (
	"math"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// rounded rounds all coordinates to two decimals, half away from zero: SVG files stay small, and a
// processor that rounds an intermediate result otherwise does not change them.
type rounded struct{ vg.Canvas }

func round(l vg.Length) vg.Length { return vg.Length(math.Round(float64(l)*100) / 100) }

func roundPoint(p vg.Point) vg.Point { return vg.Point{X: round(p.X), Y: round(p.Y)} }

func roundPath(path vg.Path) vg.Path {
	out := make(vg.Path, len(path))
	for i, step := range path {
		step.Pos = roundPoint(step.Pos)
		control := make([]vg.Point, len(step.Control))
		for k, p := range step.Control {
			control[k] = roundPoint(p)
		}
		step.Control = control
		out[i] = step
	}
	return out
}

func (c rounded) Translate(p vg.Point) { c.Canvas.Translate(roundPoint(p)) }
func (c rounded) Stroke(path vg.Path)  { c.Canvas.Stroke(roundPath(path)) }
func (c rounded) Fill(path vg.Path)    { c.Canvas.Fill(roundPath(path)) }
func (c rounded) FillString(f font.Face, p vg.Point, text string) {
	c.Canvas.FillString(f, roundPoint(p), text)
}

// latin encodes text in Windows-1252: the PDF writer takes each byte for a character of it. It also
// stores all faces under one name, so that the first stands for all: there is no bold.
type latin struct{ vg.Canvas }

func (c latin) FillString(f font.Face, p vg.Point, text string) {
	c.Canvas.FillString(regular(f.Font.Size), p, windows1252(text))
}

func windows1252(text string) string {
	encoder := encoding.ReplaceUnsupported(charmap.Windows1252.NewEncoder())
	bytes, err := encoder.String(text)
	if err != nil {
		panic(err) // ReplaceUnsupported leaves nothing to fail
	}
	return strings.ReplaceAll(bytes, "\x1a", "?")
}

// measured notes the width of each text that goes through it, in order.
type measured struct {
	vg.Canvas
	widths *[]vg.Length
}

func (c measured) FillString(f font.Face, p vg.Point, text string) {
	*c.widths = append(*c.widths, textWidth(f, text))
	c.Canvas.FillString(f, p, text)
}
