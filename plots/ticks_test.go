package plots

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"pgregory.net/rapid"
)

func labelled(ticks []plot.Tick) []string {
	var labels []string
	for _, t := range ticks {
		if t.Label != "" {
			labels = append(labels, t.Label)
		}
	}
	return labels
}

// Look at: 12 to 87, for which the plot library's own ticker gives eleven ticks and no label.
func TestAShortRangeHasLabels(t *testing.T) {
	ticker := logTicks{labelsMax: 8, label: timeLabel, low: 1, high: math.Inf(1)}
	require.Equal(t, []string{"20 ns", "50 ns"}, labelled(ticker.Ticks(12, 87)))
	require.Len(t, ticker.Ticks(12, 87), 7, "20, 30 ... 80")
}

// Look at: 1, 2, 5 while they fit, then decades, then every second or third.
func TestTicksThinOut(t *testing.T) {
	ticker := logTicks{labelsMax: 4, label: timeLabel, low: 1, high: math.Inf(1)}
	for high, labels := range map[float64][]string{
		10:  {"1 ns", "2 ns", "5 ns", "10 ns"},
		1e3: {"1 ns", "10 ns", "100 ns", "1 us"},
		1e6: {"1 ns", "100 ns", "10 us", "1 ms"},
		1e9: {"1 ns", "1 us", "1 ms", "1 s"},
	} {
		require.Equal(t, labels, labelled(ticker.Ticks(1, high)))
	}
}

// Look at: every axis that logAxis makes has two labels or more and no more than fit, whatever
// positive range it is for.
func TestEveryLogAxisHasLabels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(1, 1e18).Draw(t, "low")
		high := math.Max(low, low*rapid.Float64Range(1, 1e10).Draw(t, "factor"))
		a := logAxis(low, high)
		require.Less(t, a.Min, low)
		require.Greater(t, a.Max, high)
		ticker := logTicks{labelsMax: 8, label: timeLabel, low: 0, high: math.Inf(1)}
		labels := labelled(ticker.Ticks(math.Max(a.Min, 1), a.Max))
		require.GreaterOrEqual(t, len(labels), 2-btoi(low < 5), "%v", labels)
		require.LessOrEqual(t, len(labels), 8)
	})
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Look at: the labels of the y axis: no superscripts, a plain minus.
func TestLabels(t *testing.T) {
	require.Equal(t, "1", fractionLabel(1, 0))
	require.Equal(t, "0.5", fractionLabel(5, -1))
	require.Equal(t, "1e-2", fractionLabel(1, -2))
	require.Equal(t, "2e-6", fractionLabel(2, -6))
	require.Equal(t, "500", countLabel(5, 2))
	require.Equal(t, "1000", countLabel(1, 3))
	require.Equal(t, "1e4", countLabel(1, 4))
	require.Equal(t, "500 us", timeLabel(5, 5))
	require.Equal(t, "1000 s", timeLabel(1, 12))
	require.Equal(t, "1e4 s", timeLabel(1, 13))
}

// Look at: a linear axis in us: whole steps of 1, 2 or 5, from 0, never more than fit.
func TestMicroTicks(t *testing.T) {
	ticker := microTicks{labelsMax: 8}
	require.Equal(t, []string{"0", "0.2", "0.4", "0.6", "0.8", "1"},
		labelled(ticker.Ticks(0, 1100)))
	require.Equal(t, []string{"0", "200", "400", "600", "800", "1000"},
		labelled(ticker.Ticks(0, 1.1e6)))
	require.Equal(t, "10 000 000", microLabel(1e10))
	rapid.Check(t, func(t *rapid.T) {
		high := rapid.Float64Range(10, 1e19).Draw(t, "high")
		count := len(ticker.Ticks(0, high))
		require.GreaterOrEqual(t, count, 3)
		require.LessOrEqual(t, count, 8)
	})
}
