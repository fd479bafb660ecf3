package claim_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"rtsim/sim"
)

func TestFitOfExtremesIsNoBound(t *testing.T) {
	// Look at the end that the fit gives: it is near 1010 us whatever the seed, often below the
	// greatest value of its own sample, while two bursts in a row take up to 2000 us.
	//
	// 1.2 million sends; 0.86 % meet the rest of one burst, 10 us + uniform(0, 1 ms). One in two
	// million meets two: uniform + uniform. That is 0.6 expected, and here none was seen. The
	// truth is P(over 1500 us) = 5e-7 * P(sum of two units > 1.5) = 5e-7 / 8 = 6e-8.
	const samples, size, threshold = 40, 10_320, 100.0
	belowItsMaximum := 0
	for seed := range uint64(samples) {
		draws := sim.NewStream(seed, "residuals")
		var excesses []float64
		for range size {
			if latency := 10 + 1000*unit(&draws); latency > threshold {
				excesses = append(excesses, latency-threshold)
			}
		}
		shape, end := fitPareto(excesses)
		assert.InDelta(t, -1, shape, 0.1, "a uniform rest has shape -1")
		assert.InDelta(t, 1010-threshold, end, 30)
		assert.Less(t, threshold+end, 1500.0, "so the fit says: over 1500 us, never")
		belowItsMaximum += count(end < slices.Max(excesses))
	}
	assert.Greater(t, belowItsMaximum, samples/5)
}

// fitPareto fits a generalized Pareto distribution by probability-weighted moments (Hosking and
// Wallis, Technometrics 29, 1987) and returns its shape xi and the end of its support.
func fitPareto(excesses []float64) (shape, end float64) {
	sorted := slices.Sorted(slices.Values(excesses))
	n := float64(len(sorted))
	var a0, a1 float64
	for i, x := range sorted {
		a0 += x / n
		a1 += x / n * (n - float64(i) - 1) / (n - 1)
	}
	k := a0/(a0-2*a1) - 2
	scale := 2 * a0 * a1 / (a0 - 2*a1)
	return -k, scale / k
}
