package judge

import (
	"fmt"

	"rtsim/scenarios/claim"
	"rtsim/scenarios/file"
)

// Claims about what becomes of messages. A run that is over has waited 10 s for what was sent, so
// a message that was not handled is lost: nobody woke the receiver for it, or what was to say so
// is gone. The order is that of the sequence numbers to which the receiver's loop has read: it may
// pass over nothing, and never goes back.

// handled judges such a claim from the runs: they refute it or leave it open.
func (q *Inquiry) handled(it *Item, seen []*observation, j *claim.Judgement) error {
	var messages int64
	for _, o := range seen {
		messages += o.run.Messages
		what, wrong := "lost although nobody refused it", o.run.Lost
		if it.Claim.Kind == file.Order {
			what, wrong = "handled after a later one", o.run.Disordered
		}
		if wrong == 0 {
			continue
		}
		j.Verdict = claim.Refuted
		j.Evidence = fmt.Sprintf("%s of %s messages %s, in %s with seed %d", grouped(wrong),
			grouped(o.run.Messages), what, q.Case.Options().Duration, o.seed)
		return nil
	}
	what := "all of %s messages are handled"
	if it.Claim.Kind == file.Order {
		what = "all of %s messages are handled in their order"
	}
	j.Evidence = fmt.Sprintf(what, grouped(messages)) + " in " + q.runs() +
		", which is no proof; no analysis is built"
	return nil
}
