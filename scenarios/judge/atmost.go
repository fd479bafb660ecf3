package judge

import (
	"context"
	"fmt"
	"strings"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/claim"
	"rtsim/scenarios/explore"
	"rtsim/scenarios/file"
)

// A claim that a value is over a limit with at most a probability. The runs judge it, with as many
// messages as were fixed before; their evidence is that of claim.Sample, which takes neighbours as
// dependent. What a file claims in this way is one family, corrected by Holm together, those that
// hold and those that fail each. Where the runs are too few, an estimate of rare events comes next.

// odds is what the runs say of one such claim.
type odds struct {
	sample       claim.Sample
	holds, fails float64 // p-values, corrected for the family
	members      int     // of the family
}

// family judges the samples of all such claims together, by item; nil for the other claims.
func (q *Inquiry) family(of map[*designs.Design][]*observation) ([]*odds, error) {
	all := make([]*odds, len(q.Items))
	var members []int
	var holds, fails []float64
	for i := range q.Items {
		it := &q.Items[i]
		if it.Claim.Kind != file.AtMost {
			continue
		}
		o := &odds{holds: 1, fails: 1}
		for _, seen := range of[it.Design] {
			if run := seen.over[it]; len(run) > 0 {
				o.sample.Runs = append(o.sample.Runs, run)
			}
		}
		if len(o.sample.Runs) > 0 {
			var err error
			if o.holds, err = o.sample.Holds(it.Claim.AtMost); err != nil {
				return nil, err
			}
			if o.fails, err = o.sample.Fails(it.Claim.AtMost); err != nil {
				return nil, err
			}
		}
		all[i] = o
		members = append(members, i)
		holds, fails = append(holds, o.holds), append(fails, o.fails)
	}
	holds, fails = claim.Holm(holds), claim.Holm(fails)
	for k, i := range members {
		all[i].holds, all[i].fails, all[i].members = holds[k], fails[k], len(members)
	}
	return all, nil
}

// atMost judges such a claim.
func (q *Inquiry) atMost(ctx context.Context, it *Item, seen []*observation, o *odds,
	j *claim.Judgement) error {
	c := &it.Claim
	limit := c.Over
	j.LimitNs, j.AtMost, j.Confidence = &limit, &c.AtMost, &c.Confidence
	if worst, _ := q.worstSeen(it, seen); worst != nil {
		j.WitnessNs = &worst.Total
	}
	if len(o.sample.Runs) == 0 {
		j.Evidence = fmt.Sprintf("no %s in %s", c.Metric, q.runs())
		return nil
	}
	b, err := q.bound(it, j)
	if err != nil {
		return err
	}
	evidence, err := o.said(c, j)
	if err != nil {
		return err
	}
	said := []string{fmt.Sprintf("claimed is p <= %g with %g %% confidence", c.AtMost,
		100*c.Confidence), fmt.Sprintf("%s, in %s", evidence, q.runs())}
	switch error := 1 - c.Confidence; {
	case b.proves(limit): // it never is
		j.Verdict = claim.Proved
		said = append(said, b.said())
	case o.holds <= error:
		j.Verdict = claim.Estimated
	case o.fails <= error:
		j.Verdict = claim.Refuted
	default:
		what, err := q.rare(ctx, it, o, j)
		if err != nil {
			return err
		}
		said = append(said, what)
	}
	if o.members > 1 {
		said = append(said, fmt.Sprintf("corrected for %d such claims (Holm)", o.members))
	}
	j.Evidence = strings.Join(said, "; ")
	return nil
}

// said is what the sample shows, in a clause; the judgement gets the interval.
func (o *odds) said(c *file.Claim, j *claim.Judgement) (string, error) {
	all, batches := o.sample.All(), o.sample.Batches()
	is, err := o.sample.Interval(c.Confidence)
	if err != nil {
		return "", err
	}
	iid, err := all.AtMost(c.Confidence)
	if err != nil {
		return "", err
	}
	cautious, err := o.sample.AtMost(c.Confidence)
	if err != nil {
		return "", err
	}
	j.Probability = &claim.Probability{Estimate: float64(all.Over) / float64(all.Of), Low: is.Low,
		High: is.High, Confidence: c.Confidence, Method: "runs of a length fixed before, by " +
			"batches"}
	return fmt.Sprintf("%s of %s over %s (in %s of %s batches of %d): p <= %.3g (%g %%, "+
		"one-sided, iid), %.3g with what neighbours share, %.3g to %.3g by batches",
		grouped(all.Over), grouped(all.Of), c.Over, grouped(batches.Over), grouped(batches.Of),
		claim.BatchLength, iid, 100*c.Confidence, cautious, is.Low, is.High), nil
}

// rareSteps is how many steps of the machine an estimate of rare events may take: half a minute on
// two cores, with its plain runs. Fewer in proportion if an adversary is to look at fewer runs.
const (
	rareSteps      = 24_000_000
	rareStepsLeast = 1_000_000
)

// rareSteps is how many steps an estimate may take here.
func (q *Inquiry) rareSteps() int64 {
	if q.Searches == 0 {
		return rareSteps
	}
	share := float64(max(q.Searches, 0)) / explore.DefaultEvaluations
	return max(min(int64(share*rareSteps), rareSteps), rareStepsLeast)
}

// rare asks the estimate of rare events where the runs did not decide.
func (q *Inquiry) rare(ctx context.Context, it *Item, o *odds, j *claim.Judgement) (string, error) {
	c := &it.Claim
	if c.Metric != scenarios.MetricSend && c.Metric != scenarios.MetricReceive {
		return "which decides nothing", nil
	}
	p := &explore.Problem{Case: q.Case, Design: it.Design, Metric: c.Metric, Seed: q.Seeds[0]}
	r, err := explore.Probability(ctx, p, c.Over,
		explore.Effort{Steps: q.rareSteps(), Jobs: q.Jobs})
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return fmt.Sprintf("which decides nothing, and no estimate of rare events: %v", err), nil
	case !r.Trusted:
		return "which decides nothing, and the estimate of rare events is not trusted: " + r.Why,
			nil
	}
	said := fmt.Sprintf("which decides nothing; an estimate of rare events gives %.3g, from %.3g "+
		"to %.3g (%g %%, %d repetitions)", r.Estimate, r.Low, r.High, 100*r.Confidence, r.Runs)
	if (1-r.Confidence)/2 > (1-c.Confidence)/float64(o.members) { // it errs on one side
		return said + ", with less confidence than is asked for", nil
	}
	j.Probability = &claim.Probability{Estimate: r.Estimate, Low: r.Low, High: r.High,
		Confidence: r.Confidence, Method: "multilevel splitting"}
	switch {
	case r.High <= c.AtMost:
		j.Verdict = claim.Estimated
		said += ", all of it within the claim"
	case r.Low > c.AtMost:
		j.Verdict = claim.Refuted
		said += ", all of it above the claim"
	default:
		said += ", and the claim lies in between"
	}
	return said, nil
}
