package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"rtsim/model"
	"rtsim/scenarios/claim"
	"rtsim/scenarios/explore/protocol"
)

// What all orders of the steps of a design's listings say, without time: of a real-time sender, a
// sender of low priority, each of whom sends once, and the receiver. That none of them is wrong is
// EXHAUSTED: with more senders, or more messages, there may be one.

// orders is the exploration of a design, made when first asked for.
type orders struct {
	once   sync.Once
	report *protocol.Report
	err    error
}

// errAlone says that the orders of two senders say nothing here.
var errAlone = errors.New("nobody but the measured sender sends to the receiver here, and " +
	"they are those of two senders")

// explored explores the item's design, once for all its claims.
func (q *Inquiry) explored(ctx context.Context, it *Item) (*protocol.Report, error) {
	if q.alone() {
		return nil, errAlone
	}
	o := q.orders[it.Design]
	o.once.Do(func() {
		o.report, o.err = protocol.Explore(ctx, it.Design.In(q.Case.Era), protocol.Options{})
	})
	return o.report, o.err
}

// alone says whether nobody but the measured sender sends to a queue that the receiver reads.
func (q *Inquiry) alone() bool {
	s := q.Case.Scenario
	read := map[int32]bool{}
	for i := range s.Tasks {
		for _, w := range s.Tasks[i].Program {
			if w.Kind == model.WordReceive && s.Tasks[i].Name == s.Receiver {
				read[w.Lock] = true
			}
		}
	}
	for i := range s.Tasks {
		for _, w := range s.Tasks[i].Program {
			if w.Kind == model.WordSend && s.Tasks[i].Name != s.Sender && read[w.Lock] {
				return false
			}
		}
	}
	return true
}

// noneLost judges that no order of steps loses a wake-up.
func (q *Inquiry) noneLost(ctx context.Context, it *Item, j *claim.Judgement) {
	r, err := q.explored(ctx, it)
	switch {
	case err != nil:
		j.Evidence = fmt.Sprintf("not all orders of steps were explored: %v", err)
		return
	case r.Lost != nil:
		j.Verdict = claim.Refuted
		j.Evidence = fmt.Sprintf("but in an order of the steps of two senders and the receiver, "+
			"of %s states, nobody is left to wake the receiver", grouped(int64(r.States)))
		j.Witness = way(*r.Lost)
	default:
		j.Verdict = claim.Exhausted
		j.Evidence = fmt.Sprintf("and no order of the steps of two senders, one message each, and "+
			"the receiver loses a wake-up, in %s states", grouped(int64(r.States)))
	}
	j.Repeat = q.listing(it)
}

// windows judges that in no order of steps a message waits for a preempted sender whom nothing
// boosts.
func (q *Inquiry) windows(ctx context.Context, it *Item, j *claim.Judgement) {
	r, err := q.explored(ctx, it)
	if err != nil {
		j.Evidence = fmt.Sprintf("not all orders of steps were explored: %v", err)
		return
	}
	j.Repeat = q.listing(it)
	if len(r.Windows) == 0 {
		j.Verdict = claim.Exhausted
		j.Evidence = fmt.Sprintf("no order of the steps of two senders, one message each, and the "+
			"receiver has one, in %s states", grouped(int64(r.States)))
		return
	}
	var steps []string
	for _, w := range r.Windows {
		if !slices.Contains(steps, w.Step) {
			steps = append(steps, w.Step)
		}
	}
	j.Verdict = claim.Refuted
	j.Evidence = fmt.Sprintf("a sender of low priority, preempted before one of %d steps, holds "+
		"back others' messages at his own priority: %s", len(r.Windows),
		strings.Join(steps, "; "))
	j.Witness = way(r.Windows[0].Trail)
}

// listing is the command that shows windows and ways.
func (q *Inquiry) listing(it *Item) string {
	text := "rtsim list " + it.Asked + " --windows"
	if kernel := q.Case.Scenario.Kernel; kernel != "7.4" {
		text += " --set kernel=" + kernel
	}
	return text
}

// way is an order of steps in one line.
func way(t protocol.Trail) string {
	var parts []string
	for _, s := range t {
		parts = append(parts, s.Thread+" "+s.Steps[len(s.Steps)-1])
	}
	return "a shortest way there, by the last step of each turn: " + strings.Join(parts, "; ")
}
