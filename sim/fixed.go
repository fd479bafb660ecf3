package sim

import "math/bits"

// Logarithm and exponential to base 2 in integer fixed point: floating point may differ between
// machines (fused multiplication, libm) and digests must not. Qn is a number times 2^n.
//
// Both never go down when their argument goes up, by construction and not only up to an error:
// all terms are positive, each is rounded down, and a logarithm's segments are added up from its
// own value at the end of the one before. Sampling relies on it. Tables of values with a
// polynomial between them are as fast and are not monotone where they meet.

// log2One is 1 as the result of log2 and the argument of exp2: Q57, since log2 reaches 64.
const log2One = 1 << 57

const (
	ln2   = 0xb17217f7d1cf79ab // Q64
	log2e = 0xb8aa3b295c17f0bb // Q63
)

// logSegments is how many equal parts [1, 2) is cut into.
const logSegments = 32

// logTable holds the Q63 logarithm of the start of each segment, 1 + k/logSegments.
var logTable = buildLogTable()

func buildLogTable() [logSegments]uint64 {
	var table [logSegments]uint64
	for k := uint64(1); k < logSegments; k++ {
		table[k] = table[k-1] + log2In(k-1, segmentStart(k))
	}
	return table
}

func segmentStart(k uint64) uint64 { return (logSegments + k) << 57 } // Q62

// log2 is the Q57 logarithm of x, at most 2^-55 too low and never too high.
// Preconditions: x >= 1.
func log2(x uint64) uint64 {
	whole := uint64(bits.Len64(x) - 1)
	m := x << (63 - whole) >> 1 // Q62, in [1, 2)
	k := m >> 57 % logSegments
	return whole<<57 | (logTable[k]+log2In(k, m))>>6
}

// log2In is the Q63 logarithm of m (Q62) over the start of its segment.
// ln(m/b) = 2 atanh(s) with s = (m-b)/(m+b) < 1/65, and atanh(s) = s + s^3/3 + s^5/5 + ...
func log2In(k, m uint64) uint64 {
	const third, fifth, seventh, ninth = (1<<64 - 1) / 3, (1<<64 - 1) / 5, (1<<64 - 1) / 7,
		(1<<64 - 1) / 9 // Q64
	b := segmentStart(k)
	s, _ := bits.Div64(m-b, 0, m+b) // Q64
	s2 := mulHigh(s, s)
	p := third + mulHigh(s2, fifth+mulHigh(s2, seventh+mulHigh(s2, ninth)))
	atanh := s + mulHigh(s, mulHigh(s2, p))
	return 2 * mulHigh(atanh, log2e)
}

// expTerms is enough for (ln 2)^n / n! to fall below 2^-48.
const expTerms = 15

// inverseFactorials holds 1/n! in Q62.
var inverseFactorials = buildInverseFactorials()

func buildInverseFactorials() [expTerms]uint64 {
	table := [expTerms]uint64{1 << 62}
	for n := uint64(1); n < expTerms; n++ {
		table[n] = table[n-1] / n
	}
	return table
}

// exp2 is 2 to the power y (Q57, below 64), rounded to an integer; its relative error before
// that is at most 2^-46.
func exp2(y uint64) uint64 {
	z := mulHigh(y<<7, ln2) // Q64: the fraction of y times ln 2
	m := inverseFactorials[expTerms-1]
	for n := expTerms - 2; n >= 0; n-- {
		m = inverseFactorials[n] + mulHigh(z, m)
	}
	// m is Q62 in [1, 2).
	whole := y >> 57
	if whole >= 62 {
		return m << (whole - 62)
	}
	return (m>>(61-whole) + 1) >> 1
}

// mulHigh is the upper half of a product: a times the Q64 fraction b, rounded down.
func mulHigh(a, b uint64) uint64 {
	hi, _ := bits.Mul64(a, b)
	return hi
}
