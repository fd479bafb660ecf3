package bound

import (
	"slices"

	"rtsim/model"
)

// A section begins behind a line, a lock or an off, and ends where that is undone, on each way
// through the listing at a line of its own.

// part is what a stretch takes to where it ends (stop), and what if it does not end in it.
type part struct {
	stop, through     val
	stops, goesOnward bool
}

// then is one stretch after another.
func (p part) then(q part) part {
	r := part{stop: p.stop, stops: p.stops}
	if !p.goesOnward {
		return r
	}
	if q.stops {
		s := p.through.plus(q.stop)
		if r.stops {
			s = s.or(r.stop)
		}
		r.stop, r.stops = s, true
	}
	if q.goesOnward {
		r.through, r.goesOnward = p.through.plus(q.through), true
	}
	return r
}

// either is one of two stretches.
func (p part) either(q part) part {
	switch {
	case p.stops && q.stops:
		p.stop = p.stop.or(q.stop)
	case q.stops:
		p.stop, p.stops = q.stop, true
	}
	switch {
	case p.goesOnward && q.goesOnward:
		p.through = p.through.or(q.through)
	case q.goesOnward:
		p.through, p.goesOnward = q.through, true
	}
	return p
}

// until is what the nodes take up to a line that ends the section.
func (a *analysis) until(nodes []node, at place, ends func(*model.Line) bool) part {
	p := part{goesOnward: true}
	for i := range nodes {
		n := &nodes[i]
		if ends(&at.path.code[n.line]) {
			return p.then(part{stops: true})
		}
		if p = p.then(a.untilNode(n, at, ends)); !p.goesOnward {
			break
		}
	}
	return p
}

func (a *analysis) untilNode(n *node, at place, ends func(*model.Line) bool) part {
	in := func(m node) bool { return a.endsIn(&m, at, ends) }
	if !slices.ContainsFunc(n.yes, in) && !slices.ContainsFunc(n.no, in) {
		return part{through: a.evalNode(n, at), goesOnward: true}
	}
	head := part{through: a.step(n.line, at), goesOnward: true}
	yes, no := a.until(n.yes, at, ends), a.until(n.no, at, ends)
	if n.kind == loop { // who goes round again without an end in the body is not bounded here
		if yes.goesOnward {
			yes.through.why = "a section goes on round a loop"
		}
		return head.then(yes.either(part{goesOnward: true}))
	}
	mayYes, mayNo := a.ways(n, at)
	switch {
	case !mayYes:
		return head.then(no)
	case !mayNo:
		return head.then(yes)
	}
	return head.then(yes.either(no))
}

func (a *analysis) endsIn(n *node, at place, ends func(*model.Line) bool) bool {
	in := func(m node) bool { return a.endsIn(&m, at, ends) }
	return ends(&at.path.code[n.line]) || slices.ContainsFunc(n.yes, in) ||
		slices.ContainsFunc(n.no, in)
}

// after is what the rest takes from behind a line that is in the nodes up to the section's end.
func (a *analysis) after(nodes []node, line int, at place, ends func(*model.Line) bool) part {
	for i := range nodes {
		n := &nodes[i]
		var p part
		switch {
		case n.line == line && n.kind == leaf:
			p = part{goesOnward: true}
		case n.line == line: // a trylock that was got
			p = a.until(n.yes, at, ends)
		case has(n.yes, line):
			p = a.after(n.yes, line, at, ends)
			if n.kind == loop && p.goesOnward {
				p = p.then(a.untilNode(n, at, ends))
			}
		case has(n.no, line):
			p = a.after(n.no, line, at, ends)
		default:
			continue
		}
		if !p.goesOnward {
			return p
		}
		return p.then(a.until(nodes[i+1:], at, ends))
	}
	panic("bound: a line that is not in its listing")
}
