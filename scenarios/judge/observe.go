package judge

import (
	"context"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/claim"
	"rtsim/scenarios/file"
)

// What one run of a design says of all claims about it. It ends as soon as it has violated each of
// them; a claim that needs the whole run, as one about a probability does, keeps it going, so that
// its number of messages was fixed before.

// observation is that.
type observation struct {
	seed   uint64
	run    *scenarios.Probed
	worst  map[string]scenarios.Value // by metric
	counts map[string]int64           // values by metric
	first  map[*Item]scenarios.Value  // the first above the limit, of claims that there is none
	over   map[*Item][]claim.Exceedances
}

// watched is an item while a run goes on.
type watched struct {
	item  *Item
	never bool // it is violated by one value
	batch claim.Exceedances
}

// observe runs a design once.
func (q *Inquiry) observe(ctx context.Context, d *designs.Design, seed uint64) (
	*observation, error) {
	o := &observation{seed: seed, worst: map[string]scenarios.Value{},
		counts: map[string]int64{}, first: map[*Item]scenarios.Value{},
		over: map[*Item][]claim.Exceedances{}}
	by, open := q.watch(d)
	p := &scenarios.Probe{Case: q.Case, Design: d, Seed: seed}
	p.See = func(v scenarios.Value) bool {
		o.counts[v.Metric]++
		if w, ok := o.worst[v.Metric]; !ok || v.Total() > w.Total() {
			o.worst[v.Metric] = v
		}
		for _, w := range by[v.Metric] {
			if o.take(w, v) {
				open--
			}
		}
		return open > 0
	}
	if open == 0 { // nothing here asks for a run of its own
		return o, nil
	}
	var err error
	if o.run, err = p.Run(ctx); err != nil {
		return nil, err
	}
	for _, all := range by {
		for _, w := range all {
			if w.batch.Of > 0 {
				o.over[w.item] = append(o.over[w.item], w.batch)
			}
		}
	}
	return o, nil
}

// watch gives the items of a design that a run is watched for, by metric, and how many claims keep
// it going.
func (q *Inquiry) watch(d *designs.Design) (by map[string][]*watched, open int) {
	by = map[string][]*watched{}
	for i := range q.Items {
		it := &q.Items[i]
		if it.Design != d {
			continue
		}
		switch it.Claim.Kind {
		case file.NeverOver, file.AtMost:
			by[it.Claim.Metric] = append(by[it.Claim.Metric],
				&watched{item: it, never: it.Claim.Kind == file.NeverOver})
			open++
		case file.Delivers, file.Order:
			open++
		}
	}
	return by, open
}

// take notes a value, and says whether it was the last that the item needs.
func (o *observation) take(w *watched, v scenarios.Value) bool {
	over := v.Total() > w.item.Claim.Over
	if w.never {
		if _, violated := o.first[w.item]; !over || violated {
			return false
		}
		o.first[w.item] = v
		return true
	}
	w.batch.Of++
	if over {
		w.batch.Over++
	}
	if w.batch.Of == claim.BatchLength {
		o.over[w.item] = append(o.over[w.item], w.batch)
		w.batch = claim.Exceedances{}
	}
	return false
}
