package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"rtsim/scenarios"
	"rtsim/scenarios/claim"
	"rtsim/scenarios/explore"
	"rtsim/scenarios/file"
	"rtsim/scenarios/shrink"
	"rtsim/sim"
)

// A witness: the command that repeats it, who is to blame, and the smallest file that shows the
// same.

// command is the command line that judges the item again, beside what else is claimed of its
// design.
func (q *Inquiry) command(it *Item) string {
	args := []string{"check", q.Case.Scenario.Name, "--design", it.Asked}
	if q.Seeds[0] != 1 {
		args = append(args, "--seed", fmt.Sprint(q.Seeds[0]))
	}
	if len(q.Seeds) > 1 {
		args = append(args, "--seeds", fmt.Sprint(len(q.Seeds)))
	}
	if d := q.Case.Options().Duration; d != scenarios.DefaultDuration {
		args = append(args, "--duration", d.String())
	}
	return scenarios.CommandLine(slices.Concat(args, q.Settings, q.Flags))
}

// claimLines are the claim as a scenario file says it, so that the small file can be checked.
func claimLines(it *Item) []byte {
	return fmt.Appendf(nil, "claims:\n  - {name: %q, metric: %s, %s: %s, designs: [%s]}\n",
		it.Claim.Name, it.Claim.Metric, file.NeverOver, it.Claim.Over, it.Asked)
}

// witness says of a violation who is to blame, how to repeat it, and makes it small.
func (q *Inquiry) witness(ctx context.Context, it *Item, f *explore.Found,
	j *claim.Judgement) error {
	metric := it.Claim.Metric
	j.Seed, j.UntilNs = f.Seed, f.Until
	j.Answers = sim.AnswerTexts(f.Answers)
	explained := metric == scenarios.MetricSend || metric == scenarios.MetricReceive
	name := "explain"
	if !explained {
		name = "compare"
	}
	args := append([]string{name, q.Case.Scenario.Name, "--design", it.Asked}, f.Flags()...)
	if metric == scenarios.MetricReceive {
		args = append(args, "--metric", metric)
	}
	j.Repeat = scenarios.CommandLine(append(args, q.Settings...))
	if !explained {
		return nil
	}
	c := q.Case.Answering(f.Answers).Within(f.Until)
	ask := &scenarios.Question{Case: c, Design: it.Design, Asked: it.Asked, Seed: f.Seed,
		Metric: metric, Worst: 1, Columns: pictureColumns}
	e, err := ask.Explain(ctx)
	if err != nil {
		return err
	}
	if len(e.Worst) > 0 {
		j.Witness = e.Worst[0].Sentence
		j.Picture = e.Worst[0].Picture
	}
	if q.Quick {
		return nil
	}
	small, err := shrink.Shrink(ctx, shrink.Input{Case: c, Design: it.Design, Asked: it.Asked,
		Seed: f.Seed, Metric: metric, Limit: it.Claim.Over, Message: f.Message})
	switch {
	case errors.Is(err, shrink.ErrNone):
		return nil
	case err != nil:
		return err
	}
	j.Small = &claim.Small{File: append(small.File, claimLines(it)...),
		Happenings: small.Happenings, Ns: small.TotalNs, Sentence: small.Sentence,
		Repeat: small.Repeat}
	j.Picture = small.Picture
	return nil
}

// pictureColumns is how wide a witness is drawn.
const pictureColumns = 72
