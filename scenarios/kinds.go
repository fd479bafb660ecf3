package scenarios

import (
	"context"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios/blame"
)

// Kinds says how many messages of a run each kind of chain of causes has (blame.Kind): the regimes
// that the run has met. A kind that an adversary finds and no run has met is a regime of which the
// run's numbers say nothing. The metric is MetricSend or MetricReceive.
func Kinds(ctx context.Context, c *Case, d *designs.Design, seed uint64, metric string) (
	kinds map[string]int64, err error) {
	defer Crashed(d.Variant, seed, &err)
	w := c.Workload(d)
	m := model.New(w, c.Profile.Table(), seed)
	m.KeepAll()
	m.KeepNotes()
	meter := c.meter(w)
	f := blame.NewFollower(NamesOf(w, m.Program()), meter.sender, meter.receiver)
	f.Receives, f.From = metric == MetricReceive, meter.from
	kinds = map[string]int64{}
	f.Over = func(message *blame.Message) { kinds[blame.Kind(f.Parts(message))]++ }
	see := func(records []trace.Record) error {
		f.TakeAll(records)
		return nil
	}
	return kinds, c.drive(ctx, d, seed, m, meter, nil, see)
}
