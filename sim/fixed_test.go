package sim

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

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
	// Look at the range: below 2^44 the round trip is exact, above it is right to 2^-45.
	rapid.Check(t, func(t *rapid.T) {
		x := max(1, rapid.Uint64().Draw(t, "x")>>rapid.IntRange(1, 63).Draw(t, "shift"))
		off := int64(exp2(log2(x)) - x)
		require.LessOrEqual(t, max(off, -off), int64(x>>45)+1)
		if x < 1<<44 {
			require.Zero(t, off)
		}
	})
}

// slowLog2 is the Q80 logarithm bit by bit: square, and halve what reaches 2.
func slowLog2(x uint64) *big.Int {
	const precision = 256
	whole := new(big.Int).SetUint64(x).BitLen() - 1
	m := new(big.Int).Lsh(new(big.Int).SetUint64(x), uint(precision-whole))
	log := big.NewInt(int64(whole))
	for range 80 {
		m.Mul(m, m).Rsh(m, precision)
		over := uint(m.BitLen() - precision - 1)
		m.Rsh(m, over)
		log.Lsh(log, 1).Add(log, big.NewInt(int64(over)))
	}
	return log
}

func TestLog2Bound(t *testing.T) {
	// Look at the bound: never too high and at most 2^-55, which is 4 in Q57, too low.
	rapid.Check(t, func(t *rapid.T) {
		x := max(1, fmix(rapid.Uint64().Draw(t, "x"))>>rapid.IntRange(0, 63).Draw(t, "shift"))
		exact := new(big.Int).Rsh(slowLog2(x), 80-57).Uint64()
		got := log2(x)
		require.True(t, got <= exact && exact <= got+4, "%d below", exact-got)
	})
}
