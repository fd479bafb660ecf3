// Package sim holds what every discrete-event simulator needs and nothing of kernels: integer
// time, the queue of timer slots, named random choices, integer sampling, the digest.
package sim

// Time is an instant or a duration in nanoseconds since the start of the run.
type Time int64

// Never is later than any instant of a run.
const Never Time = 1<<63 - 1

// The units of Time.
const (
	Nanosecond  Time = 1
	Microsecond      = 1000 * Nanosecond
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond
)
