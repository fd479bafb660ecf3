// Package plots draws latency distributions as figures for real-time engineers: the complementary
// distribution on two logarithmic axes, to compare designs, and the histogram with linear latency
// and logarithmic counts, as the community's latency plots. What draws knows nothing of the
// simulator; latencies.go alone turns the results of a comparison into figures.
//
// A figure is drawn from exact counts. The same input gives the same bytes, in every format.
// Every text that a figure needs to be understood alone (N, seeds, duration, version) is in it.
package plots

import (
	"errors"
	"fmt"
	"math"
)

// SeriesMax is the greatest number of series in one figure: so many styles differ without colour.
const SeriesMax = 12

// Bin says that Count values were counted at AtNs.
type Bin struct {
	AtNs  int64 // >= 0
	Count int64 // >= 1
}

// Series is the distribution of one design's values.
type Series struct {
	Name string
	Bins []Bin // AtNs strictly ascending
	N    int64 // the sum of all counts; 0: no samples
	// MaxNs is the exact maximum. It is above the last bin but one; the last bin's values are
	// drawn there, for a bin may stand at its bucket's edge. Not read if N is 0.
	MaxNs int64
	Note  string // said in the legend, if not empty
}

// Figure is what to draw.
type Figure struct {
	Title   string
	XLabel  string // the quantity, without a unit
	Series  []Series
	Caption []string // lines printed under the axes: N, seeds, duration, version
	// ThresholdsNs are marked by thin vertical lines; each is > 0.
	ThresholdsNs []int64
}

// check returns the first thing that is wrong with the figure.
func (f Figure) check() error {
	if len(f.Series) == 0 {
		return fmt.Errorf("figure %q: no series", f.Title)
	}
	if len(f.Series) > SeriesMax {
		return fmt.Errorf("figure %q: %d series, at most %d can be told apart",
			f.Title, len(f.Series), SeriesMax)
	}
	for _, s := range f.Series {
		if err := s.check(); err != nil {
			return fmt.Errorf("figure %q: series %q: %w", f.Title, s.Name, err)
		}
	}
	for _, t := range f.ThresholdsNs {
		if t <= 0 {
			return fmt.Errorf("figure %q: threshold %d ns is not above 0", f.Title, t)
		}
	}
	return nil
}

func (s Series) check() error {
	var sum int64
	for i, b := range s.Bins {
		switch {
		case b.AtNs < 0:
			return fmt.Errorf("bin %d: %d ns is negative", i, b.AtNs)
		case i > 0 && b.AtNs <= s.Bins[i-1].AtNs:
			return fmt.Errorf("bin %d: %d ns does not ascend", i, b.AtNs)
		case b.Count < 1:
			return fmt.Errorf("bin %d: count %d is below 1", i, b.Count)
		case b.Count > math.MaxInt64-sum:
			return errors.New("the counts add up to more than an int64 holds")
		}
		sum += b.Count
	}
	if s.N != sum {
		return fmt.Errorf("n is %d, the bins hold %d", s.N, sum)
	}
	if sum > 0 && s.MaxNs < 0 {
		return fmt.Errorf("maximum %d ns is negative", s.MaxNs)
	}
	if k := len(s.Bins); k > 1 && s.MaxNs <= s.Bins[k-2].AtNs {
		return fmt.Errorf("maximum %d ns is not above the last bin but one, %d ns",
			s.MaxNs, s.Bins[k-2].AtNs)
	}
	return nil
}

// values calls visit with every value at which something was counted and its count.
func (s Series) values(visit func(atNs, count int64)) {
	for i, b := range s.Bins {
		if i == len(s.Bins)-1 {
			b.AtNs = s.MaxNs
		}
		visit(b.AtNs, b.Count)
	}
}

// summary says N and the maximum in one line.
func (s Series) summary(thresholds []int64) string {
	if s.N == 0 {
		return "no samples"
	}
	return fmt.Sprintf("%s, N = %s", maxText(s.MaxNs, thresholds), groups(s.N))
}
