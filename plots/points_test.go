package plots

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// aSeries draws a series with values from 0 ns to 10 s and more, at random.
func aSeries() *rapid.Generator[Series] {
	return rapid.Custom(func(t *rapid.T) Series {
		s := Series{
			Name: rapid.StringN(0, 40, -1).Draw(t, "name"),
			Note: rapid.StringN(0, 60, -1).Draw(t, "note"),
		}
		farthest := rapid.SampledFrom([]int64{1, 300, 1e6, 1e10, 1 << 61}).Draw(t, "farthest")
		at := int64(-1)
		for range rapid.IntRange(0, 30).Draw(t, "bins") {
			at += rapid.Int64Range(1, farthest/30+1).Draw(t, "step")
			count := rapid.SampledFrom([]int64{1, 2, 1000, 1e6, 1 << 57}).Draw(t, "count")
			s.Bins = append(s.Bins, Bin{at, count})
			s.N += count
		}
		s.MaxNs = max(at, 0)
		return s
	})
}

// Look at: the share of values at or above x, counted value by value. It must be what the points
// say, at every distinct value, and never 0: the logarithmic axis panics there.
func TestPointsAreTheShareAtOrAbove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := aSeries().Draw(t, "series")
		points := s.points()
		require.Len(t, points, len(s.Bins))
		for i, p := range points {
			var atOrAbove int64
			for _, b := range s.Bins {
				if b.AtNs >= s.Bins[i].AtNs {
					atOrAbove += b.Count
				}
			}
			require.Equal(t, point{s.Bins[i].AtNs, atOrAbove}, p)
			require.Positive(t, p.atLeast)
		}
	})
}

// Look at: a column of pixels keeps its first and last point, no more than two, and no column is
// lost.
func TestThinKeepsTheEndsOfEachColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := aSeries().Draw(t, "series").points()
		wide := rapid.Int64Range(1, 1e9).Draw(t, "column width")
		column := func(at int64) int { return int(at / wide) }
		type ends struct{ first, last point }
		want := map[int]ends{}
		for _, p := range points {
			e, seen := want[column(p.atNs)]
			if !seen {
				e.first = p
			}
			e.last = p
			want[column(p.atNs)] = e
		}
		got, count := map[int]ends{}, map[int]int{}
		for _, p := range thin(points, column) {
			c := column(p.atNs)
			count[c]++
			e := got[c]
			if count[c] == 1 {
				e.first = p
			}
			e.last = p
			got[c] = e
			require.LessOrEqual(t, count[c], 2)
		}
		require.Equal(t, want, got)
	})
}

// Look at: a million distinct values, of which no more than two for each of the page's pixel
// columns may reach the libraries, which take seconds and megabytes for a million points.
func TestAMillionPointsAreThinned(t *testing.T) {
	s := Series{Name: "million", N: 1e6, MaxNs: 1e6}
	for at := int64(1); at <= 1e6; at++ {
		s.Bins = append(s.Bins, Bin{at, 1})
	}
	d, err := CCDF(Figure{Series: []Series{s}})
	require.NoError(t, err)
	lines := 0
	for _, r := range d.Numbers() {
		if r == '\n' {
			lines++
		}
	}
	require.LessOrEqual(t, lines, 1+2*int(pageWidth/pixel))
	svg, err := d.SVG()
	require.NoError(t, err)
	require.Less(t, len(svg), 1<<20)
}

// Look at: the bins hold every value once, each where it belongs, and are few enough for the
// pixel columns, whatever the range.
func TestBarsHoldEveryValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := aSeries().Draw(t, "series")
		width := barWidthNs(s.MaxNs)
		bars := s.bars(width)
		for _, bar := range bars {
			var inside int64
			for _, b := range s.Bins {
				if b.AtNs >= bar.index*width && b.AtNs-bar.index*width < width {
					inside += b.Count
				}
			}
			require.Equal(t, inside, bar.count)
			s.N -= bar.count
		}
		require.Zero(t, s.N)
		require.Less(t, s.MaxNs/width, int64(barsMax))
		require.Less(t, barsMax, int(0.8*pageWidth/pixel))
	})
}

// Look at: the width of a bin is 1 us wherever measuring tools would have it so.
func TestBarWidth(t *testing.T) {
	for maxNs, width := range map[int64]int64{
		0: 1, 199: 1, 200: 2, 19_999: 100, 20_000: 1000, 1_000_000: 1000, 1_199_999: 1000,
		1_200_000: 2000, 10_000_000_000: 10_000_000,
	} {
		require.Equal(t, width, barWidthNs(maxNs), "max %d ns", maxNs)
	}
}
