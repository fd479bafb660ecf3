package explore

import (
	"rtsim/designs"
	"rtsim/scenarios"
)

// Problem is whose longest message is looked for.
type Problem struct {
	Case   *scenarios.Case
	Design *designs.Design
	Metric string // scenarios.MetricSend or MetricReceive
	Seed   uint64 // of the run whose answers are changed
}
