package explore

import (
	"context"
	"slices"

	"rtsim/sim"
)

// polish climbs from a run along one answer at a time, without any draw: to the ends of its range,
// and by steps that halve down to 1 ns, with what comes after it moving along or staying. Given the
// order of events, a message's time is a piecewise linear function of the answers, so its greatest
// value is where an answer is at an end or an event meets another: a step of 1 ns finds the edge.
// It takes runs up to a number of all.
func (s *searcher) polish(ctx context.Context, c *candidate, most int) error {
	for {
		before := c.worst.total()
		v, err := s.look(c)
		if err != nil {
			return err
		}
		for _, q := range s.levers(v, c.worst) {
			if s.runs >= most {
				return nil
			}
			if err := s.climb(ctx, c, q); err != nil {
				return err
			}
		}
		if c.worst.total() == before {
			return nil
		}
	}
}

// lever is a question, or all of a task's costs from one on.
type lever struct {
	questions []question
	stay      bool
	flood     bool // from the question on
}

// levers are what may move a message, the latest first.
func (s *searcher) levers(v *view, worst message) (all []lever) {
	var byTask, floods []lever
	for i := len(v.asked) - 1; i >= 0; i-- {
		q := v.asked[i]
		switch {
		case q.at > worst.over || q.at > worst.begin && atEnd(&q):
		case q.kind == cost:
			j := slices.IndexFunc(byTask, func(l lever) bool {
				return l.questions[0].task == q.task
			})
			if q.at < worst.begin-200*sim.Microsecond {
				continue
			}
			if j < 0 {
				byTask, j = append(byTask, lever{}), len(byTask)
			}
			byTask[j].questions = append(byTask[j].questions, q)
		default:
			all = append(all, lever{questions: []question{q}})
			if q.load >= 0 {
				all = append(all, lever{questions: []question{q}, stay: true})
			}
			if q.kind == deviceGap {
				floods = append(floods, lever{questions: []question{q}, flood: true})
			}
		}
	}
	return slices.Concat(all, byTask, floods)
}

// atEnd says whether an answer is at the end of its range that a siege takes it to.
func atEnd(q *question) bool {
	switch q.kind {
	case burstGap, deviceGap:
		return q.Value == q.Least
	case burstLength, deviceLength:
		return q.Value == q.Greatest
	}
	return false
}

// stepMost is the greatest step of a climb in bits: 131 us, beyond which the search jumps.
const stepMost = 17

// climb moves along one lever for as long as that makes the longest message longer.
func (s *searcher) climb(ctx context.Context, c *candidate, l lever) error {
	for _, end := range []func(*question) int64{
		func(q *question) int64 { return q.Greatest - q.Value },
		func(q *question) int64 { return q.Least - q.Value },
	} {
		if _, err := s.try(ctx, c, &l, end); err != nil {
			return err
		}
	}
	if len(l.questions) > 1 || l.flood {
		return nil
	}
	for bit := stepMost; bit >= 0; {
		better := false
		for _, sign := range []int64{1, -1} {
			ok, err := s.try(ctx, c, &l, func(*question) int64 { return sign << bit })
			if err != nil {
				return err
			}
			better = better || ok
		}
		if !better {
			bit--
		}
	}
	return nil
}

// try evaluates a run with a lever moved, and takes it if its longest message is longer.
func (s *searcher) try(ctx context.Context, c *candidate, l *lever,
	by func(*question) int64) (bool, error) {
	m := &mover{a: s.arena, pins: slices.Clone(c.pins), v: &view{asked: l.questions}}
	for i := range l.questions {
		q := &l.questions[i]
		if l.flood {
			m.flood(q)
			continue
		}
		m.shift(q, by(q), l.stay)
	}
	if slices.Equal(m.pins, c.pins) {
		return false, nil
	}
	next := candidate{start: c.start, only: c.only, pins: m.pins}
	if err := s.evaluate(ctx, &next); err != nil {
		return false, err
	}
	if next.worst.total() <= c.worst.total() {
		return false, nil
	}
	*c = next
	return true, nil
}

// pruneMost is how many runs pruning takes at most.
const pruneMost = 600

// prune takes back the answers that a message does not need, so that a witness is short: first
// those that were asked for when it was over, or never. Many of those of one that is over the
// target change little: they go, too.
func (s *searcher) prune(ctx context.Context, c *candidate) error {
	v, err := s.glance(c)
	if err != nil {
		return err
	}
	c.pins = slices.DeleteFunc(c.pins, func(p pin) bool {
		q := v.question(p.site, p.ordinal)
		return q == nil || q.at > c.worst.over
	})
	least, tries := c.worst.total(), 0
	if s.plan.Target > 0 && least > s.plan.Target {
		least = max(least*15/16, s.plan.Target+1)
	}
	for size := len(c.pins); size > 0; size /= 2 {
		for at := 0; at < len(c.pins) && tries < pruneMost; tries++ {
			next := candidate{start: c.start, only: c.only, pins: slices.Clone(c.pins)}
			next.pins = slices.Delete(next.pins, at, min(at+size, len(next.pins)))
			if err := s.run(ctx, &next); err != nil {
				return err
			}
			if next.worst.total() < least {
				at += size
				continue
			}
			*c = next
		}
	}
	return nil
}
