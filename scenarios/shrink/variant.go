package shrink

import "rtsim/sim"

// variant is what the chain does not say.
type variant struct {
	kind  kind     // what holders do if it is not known
	fair  bool     // policy other stays; else it becomes the lowest priority
	calls int32    // how often who is at the end of the chain sends
	woken bool     // somebody else sends first, so that readers run
	comes comes    // the receiver
	gap   sim.Time // between a burst and whoever comes after it
	// readers is how many others receive. A chain does not name them, but if nobody preempts
	// anybody, what is done for each of them may be what takes long.
	readers int
}

// comes is when somebody comes.
type comes uint8

// The times when the receiver may come.
const (
	beforeAll comes = iota
	afterBurst
	afterSender // whose message then waits for the next one's wake-up
)

// firstGap is between two who come one after the other, in a draft.
const firstGap = 20 * sim.Microsecond

// overBatch is more requests than kvfree_call_rcu collects before a kworker frees them.
const overBatch = 600

// variants are tried in this order: simple ones first.
func (c *cast) variants() []variant {
	var all []variant
	fairs := []bool{false}
	if c.fair {
		fairs = append(fairs, true)
	}
	kinds := []kind{sends}
	if c.unsure {
		kinds = []kind{sends, receives, closes}
	}
	calls := []int32{1, 2, 4, 8, 16, 32, 64}
	if c.thread != "" {
		calls = []int32{overBatch}
	}
	gaps, readers := []sim.Time{0, 10 * sim.Microsecond}, []int{0}
	places := []comes{beforeAll, afterBurst, afterSender}
	if c.length == 0 {
		places = places[:2]
		gaps, readers, calls = []sim.Time{0}, []int{0, c.readers}, []int32{1}
	}
	for _, n := range calls {
		for _, woken := range []bool{false, true} {
			for _, place := range places {
				for _, fair := range fairs {
					for _, gap := range gaps {
						for _, k := range kinds {
							for _, r := range readers {
								all = append(all, variant{k, fair, n, woken, place, gap, r})
							}
						}
					}
				}
			}
		}
	}
	return all
}
