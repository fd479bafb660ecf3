package campaign

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rtsim/scenarios"
)

func orinQueue(t require.TestingT) *scenarios.Case {
	c, err := scenarios.Prepare("orin-queue", scenarios.Options{})
	require.NoError(t, err)
	return c
}

func TestAxisValues(t *testing.T) {
	// Look at the values: ends exact, steps even or of one factor (1 to 8 in 3 steps is a factor of
	// 2), rounded to what the unit has, each once.
	for text, want := range map[string]string{
		"burst_duty=0.1..0.9:5":        "0.1 0.3 0.5 0.7 0.9",
		"burst_duty=0..0.9:4":          "0 0.3 0.6 0.9",
		"low_pubs=0..8":                "0 1 2 3 4 5 6 7 8",
		"low_pubs=1..8:4,log":          "1 2 4 8",
		"low_pubs=1..3:9":              "1 2 3",
		"rt_priority=1..99:3":          "1 50 99",
		"switch=700ns..2us:3":          "700ns 1.35us 2us",
		"low_period=20us..160us:4,log": "20us 40us 80us 160us",
		"irq_min=0us..5us:3":           "0us 2.5us 5us",
		"cost_jitter_percent=0..10:3":  "0 5 10",
	} {
		a, err := ParseAxis(text, orinQueue(t))
		require.NoError(t, err, text)
		assert.Equal(t, want, strings.Join(a.Values, " "), text)
	}
}

func TestAxisAlwaysReads(t *testing.T) {
	// Look at a range that ParseAxis takes: its values ascend, are within it, begin and end with
	// it, and each is one that the scenario takes.
	c := orinQueue(t)
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Int64Range(1, 999_999).Draw(t, "low")
		high := rapid.Int64Range(low+1, 1_000_000).Draw(t, "high")
		p, err := c.Settable("burst_gap_min")
		require.NoError(t, err)
		n := rapid.IntRange(2, 40).Draw(t, "n")
		numbers := spaced(low, high, n, rapid.Bool().Draw(t, "log"))
		assert.True(t, slices.IsSorted(numbers))
		assert.LessOrEqual(t, len(numbers), n)
		assert.Len(t, slices.Compact(slices.Clone(numbers)), len(numbers))
		assert.Equal(t, []int64{low, high}, []int64{numbers[0], numbers[len(numbers)-1]})
		for _, number := range numbers {
			back, err := p.Number(p.Text(number))
			require.NoError(t, err)
			assert.Equal(t, number, back)
		}
	})
}

func TestMetricsNeedTheirThresholds(t *testing.T) {
	// Look at what runs must count besides 100 us: the thresholds of the metrics.
	metrics, wrong := ParseMetrics([]string{"send.over.50us", "receive.p99.9", "lost"})
	require.Empty(t, wrong)
	thresholds := Thresholds(metrics, nil)
	require.Len(t, thresholds, 1)
	assert.EqualValues(t, 50_000, thresholds[0])
	assert.Equal(t, []bool{false, true, false},
		[]bool{metrics[0].IsTime, metrics[1].IsTime, metrics[2].IsTime})
}
