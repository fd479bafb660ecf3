package judge

import (
	"context"
	"fmt"

	"rtsim/scenarios"
	"rtsim/sim"
)

// Regimes: the kinds of chains of causes. A run is a sample of those that it has met, and says
// nothing of the others. So beside what a run showed stands how many of the kinds that an adversary
// met, each in a possible run, it has met too.

// regimesWithin is how much of a run is looked through, message by message.
const regimesWithin = 2 * sim.Second

// regimes says it in a clause, of the kinds that a search met.
func (q *Inquiry) regimes(ctx context.Context, it *Item, met []string) (string, error) {
	c := q.Case.Within(min(q.Case.Options().Duration, regimesWithin))
	kinds, err := scenarios.Kinds(ctx, c, it.Design, q.Seeds[0], it.Claim.Metric)
	if err != nil {
		return "", err
	}
	both := 0
	for _, kind := range met {
		if kinds[kind] > 0 {
			both++
		}
	}
	return fmt.Sprintf("%s has %d of the %d kinds of chains that a search met, and %d others",
		runsOf(c.Options().Duration, q.Seeds[:1]), both, len(met), len(kinds)-both), nil
}
