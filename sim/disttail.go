package sim

// What is left of a distribution when it is known that the time is longer than so much: the draws
// that give a longer one are those from some draw on, since a larger draw never gives a shorter
// time. So a draw among them, each alike, gives exactly the distribution given that it is longer.

// Above is the least draw that gives a longer time than t; ok is false if none does. It takes 64
// times as long as At, unless all draws do or none.
// Preconditions: d is valid.
func (d *Dist) Above(t Time) (draw uint64, ok bool) {
	if t < d.At(0) {
		return 0, true
	}
	if t >= d.greatest() {
		return 0, false
	}
	low, high := uint64(0), uint64(1<<64-1) // At(low) <= t < At(high)
	for high-low > 1 {
		if mid := low + (high-low)/2; d.At(mid) > t {
			high = mid
		} else {
			low = mid
		}
	}
	return high, true
}

// Among is the time that a draw gives if only those from first on, and before end, count; an end of
// 0 is 2^64. Each of them is as likely as another, to one draw in 2^64 a time.
// Preconditions: d is valid, and first < end or end is 0.
func (d *Dist) Among(first, end, draw uint64) Time {
	count := end - first
	if count == 0 { // all draws
		return d.At(draw)
	}
	return d.At(first + mulHigh(draw, count))
}
