package model

import "rtsim/sim"

// payment is what is paid for something: a time from least to greatest, the answer of a site.
type payment struct {
	least, greatest sim.Time
	site            sim.StreamID
	load            int32 // whose burst's length it is instead; -1: none
}

// price is what a task pays for a cost: its value, or within its jitter. A CPU's own costs,
// without a task, do not jitter.
func (p *Program) price(id CostID, task TaskID) payment {
	ns, spread := p.costs.fixed(id), sim.Time(0)
	if task != NoTask {
		spread = ns * sim.Time(p.costs.JitterPercent) / 100
	}
	site := p.net.costStream + sim.StreamID(int32(task)*p.net.nCosts+int32(id))
	return payment{least: ns - spread, greatest: ns + spread, site: site, load: -1}
}

// resolve works out, once, what the interpreter need not ask at each step: what it pays, and on
// which structure its action is.
func (p *Program) resolve() {
	p.pays = make([]payment, len(p.code))
	task := NoTask
	for i := range p.code {
		if next := int(task) + 1; next < len(p.entry) && p.entry[next] == int32(i) {
			task = TaskID(next)
		}
		s := &p.code[i]
		p.pays[i] = p.payment(task, s)
		if s.Op == OpDo {
			s.Op = s.Action.op()
		}
	}
}

// payment is what a step of a task pays before its effect.
func (p *Program) payment(task TaskID, s *Step) payment {
	switch {
	case s.Op == OpBurst:
		return payment{load: s.Arg}
	case s.Cost != NoCost:
		return p.price(s.Cost, task)
	case s.Op == OpExec:
		return payment{least: s.Time, greatest: s.Time, load: -1}
	}
	return payment{load: -1}
}

// cost draws a cost of a task.
func (m *Machine) cost(id CostID, task TaskID) sim.Time {
	if m.prog.costs.fixed(id) == 0 {
		return 0
	}
	p := m.prog.price(id, task)
	return m.draw(&p)
}

// draw is what is paid this time.
func (m *Machine) draw(p *payment) sim.Time {
	switch {
	case p.load >= 0:
		return m.world.loads[p.load].length
	case p.least == p.greatest:
		return p.least
	}
	return sim.Time(m.tape.Choose(p.site, int64(p.least), int64(p.greatest)))
}
