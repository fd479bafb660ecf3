package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestDigestGolden(t *testing.T) {
	// Look at testdata/golden.py: it computes the values from the comment, not from the code.
	for _, f := range goldenLines(t, "digest") {
		d := NewDigest()
		for i := 1; i < len(f); i += 3 {
			d.Add(hex(t, f[i]), hex(t, f[i+1]), hex(t, f[i+2]))
		}
		assert.Equal(t, f[0], d.String())
	}
}

func TestDigestArguments(t *testing.T) {
	// Look at the flipped bit: any one, in any argument, shows, and still does 100 records later.
	rapid.Check(t, func(t *rapid.T) {
		record := [3]uint64{}
		for i := range record {
			record[i] = rapid.Uint64().Draw(t, "argument")
		}
		other := record
		other[rapid.IntRange(0, 2).Draw(t, "which")] ^= 1 << rapid.IntRange(0, 63).Draw(t, "bit")
		d, e := NewDigest(), NewDigest()
		d.Add(record[0], record[1], record[2])
		e.Add(other[0], other[1], other[2])
		require.NotEqual(t, d, e)
		for i := range uint64(100) {
			d.Add(i, 0, i)
			e.Add(i, 0, i)
		}
		require.NotEqual(t, d, e)
	})
}

func TestDigestOrder(t *testing.T) {
	// Look at what is swapped: two records, then two arguments of one.
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Uint64Range(0, 100).Draw(t, "a")
		b := rapid.Uint64Range(0, 100).Filter(func(b uint64) bool { return a != b }).Draw(t, "b")
		digest := func(records ...[3]uint64) Digest {
			d := NewDigest()
			for _, r := range records {
				d.Add(r[0], r[1], r[2])
			}
			return d
		}
		one, two := [3]uint64{a, 1, 2}, [3]uint64{b, 1, 2}
		require.NotEqual(t, digest(one, two), digest(two, one))
		require.NotEqual(t, digest([3]uint64{a, b, 0}), digest([3]uint64{b, a, 0}))
		require.NotEqual(t, digest([3]uint64{0, a, b}), digest([3]uint64{0, b, a}))
		require.NotEqual(t, digest([3]uint64{a, 0, b}), digest([3]uint64{b, 0, a}))
	})
}

func TestDigestSpread(t *testing.T) {
	// Look at the records: small numbers as real ones are, a million of them, no two digests alike.
	seen := make(map[Digest]bool, 1<<20)
	for a := range uint64(128) {
		for b := range uint64(128) {
			for c := range uint64(64) {
				d := NewDigest()
				d.Add(a, b, c)
				seen[d] = true
			}
		}
	}
	assert.Len(t, seen, 1<<20)
}

func BenchmarkDigestAdd(b *testing.B) {
	d, i := NewDigest(), uint64(0)
	for b.Loop() {
		d.Add(i, i>>3, 7)
		i++
	}
}
