package export

import (
	"fmt"
	"math"
	"strings"
)

// ticksPerHalf is how many percentiles are written to each halving of the distance to 100 %.
const ticksPerHalf = 5

// whole is 100 % in integers, so that a share is never a rounding below or above a rank's. It
// bounds a series to a thousand million values.
const whole = ticksPerHalf << 30

// HGRM is the percentile text of HdrHistogram for Java (outputPercentileDistribution), in
// microseconds with three decimals: exact nanoseconds. Rows end where the number of values does
// not support the next; the last is the maximum.
func HGRM(s *Series) string {
	var b strings.Builder
	n := s.Count()
	fmt.Fprintf(&b, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount",
		"1/(1-Percentile)")
	cumulative, next, step := int64(0), int64(0), int64(whole/(2*ticksPerHalf))
	for _, bin := range s.Bins {
		cumulative += bin.Count
		// The row's share is at most the bin's, and one value at least is expected beyond it.
		for next*n <= cumulative*whole && n*(whole-next) >= whole && cumulative < n {
			fmt.Fprintf(&b, "%12.3f %2.12f %10d %14.2f\n", us(float64(bin.At)),
				float64(next)/whole, cumulative, whole/float64(whole-next))
			next += step
			if whole-next <= step*ticksPerHalf {
				step /= 2
			}
		}
	}
	if n > 0 {
		fmt.Fprintf(&b, "%12.3f %2.12f %10d\n", us(float64(s.Max)), 1.0, n)
	}
	mean, square := s.mean(), 0.0
	for _, bin := range s.Bins {
		d := float64(bin.At) - mean
		square += d * d * float64(bin.Count)
	}
	fmt.Fprintf(&b, "#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", us(mean),
		us(math.Sqrt(square/float64(max(n, 1)))))
	fmt.Fprintf(&b, "#[Max     = %12.3f, Total count    = %12d]\n", us(float64(s.Max)), n)
	fmt.Fprintf(&b, "#[Buckets = %12d, SubBuckets     = %12d]\n", buckets, subBuckets)
	return b.String()
}

// The buckets of results: 53 powers of two from 2048 ns on, in 1024 parts each.
const (
	buckets    = 53
	subBuckets = 2048
)

func us(ns float64) float64 { return ns / 1000 }
