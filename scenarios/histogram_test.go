package scenarios_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rtsim/scenarios"
	"rtsim/sim"
)

// The properties of a histogram, against the sorted list of its values.

var histogramLimits = []sim.Time{0, 1, 2047, 2048, 100 * sim.Microsecond, sim.Millisecond}

// drawValues draws durations from a nanosecond to a minute, small and large ones alike.
func drawValues(t *rapid.T, name string) []sim.Time {
	value := rapid.Custom(func(t *rapid.T) sim.Time {
		return sim.Time(rapid.Int64Range(0, 1<<rapid.IntRange(0, 36).Draw(t, "bits")).Draw(t, "ns"))
	})
	return rapid.SliceOfN(value, 0, 200).Draw(t, name)
}

func histogramOf(values []sim.Time) *scenarios.Histogram {
	h := scenarios.NewHistogram(histogramLimits)
	for _, v := range values {
		h.Add(v)
	}
	return h
}

// contents is all that a histogram says.
func contents(h *scenarios.Histogram) []any {
	all := []any{h.Count(), h.Max(), h.Bins()}
	for k := range histogramLimits {
		all = append(all, h.Over(k))
	}
	return all
}

func TestHistogramCounts(t *testing.T) {
	// Look at the values: counts over limits and the maximum are exact, the counts fall as the
	// limits rise, and the buckets hold every value once.
	rapid.Check(t, func(t *rapid.T) {
		values := drawValues(t, "values")
		h := histogramOf(values)
		before := int64(math.MaxInt64)
		for k, limit := range histogramLimits {
			over := int64(0)
			for _, v := range values {
				if v > limit {
					over++
				}
			}
			require.Equal(t, over, h.Over(k), limit)
			require.LessOrEqual(t, over, before)
			before = over
		}
		total := int64(0)
		for _, bin := range h.Bins() {
			total += bin.Count
		}
		require.Equal(t, int64(len(values)), total)
		if len(values) > 0 {
			require.Equal(t, slices.Max(values), h.Max())
		}
	})
}

func TestHistogramRanks(t *testing.T) {
	// Look at the rank: the value is the one of the sorted list, or at most a thousandth more.
	rapid.Check(t, func(t *rapid.T) {
		values := drawValues(t, "values")
		h := histogramOf(values)
		slices.Sort(values)
		for i, v := range values {
			got := h.Rank(int64(i + 1))
			require.GreaterOrEqual(t, got, v)
			require.LessOrEqual(t, got, v+v/1000)
		}
		_, supported := h.Percentile(99, 100)
		require.Equal(t, len(values) >= 100, supported)
	})
}

func TestHistogramsMerge(t *testing.T) {
	// Look at the order: merged in any order, packed or not, histograms are that of all values.
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawValues(t, "a"), drawValues(t, "b"), drawValues(t, "c")
		want := contents(histogramOf(slices.Concat(a, b, c)))
		left, right, packed := histogramOf(a), histogramOf(b), histogramOf(c)
		left.Merge(histogramOf(b))
		left.Merge(histogramOf(c))
		right.Merge(histogramOf(c))
		right.Merge(histogramOf(a))
		packed.Pack()
		both := histogramOf(b)
		both.Merge(packed)
		both.Merge(histogramOf(a))
		require.Equal(t, want, contents(left))
		require.Equal(t, want, contents(right))
		require.Equal(t, want, contents(both))
	})
}
