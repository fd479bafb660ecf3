package scenarios

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"rtsim/designs"
	"rtsim/model"
)

// Plan is a comparison to run: designs by seeds on one case.
type Plan struct {
	Case    *Case
	Asked   []string          // as named by the user, one for each design
	Designs []*designs.Design // same order
	Seeds   []uint64
	Jobs    int         // how many runs side by side; < 1: one
	Done    func(n int) // called, from any goroutine, when n runs are finished; may be nil
}

// Crash is a broken invariant of the simulator in one run.
type Crash struct {
	Design  string
	Seed    uint64
	Message string
	Stack   string
}

func (c *Crash) Error() string {
	return fmt.Sprintf("%s, seed %d: %s", c.Design, c.Seed, c.Message)
}

// Execute runs the plan, runs side by side, and returns the results in the order of seeds within
// designs, whatever the number of jobs. If the context ends, no further run begins; the results
// of those that were finished are returned with the context's error, the others are nil.
func (p *Plan) Execute(ctx context.Context) ([]*Result, error) {
	results := make([]*Result, len(p.Designs)*len(p.Seeds))
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(max(p.Jobs, 1))
	var done atomic.Int64
	for i := range results {
		group.Go(func() error {
			if inner.Err() != nil {
				return inner.Err()
			}
			d, seed := i/len(p.Seeds), p.Seeds[i%len(p.Seeds)]
			r, err := p.one(inner, d, seed)
			if err != nil {
				return err
			}
			results[i] = r
			if p.Done != nil {
				p.Done(int(done.Add(1)))
			}
			return nil
		})
	}
	err := group.Wait()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return results, err
}

// one runs one design with one seed and turns a panic into a Crash.
func (p *Plan) one(ctx context.Context, d int, seed uint64) (r *Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			text := fmt.Sprint(v)
			if b, ok := v.(model.Broken); ok {
				text = b.Message
			}
			err = &Crash{p.Designs[d].Variant, seed, text, string(debug.Stack())}
		}
	}()
	return p.Case.run(ctx, p.Designs[d], p.Asked[d], seed)
}

// Summarize puts each design's seeds together, and against the first design.
func (p *Plan) Summarize(results []*Result) []Summary {
	var out []Summary
	n := len(p.Seeds)
	for d := range p.Designs {
		own := results[d*n : (d+1)*n]
		s := Summary{Design: p.Asked[d], Variant: p.Designs[d].Variant, Seeds: n,
			Send:    summarize(own, func(r *Result) *Distribution { return &r.Send }),
			Receive: summarize(own, func(r *Result) *Distribution { return &r.Receive })}
		if d > 0 {
			s.Against = pair(p.Asked[0], own, results[:n])
		}
		out = append(out, s)
	}
	return out
}

func summarize(rs []*Result, metric func(*Result) *Distribution) MetricSummary {
	m := MetricSummary{Over: map[string]Spread{}}
	for key := range metric(rs[0]).Over {
		var counts []int64
		for _, r := range rs {
			counts = append(counts, metric(r).Over[key])
		}
		mean, least, greatest := spread(counts)
		m.Over[key] = Spread{mean, least, greatest}
	}
	for _, r := range rs {
		m.MaxNs = max(m.MaxNs, metric(r).MaxNs)
	}
	return m
}

// pair is how a design's late sends differ from the first design's, seed by seed.
func pair(name string, own, first []*Result) *Paired {
	p := &Paired{Design: name, Paired: map[string]PairedSpread{}}
	for key := range own[0].Send.Over {
		var diffs []int64
		for i := range own {
			diffs = append(diffs, own[i].Send.Over[key]-first[i].Send.Over[key])
		}
		mean, least, greatest := spread(diffs)
		p.Paired[key] = PairedSpread{mean, least, greatest}
	}
	return p
}

func spread(v []int64) (mean float64, least, greatest int64) {
	least, greatest = v[0], v[0]
	sum := int64(0)
	for _, x := range v {
		sum += x
		least, greatest = min(least, x), max(greatest, x)
	}
	return float64(sum) / float64(len(v)), least, greatest
}
