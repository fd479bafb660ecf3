package explore_test

import (
	"math"

	"rtsim/sim"
)

// A walk is a gambler's fortune: it goes up by one with probability up in ten, else down by one,
// and stops at 0. Also that is the number of customers in M/M/1 at its changes, until it is idle.
type walk struct {
	draws   sim.Stream
	fortune int64
	up, of  int64
}

func (w *walk) CopyFrom(src *walk) { *w = *src }

func (w *walk) Reseed(seed uint64) { w.draws = sim.NewStream(seed, "walk") }

func (w *walk) Score() int64 { return w.fortune }

func (w *walk) Step() bool {
	if w.fortune == 0 {
		return false
	}
	if w.draws.Between(1, w.of) <= w.up {
		w.fortune++
	} else {
		w.fortune--
	}
	return true
}

// ruin is the probability to come from 1 to the target before 0: (r-1)/(r^L-1), r = down/up.
func (w *walk) ruin(target int64) float64 {
	r := float64(w.of-w.up) / float64(w.up)
	return (r - 1) / (math.Pow(r, float64(target)) - 1)
}

// gambler wins 3 games of 10, mm1 is a station with a load of a half.
func gambler() *walk { return &walk{fortune: 1, up: 3, of: 10} }
func mm1() *walk     { return &walk{fortune: 1, up: 1, of: 3} }

// A tandem is two queues in a row at its changes: arrivals at rate 1 to the first, services at the
// given rates. It stops when both are empty. The event is that the second reaches a target.
type tandem struct {
	tape                  sim.Tape // with one site, 0
	first, second         int64
	rateFirst, rateSecond int64
}

func (q *tandem) CopyFrom(src *tandem) {
	tape := q.tape
	tape.CopyFrom(&src.tape)
	*q = *src
	q.tape = tape
}

func (q *tandem) Reseed(seed uint64) { q.tape.Reseed(seed) }

func (q *tandem) Score() int64 { return q.second }

func (q *tandem) Step() bool {
	if q.first == 0 && q.second == 0 {
		return false
	}
	rates := int64(1)
	if q.first > 0 {
		rates += q.rateFirst
	}
	if q.second > 0 {
		rates += q.rateSecond
	}
	switch draw := q.tape.Choose(0, 1, rates); {
	case draw == 1:
		q.first++
	case q.first > 0 && draw <= 1+q.rateFirst:
		q.first--
		q.second++
	default:
		q.second--
	}
	return true
}

func newTandem(rateFirst, rateSecond int64) *tandem {
	q := &tandem{first: 1, rateFirst: rateFirst, rateSecond: rateSecond}
	q.tape.Stream("tandem")
	return q
}

// A total is a tandem whose score counts both queues: who waits for the first will come to the
// second. The event is as before, and is above all else.
type total struct {
	tandem
	target int64
}

const event = 1000 // the score of the event, above that of any other state

func (q *total) CopyFrom(src *total) {
	q.tandem.CopyFrom(&src.tandem)
	q.target = src.target
}

func (q *total) Score() int64 {
	if q.second >= q.target {
		return event
	}
	return min(q.first+q.second, event-1)
}

// overflow is the probability of the event, from the equations of the chain: Gauss-Seidel with the
// first queue cut at a length beyond which the probability does not change in the digits given.
func (q *tandem) overflow(target int64, cut int) float64 {
	mu1, mu2, width := float64(q.rateFirst), float64(q.rateSecond), int(target)
	p := make([][]float64, cut+2) // by first, second; the last row repeats the one before
	for x := range p {
		p[x] = make([]float64, width+1)
		p[x][width] = 1
	}
	for change := 1.0; change > 1e-13; {
		change = 0
		for x := cut; x >= 0; x-- {
			for y := width - 1; y >= 0; y-- {
				sum, rates := p[min(x+1, cut)][y], 1.0
				if x > 0 {
					sum += mu1 * p[x-1][y+1]
					rates += mu1
				}
				if y > 0 {
					sum += mu2 * p[x][y-1]
					rates += mu2
				}
				if x+y == 0 {
					continue // stopped without the event
				}
				sum /= rates
				change = max(change, math.Abs(sum-p[x][y])/max(sum, math.SmallestNonzeroFloat64))
				p[x][y] = sum
			}
		}
	}
	return p[1][0]
}
