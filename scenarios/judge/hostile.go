package judge

import (
	"context"
	"fmt"

	"rtsim/scenarios"
	"rtsim/scenarios/claim"
	"rtsim/scenarios/explore"
	"rtsim/sim"
)

// A pair of runs need not be random either: what an adversary puts on the CPUs is what may be there
// as well. Message i of his run is compared with message i of the same run with the other design,
// or without what runs there. He only looks at stressed runs, which takes a second, as he cannot
// look for a difference but for a long message: one that is long in both runs, as for a burst that
// meets every design, refutes nothing.

// hostile compares a pair of runs with an adversary's answers, if he finds any, and adds to the
// evidence. over compares, and says whether the claim is violated.
func (q *Inquiry) hostile(ctx context.Context, it *Item, j *claim.Judgement,
	over func(c *scenarios.Case, seed uint64) (bool, error)) error {
	metric := it.Claim.Metric
	if metric != scenarios.MetricSend && metric != scenarios.MetricReceive || q.Searches < 0 {
		j.Evidence += ", which is no proof"
		return nil
	}
	p := &explore.Problem{Case: q.Case, Design: it.Design, Metric: metric, Seed: q.Seeds[0]}
	f, _, err := explore.Stressed(ctx, p, it.Claim.Over)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil || f.Total <= it.Claim.Over:
		j.Evidence += ", which is no proof"
		return nil
	}
	violated, err := over(q.Case.Answering(f.Answers).Within(f.Until), f.Seed)
	if err != nil {
		return err
	}
	if !violated {
		j.Evidence += ", which is no proof, nor is a run that an adversary has found"
		return nil
	}
	j.Evidence += "; but in a run that an adversary has found"
	j.Seed, j.UntilNs = f.Seed, f.Until
	j.Answers = sim.AnswerTexts(f.Answers)
	name, names := "explain", it.Asked
	if it.Than != nil {
		name, names = "compare", fmt.Sprintf("%s,%s", it.Claim.Than, it.Asked)
	}
	args := append([]string{name, q.Case.Scenario.Name, "--design", names}, f.Flags()...)
	if name == "explain" && metric == scenarios.MetricReceive {
		args = append(args, "--metric", metric)
	}
	j.Repeat = scenarios.CommandLine(append(args, q.Settings...))
	return nil
}
