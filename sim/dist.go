package sim

import (
	"fmt"
	"math/bits"
)

// DistKind is the shape of a distribution.
type DistKind uint8

// The shapes, and which fields of Dist each reads; the others are ignored.
const (
	Constant   DistKind = iota // Least, always
	Uniform                    // every integer from Least to Greatest alike
	LogUniform                 // the logarithm even from Least to Greatest
	ExpFloor                   // Least plus an exponential time, Mean together; Greatest may cap it
	Histogram                  // as measured: Least and Bins
)

var distNames = [...]string{"constant", "uniform", "log-uniform", "exp-floor", "histogram"}

// String is the shape's name.
func (k DistKind) String() string {
	if int(k) < len(distNames) {
		return distNames[k]
	}
	return fmt.Sprintf("DistKind(%d)", uint8(k))
}

// Bin counts what was measured above the edge of the bin before, up to and with its own Edge.
type Bin struct {
	Edge  Time
	Count uint64
}

// Dist is a distribution of times; the zero value is the constant 0. One 64-bit draw gives one
// time, and a larger draw never a shorter one: no bits set give the least time and all bits the
// greatest, so an adversary asks for the extremes with the same means as chance does.
type Dist struct {
	Kind            DistKind
	Least, Greatest Time
	Mean            Time
	Bins            []Bin
}

// capMeans bounds an exponential time without Greatest, in means: a chance of 4e-18 a draw.
const capMeans = 40

// Validate says what is wrong with the fields that the kind reads.
func (d *Dist) Validate() error {
	switch {
	case int(d.Kind) >= len(distNames):
		return fmt.Errorf("distribution: kind %d does not exist", d.Kind)
	case d.Least < 0 || d.Least == Never:
		return d.wrong("least must be a duration of 0ns or more, not %v", d.Least)
	}
	switch d.Kind {
	case Uniform, LogUniform:
		if d.Greatest < d.Least || d.Greatest == Never {
			return d.wrong("greatest must be a duration of least (%v) or more, not %v",
				d.Least, d.Greatest)
		}
		if d.Kind == LogUniform && d.Least == 0 {
			return d.wrong("least must be 1ns or more: 0ns has no logarithm")
		}
	case ExpFloor:
		return d.validateExp()
	case Histogram:
		return d.validateBins()
	}
	return nil
}

func (d *Dist) validateExp() error {
	switch {
	case d.Mean < d.Least || d.Mean == Never:
		return d.wrong("mean must be a duration of least (%v) or more, not %v", d.Least, d.Mean)
	case d.Greatest == Never || d.Greatest != 0 && d.Greatest < d.Mean:
		return d.wrong("greatest must be a duration of mean (%v) or more, not %v (0ns: none)",
			d.Mean, d.Greatest)
	case d.Greatest == 0 && d.Mean-d.Least > (Never-1-d.Least)/capMeans:
		return d.wrong("mean %v is too long without greatest; give one", d.Mean)
	}
	return nil
}

func (d *Dist) validateBins() error {
	total, low := uint64(0), d.Least
	for i, b := range d.Bins {
		if b.Edge < low || b.Edge == Never {
			return d.wrong("bin %d: edge must be a duration of %v or more, not %v", i, low, b.Edge)
		}
		if b.Count >= 1<<62 || total+b.Count >= 1<<62 {
			return d.wrong("bin %d: the counts add up to 2^62 or more", i)
		}
		total, low = total+b.Count, b.Edge+1
	}
	if total == 0 {
		return d.wrong("the bins count nothing; one must have a count of 1 or more")
	}
	return nil
}

func (d *Dist) wrong(format string, args ...any) error {
	return fmt.Errorf("%v distribution: "+format, append([]any{d.Kind}, args...)...)
}

// At is the time that a draw gives. Rounding is to the nearest nanosecond; LogUniform has a
// relative error below 2^-45 on top, ExpFloor one of 2^-54 of the exponential part's mean.
// A Histogram takes time linear in its bins: log-linear ones stay few.
// Preconditions: d is valid.
func (d *Dist) At(draw uint64) Time {
	if draw == 1<<64-1 {
		return d.greatest()
	}
	switch d.Kind {
	case Constant:
		return d.Least
	case Uniform:
		return d.Least + Time(mulHigh(draw, uint64(d.Greatest-d.Least)+1))
	case LogUniform:
		low := log2(uint64(d.Least))
		y := low + mulHigh(draw, log2(uint64(d.Greatest))-low)
		return min(max(Time(exp2(y)), d.Least), d.Greatest)
	case ExpFloor:
		return d.expFloor(draw)
	}
	return d.fromBins(draw)
}

// Range is the least and the greatest time that a draw can give.
// Preconditions: d is valid.
func (d *Dist) Range() (least, greatest Time) { return d.At(0), d.greatest() }

func (d *Dist) greatest() Time {
	switch d.Kind {
	case Constant:
		return d.Least
	case ExpFloor:
		if d.Greatest == 0 {
			return d.Least + capMeans*(d.Mean-d.Least)
		}
	case Histogram:
		last := len(d.Bins) - 1
		for d.Bins[last].Count == 0 {
			last--
		}
		return d.Bins[last].Edge
	}
	return d.Greatest
}

// expFloor inverts the exponential: least + mean part * -ln(1 - draw/2^64).
func (d *Dist) expFloor(draw uint64) Time {
	if draw == 0 {
		return d.Least
	}
	// 64 is Q57's 2^63; -draw is 2^64 - draw.
	means := mulHigh(64*log2One-log2(-draw), ln2) // Q57, at most 44.4
	hi, lo := bits.Mul64(means, uint64(d.Mean-d.Least))
	lo, carry := bits.Add64(lo, log2One/2, 0)
	hi += carry
	room := d.greatest() - d.Least
	if hi>>56 != 0 { // 2^63 ns or more
		return d.Least + room
	}
	return d.Least + min(Time(hi<<7|lo>>57), room)
}

// fromBins finds the bin by the draw's share of all counts and the place in it by what remains.
func (d *Dist) fromBins(draw uint64) Time {
	rank, part := bits.Mul64(draw, d.count()) // the draw times the count is rank + part/2^64
	low := d.Least
	for _, b := range d.Bins {
		if rank < b.Count {
			inside, _ := bits.Div64(rank, part, b.Count) // Q64
			return low + Time(mulHigh(inside, uint64(b.Edge-low)+1))
		}
		rank, low = rank-b.Count, b.Edge+1
	}
	panic(fmt.Sprintf("sim: %v distribution was not validated: %v", d.Kind, d.Bins))
}

func (d *Dist) count() uint64 {
	total := uint64(0)
	for _, b := range d.Bins {
		total += b.Count
	}
	return total
}
