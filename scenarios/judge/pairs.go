package judge

import (
	"context"
	"fmt"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/scenarios"
	"rtsim/scenarios/blame"
	"rtsim/scenarios/claim"
	"rtsim/sim"
)

// Claims that compare two runs, message by message. Draws are named, so message i meets the same
// arrivals, bursts and interrupts in both: what differs is the design, or what the claim says may
// differ. That many pairs agree is evidence about these pairs, so such a claim is REFUTED or OPEN;
// unless the bound of all times is within what they may move by. It counts every burst at its
// longest and every task of the file, so it is one of each world that is compared.

// pairedMost is how much of a run is compared.
const pairedMost = 10 * sim.Second

// pairedCase is the case that is compared.
func (q *Inquiry) pairedCase() *scenarios.Case {
	return q.Case.Within(min(q.Case.Options().Duration, pairedMost))
}

// times are a metric's values of a run, by message.
func times(ctx context.Context, p *scenarios.Probe, metric string) ([]sim.Time, error) {
	var all []sim.Time
	p.See = func(v scenarios.Value) bool {
		if v.Metric == metric {
			for len(all) <= int(v.Message) {
				all = append(all, none)
			}
			all[v.Message] = v.Total()
		}
		return true
	}
	_, err := p.Run(ctx)
	return all, err
}

// none is the time of a message that was not handled.
const none sim.Time = -1

// later is how much later messages are than with another design.
type later struct {
	pairs, over int64
	most        sim.Time
	first       string // the first that is too late
}

// take compares the runs of one seed, message by message.
func (l *later) take(ctx context.Context, c *scenarios.Case, it *Item, seed uint64) error {
	var both [2][]sim.Time
	for i, d := range []*designs.Design{it.Design, it.Than} {
		var err error
		p := &scenarios.Probe{Case: c, Design: d, Seed: seed}
		if both[i], err = times(ctx, p, it.Claim.Metric); err != nil {
			return err
		}
	}
	for m := range min(len(both[0]), len(both[1])) {
		here, there := both[0][m], both[1][m]
		if here == none || there == none {
			continue
		}
		l.pairs++
		if here > there {
			l.most = max(l.most, here-there)
		}
		if here <= there+it.Claim.Over {
			continue
		}
		l.over++
		if l.first == "" {
			l.first = fmt.Sprintf("message %d with seed %d takes %s, and %s with %s", m, seed,
				blame.Us(here), blame.Us(there), it.Claim.Than)
		}
	}
	return nil
}

// neverLater judges that no message is later than with another design.
func (q *Inquiry) neverLater(ctx context.Context, it *Item, j *claim.Judgement) error {
	var l later
	for _, seed := range q.Seeds {
		if err := l.take(ctx, q.pairedCase(), it, seed); err != nil {
			return err
		}
	}
	limit := it.Claim.Over
	j.LimitNs, j.WitnessNs = &limit, &l.most
	j.Evidence = fmt.Sprintf("%s of %s messages are later than the same ones with %s by more than "+
		"%s, the most by %s, in %s", grouped(l.over), grouped(l.pairs), it.Claim.Than, limit,
		blame.Us(l.most), q.pairedRuns())
	if l.over == 0 {
		err := q.hostile(ctx, it, j, func(c *scenarios.Case, seed uint64) (bool, error) {
			err := l.take(ctx, c, it, seed)
			return l.over > 0, err
		})
		if err != nil {
			return err
		}
	}
	if l.over > 0 {
		j.Verdict, j.Witness = claim.Refuted, l.first
	}
	return nil
}

// pairedRuns says how much was compared.
func (q *Inquiry) pairedRuns() string {
	return runsOf(q.pairedCase().Options().Duration, q.Seeds)
}

// worlds are what may run on the CPUs of a claim that nothing there matters, the file's own first.
var worlds = []struct {
	name  string
	alter func(w *model.Workload, cpus uint64)
}{
	{"what the file says", func(*model.Workload, uint64) {}},
	{"other draws", renamed},
	{"nothing", emptied},
	{"the longest of all loads", lengthened},
}

// unmoved judges that no message's time moves by more than a limit, whatever runs on some CPUs.
func (q *Inquiry) unmoved(ctx context.Context, it *Item, j *claim.Judgement) error {
	limit := it.Claim.Over
	j.LimitNs = &limit
	cpus, err := q.apart(it)
	if err != nil {
		return err
	}
	b, err := q.bound(it, j)
	if err != nil {
		return err
	}
	var w moved
	for _, seed := range q.Seeds {
		if err := w.run(ctx, q.pairedCase(), it, cpus, seed); err != nil {
			return err
		}
	}
	j.WitnessNs = &w.most
	j.Evidence = fmt.Sprintf("%s of %s messages move by more than %s, the most by %s, when CPUs "+
		"%s run %s, %s, %s or %s, in %s", grouped(w.over), grouped(w.messages), limit,
		blame.Us(w.most), cpuList(it.Claim.CPUs), worlds[0].name, worlds[1].name, worlds[2].name,
		worlds[3].name, q.pairedRuns())
	switch {
	case w.over > 0:
	case b.proves(limit):
		j.Verdict = claim.Proved
		j.Evidence += "; none of these worlds takes more than the " + b.said()
	default:
		err := q.hostile(ctx, it, j, func(c *scenarios.Case, seed uint64) (bool, error) {
			err := w.run(ctx, c, it, cpus, seed)
			return w.over > 0, err
		})
		if err != nil {
			return err
		}
	}
	if w.over > 0 {
		j.Verdict, j.Witness = claim.Refuted, w.first
	}
	return nil
}

// run runs all worlds of one seed, and compares them.
func (w *moved) run(ctx context.Context, c *scenarios.Case, it *Item, cpus uint64,
	seed uint64) error {
	var all [][]sim.Time
	for _, world := range worlds {
		p := &scenarios.Probe{Case: c, Design: it.Design, Seed: seed,
			Alter: func(w *model.Workload) { world.alter(w, cpus) }}
		values, err := times(ctx, p, it.Claim.Metric)
		if err != nil {
			return err
		}
		all = append(all, values)
	}
	w.take(all, seed, it.Claim.Over)
	return nil
}

// moved is how far messages move between the worlds.
type moved struct {
	messages, over int64
	most           sim.Time
	first          string // the first that moves too far
}

// take compares the worlds of one seed, message by message.
func (w *moved) take(all [][]sim.Time, seed uint64, limit sim.Time) {
	for m := range all[0] {
		least, greatest, in := none, none, [2]string{}
		for k := range all {
			if m >= len(all[k]) || all[k][m] == none {
				continue
			}
			if t := all[k][m]; least == none || t < least {
				least, in[0] = t, worlds[k].name
			}
			if t := all[k][m]; t > greatest {
				greatest, in[1] = t, worlds[k].name
			}
		}
		if least == none {
			continue
		}
		w.messages++
		w.most = max(w.most, greatest-least)
		if greatest-least > limit {
			w.over++
			if w.first == "" {
				w.first = fmt.Sprintf("message %d with seed %d takes %s with %s there, and %s "+
					"with %s", m, seed, blame.Us(least), in[0], blame.Us(greatest), in[1])
			}
		}
	}
}

// apart gives the CPUs of a claim as a set, and refuses one whose CPUs run what is measured.
func (q *Inquiry) apart(it *Item) (cpus uint64, err error) {
	for _, c := range it.Claim.CPUs {
		cpus |= 1 << c
	}
	s := q.Case.Scenario
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if (t.Name == s.Sender || t.Name == s.Receiver) && t.CPUs&^cpus == 0 {
			return 0, s.Wrong(it.Claim.CPUsAt, "claim %q: %s, which is measured, runs on CPUs %s; "+
				"name those of others", it.Claim.Name, t.Name, cpuList(it.Claim.CPUs))
		}
	}
	return cpus, nil
}

func cpuList(cpus []int32) string {
	text := ""
	for i, c := range cpus {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprint(c)
	}
	return text
}
