package judge

import (
	"context"
	"fmt"

	"rtsim/scenarios/claim"
	"rtsim/scenarios/file"
)

// Claims about what becomes of messages. A run that is over has waited 10 s for what was sent, so
// a message that was not handled is lost: nobody woke the receiver for it, or what was to say so
// is gone. The order is that of the sequence numbers to which the receiver's loop has read: it may
// pass over nothing, and never goes back.
//
// Runs meet few orders of steps. All of them, without time, are what the protocol layer explores:
// a lost wake-up that it finds is an order in which nobody is left to wake the receiver.

// handled judges such a claim from the runs, and from all orders of steps.
func (q *Inquiry) handled(ctx context.Context, it *Item, seen []*observation,
	j *claim.Judgement) error {
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
	if it.Claim.Kind == file.Order {
		j.Evidence = fmt.Sprintf("all of %s messages are handled in their order in %s, which is "+
			"no proof", grouped(messages), q.runs())
		return nil
	}
	q.noneLost(ctx, it, j)
	j.Evidence = fmt.Sprintf("all of %s messages are handled in %s; %s", grouped(messages),
		q.runs(), j.Evidence)
	return ctx.Err()
}
