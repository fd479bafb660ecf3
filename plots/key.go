package plots

import (
	"gonum.org/v1/plot/vg"
)

// The key of a figure with bands: a small band and its words, side by side as long as there is
// room, below the label of the x axis.

const (
	keySwatch = vg.Length(22)
	keyGap    = vg.Length(16) // between a text and the next band
	keyLine   = vg.Length(16)
	keyDrop   = vg.Length(8) // from the label to the key, and from it to the caption
)

// keyPlace is where a band of the key is: from the frame's left edge, and in which line.
type keyPlace struct {
	x    vg.Length
	line int
}

// keyPlaces lays the key out.
func (pg *page) keyPlaces() (places []keyPlace, lines int) {
	face, x := regular(captionSize), vg.Length(0)
	for _, b := range pg.key {
		width := keySwatch + 5 + textWidth(face, b.words)
		if x > 0 && x+width > pageWidth-2*pageMargin {
			x = 0
			lines++
		}
		places = append(places, keyPlace{x, lines})
		x += width + keyGap
	}
	if len(places) > 0 {
		lines++
	}
	return places, lines
}

// keyHeight is what the key takes.
func (pg *page) keyHeight() vg.Length {
	_, lines := pg.keyPlaces()
	if lines == 0 {
		return 0
	}
	return 2*keyDrop + keyLine*vg.Length(lines)
}

// drawKey draws it below a y.
func (pg *page) drawKey(p pen, top vg.Length) {
	places, _ := pg.keyPlaces()
	face := regular(captionSize)
	for i, b := range pg.key {
		x := pageMargin + places[i].x
		y := top - keyDrop - keyLine*(vg.Length(places[i].line)+0.5)
		words := b.words
		b.words = ""
		p.drawBand(b, x, x+keySwatch, y)
		p.SetColor(ink)
		p.write(face, vg.Point{X: x + keySwatch + 5, Y: y - midRise(face)}, 0, words)
	}
}
