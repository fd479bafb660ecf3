package plots

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Drawing is a figure that is laid out. It can be written in several formats; each time, and in
// each run, the bytes are the same.
type Drawing struct {
	width, height vg.Length
	title         string
	description   string
	numbers       string
	draw          func(draw.Canvas)
}

// Numbers returns the numbers that the figure shows, as text: for each series a line with its name
// and, for a CCDF, lines "value_ns how_many_at_or_above", for a histogram "bin_ns count".
func (d *Drawing) Numbers() string { return d.numbers }

// PNG returns the figure as an image with 192 dots per inch.
func (d *Drawing) PNG() ([]byte, error) {
	return d.render(func() (vg.Canvas, io.WriterTo) {
		c := vgimg.NewWith(vgimg.UseWH(d.width, d.height), vgimg.UseDPI(dotsPerInch))
		return c, vgimg.PngCanvas{Canvas: c}
	})
}

// PDF returns the figure as one page with embedded fonts. A rune outside Windows-1252 becomes "?".
func (d *Drawing) PDF() ([]byte, error) {
	return d.render(func() (vg.Canvas, io.WriterTo) {
		c := vgpdf.New(d.width, d.height)
		return latin{c}, c
	})
}

// SVG returns the figure as text that no other file belongs to. Where the Liberation fonts are not
// installed, another font takes their place, squeezed or stretched to the same widths.
func (d *Drawing) SVG() ([]byte, error) {
	var widths []vg.Length
	data, err := d.render(func() (vg.Canvas, io.WriterTo) {
		c := vgsvg.New(d.width, d.height)
		return measured{c, &widths}, c
	})
	if err != nil {
		return nil, err
	}
	data = fontFamily.ReplaceAll(data, []byte(fontStack))
	next := 0
	data = textElement.ReplaceAllFunc(data, func([]byte) []byte {
		next++
		return fmt.Appendf(nil, `<text textLength="%g" lengthAdjust="spacingAndGlyphs" `,
			round(widths[next-1]))
	})
	note := fmt.Sprintf("role=\"img\">\n<title>%s</title>\n<desc>%s</desc>\n",
		html.EscapeString(printable(d.title)), html.EscapeString(printable(d.description)))
	return bytes.Replace(data, []byte(">\n<g "), []byte("\n\t"+note+"<g "), 1), nil
}

// fontFamily and textElement match what the SVG writer writes, never a figure's own words: there
// quotes and angle brackets are escaped.
var (
	fontFamily  = regexp.MustCompile(`style="font-family:Liberation Sans;`)
	textElement = regexp.MustCompile(`<text `)
)

const fontStack = `style="font-family:'Liberation Sans',Arimo,Arial,Helvetica,` +
	`'DejaVu Sans Condensed',sans-serif;`

// render draws on a new canvas and returns what that writes. The plot libraries panic on what they
// cannot draw: that must not end a run whose results are not yet written, so it becomes an error.
func (d *Drawing) render(open func() (vg.Canvas, io.WriterTo)) (data []byte, err error) {
	defer recovered(&err)
	c, out := open()
	d.draw(draw.NewCanvas(rounded{c}, d.width, d.height))
	var b bytes.Buffer
	if _, err := out.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("draw %q: %w", d.title, err)
	}
	return b.Bytes(), nil
}

// recovered turns a panic into an error.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("draw a figure: %v", r)
	}
}

// The PDF writer would write the time of day and take fonts in a map's order. It has no other way
// to say so for a document that the plot library makes.
func init() {
	fixed := time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
	fpdf.SetDefaultCreationDate(fixed)
	fpdf.SetDefaultModificationDate(fixed)
	fpdf.SetDefaultCatalogSort(true)
}

// describe says in words what the figure shows, for those who cannot see it.
func describe(f Figure) string {
	var parts []string
	for _, s := range f.Series {
		parts = append(parts, s.Name+": "+s.summary(f.ThresholdsNs))
	}
	return strings.Join(append(parts, f.Caption...), "; ")
}
