package plots

import (
	"fmt"
	"html/template"
	"regexp"
	"strings"
)

// A figure inside a page. What stands in the file of its own is changed in three ways: it is as
// wide as the page has room for; each colour is a property with the printed colour as its default,
// so that a style sheet can change it for the dark; and what shows a series has the class s0, s1
// and so on, so that it can be hidden.

var (
	svgHead    = regexp.MustCompile(`(?s)^.*?<svg [^>]*viewBox="([^"]*)"[^>]*>`)
	svgElement = regexp.MustCompile(`<(path|text)\s[^>]*?>`)
	svgColour  = regexp.MustCompile(`(fill|stroke):#([0-9A-F]{6})`)
	svgStyle   = regexp.MustCompile(`style="[^"]*"`)
	svgX       = regexp.MustCompile(`\bx="([^"]*)"`)
	svgSize    = regexp.MustCompile(`font-size:([0-9.]+)px`)
)

// inline is the figure as part of a page.
func (d *Drawing) inline() (template.HTML, error) {
	data, err := d.SVG()
	if err != nil {
		return "", err
	}
	text := svgHead.ReplaceAllString(string(data), `<svg viewBox="$1" role="img">`)
	elements := svgElement.FindAllString(text, -1)
	owners := seriesOfAll(elements)
	next := -1
	return template.HTML(svgElement.ReplaceAllStringFunc(text, func(element string) string {
		next++
		if !strings.Contains(element, "style=") { // which means black
			element = strings.Replace(element, " ", ` style="fill:#000000" `, 1)
		}
		element = svgStyle.ReplaceAllStringFunc(element, func(style string) string {
			return svgColour.ReplaceAllString(style, "$1:var(--c$2,#$2)")
		})
		if owners[next] >= 0 {
			element = strings.Replace(element, " ", fmt.Sprintf(` class="s%d" `, owners[next]), 1)
		}
		return element
	})), nil
}

// seriesOfAll says of each element which series it shows, -1 none. What is only white lies below
// the marker that is next.
func seriesOfAll(elements []string) []int {
	var owners []int
	var o seriesOf
	for _, element := range elements {
		owners = append(owners, o.next(element))
	}
	for i := range owners[:max(len(owners)-1, 0)] {
		if colour := svgColour.FindString(elements[i]); strings.HasSuffix(colour, "#FFFFFF") {
			owners[i] = owners[i+1]
		}
	}
	return owners
}

// seriesOf says of one element after the other which series it shows. A path says so by its colour.
// Texts after it, one below the other and none larger than the one before, belong to the same.
type seriesOf struct {
	series  int
	isKnown bool
	x, size string
}

// next is the series of the next element, or -1.
func (o *seriesOf) next(element string) int {
	if strings.HasPrefix(element, "<path") {
		*o = seriesOf{}
		style := svgStyle.FindString(element)
		if style == "" {
			style = "fill:#000000" // which is not written
		}
		for _, colour := range svgColour.FindAllStringSubmatch(style, -1) {
			for i := range styles {
				c := styles[i].color
				if colour[2] == fmt.Sprintf("%02X%02X%02X", c.R, c.G, c.B) {
					o.series, o.isKnown = i, true
				}
			}
		}
	} else if o.isKnown {
		x, size := submatch(svgX, element), submatch(svgSize, element)
		o.isKnown = o.x == "" || x == o.x && (size == o.size || size == captionPx)
		o.x, o.size = x, size
	}
	if !o.isKnown {
		return -1
	}
	return o.series
}

// captionPx is the size of the small print as it is written.
var captionPx = fmt.Sprintf("%g", float64(captionSize))

func submatch(pattern *regexp.Regexp, text string) string {
	if m := pattern.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}
