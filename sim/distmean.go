package sim

import "math/bits"

// MeanTime is the mean of what At gives over all draws, in whole nanoseconds: exact and rounded to
// the nearest for Constant, Uniform and Histogram; for ExpFloor and LogUniform that of the
// continuous distribution, to 2^-32 of it and 1 ns.
// Preconditions: d is valid.
func (d *Dist) MeanTime() Time {
	switch d.Kind {
	case Constant:
		return d.Least
	case Uniform:
		return Time((uint64(d.Least) + uint64(d.Greatest) + 1) / 2)
	case LogUniform:
		return d.logUniformMean()
	case ExpFloor:
		return d.expFloorMean()
	}
	return d.binsMean()
}

// logUniformMean is (greatest - least) / ln(greatest/least).
func (d *Dist) logUniformMean() Time {
	width := uint64(d.Greatest - d.Least)
	// With s = width/(least+greatest) the mean is the midpoint times 1 - s²/3 - ...; below
	// s = 2^-18 the midpoint is nearer than a quotient of two small numbers would be.
	if width <= uint64(d.Least)>>17 {
		return Time((uint64(d.Least) + uint64(d.Greatest) + 1) / 2)
	}
	ratio := mulHigh(log2(uint64(d.Greatest))-log2(uint64(d.Least)), ln2) // Q57
	mean, _ := bits.Div64(width>>7, width<<57, ratio)
	return Time(mean)
}

// expFloorMean takes off what the cap costs: the mean of min(X, c) for an exponential X of mean
// m is m (1 - e^(-c/m)).
func (d *Dist) expFloorMean() Time {
	rest, room := uint64(d.Mean-d.Least), uint64(d.greatest()-d.Least)
	if rest == 0 || room/rest >= capMeans {
		return d.Mean // less 4e-18 of the rest
	}
	means, _ := bits.Div64(room>>7, room<<57, rest)    // Q57, below 40
	lost := exp2(64*log2One - 2*mulHigh(means, log2e)) // Q64; 2^(64-y) is 2^-y in Q64
	hi, lo := bits.Mul64(rest, lost)
	return d.Mean - Time(hi+lo>>63)
}

// binsMean weighs the middle of each bin with its count.
func (d *Dist) binsMean() Time {
	var hi, lo uint64 // twice the sum of all times
	low := d.Least
	for _, b := range d.Bins {
		h, l := bits.Mul64(b.Count, uint64(low)+uint64(b.Edge))
		var carry uint64
		lo, carry = bits.Add64(lo, l, 0)
		hi += h + carry
		low = b.Edge + 1
	}
	total := d.count()
	lo, carry := bits.Add64(lo, total, 0) // half of the divisor, to round
	mean, _ := bits.Div64(hi+carry, lo, 2*total)
	return Time(mean)
}
