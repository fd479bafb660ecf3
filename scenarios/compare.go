package scenarios

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/sim"
)

// Plan is a comparison to run: designs by seeds on one case.
type Plan struct {
	Case    *Case
	Asked   []string          // as named by the user, one for each design
	Designs []*designs.Design // same order
	Seeds   []uint64
	Jobs    int         // how many runs side by side; < 1: one
	Done    func(n int) // called, from any goroutine, when n runs are finished; may be nil

	simulated atomic.Int64
}

// Progress says how much of all that is to be simulated is done, and of how many runs. It may be
// asked while the plan is executed.
func (p *Plan) Progress() (done, all sim.Time, runs int) {
	runs = len(p.Designs) * len(p.Seeds)
	return sim.Time(p.simulated.Load()), sim.Time(runs) * p.Case.options.Duration, runs
}

// Crash is a broken invariant of the simulator in one run.
type Crash struct {
	Design  string
	Seed    uint64
	Message string
	Stack   string
}

// Error says which run broke, and how.
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

// one runs one design with one seed.
func (p *Plan) one(ctx context.Context, d int, seed uint64) (*Result, error) {
	return p.Case.Run(ctx, p.Designs[d], p.Asked[d], seed, &p.simulated)
}

// Run runs one design with one seed, until the context ends. asked is the name it was asked for;
// simulated is told how much was simulated. A broken invariant is a *Crash.
func (c *Case) Run(ctx context.Context, d *designs.Design, asked string, seed uint64,
	simulated *atomic.Int64) (r *Result, err error) {
	defer Crashed(d.Variant, seed, &err)
	return c.run(ctx, d, asked, seed, simulated)
}

// Crashed makes a *Crash of a panic of the function that defers it.
func Crashed(variant string, seed uint64, err *error) {
	if v := recover(); v != nil {
		text := fmt.Sprint(v)
		if b, ok := v.(model.Broken); ok {
			text = b.Message
		}
		*err = &Crash{variant, seed, text, string(debug.Stack())}
	}
}
