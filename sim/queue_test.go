package sim

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// naiveQueue is the definition: the first of the least times.
type naiveQueue []Time

func (q naiveQueue) next() (Time, int) {
	at := slices.Min(q)
	if at == Never {
		return Never, -1
	}
	return at, slices.Index(q, at)
}

func TestQueueAgainstScan(t *testing.T) {
	// Look at the times: few of them, so that most are ties, and the greatest that exist.
	rapid.Check(t, func(t *rapid.T) {
		slots := rapid.IntRange(1, 70).Draw(t, "slots")
		q, naive := NewQueue(slots), naiveQueue(slices.Repeat([]Time{Never}, slots))
		times := rapid.SampledFrom([]Time{0, 1, 2, 3, Never - 1, Never})
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			slot, at := rapid.IntRange(0, slots-1).Draw(t, "slot"), times.Draw(t, "at")
			q.Set(slot, at)
			naive[slot] = at
			gotAt, gotSlot := q.Next()
			wantAt, wantSlot := naive.next()
			require.Equal(t, wantAt, gotAt)
			require.Equal(t, wantSlot, gotSlot)
		}
		fresh := NewQueue(slots)
		for slot, at := range naive {
			require.Equal(t, at, q.At(slot))
			fresh.Set(slot, at)
		}
		require.Equal(t, fresh, q, "the contents remember more than the times")
	})
}

func TestQueueEmpty(t *testing.T) {
	// Look at the sizes around a power of two, and at none at all: idle is Never and -1.
	for slots := range 10 {
		q := NewQueue(slots)
		assert.Equal(t, slots, q.Len())
		at, slot := q.Next()
		assert.Equal(t, Never, at)
		assert.Equal(t, -1, slot)
	}
}

func TestQueueRefuses(t *testing.T) {
	// Look at slot 5 of 5: its leaf exists (there are 8) and still is not the caller's.
	q := NewQueue(5)
	assert.PanicsWithValue(t, "sim: queue of 5 slots: slot 5 at 1ns", func() { q.Set(5, 1) })
	assert.PanicsWithValue(t, "sim: queue of 5 slots: slot -1 at 1ns", func() { q.Set(-1, 1) })
	assert.PanicsWithValue(t, "sim: queue of 5 slots: slot 0 at -1ns", func() { q.Set(0, -1) })
	assert.PanicsWithValue(t, "sim: queue of 5 slots: slot 7 at 0ns", func() { q.At(7) })
}

func TestQueueCopyFrom(t *testing.T) {
	// Look at the last lines: the copy moved on and the original did not, in either direction.
	src, other := NewQueue(5), NewQueue(9)
	src.Set(3, 7)
	for _, q := range []*Queue{{}, &other} {
		q.CopyFrom(&src)
		require.Equal(t, src, *q)
		q.Set(3, 1)
		assert.Equal(t, Time(7), src.At(3))
		src.Set(2, 9)
		assert.Equal(t, Never, q.At(2))
		src.Set(2, Never)
	}
}

// holdSteps are what a hold adds to the time of the slot it takes; a power of two of them.
var holdSteps = func() (steps [4096]Time) {
	s := NewStream(1, "hold")
	for i := range steps {
		steps[i] = Time(s.Between(0, 1e6))
	}
	return steps
}()

// hold takes the earliest slot and sets it to later, n times, and digests what came.
func hold(pending, n int, next func() (Time, int), set func(int, Time)) Digest {
	d := NewDigest()
	for slot := range pending {
		set(slot, holdSteps[slot%len(holdSteps)])
	}
	for i := range n {
		at, slot := next()
		d.Add(uint64(at), uint64(slot), uint64(i))
		set(slot, at+holdSteps[i%len(holdSteps)])
	}
	return d
}

func TestHold(t *testing.T) {
	// Look at the digests: a hold as it is measured pops what a naive scan pops.
	for _, pending := range []int{1, 2, 20, 100, 1000} {
		q, naive := NewQueue(pending), naiveQueue(make([]Time, pending))
		want := hold(pending, 3000, naive.next, func(slot int, at Time) { naive[slot] = at })
		assert.Equal(t, want, hold(pending, 3000, q.Next, q.Set), "%d pending", pending)
	}
}

func BenchmarkHold(b *testing.B) {
	for _, pending := range []int{20, 100, 1000, 10_000} {
		b.Run(fmt.Sprint(pending), func(b *testing.B) {
			// The digest of a fixed run tells whether two builds measured the same work.
			q := NewQueue(pending)
			b.Logf("digest %v", hold(pending, 1000, q.Next, q.Set))
			i := 0
			for b.Loop() {
				at, slot := q.Next()
				q.Set(slot, at+holdSteps[i%len(holdSteps)])
				i++
			}
		})
	}
}

func BenchmarkQueueCopyFrom(b *testing.B) {
	src, q := NewQueue(20), NewQueue(20)
	for b.Loop() {
		q.CopyFrom(&src)
	}
}
