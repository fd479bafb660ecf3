package plots

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// tag is a label that belongs to a place on the x axis. Its text begins at that place, in one of
// the rows of a strip beside the data area, and a leader joins them.
type tag struct {
	at    float64 // in the axis' coordinates
	text  string
	style *style // of the series, for a marker before the text; nil: a threshold
	row   int    // 0 is the row next to the data area
}

const (
	tagRow = vg.Length(14) // height of a row
	tagGap = vg.Length(6)  // between labels in a row, and from a leader to its text
)

// thresholdTag labels a threshold.
func thresholdTag(ns int64) tag {
	return tag{at: float64(ns), text: "threshold " + exactText(ns)}
}

// width is what a tag takes from its leader to the right.
func (t tag) width() vg.Length {
	w := tagGap + textWidth(regularTag(), t.text)
	if t.style != nil {
		w += 2*markerRadius + tagGap
	}
	return w
}

func regularTag() font.Face { return regular(tagSize) }

// stack gives each tag its row and returns the number of rows. From right to left, a tag goes
// behind all tags that begin under its text: so neither texts overlap, nor does a leader, which
// passes the rows before its own, cross a text.
func stack(tags []tag, x func(at float64) vg.Length) int {
	order := make([]*tag, len(tags))
	for i := range tags {
		order[i] = &tags[i]
	}
	slices.SortStableFunc(order, func(a, b *tag) int { return cmp.Compare(b.at, a.at) })
	rows := 0
	for i, t := range order {
		t.row = 0
		for _, right := range order[:i] {
			if x(right.at) < x(t.at)+t.width()+tagGap {
				t.row = max(t.row, right.row+1)
			}
		}
		rows = max(rows, t.row+1)
	}
	return rows
}

// drawTags draws the leaders from the y of each tag's place, and the texts. toward is -1 if the
// strip lies below its edge, 1 above.
func (p pen) drawTags(tags []tag, f frame, edge, toward vg.Length, from func(i int) vg.Length) {
	face := regularTag()
	rise := midRise(face)
	for i, t := range tags {
		x := f.at(t.at)
		y := edge + toward*(tagRow*vg.Length(t.row)+tagRow/2)
		c, dashes := axisInk, []vg.Length{1, 1.5}
		if t.style == nil {
			c, dashes = limitInk, nil
		}
		p.hair(c, dashes, vg.Point{X: x, Y: from(i)}, vg.Point{X: x, Y: y})
		p.hair(c, nil, vg.Point{X: x, Y: y}, vg.Point{X: x + tagGap - 2, Y: y})
	}
	for _, t := range tags {
		x := f.at(t.at) + tagGap
		y := edge + toward*(tagRow*vg.Length(t.row)+tagRow/2)
		p.fill(paper, vg.Rectangle{
			Min: vg.Point{X: x - 1, Y: y - tagRow/2 + 0.5},
			Max: vg.Point{X: x + t.width() - tagGap + 1, Y: y + tagRow/2 - 0.5},
		})
		if t.style != nil {
			drawMarker(p.Canvas, *t.style, vg.Point{X: x + markerRadius, Y: y}, markerRadius)
			x += 2*markerRadius + tagGap
		}
		p.SetColor(ink)
		p.write(face, vg.Point{X: x, Y: y - rise}, 0, t.text)
	}
}
