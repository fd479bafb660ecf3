package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAboveIsTheBorder(t *testing.T) {
	// Look at the two draws beside the border: the least one that gives a longer time, and the one
	// before it, which does not. And what is drawn among the upper ones is longer.
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(dists).Draw(t, "d")
		least, greatest := d.Range()
		at := Time(rapid.Int64Range(int64(least)-1, int64(greatest)).Draw(t, "at"))
		draw, ok := d.Above(at)
		require.Equal(t, at < greatest, ok)
		if !ok {
			return
		}
		require.Greater(t, d.At(draw), at)
		if draw > 0 {
			require.LessOrEqual(t, d.At(draw-1), at)
		}
		for _, bits := range []uint64{0, rapid.Uint64().Draw(t, "bits"), allOnes} {
			require.Greater(t, d.Among(draw, 0, bits), at)
		}
	})
}

func TestAmong(t *testing.T) {
	// Look at the times: with a quarter of the draws of 0 to 99 from a half on, a draw gives 50 to
	// 74; with all of them what At gives.
	d := Dist{Kind: Uniform, Greatest: 99}
	const half, quarter = 1 << 63, 1 << 62
	assert.Equal(t, Time(50), d.Among(half, half+quarter, 0))
	assert.Equal(t, Time(62), d.Among(half, half+quarter, half))
	assert.Equal(t, Time(74), d.Among(half, half+quarter, allOnes))
	assert.Equal(t, Time(99), d.Among(half, 0, allOnes))
	assert.Equal(t, d.At(12345<<40), d.Among(0, 0, 12345<<40))
}
