package scenarios

import (
	"math/bits"

	"rtsim/sim"
)

// Histogram counts durations in constant memory: exact below 2048 ns, above in buckets of at most
// 0.1 % of their value. The maximum and the counts over thresholds are kept exactly beside it.
type Histogram struct {
	counts []int64
	n      int64
	max    sim.Time
	over   []int64 // by threshold
	limits []sim.Time
	packed []packedBin // instead of counts, once Pack has been called
}

// packedBin is a bucket that has values.
type packedBin struct {
	bucket int32
	n      int64
}

// subBits sets the width of a bucket: 2^subBits of them to a factor of two.
const subBits = 10

// NewHistogram counts besides the distribution how many values are strictly above each limit.
func NewHistogram(limits []sim.Time) *Histogram {
	return &Histogram{limits: limits, over: make([]int64, len(limits)), max: -1}
}

// bucketOf is the number of a value's bucket.
func bucketOf(v sim.Time) int {
	shift := max(bits.Len64(uint64(v))-subBits-1, 0)
	return shift<<subBits + int(uint64(v)>>shift)
}

// bucketEdge is the greatest value of a bucket.
func bucketEdge(i int) sim.Time {
	if i < 2<<subBits {
		return sim.Time(i)
	}
	shift := i>>subBits - 1
	top := uint64(i - shift<<subBits)
	return sim.Time((top+1)<<shift - 1)
}

// Add counts one value, 0 or more.
func (h *Histogram) Add(v sim.Time) {
	i := bucketOf(v)
	if i >= len(h.counts) { // by eight octaves, so that a run's first values grow it for good
		h.counts = append(h.counts, make([]int64, i+8<<subBits-len(h.counts))...)
	}
	h.counts[i]++
	h.n++
	h.max = max(h.max, v)
	for k, limit := range h.limits {
		if v > limit {
			h.over[k]++
		}
	}
}

// Count returns how many values were added.
func (h *Histogram) Count() int64 { return h.n }

// Max returns the greatest value, -1 without any.
func (h *Histogram) Max() sim.Time { return h.max }

// Over returns how many values were strictly above the k-th limit.
func (h *Histogram) Over(k int) int64 { return h.over[k] }

// Pack drops the buckets without values, for a histogram that is kept only to be merged: it takes
// kilobytes then, and no further value.
func (h *Histogram) Pack() {
	for i, c := range h.counts {
		if c > 0 {
			h.packed = append(h.packed, packedBin{int32(i), c})
		}
	}
	h.counts = nil
}

// Merge adds another histogram with the same limits.
func (h *Histogram) Merge(o *Histogram) {
	if n := len(o.packed); n > 0 && int(o.packed[n-1].bucket) >= len(h.counts) {
		h.counts = append(h.counts, make([]int64, int(o.packed[n-1].bucket)+1-len(h.counts))...)
	}
	for _, b := range o.packed {
		h.counts[b.bucket] += b.n
	}
	if len(o.counts) > len(h.counts) {
		h.counts = append(h.counts, make([]int64, len(o.counts)-len(h.counts))...)
	}
	for i, c := range o.counts {
		h.counts[i] += c
	}
	h.n += o.n
	h.max = max(h.max, o.max)
	for k := range h.over {
		h.over[k] += o.over[k]
	}
}

// Rank returns the value of a rank, 1 to Count, at its bucket's upper edge but never above the
// maximum: at most 0.1 % high.
func (h *Histogram) Rank(rank int64) sim.Time {
	for i, c := range h.counts {
		if rank -= c; rank <= 0 {
			return min(bucketEdge(i), h.max)
		}
	}
	return h.max
}

// Percentile returns the nearest rank of p parts in parts, if the count supports it: at least one
// value is expected beyond it.
func (h *Histogram) Percentile(p, parts int64) (sim.Time, bool) {
	if h.n == 0 || h.n*(parts-p) < parts {
		return 0, false
	}
	rank := (h.n*p + parts - 1) / parts
	return h.Rank(max(rank, 1)), true
}

// HistogramBin is a bucket with values: its upper edge, never above the maximum.
type HistogramBin struct {
	AtNs  sim.Time
	Count int64
}

// Bins returns the buckets that have values, ascending.
func (h *Histogram) Bins() []HistogramBin {
	var bins []HistogramBin
	for i, c := range h.counts {
		if c > 0 {
			bins = append(bins, HistogramBin{min(bucketEdge(i), h.max), c})
		}
	}
	return bins
}
