package plots

import (
	"math"
	"strings"
	"unicode"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// fonts holds the Liberation faces that the plot module embeds.
var fonts = font.NewCache(liberation.Collection())

func regular(size vg.Length) font.Face {
	return fonts.Lookup(font.Font{Variant: "Sans"}, size)
}

func bold(size vg.Length) font.Face {
	return fonts.Lookup(font.Font{Variant: "Sans", Weight: xfont.WeightBold}, size)
}

func textWidth(face font.Face, text string) vg.Length { return face.Width(text) }

// midRise is how far a line's middle is above its base line.
func midRise(face font.Face) vg.Length { return face.Font.Size * 0.35 }

// hasGlyph reports whether the face can draw the rune.
func hasGlyph(face font.Face, r rune) bool {
	var buf sfnt.Buffer
	index, err := face.Face.GlyphIndex(&buf, r)
	return err == nil && index != 0 && !unicode.IsControl(r)
}

// printable replaces white space by spaces, and by "?" what the fonts cannot draw: it would be
// left out without a word.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case hasGlyph(regular(1), r) && hasGlyph(bold(1), r):
			return r
		}
		return '?'
	}, s)
}

// wrap makes a text printable and breaks it into lines of at most the width: at spaces, else after
// / or +, else after - or _, else anywhere. It returns at least one line.
func wrap(face font.Face, text string, width vg.Length) []string {
	rest := []rune(strings.Join(strings.Fields(printable(text)), " "))
	var lines []string
	for {
		n := fitting(face, rest, width)
		if n == len(rest) {
			return append(lines, string(rest))
		}
		lines = append(lines, strings.TrimRight(string(rest[:n]), " "))
		rest = []rune(strings.TrimLeft(string(rest[n:]), " "))
	}
}

// fitting returns how many runes to put on a line: at least one, if there is one.
func fitting(face font.Face, text []rune, width vg.Length) int {
	n := min(1, len(text))
	for n < len(text) && textWidth(face, string(text[:n+1])) <= width {
		n++
	}
	if n == len(text) {
		return n
	}
	for k := n; k > 0; k-- {
		if text[k] == ' ' {
			return k
		}
	}
	for _, after := range []string{"/+", "-_"} {
		for k := n; k > 0; k-- {
			if strings.ContainsRune(after, text[k-1]) {
				return k
			}
		}
	}
	return n
}

// pen draws text on a canvas.
type pen struct{ draw.Canvas }

// write draws a line of text. align 0 puts its left end at the point, 0.5 its middle, 1 its right
// end; the point is on the base line.
func (p pen) write(face font.Face, at vg.Point, align vg.Length, text string) {
	at.X -= align * textWidth(face, text)
	p.FillString(face, at, text)
}

// writeUp draws a line of text that runs upwards, its middle at the point.
func (p pen) writeUp(face font.Face, at vg.Point, text string) {
	p.Push()
	p.Translate(at)
	p.Rotate(math.Pi / 2)
	p.write(face, vg.Point{}, 0.5, text)
	p.Pop()
}
