package explore

import (
	"fmt"

	"rtsim/sim"
)

// Answer is what a search puts in the place of one draw of a run: it is within the range of its
// question, so whatever a search finds is a possible run of the scenario.
type Answer = sim.Answer

// Found is a witness: a run, and in it the message that took longest. Whoever runs the same case
// and design with this seed and these answers meets the same message:
//
//	rtsim explain SCENARIO --design D --seed Seed --duration Until \
//		--answer SITE#FIRST-LAST=VALUE ...
type Found struct {
	Seed    uint64
	Answers []Answer
	Until   sim.Time // how long the run is
	Message int32    // its number among the sender's, from 0
	Begin   sim.Time // of its call
	Total   sim.Time // of the metric; 0: nothing was found
}

// Flags are those by which a command repeats the witness, beside the scenario, the design, the
// metric and the settings.
func (f *Found) Flags() []string {
	flags := []string{"--seed", fmt.Sprint(f.Seed), "--duration", f.Until.String()}
	for _, text := range sim.AnswerTexts(f.Answers) {
		flags = append(flags, "--answer", text)
	}
	return flags
}
