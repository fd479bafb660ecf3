package plots

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg/draw"
	"pgregory.net/rapid"
)

// Look at: attributes of an SVG file. It is well-formed whatever the texts are, no number has more
// than two decimals, every text has its width and a stack of fonts, and the figure's own words are
// left alone, even if they look like the writer's.
func TestSVG(t *testing.T) {
	decimals := regexp.MustCompile(`\.\d{3,}|\de[-+]?\d`)
	rapid.Check(t, func(t *rapid.T) {
		d := aDrawing(t)
		svg, err := d.SVG()
		require.NoError(t, err)
		decoder := xml.NewDecoder(bytes.NewReader(svg))
		texts := 0
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
			element, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			for _, a := range element.Attr {
				require.NotRegexp(t, decimals, a.Value)
				if a.Name.Local == "textLength" {
					texts++
				}
			}
		}
		require.Equal(t, len(drawn(d).texts), texts)
		require.Equal(t, texts, strings.Count(string(svg), fontStack))
	})
}

// Look at: a title that says what the SVG writer writes for a font.
func TestSVGKeepsTheWords(t *testing.T) {
	title := `a <text style="font-family:Liberation Sans;`
	d, err := CCDF(Figure{Title: title, Series: make([]Series, 1)})
	require.NoError(t, err)
	svg, err := d.SVG()
	require.NoError(t, err)
	escaped := `a &lt;text style=&#34;font-family:Liberation Sans;`
	require.Equal(t, 2, strings.Count(string(svg), escaped), "the title and its text")
}

// Look at: the bytes of Windows-1252, one a character: as UTF-8 the PDF reader would show two.
func TestPDFTextIsWindows1252(t *testing.T) {
	require.Equal(t, "\xb5s \x96 ?", windows1252("µs – ⁻"))
}

// Look at: the PDF holds neither the time of day nor a second font that it would draw with the
// first one's letters.
func TestPDFHasAFixedDateAndOneFont(t *testing.T) {
	d, err := CCDF(Figure{Title: "bold in other formats", Series: make([]Series, 1)})
	require.NoError(t, err)
	pdf, err := d.PDF()
	require.NoError(t, err)
	require.Contains(t, string(pdf), "/CreationDate (D:20000101000000)")
	require.Contains(t, string(pdf), "/ModDate (D:20000101000000)")
	require.Equal(t, 1, bytes.Count(pdf, []byte("/FontFile2")))
}

// Look at: a library that panics gives an error: results that are not written yet are not lost.
func TestAPanicIsAnError(t *testing.T) {
	d := &Drawing{width: 10, height: 10, draw: func(draw.Canvas) { panic("on a log scale") }}
	for _, format := range []func() ([]byte, error){d.SVG, d.PNG, d.PDF} {
		data, err := format()
		require.EqualError(t, err, "draw a figure: on a log scale")
		require.Nil(t, data)
	}
}
