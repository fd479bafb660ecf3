package sim

import (
	"fmt"
	"math/bits"
)

// Digest is a rolling 64-bit hash of a sequence of records. It tells two runs apart, it does not
// resist an attacker.
//
// Add(a, b, c), all modulo 2^64:
//
//	word = a*A xor rotl(b*B, 21) xor rotl(c*C, 42)
//	d    = rotl(d xor word, 29)*D + E
//
// Each argument alone maps one to one to word, and for one word old d to new d: records that
// differ in one argument always differ in digest, and digests that differ stay so as long as the
// same records are added to both. Only one multiplication waits for the record before.
type Digest uint64

// The multipliers are odd, with bits in no pattern (the primes of xxHash64, and splitmix64's
// increment as the start).
const (
	digestStart = 0x9e3779b97f4a7c15
	digestA     = 0x9e3779b185ebca87
	digestB     = 0xc2b2ae3d27d4eb4f
	digestC     = 0x165667b19e3779f9
	digestD     = 0x85ebca77c2b2ae63
	digestE     = 0x27d4eb2f165667c5
)

// NewDigest is the digest of no records.
func NewDigest() Digest { return digestStart }

// Add appends a record of three numbers.
func (d *Digest) Add(a, b, c uint64) {
	word := a*digestA ^ bits.RotateLeft64(b*digestB, 21) ^ bits.RotateLeft64(c*digestC, 42)
	*d = Digest(bits.RotateLeft64(uint64(*d)^word, 29)*digestD + digestE)
}

// String is 16 hex digits, as results print it.
func (d Digest) String() string { return fmt.Sprintf("%016x", uint64(d)) }
