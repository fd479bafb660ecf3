// Package campaign runs one scenario many times with other settings, and says what that changes: a
// sweep moves one or two settings over a range, a sensitivity analysis each assumed one to the ends
// of its range.
//
// A run is one design with one seed and one set of settings. Runs know nothing of each other, so
// they go side by side in any order, and what is finished is kept in a file with all that it
// depends on. Who is interrupted and starts again finds those files: as every result is read back
// from what was written, an interrupted campaign ends with the same bytes as an undisturbed one.
//
// Alternatives rejected: one file for all runs, which an interruption can leave half written; a
// journal of what is to be done, since the settings say that, and a journal can contradict them.
package campaign

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// RunsMost bounds a campaign: so many runs, each a file if it is kept.
const RunsMost = 100_000

// Base is what all runs of a campaign have in common.
type Base struct {
	Version string // of the program, for what is printed
	// Build tells two programs apart that may give other results; what is kept is only found again
	// by the same.
	Build    string
	Scenario string // name
	Data     []byte // its file
	Options  scenarios.Options
	Asked    []string          // designs as named by the user
	Designs  []*designs.Design // same order
	Seeds    []uint64
	Jobs     int    // how many runs side by side; < 1: one
	Keep     string // directory of the finished runs; "": nothing is kept
}

// point is one set of settings of a campaign.
type point struct {
	set []file.Setting // beside the base's
	c   *scenarios.Case
}

// point prepares a set of settings. The error is what the settings do to the scenario's file.
func (b *Base) point(set ...file.Setting) (point, error) {
	o := b.Options
	o.Set = slices.Concat(o.Set, set)
	c, err := scenarios.Load(b.Scenario, b.Data, o)
	return point{set, c}, err
}

// run is one run of a campaign.
type run struct {
	point  *point
	design int // index into the base's
	seed   uint64
}

// Work is runs in progress.
type Work struct {
	base      *Base
	runs      []run
	finished  atomic.Int64
	simulated atomic.Int64
}

// Progress says how much of all that is to be simulated is done, and of how many runs. It may be
// asked while they are executed.
func (w *Work) Progress() (done, all sim.Time, runs int) {
	if len(w.runs) > 0 {
		all = sim.Time(len(w.runs)) * w.runs[0].point.c.Options().Duration
	}
	return sim.Time(w.simulated.Load()), all, len(w.runs)
}

// Finished says how many of how many runs are.
func (w *Work) Finished() (done, all int) { return int(w.finished.Load()), len(w.runs) }

// execute makes the runs that are not kept, and gives the results of all in their order. If the
// context ends, no further run begins, and its error is returned.
func (w *Work) execute(ctx context.Context) ([]*scenarios.Result, error) {
	kept, err := openStore(w.base.Keep)
	if err != nil {
		return nil, err
	}
	results := make([]*scenarios.Result, len(w.runs))
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(max(w.base.Jobs, 1))
	for i := range w.runs {
		if inner.Err() != nil {
			break
		}
		group.Go(func() (err error) {
			results[i], err = w.one(inner, kept, &w.runs[i])
			return err
		})
	}
	err = group.Wait()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return results, err
}

// one finds a run among those that are kept, or makes it.
func (w *Work) one(ctx context.Context, kept store, r *run) (*scenarios.Result, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	b, c := w.base, r.point.c
	in := newInputs(b, r)
	if found, ok := kept.load(in); ok {
		w.finished.Add(1)
		w.simulated.Add(int64(c.Options().Duration))
		return found, nil
	}
	result, err := c.Run(ctx, b.Designs[r.design], b.Asked[r.design], r.seed, &w.simulated)
	if err != nil {
		return nil, w.failed(r, err)
	}
	result, err = kept.save(in, result)
	if err == nil {
		w.finished.Add(1)
	}
	return result, err
}

// Failure is a run that ended in an error or in a broken invariant.
type Failure struct {
	Design string
	Seed   uint64
	Set    []file.Setting // all of them, the base's first
	Err    error
}

// Error says which run failed, and how.
func (f *Failure) Error() string {
	set := ""
	for _, s := range f.Set {
		set += fmt.Sprintf(" --set %s=%s", s.Name, s.Value)
	}
	return fmt.Sprintf("with%s: %v", set, f.Err)
}

// Unwrap gives the error inside.
func (f *Failure) Unwrap() error { return f.Err }

func (w *Work) failed(r *run, err error) error {
	return &Failure{w.base.Asked[r.design], r.seed,
		slices.Concat(w.base.Options.Set, r.point.set), err}
}
