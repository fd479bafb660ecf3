package explore

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

// field is what all flights of one repetition have in common: states of one long run shortly before
// messages of it, from which flights start, and when what is to happen.
type field struct {
	*arena
	ctx    context.Context // ended: flights stop where they are, and nothing comes of them
	limit  sim.Time
	before sim.Time // how long before the release a flight starts
	groups []group
	cells  []cell
	bursts []int      // loads, the first burstsMost
	steps  []sim.Time // of a message, at which a flight is split: ascending, below the limit
	needed []int32    // locks that the message takes now and then, but for raw ones
}

// group is messages before which the sender took the same locks in the long run. Some groups are
// rare, as when a cache is empty, and known before the message.
type group struct {
	starts []takeoff
	share  float64 // of all messages
}

// takeoff is where a flight may start.
type takeoff struct {
	m       *model.Machine
	message int32
	release sim.Time
	locks   []int32 // that the sender took before the next message, sorted, but for raw ones
}

const (
	// Messages of each repetition are those of a run for so long, some lives of the published
	// experiment's processes, from so far on, or from where its messages count. In their first life
	// all periods begin at once, as they never do again.
	rareRun  = 3 * sim.Second
	rareSkip = 1100 * sim.Millisecond

	rareStarts = 600 // messages of it from which flights start
	groupsMost = 3
	burstsMost = 8
	// rareBefore is how long before the first burst that may matter a flight starts: what is done
	// after a burst, until the message is over, takes less.
	rareBefore = 100 * sim.Microsecond
	finest     = 250 // ns before the limit, the last split
)

// field takes the starts of flights from a run of its own.
func (a *arena) field(ctx context.Context, seed uint64, limit sim.Time) (*field, error) {
	f := &field{arena: a, ctx: ctx, limit: limit}
	var longest sim.Time
	for i := range a.workload.Loads {
		if d := &a.workload.Loads[i]; d.Kind == model.LoadBurst && len(f.bursts) < burstsMost {
			f.bursts = append(f.bursts, i)
			_, greatest := d.Length.Range()
			longest = max(longest, greatest)
		}
	}
	if longest == 0 || limit/longest >= burstsMost {
		return nil, fmt.Errorf("%s is more than %d bursts, or there are none: flights would not "+
			"come so far", limit, burstsMost)
	}
	f.before = max(longest-limit, 0) + rareBefore
	f.cells = cellsOf(f.before)
	for rest := limit / 2; rest >= finest; rest /= 2 {
		f.steps = append(f.steps, limit-rest)
	}
	m := model.New(a.workload, a.costs, seed)
	m.Keep(trace.SendBegin, trace.SendEnd, trace.Publish, trace.Handle)
	if err := m.Run(max(rareSkip, f.earliest)); err != nil {
		return nil, a.failed(seed, err)
	}
	at, err := f.collect(ctx, seed, m.Clone())
	if err != nil {
		return nil, err
	}
	f.sort(at, sim.NewStream(seed, "explore/starts"))
	for _, t := range f.inOrder() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := m.Run(t.release - f.before); err != nil {
			return nil, a.failed(seed, err)
		}
		m.Trace = m.Trace[:0]
		t.m = m.Clone()
	}
	return f, nil
}

// collect finds the messages of a run, from where it is, from which flights may start: the first
// ones are left out that have no such time before their release.
func (f *field) collect(ctx context.Context, seed uint64, m *model.Machine) (
	at []takeoff, err error) {
	from := m.Now()
	m.Keep(trace.SendBegin, trace.LockAcquired)
	for m.Now() < from+rareRun {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := m.Run(m.Now() + scanBatch); err != nil {
			return nil, f.failed(seed, err)
		}
		for i := range m.Trace {
			r := &m.Trace[i]
			if r.Task != f.sender && (r.Task != f.receiver || !f.receives) {
				continue
			}
			release := r.At - sim.Time(r.B)
			switch {
			case r.Kind == trace.SendBegin && r.Task == f.sender && release > from+f.before:
				at = append(at, takeoff{message: r.A, release: release})
			case r.Kind == trace.LockAcquired && m.Sleeps(r.A):
				if !slices.Contains(f.needed, r.A) {
					f.needed = append(f.needed, r.A)
				}
				if n := len(at); n > 0 && r.Task == f.sender {
					at[n-1].locks = added(at[n-1].locks, r.A)
				}
			}
		}
		m.Trace = m.Trace[:0]
	}
	if len(at) == 0 {
		return nil, fmt.Errorf("%s sends nothing within %s", f.problem.Case.Scenario.Sender,
			rareRun)
	}
	return at, nil
}

// added is a sorted set with one more.
func added(set []int32, one int32) []int32 {
	i, found := slices.BinarySearch(set, one)
	if found {
		return set
	}
	return slices.Insert(set, i, one)
}

// sort sorts messages by their groups, the most frequent first, the rarest together, and leaves of
// each group some at random.
func (f *field) sort(at []takeoff, draws sim.Stream) {
	var groups [][]takeoff
	for _, t := range at {
		i := slices.IndexFunc(groups, func(g []takeoff) bool {
			return slices.Equal(g[0].locks, t.locks)
		})
		if i < 0 {
			groups, i = append(groups, nil), len(groups)
		}
		groups[i] = append(groups[i], t)
	}
	slices.SortStableFunc(groups, func(x, y []takeoff) int { return len(y) - len(x) })
	for len(groups) > groupsMost {
		last := len(groups) - 1
		groups[last-1] = append(groups[last-1], groups[last]...)
		groups = groups[:last]
	}
	for _, g := range groups {
		share := float64(len(g)) / float64(len(at))
		for len(g) > rareStarts/len(groups) {
			i := int(draws.Between(0, int64(len(g)-1)))
			g = slices.Delete(g, i, i+1)
		}
		f.groups = append(f.groups, group{g, share})
	}
}

// inOrder are all starts in the order of time.
func (f *field) inOrder() (all []*takeoff) {
	for i := range f.groups {
		for j := range f.groups[i].starts {
			all = append(all, &f.groups[i].starts[j])
		}
	}
	slices.SortFunc(all, func(x, y *takeoff) int { return cmp.Compare(x.release, y.release) })
	return all
}
