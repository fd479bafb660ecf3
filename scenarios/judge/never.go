package judge

import (
	"context"
	"fmt"
	"strings"

	"rtsim/scenarios"
	"rtsim/scenarios/blame"
	"rtsim/scenarios/claim"
	"rtsim/scenarios/explore"
	"rtsim/sim"
)

// A claim that no value is above a limit.

// confidence is that of what is said beside a verdict.
const confidence = 0.95

// never judges it: the bound, the runs, the search, the exhaustive look, in this order.
func (q *Inquiry) never(ctx context.Context, it *Item, seen []*observation,
	j *claim.Judgement) error {
	limit := it.Claim.Over
	j.LimitNs = &limit
	b, err := q.bound(it, j)
	if err != nil {
		return err
	}
	said, err := q.said(it, seen)
	if err != nil {
		return err
	}
	evidence := []string{said}
	worst, violated := q.worstSeen(it, seen)
	if worst != nil {
		j.WitnessNs = &worst.Total
	}
	switch {
	case violated:
		j.Verdict = claim.Refuted
	case b.proves(limit):
		j.Verdict = claim.Proved
	default:
		found, what, err := q.search(ctx, it, b)
		if err != nil {
			return err
		}
		evidence = append(evidence, what...)
		if found != nil && (worst == nil || found.Total > worst.Total) {
			worst, violated = found, found.Total > limit
		}
		if !violated {
			found, complete, what, err := q.exhaust(ctx, it)
			if err != nil {
				return err
			}
			evidence = append(evidence, what...)
			if found != nil && (worst == nil || found.Total > worst.Total) {
				worst, violated = found, found.Total > limit
			}
			if complete {
				j.Verdict = claim.Exhausted
			}
		}
		if worst != nil {
			j.WitnessNs = &worst.Total
		}
		if violated {
			j.Verdict = claim.Refuted
		}
	}
	j.Evidence = strings.Join(append(evidence, b.said()), "; ")
	if !violated {
		return nil
	}
	return q.witness(ctx, it, worst, j)
}

// worstSeen is the first value above the limit that a run met, or else the greatest of all.
func (q *Inquiry) worstSeen(it *Item, seen []*observation) (f *explore.Found, violated bool) {
	for _, o := range seen {
		if v, ok := o.first[it]; ok {
			return q.found(it, o.seed, v), true
		}
	}
	for _, o := range seen {
		v, ok := o.worst[it.Claim.Metric]
		if ok && (f == nil || v.Total() > f.Total) {
			f = q.found(it, o.seed, v)
		}
	}
	return f, false
}

// found is a value of a run as a witness. The run need be no longer than the message: its sender
// sends nothing after that, and whoever is measured before is less late.
func (q *Inquiry) found(it *Item, seed uint64, v scenarios.Value) *explore.Found {
	until := v.Begin + 1
	if it.Claim.Metric != scenarios.MetricSend { // what comes meanwhile may be to blame
		until = v.End
	}
	return &explore.Found{Seed: seed, Answers: q.Case.Options().Answers, Until: until,
		Message: v.Message, Begin: v.Begin, Total: v.Total()}
}

// said is what the runs showed, in a clause.
func (q *Inquiry) said(it *Item, seen []*observation) (string, error) {
	metric := it.Claim.Metric
	var n, over int64
	for _, o := range seen {
		if v, ok := o.first[it]; ok {
			what := ""
			if v.Message != scenarios.NoMessage {
				what = fmt.Sprintf(" of message %d", v.Message)
			}
			return fmt.Sprintf("the %s%s, at %s with seed %d, takes %s, over %s", metric, what,
				v.Begin, o.seed, blame.Us(v.Total()), it.Claim.Over), nil
		}
		n += o.counts[metric]
	}
	if n == 0 {
		return fmt.Sprintf("no %s in %s", metric, q.runs()), nil
	}
	all := claim.Exceedances{Over: over, Of: n}
	p, err := all.AtMost(confidence)
	if err != nil {
		return "", err
	}
	batches := claim.Exceedances{Of: max(n/claim.BatchLength, 1)}
	cautious, err := batches.AtMost(confidence)
	if err != nil {
		return "", err
	}
	var longest sim.Time
	for _, o := range seen {
		if v, ok := o.worst[metric]; ok {
			longest = max(longest, v.Total())
		}
	}
	return fmt.Sprintf("none of %s is over %s in %s, so p <= %.3g (95 %%, one-sided, iid), %.3g "+
		"by batches of %d; the longest takes %s", grouped(n), it.Claim.Over, q.runs(), p, cautious,
		claim.BatchLength, blame.Us(longest)), nil
}

// runs says how much was simulated.
func (q *Inquiry) runs() string { return runsOf(q.Case.Options().Duration, q.Seeds) }

func runsOf(d sim.Time, seeds []uint64) string {
	if len(seeds) == 1 {
		return fmt.Sprintf("%s with seed %d", d, seeds[0])
	}
	return fmt.Sprintf("%s with each of seeds %d to %d", d, seeds[0], seeds[len(seeds)-1])
}

// grouped is a number with its thousands parted.
func grouped(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
