package shrink

import (
	"context"
	"errors"
	"fmt"

	"rtsim/model"
	"rtsim/scenarios"
	"rtsim/sim"
)

// seedsMost is how many seeds a file should hold for. The first is the one that commands take
// unless they are told another, and a file always holds for that.
const seedsMost = 3

// runsMost is after how many runs nobody looks for a first sketch that holds: more than twice as
// many as any known witness needs.
const runsMost = 1500

// trials tries sketches.
type trials struct {
	in     *Input
	base   scenarios.Options // the settings that are no parameters: costs
	reason reason
	seeds  uint64 // that a sketch must hold for: 1 to this
	named  int    // how many may have to do with the message
	step   string // at which whoever is preempted is preempted
	known  map[trialKey]outcome
	runs   int // so far
}

type trialKey struct {
	file string
	seed uint64
}

// fileName stands for the file in errors and in the command that repeats it.
const fileName = "FILE"

// read reads a sketch. It is right by construction, so an error is one of this package.
func (t *trials) read(s *sketch) (*scenarios.Case, error) {
	o := t.base
	o.Duration = s.last() + sim.Second
	c, err := scenarios.Load(fileName, s.file(), o)
	if err != nil {
		return nil, fmt.Errorf("shrink: %w, in\n%s", err, s.file())
	}
	return c, nil
}

// run runs a sketch until its worst message is over that is above the limit; nil if there is none.
func (t *trials) run(ctx context.Context, s *sketch, seed uint64, steps bool) (*observed, error) {
	c, err := t.read(s)
	if err != nil {
		return nil, err
	}
	t.runs++
	r := runner{c: c, d: t.in.Design, metric: t.in.Metric, steps: steps, longest: s.end()}
	w := c.Workload(t.in.Design)
	m := model.New(w, c.Profile.Table(), seed)
	if from := s.bursts() - settling; from > 0 && !steps {
		if err := m.Run(from); err != nil {
			return nil, err
		}
	}
	return r.observe(ctx, w, m, func(_ int32, total sim.Time) bool { return total > t.in.Limit })
}

// settling is how long before the first burst the records begin of a trial. What was before (a
// cache that is filled, a grace period) takes most of some runs and is not asked about. The last
// word on a file has a run with all its records (trials.small).
const settling = 2 * sim.Millisecond

// bursts is when the first burst comes, or else the last happening.
func (s *sketch) bursts() sim.Time {
	at := sim.Time(0)
	for i := range s.all {
		at += s.all[i].after
		if k := s.all[i].kind; k == runs || k == interrupt {
			break
		}
	}
	return at
}

// end is when all that a sketch can bring about is over.
func (s *sketch) end() sim.Time {
	end := s.last() + 50*sim.Millisecond
	for i := range s.all {
		end += s.all[i].length
	}
	return end
}

// outcome is what a run gives.
type outcome struct {
	ok    bool // a message is over the limit for the same reason
	named int  // how many have to do with it
}

func (t *trials) outcome(ctx context.Context, text string, s *sketch, seed uint64) (outcome,
	error) {
	key := trialKey{text, seed}
	got, known := t.known[key]
	if known {
		return got, nil
	}
	o, err := t.run(ctx, s, seed, false)
	if err != nil && !errors.Is(err, model.ErrDeadlock) && !errors.Is(err, model.ErrInstant) {
		return got, err // a design that is broken may do the others
	}
	if o != nil && t.reason.covers(o.reason()) {
		got = outcome{true, o.named}
	}
	t.known[key] = got
	return got, nil
}

// holds says whether a sketch has a message over the limit for the same reason, with each of the
// seeds that are asked for, and nobody has to do with it who had not.
func (t *trials) holds(ctx context.Context, s *sketch) (bool, error) {
	text := string(s.file())
	for seed := uint64(1); seed <= t.seeds; seed++ {
		got, err := t.outcome(ctx, text, s, seed)
		if err != nil || !got.ok || got.named > t.named {
			return false, err
		}
	}
	return true, nil
}

// how says with how many of the first seeds a sketch holds, all or one or none, and how many have
// to do with it.
func (t *trials) how(ctx context.Context, s *sketch) (seeds uint64, named int, err error) {
	text := string(s.file())
	for seed := uint64(1); seed <= seedsMost; seed++ {
		got, err := t.outcome(ctx, text, s, seed)
		if err != nil || !got.ok {
			return min(seed-1, 1), named, err
		}
		if seed == 1 || named < got.named {
			named = got.named
		}
	}
	return seedsMost, named, nil
}
