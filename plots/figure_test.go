package plots

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// aFigure draws a figure with up to 12 series, any of them perhaps empty, at random.
func aFigure(seriesMax int) *rapid.Generator[Figure] {
	return rapid.Custom(func(t *rapid.T) Figure {
		return Figure{
			Title:        rapid.StringN(0, 120, -1).Draw(t, "title"),
			XLabel:       rapid.StringN(0, 120, -1).Draw(t, "x label"),
			Series:       rapid.SliceOfN(aSeries(), 1, seriesMax).Draw(t, "series"),
			Caption:      rapid.SliceOfN(rapid.StringN(0, 200, -1), 0, 3).Draw(t, "caption"),
			ThresholdsNs: rapid.SliceOfN(rapid.Int64Range(1, 1e10), 0, 4).Draw(t, "limits"),
		}
	})
}

// aDrawing draws a figure of either kind.
func aDrawing(t *rapid.T) *Drawing {
	kind, seriesMax := CCDF, SeriesMax
	if rapid.Bool().Draw(t, "histogram") {
		kind, seriesMax = Histogram, 1
	}
	d, err := kind(aFigure(seriesMax).Draw(t, "figure"))
	require.NoError(t, err)
	return d
}

// Look at: no figure of correct input makes a library panic, in any format.
func TestNoFigureFails(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := aDrawing(t)
		_, err := d.SVG()
		require.NoError(t, err)
		if rapid.IntRange(0, 4).Draw(t, "one in 5") == 0 {
			_, err = d.PDF()
			require.NoError(t, err)
		}
		if rapid.IntRange(0, 19).Draw(t, "one in 20: slow") == 0 {
			_, err = d.PNG()
			require.NoError(t, err)
		}
	})
}

// Look at: every text is inside the page, over no other text and on no line but the grid's: not on
// a curve, not on a threshold, not on a leader.
func TestNoTextIsCovered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := aDrawing(t)
		l := drawn(d)
		for i, a := range l.texts {
			require.True(t, inside(a.box, d.width, d.height), "%q is at %v", a.text, a.box)
			for _, b := range l.texts[:i] {
				require.False(t, overlap(a.box, b.box), "%q covers %q", a.text, b.text)
			}
			if a.text == "no samples" && a.face.Font.Size == titleSize {
				continue // in the middle of the grid, and there may be a threshold
			}
			for _, s := range l.strokes {
				if s.color == gridMajor || s.color == gridMinor || s.color == paper {
					continue
				}
				require.False(t, overlap(a.box, s.box), "%q %v is on a line %v",
					a.text, a.box, s.box)
			}
		}
		for _, s := range l.strokes {
			require.True(t, inside(s.box, d.width, d.height), "a line leaves the page: %v", s.box)
		}
	})
}

// Look at: a legend with a name longer than all that is said below it.
func TestTheLegendIsAsWideAsItsNames(t *testing.T) {
	d, err := CCDF(Figure{Series: []Series{{Name: "futex-persistent/raw-walk"}}})
	require.NoError(t, err)
	for _, a := range drawn(d).texts {
		require.True(t, inside(a.box, d.width-pageMargin+0.01, d.height), "%q", a.text)
	}
}

// Look at: every rune that is drawn is in the font it is drawn with. One that is missing would be
// left out of PNG and SVG silently, as a superscript minus is.
func TestEveryRuneHasAGlyph(t *testing.T) {
	require.False(t, hasGlyph(regular(10), '⁻'), "the trap this test is for is gone")
	rapid.Check(t, func(t *rapid.T) {
		for _, text := range drawn(aDrawing(t)).texts {
			for _, r := range text.text {
				require.True(t, hasGlyph(text.face, r), "%q in %q", r, text.text)
			}
		}
	})
	require.Equal(t, "10?6 µs", printable("10⁻6\tµs"))
}

// Look at: what a reader needs to judge the figure is in it: names, N, maxima, thresholds, the
// caption, the empty series, and where 0 ns went.
func TestTheFigureSaysWhatItShows(t *testing.T) {
	d, err := CCDF(Figure{
		Title: "the title", XLabel: "the latency",
		Series: []Series{
			{Name: "empty"},
			{Name: "zeros", Bins: []Bin{{0, 12000}, {1e6, 1}}, N: 12001, MaxNs: 1e6,
				Note: "a note"},
		},
		Caption:      []string{"12001 sends, seeds 1 to 10"},
		ThresholdsNs: []int64{100_000, 100_000},
	})
	require.NoError(t, err)
	count := map[string]int{}
	for _, text := range drawn(d).texts {
		count[text.text]++
	}
	for _, text := range []string{
		"the title", "the latency", "empty", "no samples", "zeros", "max 1.00 ms, N = 12 001",
		"a note", "max 1.00 ms", "threshold 100 us", "12001 sends, seeds 1 to 10", "0",
		"Values of 0 ns are drawn at the left edge: zeros 12 000.", "1", "0.1", "1e-2",
	} {
		require.Equal(t, 1, count[text], "%q in %v", text, count)
	}
}

// Look at: two figures on shared axes have the same ticks, though one alone would be finer.
func TestComparedHistogramsHaveTheSameAxes(t *testing.T) {
	one := Figure{Series: []Series{{Bins: []Bin{{1e6, 1}}, N: 1, MaxNs: 1e6}}}
	two := Figure{Series: []Series{{Bins: []Bin{{2000, 1e6}}, N: 1e6, MaxNs: 2000}}}
	both, err := Histograms(two, one)
	require.NoError(t, err)
	swapped, err := Histograms(one, two)
	require.NoError(t, err)
	alone, err := Histogram(two)
	require.NoError(t, err)
	require.Equal(t, axisTexts(both[0]), axisTexts(both[1]))
	require.Equal(t, axisTexts(both[0]), axisTexts(swapped[0]))
	require.NotEqual(t, axisTexts(both[0]), axisTexts(alone))
}

// Look at: values below 50 ns beside values of 1 ms. In bins of 1 us they were one bar; on axes of
// their own they are two, and the caption says so, and where the threshold went.
func TestHistogramOfSmallValuesHasItsOwnAxes(t *testing.T) {
	large := Figure{Series: []Series{{Bins: []Bin{{1e6, 1}}, N: 1, MaxNs: 1e6}}}
	small := Figure{Series: []Series{{Name: "s", Bins: []Bin{{40, 3}, {44, 1}}, N: 4, MaxNs: 44}},
		ThresholdsNs: []int64{100_000}}
	ds, err := Histograms(large, small)
	require.NoError(t, err)
	require.Equal(t, "s N=4 bin_ns=1\n40 3\n44 1\n", ds[1].Numbers())
	var texts []string
	for _, text := range drawn(ds[1]).texts {
		texts = append(texts, text.text)
	}
	require.Contains(t, texts,
		"The axes are this figure's own: the others reach to 1.00 ms, threshold 100 us is beyond.")
	require.NotContains(t, texts, "threshold 100 us")
}

func axisTexts(d *Drawing) (texts []placed) {
	for _, p := range drawn(d).texts {
		if p.face.Font.Size == tickSize && p.box.Max.Y < d.height-80 {
			texts = append(texts, p)
		}
	}
	return texts
}

// Look at: the same figure gives the same bytes in each format, drawn anew and drawn again.
func TestSameFigureSameBytes(t *testing.T) {
	f := Figure{Title: "µ", Series: []Series{
		{Name: "a", Bins: []Bin{{0, 1}, {1500, 3}}, N: 4, MaxNs: 1500}, {Name: "b"},
	}, Caption: []string{"N = 4"}, ThresholdsNs: []int64{1000}}
	formats := []func(*Drawing) ([]byte, error){(*Drawing).SVG, (*Drawing).PNG, (*Drawing).PDF}
	for i, format := range formats {
		first, err := CCDF(f)
		require.NoError(t, err)
		second, err := CCDF(f)
		require.NoError(t, err)
		want, err := format(first)
		require.NoError(t, err)
		for _, d := range []*Drawing{first, second} {
			got, err := format(d)
			require.NoError(t, err)
			require.True(t, bytes.Equal(want, got), "format %d", i)
		}
	}
}

// Look at: what is wrong is said, and nothing is drawn.
func TestWrongFiguresAreErrors(t *testing.T) {
	series := func(bins []Bin, n, maxNs int64) Figure {
		return Figure{Title: "T", Series: []Series{{Name: "S", Bins: bins, N: n, MaxNs: maxNs}}}
	}
	for message, f := range map[string]Figure{
		`figure "T": no series`: {Title: "T"},
		`figure "T": 13 series, at most 12 can be told apart`: {
			Title: "T", Series: make([]Series, 13)},
		`figure "T": threshold 0 ns is not above 0`: {
			Title: "T", Series: make([]Series, 1), ThresholdsNs: []int64{0}},
		`figure "T": series "S": bin 0: -1 ns is negative`:    series([]Bin{{-1, 1}}, 1, 1),
		`figure "T": series "S": bin 1: 5 ns does not ascend`: series([]Bin{{5, 1}, {5, 1}}, 2, 5),
		`figure "T": series "S": bin 0: count 0 is below 1`:   series([]Bin{{5, 0}}, 0, 5),
		`figure "T": series "S": n is 3, the bins hold 2`:     series([]Bin{{5, 2}}, 3, 5),
		`figure "T": series "S": maximum -1 ns is negative`:   series([]Bin{{5, 2}}, 2, -1),
		`figure "T": series "S": maximum 5 ns is not above the last bin but one, 5 ns`: series(
			[]Bin{{5, 2}, {6, 1}}, 3, 5),
		`figure "T": series "S": the counts add up to more than an int64 holds`: series(
			[]Bin{{5, math.MaxInt64}, {6, 1}}, 1, 6),
	} {
		for _, kind := range []func(Figure) (*Drawing, error){CCDF, Histogram} {
			d, err := kind(f)
			require.EqualError(t, err, message)
			require.Nil(t, d)
		}
	}
	_, err := Histogram(Figure{Title: "T", Series: make([]Series, 2)})
	require.EqualError(t, err, `figure "T": a histogram shows one series, not 2`)
}
