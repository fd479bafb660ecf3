//go:build browser

package main

import (
	_ "embed" // for the scripts of a browser
	"encoding/json"
	"fmt"
	"html"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/sim"
)

// The scripts that are put into a copy of the report.
var (
	//go:embed testdata/browser/before.js
	scriptBefore string
	//go:embed testdata/browser/after.js
	scriptAfter string
)

// seen is what after.js saw.
type seen struct {
	Width, PageWidth, Wide int
	Dark, TogglesShown     bool
	Contrast               float64
	Faintest               string
	Loads, Complaints      []string
	Sorts                  []struct {
		Column                 int
		Way                    string
		Marked, Designs, Cells []string
	}
	Toggles []struct {
		Design  string
		Off, On [][]series
	}
}

// series is how many elements show a design in a figure, and how many of these are hidden.
type series struct {
	Design        string
	Parts, Hidden int
}

var verdict = regexp.MustCompile(`(?s)<pre class="verdict">(.*?)</pre>`)

// widths are those of a phone, a tablet and a desk.
var widths = []int{390, 820, 1400}

// framed is a page with the copy of a report in frames of all widths, and what each says of itself.
func framed(t *testing.T, copied string) string {
	page := `<!DOCTYPE html><script>onmessage = function (event) {
	  var verdict = document.createElement("pre");
	  verdict.className = "verdict";
	  verdict.textContent = event.data;
	  document.body.appendChild(verdict);
	}</script><body>`
	for _, width := range widths {
		page += fmt.Sprintf(`<iframe src="file://%s" width="%d" height="800" `+
			`style="border: 0"></iframe>`, copied, width)
	}
	return written(t, page)
}

// Look at three widths, light and dark: nothing is wider than the window, all text can be read,
// each column sorts both ways, and each box hides its design's curves and no other's.
func TestBrowserSortsAndToggles(t *testing.T) {
	data, err := os.ReadFile(compared(t))
	require.NoError(t, err)
	page := strings.Replace(string(data), "<style>", "<script>"+scriptBefore+"</script><style>", 1)
	page = strings.Replace(page, "</body>", "<script>"+scriptAfter+"</script></body>", 1)
	page = framed(t, written(t, page))
	b := newBrowser(t)
	for dark, scheme := range []string{"1", "0"} { // 0 is dark
		dom, console := b.open(page, "--dump-dom", "--hide-scrollbars",
			"--virtual-time-budget=60000", "--blink-settings=preferredColorScheme="+scheme)
		assert.Empty(t, console)
		matches := verdict.FindAllStringSubmatch(dom, -1)
		require.Len(t, matches, len(widths))
		var all []int
		for _, match := range matches {
			var s seen
			require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(match[1])), &s))
			t.Run(fmt.Sprintf("width=%d,dark=%v", s.Width, s.Dark), func(t *testing.T) {
				assert.LessOrEqual(t, s.PageWidth, s.Width)
				assert.LessOrEqual(t, s.Wide, s.Width, "with all that is folded")
				assert.Equal(t, dark == 1, s.Dark)
				assert.GreaterOrEqual(t, s.Contrast, 4.5, s.Faintest)
				assert.Empty(t, s.Loads)
				assert.Empty(t, s.Complaints)
				assert.True(t, s.TogglesShown)
				s.checkSorts(t)
				s.checkToggles(t)
			})
			all = append(all, s.Width)
		}
		assert.ElementsMatch(t, widths, all)
	}
	assert.Empty(t, b.requests())
}

// checkSorts checks each column's order: numbers by what they mean, then what is no number.
func (s *seen) checkSorts(t *testing.T) {
	require.Len(t, s.Sorts, 2*13)
	names := slices.Sorted(slices.Values(s.Sorts[0].Designs))
	require.Len(t, names, 9)
	for _, sort := range s.Sorts {
		marked := make([]string, len(sort.Marked))
		marked[sort.Column] = sort.Way
		assert.Equal(t, marked, sort.Marked)
		assert.ElementsMatch(t, names, sort.Designs, "no row is lost")
		var numbers []int64
		var texts []string
		for _, cell := range sort.Cells {
			if n, ok := numberOf(cell); ok {
				assert.Empty(t, texts, "a number below a text: %v", sort.Cells)
				numbers = append(numbers, n)
			} else {
				texts = append(texts, cell)
			}
		}
		if sort.Way == "descending" {
			slices.Reverse(numbers)
			slices.Reverse(texts)
		}
		assert.True(t, slices.IsSorted(numbers), "%s: %v", sort.Way, sort.Cells)
		assert.True(t, slices.IsSorted(texts), "%s: %v", sort.Way, sort.Cells)
	}
}

// numberOf is what a cell means, if it is a count or a time, in nanoseconds.
func numberOf(cell string) (int64, bool) {
	if n, err := strconv.ParseInt(cell, 10, 64); err == nil {
		return n, true
	}
	t, err := sim.ParseTime(strings.ReplaceAll(cell, " ", ""))
	return int64(t), err == nil
}

// checkToggles checks what is hidden when a design's box is clicked, and then again.
func (s *seen) checkToggles(t *testing.T) {
	require.Len(t, s.Toggles, 9)
	for _, toggle := range s.Toggles {
		require.Len(t, toggle.Off, 3)
		for figure, all := range toggle.Off {
			require.Len(t, all, 9)
			for i, one := range all {
				assert.GreaterOrEqual(t, one.Parts, 4, "curve, sample, two markers, name")
				want := 0
				if one.Design == toggle.Design {
					want = one.Parts
				}
				assert.Equal(t, want, one.Hidden, "%s of figure %d, without %s", one.Design, figure,
					toggle.Design)
				assert.Zero(t, toggle.On[figure][i].Hidden)
			}
		}
	}
}
