package scenarios_test

import "fmt"

// This file has the items of random programs: what may be said where.

// section takes a lock that may be taken here, works, and gives it back.
func (g *naiveGen) section(p naivePlace) []string {
	i := p.next
	for i < len(g.locks) && g.r.Intn(3) == 0 {
		i++
	}
	for i < len(g.locks) && p.atomic && g.kinds[i] != "raw" {
		i++
	}
	if i >= len(g.locks) {
		return []string{"run " + g.span()}
	}
	p.next = i + 1
	p.held = true
	before, after := "lock", "unlock"
	switch g.kinds[i] {
	case "spin", "local":
		p.spin = true
	case "rw":
		p.spin = true
		kind := g.any([]string{"read", "write"})
		before, after = kind+"_lock", kind+"_unlock"
	case "raw":
		p.atomic = true
	}
	words := append([]string{before + " " + g.locks[i]}, g.block(p)...)
	return append(words, after+" "+g.locks[i])
}

// offSection turns preemption, interrupts or BH off for a while.
func (g *naiveGen) offSection(p naivePlace) []string {
	what := g.any([]string{"preempt", "irq", "bh"})
	if !g.deep[what] || what == "bh" && (p.atomic || p.held) {
		return g.section(p)
	}
	if what == "bh" {
		p.spin = true
		p.held = true
		for p.next < len(g.locks) && g.kinds[p.next] == "mutex" {
			p.next++
		}
	} else {
		p.atomic = true
	}
	return append(append([]string{what + "_off"}, g.block(p)...), what+"_on")
}

// sleeping sleeps or waits, where that is allowed.
func (g *naiveGen) sleeping(p naivePlace) []string {
	pick := g.r.Intn(4)
	switch {
	case p.atomic || p.spin:
	case g.deep["wait"] && pick == 0 && !p.held:
		return []string{"wait"}
	case g.deep["semaphore"] && pick == 1 && !p.held:
		return []string{"take " + g.any(g.sems)}
	case g.deep["sleep"] && pick == 2:
		return []string{fmt.Sprintf("sleep_until %dns", g.r.Intn(150))}
	case g.deep["sleep"]:
		return []string{"sleep " + g.span()}
	}
	return []string{"run " + g.span()}
}

// plain is a word that takes no time and never waits.
func (g *naiveGen) plain(p naivePlace) []string {
	switch pick := g.r.Intn(4); {
	case g.deep["yield"] && pick == 0 && !p.atomic:
		return []string{"yield"}
	case g.deep["priority"] && pick == 1:
		return []string{fmt.Sprintf("set_priority %d", g.priority())}
	case g.deep["priority"] && pick == 2:
		return []string{fmt.Sprintf("set_priority %s %d", g.any(g.tasks), g.priority())}
	case g.deep["semaphore"] && pick == 3:
		return []string{"post " + g.any(g.sems)}
	}
	return []string{"wake " + g.any(g.tasks)}
}
