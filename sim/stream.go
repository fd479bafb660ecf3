package sim

import (
	"fmt"
	"math/bits"
)

// Stream is a named sequence of random numbers whose n-th number is a function of the run's
// seed, the stream's name and n alone. Streams share nothing, so adding one shifts no other, and
// two designs that ask the same stream see the same answers.
//
// All modulo 2^64, with G = 0x9e3779b97f4a7c15 (2^64 over the golden ratio, odd):
//
//	fmix(z)    = splitmix64's finalizer:  z ^= z>>30; z *= 0xbf58476d1ce4e5b9;
//	                                      z ^= z>>27; z *= 0x94d049bb133111eb; z ^= z>>31
//	mix(key,n) = fmix(key + (n+1)*G)                     which is splitmix64 started at key
//	hash(seed, name): h = fmix(seed + G); for each byte b of name: h = (h ^ b)*0x100000001b3;
//	                  the key is fmix(h)                 which is FNV-1a from a seeded basis
//
// All streams walk the same cycle of 2^64 numbers from other starts: two of a million numbers
// each overlap with a probability of 10^-13.
type Stream struct {
	key uint64
	n   uint64
}

const golden = 0x9e3779b97f4a7c15

// NewStream returns the stream of that name before its first draw.
func NewStream(seed uint64, name string) Stream { return Stream{key: hash64(seed, name)} }

// Ordinal is the number of draws so far, which is the number of the next, counted from 0.
func (s *Stream) Ordinal() uint64 { return s.n }

// Bits is the next draw: 64 independent even bits.
func (s *Stream) Bits() uint64 {
	draw := mix64(s.key, s.n)
	s.n++
	return draw
}

// Between is the next draw as an integer from least to greatest, both included. It never goes
// down when the draw goes up. Of k integers each has its 1/k of the draws up to one draw in 2^64:
// for k <= 2^32 the relative bias is below 2^-32.
// Preconditions: least <= greatest.
func (s *Stream) Between(least, greatest int64) int64 {
	if least > greatest {
		refuseChoice(least, greatest)
	}
	return scale(s.Bits(), least, greatest)
}

// scale takes a draw to the integers from least to greatest.
func scale(draw uint64, least, greatest int64) int64 {
	count := uint64(greatest) - uint64(least) + 1
	if count == 0 { // all of int64
		return int64(draw + 1<<63)
	}
	offset, _ := bits.Mul64(draw, count)
	return int64(uint64(least) + offset)
}

// refuseChoice is kept out of line, so that a draw needs no stack frame.
//
//go:noinline
func refuseChoice(least, greatest int64) {
	panic(fmt.Sprintf("sim: choice between %d and %d", least, greatest))
}

func fmix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func mix64(key, n uint64) uint64 { return fmix(key + (n+1)*golden) }

func hash64(seed uint64, name string) uint64 {
	h := fmix(seed + golden)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 0x100000001b3
	}
	return fmix(h)
}
