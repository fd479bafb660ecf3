package sim

import "fmt"

// Queue holds one timer slot an entity and finds the earliest. It is ordered by (time, slot): of
// two timers due at once the lower slot comes first, whatever was set first, so a copy and its
// original agree. Moving or cancelling a timer is one write; nothing stale is ever left behind.
// The contents are a function of the slots' times alone, so equal queues compare equal.
//
// It is a winner tree in two arrays with the root at 1, the children of i at 2i and 2i+1, and
// slot s in the leaf leaves+s. A node holds the time and the slot of the earliest leaf below it.
// Set climbs from a leaf and carries the winner in two registers, so each level waits for one
// compare and two conditional moves only: which siblings it meets depends on the slot, not on
// who wins, and their loads run ahead.
//
// A hold (Next, then Set of that slot to a later time) takes, in ns with 20, 100, 1000 and
// 10,000 slots pending (AMD Turin; the loops alone, least of 12 to 20 runs taken in turns; checks
// and benchmark add about 1):
//
//	this                                              6.3    8.3   11.8   16.7
//	one array of (time, slot) pairs                   7.3    9.2   12.4   17.5
//	four children a node                              7.6    9.6   11.3   16.6
//	two levels a turn of the loop                     6.4    7.8   10.8   16.5   twice the code
//	a compare of (time, slot) with two borrows       11.0   14.1   20.1   28.2
//	a compare with a branch                          21.6   35.8   55.2   79.5   mispredicted
//	winners as slots, times in the leaves only       27.8   45.3   73.0   99.1   loads in a chain
//	stop where a node's winner stays                  6.5    8.0   11.2   17.2
//
// The last one gains when timers that are not the next are moved in a large queue (8.5 for 18.3
// with 10,000) and loses in a small one (10.9 for 8.0 with 20: the stop is mispredicted). Our
// machines have tens of entities.
type Queue struct {
	at     []uint64 // times; 2*leaves of them, the first unused
	winner []int32  // slots, side by side with at
	slots  int      // of the leaves; the rest stay at Never
}

// NewQueue returns a queue of that many slots, all idle.
func NewQueue(slots int) Queue {
	leaves := 1
	for leaves < slots {
		leaves *= 2
	}
	q := Queue{at: make([]uint64, 2*leaves), winner: make([]int32, 2*leaves), slots: slots}
	for i := 2*leaves - 1; i > 0; i-- {
		q.at[i] = uint64(Never)
		if i >= leaves {
			q.winner[i] = int32(i - leaves)
		} else {
			q.winner[i] = q.winner[2*i]
		}
	}
	return q
}

// Len is the number of slots, idle or not.
func (q *Queue) Len() int { return q.slots }

// At is the time that a slot is set to, Never if it is idle.
func (q *Queue) At(slot int) Time {
	if uint(slot) >= uint(q.slots) {
		q.refuse(slot, 0)
	}
	return Time(q.at[len(q.at)/2+slot])
}

// Next is the earliest time and its slot, the lowest slot if several share it; Never and -1 if
// all are idle.
func (q *Queue) Next() (at Time, slot int) {
	if at = Time(q.at[1]); at == Never {
		return Never, -1
	}
	return at, int(q.winner[1])
}

// Least is the earliest time, Never if all are idle.
func (q *Queue) Least() Time { return Time(q.at[1]) }

// Set moves a slot to a time, or makes it idle with Never.
// Preconditions: 0 <= slot < Len, at >= 0.
func (q *Queue) Set(slot int, at Time) {
	if uint(slot) >= uint(q.slots) || at < 0 {
		q.refuse(slot, at)
	}
	times, winners := q.at, q.winner[:len(q.at)]
	i := uint(len(times)/2 + slot)
	best, who := uint64(at), int32(slot)
	times[i] = best
	for i > 1 {
		rival, rivalWho := times[i^1], winners[i^1]
		// A right child holds higher slots than its sibling, so it must be earlier to win: as
		// if it were 1 ns later. Unsigned, so that Never + 1 is no overflow. Two ifs because
		// the compiler makes a conditional move of each, but a branch of one with both.
		loses := rival < best+uint64(i&1)
		if loses {
			best = rival
		}
		if loses {
			who = rivalWho
		}
		i >>= 1
		times[i], winners[i] = best, who
	}
}

// CopyFrom makes q equal to src and independent of it, in q's memory if that is large enough.
func (q *Queue) CopyFrom(src *Queue) {
	q.at = append(q.at[:0], src.at...)
	q.winner = append(q.winner[:0], src.winner...)
	q.slots = src.slots
}

// refuse is kept out of line, so that Set needs no stack frame.
//
//go:noinline
func (q *Queue) refuse(slot int, at Time) {
	panic(fmt.Sprintf("sim: queue of %d slots: slot %d at %v", q.slots, slot, at))
}
