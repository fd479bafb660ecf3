package sim

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const allOnes = 1<<64 - 1

// dists are one or more of every kind, small and near the limits.
var dists = []Dist{
	{},
	{Kind: Constant, Least: 7},
	{Kind: Uniform, Least: 5, Greatest: 5},
	{Kind: Uniform, Least: 100, Greatest: 1100},
	{Kind: Uniform, Least: 0, Greatest: Never - 1},
	{Kind: LogUniform, Least: 9, Greatest: 9},
	{Kind: LogUniform, Least: 1, Greatest: 1000},
	{Kind: LogUniform, Least: 1e6, Greatest: 1e6 + 7},
	{Kind: LogUniform, Least: 1, Greatest: Never - 1},
	{Kind: ExpFloor, Least: 4, Mean: 4},
	{Kind: ExpFloor, Least: 1000, Mean: 1e6},
	{Kind: ExpFloor, Least: 0, Mean: 2e5, Greatest: 1e6},
	{Kind: ExpFloor, Least: 3, Mean: (Never - 200) / 40},
	{Kind: ExpFloor, Least: 3, Mean: Never - 2, Greatest: Never - 1},
	{Kind: ExpFloor, Least: 0, Mean: 10, Greatest: Never - 1},
	{Kind: Histogram, Least: 10, Bins: []Bin{{Edge: 10, Count: 3}}},
	{Kind: Histogram, Least: 10, Bins: []Bin{{20, 0}, {30, 5}, {31, 0}, {90, 100}, {95, 0}}},
	{Kind: Histogram, Least: 0, Bins: []Bin{{Never / 2, 1 << 61}, {Never - 1, 1<<61 - 1}}},
}

func TestDistValidate(t *testing.T) {
	// Look at the end of each message: it says what would be right.
	for _, d := range dists {
		assert.NoError(t, d.Validate())
	}
	for _, c := range []struct {
		d    Dist
		want string
	}{
		{Dist{Kind: 9}, "distribution: kind 9 does not exist"},
		{Dist{Least: -1},
			"constant distribution: least must be a duration of 0ns or more, not -1ns"},
		{Dist{Kind: Uniform, Least: 5, Greatest: 4},
			"uniform distribution: greatest must be a duration of least (5ns) or more, not 4ns"},
		{Dist{Kind: Uniform, Greatest: Never},
			"uniform distribution: greatest must be a duration of least (0ns) or more, not never"},
		{Dist{Kind: LogUniform, Greatest: 4},
			"log-uniform distribution: least must be 1ns or more: 0ns has no logarithm"},
		{Dist{Kind: ExpFloor, Least: 5, Mean: 4},
			"exp-floor distribution: mean must be a duration of least (5ns) or more, not 4ns"},
		{Dist{Kind: ExpFloor, Least: 5, Mean: 9, Greatest: 8}, "exp-floor distribution: " +
			"greatest must be a duration of mean (9ns) or more, not 8ns (0ns: none)"},
		{Dist{Kind: ExpFloor, Mean: Never / 39}, "exp-floor distribution: " +
			"mean 236496718893712.2us is too long without greatest; give one"},
		{Dist{Kind: Histogram},
			"histogram distribution: the bins count nothing; one must have a count of 1 or more"},
		{Dist{Kind: Histogram, Bins: []Bin{{5, 1}, {5, 1}}},
			"histogram distribution: bin 1: edge must be a duration of 6ns or more, not 5ns"},
		{Dist{Kind: Histogram, Bins: []Bin{{5, 1 << 61}, {6, 1 << 61}}},
			"histogram distribution: bin 1: the counts add up to 2^62 or more"},
	} {
		assert.EqualError(t, c.d.Validate(), c.want)
	}
}

func TestDistExtremes(t *testing.T) {
	// Look at the bins: the extremes are those of the first and last that count something.
	want := [][2]Time{
		{0, 0}, {7, 7}, {5, 5}, {100, 1100}, {0, Never - 1}, {9, 9}, {1, 1000}, {1e6, 1e6 + 7},
		{1, Never - 1}, {4, 4}, {1000, 1000 + 40*999_000}, {0, 1e6},
		{3, 3 + 40*((Never-200)/40-3)}, {3, Never - 1}, {0, Never - 1}, {10, 10}, {21, 90},
		{0, Never - 1},
	}
	for i, d := range dists {
		least, greatest := d.Range()
		assert.Equal(t, want[i], [2]Time{least, greatest})
		assert.Equal(t, want[i], [2]Time{d.At(0), d.At(allOnes)})
	}
}

func TestDistIsMonotone(t *testing.T) {
	// Look at the draws: neighbours around powers of two, around round numbers, and anywhere.
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.Uint64().Draw(t, "base") << rapid.IntRange(0, 63).Draw(t, "shift")
		if rapid.Bool().Draw(t, "anywhere") {
			base = fmix(base) // rapid prefers small numbers
		}
		above := base | rapid.Uint64().Draw(t, "more")
		for _, d := range dists {
			least, greatest := d.Range()
			last := least
			for step := range uint64(16) {
				draw := base + step - 8
				if draw < 8 { // may have wrapped around
					last = least
				}
				at := d.At(draw)
				require.True(t, last <= at && at <= greatest, "%v: %v then %v", d, last, at)
				last = at
			}
			require.LessOrEqual(t, d.At(base), d.At(above))
		}
	})
}

func TestDistAgainstFormulas(t *testing.T) {
	// Look at the tolerance: rounding, and 1e-12 of the value or the mean.
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.Uint64().Draw(t, "draw") >> rapid.IntRange(0, 40).Draw(t, "shift")
		u := math.Ldexp(float64(draw), -64)
		least := Time(rapid.Int64Range(1, 1e9).Draw(t, "least"))
		greatest := least + Time(rapid.Int64Range(0, 1e12).Draw(t, "more"))

		d := Dist{Kind: LogUniform, Least: least, Greatest: greatest}
		want := float64(least) * math.Pow(float64(greatest)/float64(least), u)
		require.InDelta(t, want, float64(d.At(draw)), 0.5+1e-12*want)

		d = Dist{Kind: ExpFloor, Least: least, Mean: greatest}
		rest := float64(greatest - least)
		want = min(float64(least)-rest*math.Log1p(-u), float64(least)+40*rest)
		require.InDelta(t, want, float64(d.At(draw)), 0.5+1e-12*want)

		d = Dist{Kind: Uniform, Least: least, Greatest: greatest}
		want = math.Floor(float64(least) + u*(rest+1))
		require.InDelta(t, want, float64(d.At(draw)), 1)
	})
}

func TestHistogramShares(t *testing.T) {
	// Look at the counts: 8 even draws a count, so every nanosecond gets its exact share: 1 each
	// of the first bin, 4 each of the third, none of the empty second.
	d := Dist{Kind: Histogram, Least: 10, Bins: []Bin{{17, 1}, {20, 0}, {24, 2}, {25, 1}}}
	require.NoError(t, d.Validate())
	var got []Time
	for i := range uint64(32) {
		got = append(got, d.At(i<<59))
	}
	want := []Time{10, 11, 12, 13, 14, 15, 16, 17}
	for at := Time(21); at <= 24; at++ {
		want = append(want, at, at, at, at)
	}
	want = append(want, slices.Repeat([]Time{25}, 8)...)
	assert.Equal(t, want, got)
}

func TestMeanTimeExact(t *testing.T) {
	// Look at the halves: they round up.
	for _, c := range []struct {
		d    Dist
		want Time
	}{
		{Dist{}, 0}, {Dist{Least: 7}, 7},
		{Dist{Kind: Uniform, Least: 1, Greatest: 4}, 3},
		{Dist{Kind: Uniform, Greatest: Never - 1}, Never / 2},
		{Dist{Kind: ExpFloor, Least: 5, Mean: 1e9}, 1e9},
		{Dist{Kind: LogUniform, Least: 9, Greatest: 9}, 9},
		{Dist{Kind: LogUniform, Least: 1e12, Greatest: 1e12 + 2}, 1e12 + 1},
		// (13.5 + 2 * 22.5 + 25) / 4 is 20.875
		{Dist{Kind: Histogram, Least: 10, Bins: []Bin{{17, 1}, {20, 0}, {24, 2}, {25, 1}}}, 21},
		{Dist{Kind: Histogram, Bins: []Bin{{Never - 2, 1 << 61}, {Never - 1, 1<<61 - 1}}},
			6917529027641081854}, // by Python's fractions
	} {
		require.NoError(t, c.d.Validate())
		assert.Equal(t, c.want, c.d.MeanTime(), "%v", c.d)
	}
}

func TestMeanTimeIsTheMean(t *testing.T) {
	// Look at the tolerance: the mean of 4096 draws, one in each equal part, of what never goes
	// down is off by at most the range over 4096; no chance is involved.
	rapid.Check(t, func(t *rapid.T) {
		least := Time(rapid.Int64Range(1, 1e9).Draw(t, "least"))
		mean := least + Time(rapid.Int64Range(1e3, 1e9).Draw(t, "mean - least"))
		greatest := mean + Time(rapid.Int64Range(0, 1e9).Draw(t, "greatest - mean"))
		count := rapid.Uint64Range(0, 1<<40)
		for _, d := range []Dist{
			{Kind: Uniform, Least: least, Greatest: greatest},
			{Kind: LogUniform, Least: least, Greatest: greatest},
			{Kind: ExpFloor, Least: least, Mean: mean, Greatest: greatest},
			{Kind: Histogram, Least: least,
				Bins: []Bin{{mean, count.Draw(t, "count")}, {greatest + 1, 1}}},
		} {
			require.NoError(t, d.Validate())
			sum := 0.0
			for i := range uint64(4096) {
				sum += float64(d.At(i<<52 | 1<<51))
			}
			low, high := d.Range()
			require.InDelta(t, sum/4096, float64(d.MeanTime()), 1+float64(high-low)/4096, "%v", d)
		}
	})
}

func TestNoAllocation(t *testing.T) {
	// Look at the list: everything that a run calls in its inner loop.
	q, p := NewQueue(100), NewQueue(100)
	tape, fork := NewTape(1), NewTape(1)
	site := tape.Stream("x")
	tape.Answer(site, 50, 3)
	fork.CopyFrom(&tape)
	d := NewDigest()
	got := testing.AllocsPerRun(100, func() {
		at, slot := q.Next()
		q.Set(max(slot, 0), min(at, 1<<40)+Time(tape.Choose(site, 1, 9)))
		for i := range dists {
			d.Add(uint64(tape.Sample(site, &dists[i])), uint64(dists[i].MeanTime()), 0)
		}
		p.CopyFrom(&q)
		fork.CopyFrom(&tape)
	})
	assert.Zero(t, got)
}

func BenchmarkDist(b *testing.B) {
	for _, d := range []Dist{
		{Kind: Constant, Least: 1000},
		{Kind: Uniform, Least: 1000, Greatest: 9000},
		{Kind: LogUniform, Least: 1000, Greatest: 9000},
		{Kind: ExpFloor, Least: 1000, Mean: 9000},
		{Kind: Histogram, Bins: []Bin{{10, 5}, {20, 50}, {30, 20}, {40, 10}, {80, 5}, {200, 1}}},
	} {
		b.Run(d.Kind.String(), func(b *testing.B) {
			tape, sum := NewTape(1), Time(0)
			site := tape.Stream("x")
			for b.Loop() {
				sum += tape.Sample(site, &d)
			}
		})
	}
}
