package plots

// point is a step of a complementary distribution: atLeast of N values are atNs or above.
// Over the distinct values atLeast is never 0, so a logarithmic axis always has a place for it.
type point struct{ atNs, atLeast int64 }

// points returns the complementary distribution over the distinct values.
func (s Series) points() []point {
	ps := make([]point, 0, len(s.Bins))
	left := s.N
	s.values(func(atNs, count int64) {
		ps = append(ps, point{atNs, left})
		left -= count
	})
	return ps
}

// thin keeps the first and the last point of each pixel column: as the points fall from left to
// right, these are also the column's greatest and least.
func thin(ps []point, column func(atNs int64) int) []point {
	var kept []point
	for i, p := range ps {
		first := i == 0 || column(ps[i-1].atNs) != column(p.atNs)
		last := i == len(ps)-1 || column(ps[i+1].atNs) != column(p.atNs)
		if first || last {
			kept = append(kept, p)
		}
	}
	return kept
}

// bar is a bin of a histogram: count values in [index*width, (index+1)*width).
type bar struct{ index, count int64 }

// bars returns the bins that hold something, ascending.
func (s Series) bars(widthNs int64) []bar {
	var bs []bar
	s.values(func(atNs, count int64) {
		index := atNs / widthNs
		if k := len(bs); k > 0 && bs[k-1].index == index {
			bs[k-1].count += count
			return
		}
		bs = append(bs, bar{index, count})
	})
	return bs
}

// barsMax is the greatest number of bins of a histogram: fewer than its pixel columns.
const barsMax = 1200

// barWidthNs returns the bin width for values up to maxNs: 1 us, as measuring tools use, if that
// gives 20 to barsMax bins. A finer width is the least of 1, 2, 5, 10... ns that gives at most 200
// bins, a coarser one the least that gives at most barsMax.
func barWidthNs(maxNs int64) int64 {
	const us = 1000
	if maxNs >= 20*us && maxNs < barsMax*us {
		return us
	}
	limit := int64(barsMax)
	if maxNs < 20*us {
		limit = 200
	}
	for width := int64(1); ; width *= 10 {
		for _, step := range []int64{1, 2, 5} {
			if maxNs/(width*step) < limit {
				return width * step
			}
		}
	}
}
