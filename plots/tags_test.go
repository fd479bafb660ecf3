package plots

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

// Look at: twelve maxima anywhere, also at the same place. No two texts share a row and a place,
// no leader crosses a text, and the rows are used without gaps.
func TestStackedTagsDoNotTouch(t *testing.T) {
	x := func(at float64) vg.Length { return vg.Length(at) }
	rapid.Check(t, func(t *rapid.T) {
		tags := make([]tag, rapid.IntRange(1, SeriesMax).Draw(t, "tags"))
		for i := range tags {
			tags[i].at = float64(rapid.IntRange(0, 400).Draw(t, "at"))
			tags[i].text = strings.Repeat("m", rapid.IntRange(1, 12).Draw(t, "length"))
			if rapid.Bool().Draw(t, "of a series") {
				tags[i].style = &styles[i]
			}
		}
		rows := stack(tags, x)
		used := make([]bool, rows)
		for i, a := range tags {
			used[a.row] = true
			for _, b := range tags[:i] {
				if a.at > b.at || (a.at == b.at && a.row < b.row) {
					a, b = b, a
				}
				behind := x(b.at) < x(a.at)+a.width()
				require.False(t, behind && a.row <= b.row, "%v under the text of %v", b, a)
			}
		}
		require.NotContains(t, used, false)
	})
}

// Look at: lone tags stay in the first row.
func TestTagsFarApartShareARow(t *testing.T) {
	tags := []tag{{at: 0, text: "max 1.00 ms"}, {at: 200, text: "max 1.00 ms"}}
	require.Equal(t, 1, stack(tags, func(at float64) vg.Length { return vg.Length(at) }))
}

// Look at: lines fit, and together they are the text: only spaces at the breaks are lost.
func TestWrapLosesNothing(t *testing.T) {
	face := regular(nameSize)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		width := vg.Length(rapid.IntRange(20, 300).Draw(t, "width"))
		lines := wrap(face, text, width)
		require.NotEmpty(t, lines)
		for _, line := range lines {
			require.True(t, textWidth(face, line) <= width || len([]rune(line)) == 1, "%q", line)
		}
		squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		require.Equal(t, squeeze(printable(text)), squeeze(strings.Join(lines, "")))
	})
}

// Look at: a variant's name breaks after its + or /, not in a word.
func TestWrapBreaksNamesWhereTheyJoin(t *testing.T) {
	face := regular(nameSize)
	width := textWidth(face, "msg-ring-cache/lock-free+no-")
	require.Equal(t, []string{"msg-ring-cache/lock-free+", "no-wake-fix"},
		wrap(face, "msg-ring-cache/lock-free+no-wake-fix", width))
	require.Equal(t, []string{""}, wrap(face, "", width))
}

// Look at: markers lie on the path, evenly, also round a corner.
func TestAlongFollowsThePath(t *testing.T) {
	path := []vg.Point{{X: 0, Y: 0}, {X: 10, Y: 0}, {X: 10, Y: -10}}
	require.Equal(t, []vg.Point{{X: 4, Y: 0}, {X: 10, Y: -1}, {X: 10, Y: -8}}, along(path, 4, 7))
}
