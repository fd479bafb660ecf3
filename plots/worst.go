package plots

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"rtsim/scenarios"
	"rtsim/scenarios/blame"
	"rtsim/sim"
)

// The figure of a late message: rows for its cause, the CPUs, the tasks and the locks, each change
// at its instant, and a line through the rows of those whose fault it was. Colours tell the states
// apart, and so do the bands' heights and what is written in them where there is room.

// band is how a slice is drawn.
type band struct {
	fill, edge, text color.RGBA
	height           float64 // of the row's
	words            string  // in it, unless the slice has a name
}

// dark is for texts on light colours that stay the same at night.
var dark = rgb(0x101010)

// plain is a band with a name in it.
var plain = band{gridMinor, faintInk, ink, 0.72, ""}

// bands are those of states, by their marks.
var bands = map[byte]band{
	'#': {rgb(0x0072B2), rgb(0x0072B2), paper, 0.72, "runs"},
	'=': {rgb(0xE69F00), rgb(0xE69F00), dark, 0.72, "runs, boosted"},
	'.': {gridMajor, gridMajor, ink, 0.56, "ready"},
	'x': {paper, limitInk, ink, 0.72, "sleeps for a lock"},
	'-': {gridMajor, gridMajor, ink, 0.08, "sleeps"},
	'~': {rgb(0xCC79A7), rgb(0xCC79A7), dark, 0.72, "spins"},
	'>': {faintInk, faintInk, paper, 0.56, "switches"},
	'!': {ink, ink, paper, 0.9, "interrupt"},
	'?': {paper, faintInk, ink, 0.56, "free, waited for"},
}

// causeMarks are the marks of states by those of causes.
var causeMarks = map[byte]byte{'r': '#', 'b': 'x', 'p': '.', 's': '~', 'i': '>', '!': '!',
	'h': '?', 'c': '.', 'e': '>'}

// keyOf explains the marks that a chart has.
func keyOf(c *blame.Chart) (key []band) {
	for _, mark := range []byte("#=.-x~>!?") {
		shown := func(row blame.ChartRow) bool {
			return slices.ContainsFunc(row.Slices, func(s blame.Slice) bool {
				return markOf(row.Kind, &s) == mark
			})
		}
		if slices.ContainsFunc(c.Rows, shown) {
			key = append(key, bands[mark])
		}
	}
	return key
}

// markOf is the state as which a slice of a row is drawn.
func markOf(kind blame.RowKind, s *blame.Slice) byte {
	if kind == blame.RowCause {
		return causeMarks[s.Mark]
	}
	return s.Mark
}

// bandOf is how a slice of a row is drawn; false: it is not.
func bandOf(kind blame.RowKind, s *blame.Slice) (band, bool) {
	if s.Mark == ' ' {
		return band{}, false
	}
	mark := markOf(kind, s)
	b, ok := bands[mark]
	if !ok {
		b = plain
	}
	switch {
	case kind == blame.RowLock && s.Boosted:
		b.words = fmt.Sprintf("%s, boosted to %d", s.Name, s.Priority)
	case kind == blame.RowLock && s.Name != "":
		b.words = fmt.Sprintf("%s, %d", s.Name, s.Priority)
	case s.Name != "":
		b.words = s.Name
	case kind == blame.RowTask && s.Boosted && mark != '=':
		b.words += fmt.Sprintf(", boosted to %d", s.Priority)
	case kind == blame.RowTask && s.Boosted:
		b.words += fmt.Sprintf(" to %d", s.Priority)
	}
	return b, true
}

const (
	rowHeight = vg.Length(20)
	pathWidth = vg.Length(2.2)
	pathDrop  = vg.Length(3) // above a row's lower edge
)

// Worst draws one of the messages of an explanation that has charts.
func Worst(e *scenarios.Explanation, which int) (d *Drawing, err error) {
	defer recovered(&err)
	x := &e.Worst[which]
	chart := x.Chart
	title := fmt.Sprintf("%s: %s: %s of message %d took %s", e.Scenario, e.Design, e.Metric,
		x.Message, blame.Us(x.TotalNs))
	caption := []string{"The red line: whose fault it was, the task at the bottom of the chain.",
		fmt.Sprintf("The call begins at %s; seed %d, scenario %s, kernel %s; rtsim %s.",
			secondsText(x.AtNs), e.Seed, e.Scenario, e.Kernel, e.Version)}
	pg := newPage(Figure{Title: title, Caption: caption})
	pg.subtitle = wrap(regular(nameSize), x.Sentence+".", pageWidth-2*pageMargin)
	pg.key = keyOf(chart)
	labels := make([]string, len(chart.Rows))
	for i := range chart.Rows {
		labels[len(labels)-1-i] = printable(chart.Rows[i].Label)
	}
	pg.y = fields(labels)
	pg.least = rowHeight * vg.Length(len(labels))
	pg.placeAcross()
	pg.x = plot.Axis{Min: 0, Max: float64(max(chart.Ns, 1)), Scale: plot.LinearScale{}}
	pg.x.Tick.Marker = microTicks{labelsMax: 8}
	pg.placeDown("since the call began (us)")
	return &Drawing{
		width: pageWidth, height: pg.height, title: title,
		description: x.Sentence + ". " + strings.Join(caption, " "), numbers: chartNumbers(chart),
		draw: func(c draw.Canvas) {
			pg.draw(c, func(p pen) { p.drawChart(pg, chart) })
		},
	}, nil
}

func secondsText(t sim.Time) string { return fmt.Sprintf("%d.%09d s", t/sim.Second, t%sim.Second) }

// drawChart draws the slices, what is written in them, and the path over them.
func (p pen) drawChart(pg *page, c *blame.Chart) {
	middle := func(row int) vg.Length { return pg.frame.height(float64(len(c.Rows)-row) - 0.5) }
	for i := range c.Rows {
		for k := range c.Rows[i].Slices {
			s := &c.Rows[i].Slices[k]
			if b, ok := bandOf(c.Rows[i].Kind, s); ok {
				from, to := pg.at(float64(s.From)), pg.at(float64(s.To))
				if to-from < hairWidth { // to be seen
					from = min(from, pg.Max.X-hairWidth)
					to = from + hairWidth
				}
				p.drawBand(b, from, to, middle(i))
			}
		}
	}
	var path []vg.Point
	for _, s := range c.Path {
		y := middle(s.Row) - rowHeight/2 + pathDrop
		path = append(path, vg.Point{X: pg.at(float64(s.From)), Y: y},
			vg.Point{X: pg.at(float64(s.To)), Y: y})
	}
	p.StrokeLines(draw.LineStyle{Color: limitInk, Width: pathWidth}, path)
}

// drawBand draws a band, and in it what fits.
func (p pen) drawBand(b band, from, to, middle vg.Length) {
	half := rowHeight * vg.Length(b.height) / 2
	r := vg.Rectangle{Min: vg.Point{X: from, Y: middle - half},
		Max: vg.Point{X: to, Y: middle + half}}
	p.fill(b.fill, r)
	if b.edge != b.fill {
		p.StrokeLines(draw.LineStyle{Color: b.edge, Width: hairWidth}, []vg.Point{r.Min,
			{X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}, r.Min})
	}
	face, words := regular(captionSize), printable(b.words)
	if words == "" || half < rowHeight*0.15 || textWidth(face, words) > to-from-4 {
		return
	}
	p.SetColor(b.text)
	p.write(face, vg.Point{X: (from + to) / 2, Y: middle - midRise(face)}, 0.5, words)
}

// chartNumbers writes what is drawn: each row's slices, then the path.
func chartNumbers(c *blame.Chart) string {
	var b strings.Builder
	for i := range c.Rows {
		fmt.Fprintf(&b, "%s\n", c.Rows[i].Label)
		for _, s := range c.Rows[i].Slices {
			fmt.Fprintf(&b, "%d %d %c %s %d\n", s.From, s.To, s.Mark, s.Name, s.Priority)
		}
	}
	b.WriteString("path\n")
	for _, s := range c.Path {
		fmt.Fprintf(&b, "%d %d %s\n", s.From, s.To, c.Rows[s.Row].Label)
	}
	return b.String()
}
