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
		{Dist{Least: -1}, "constant distribution: least must be a duration of 0ns or more, not -1ns"},
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
	// Look at the pairs: neighbours, and draws around powers of two and the logarithm's segments.
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(dists).Draw(t, "dist")
		least, greatest := d.Range()
		base := rapid.Uint64().Draw(t, "base")
		if rapid.Bool().Draw(t, "round") {
			base = base << rapid.IntRange(0, 63).Draw(t, "shift")
		}
		last := least
		for step := range uint64(16) {
			if base+step-8 < base-8 { // wrapped around
				last = least
			}
			at := d.At(base + step - 8)
			require.True(t, last <= at && at <= greatest, "%v then %v", last, at)
			last = at
		}
		above := base | rapid.Uint64().Draw(t, "more")
		require.LessOrEqual(t, d.At(base), d.At(above))
	})
}

func TestLog2(t *testing.T) {
	// Look at the second half: near 2^64 the result is near 64, and the difference, which is what
	// an exponential time is made of, is still right to 1e-6 of itself.
	check := func(x uint64) {
		got := float64(log2(x)) / log2One
		require.InDelta(t, math.Log2(float64(x)), got, 2e-14, "log2 of %d", x)
	}
	for shift := range 64 {
		check(1 << shift)
		check(1<<shift | 1)
		check(allOnes >> shift)
		below := uint64(1) << shift // of 2^64
		if shift >= 30 {
			got := float64(64*log2One-log2(-below)) / log2One
			want := -math.Log1p(-math.Ldexp(float64(below), -64)) / math.Ln2
			require.InEpsilon(t, want, got, 1e-6, "64 - log2 of 2^64-2^%d", shift)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x := max(1, rapid.Uint64().Draw(t, "x")>>rapid.IntRange(0, 63).Draw(t, "shift"))
		require.InDelta(t, math.Log2(float64(x)), float64(log2(x))/log2One, 2e-14)
		require.LessOrEqual(t, log2(x), log2(max(x, x+1)))
	})
	for k := range uint64(logSegments) { // where segments meet
		start := (logSegments + k) << 58
		check(start)
		check(start - 1)
		require.LessOrEqual(t, log2(start-1), log2(start))
	}
}

func TestExp2(t *testing.T) {
	// Look at the first lines: whole powers are exact.
	for n := range uint64(64) {
		require.Equal(t, uint64(1)<<n, exp2(n*log2One))
		require.LessOrEqual(t, exp2(n*log2One-min(n, 1)), uint64(1)<<n, "just below")
	}
	rapid.Check(t, func(t *rapid.T) {
		y := rapid.Uint64Range(0, 64*log2One-2).Draw(t, "y")
		want := math.Exp2(float64(y) / log2One)
		require.InDelta(t, want, float64(exp2(y)), 0.5+want*1e-13)
		require.LessOrEqual(t, exp2(y), exp2(y+1))
	})
}

func TestLogAndExpUndoEachOther(t *testing.T) {
	// Look at the range: to 2^45 the round trip is exact, after that right to 2^-45.
	rapid.Check(t, func(t *rapid.T) {
		x := max(1, rapid.Uint64().Draw(t, "x")>>rapid.IntRange(1, 63).Draw(t, "shift"))
		off := int64(exp2(log2(x)) - x)
		require.LessOrEqual(t, max(off, -off), int64(x>>45)+1)
		if x < 1<<44 {
			require.Zero(t, off)
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
