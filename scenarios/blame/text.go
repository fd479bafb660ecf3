package blame

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rtsim/sim"
)

// What the parts are in words: a sentence for the longest chain, a tree for all of them.

// Sentence says the longest chain in words, with the time of its first part.
func Sentence(parts []Part) string {
	if len(parts) == 0 {
		return "took no time"
	}
	p := longest(parts)
	text := firstWords(&p)
	for parts = p.Because; len(parts) > 0; parts = p.Because {
		p = longest(parts)
		text += ", " + laterWords(&p)
	}
	return text
}

// firstWords say what the message itself waited for.
func firstWords(p *Part) string {
	switch p.Cause {
	case Blocked:
		return "blocked " + Us(p.Ns) + " on " + p.lock() + holderWords(p, ": held by ")
	case Spins:
		return "spun " + Us(p.Ns) + p.spinWords(": ")
	case Claimed:
		return "its wake-up was " + Us(p.Ns) + " late" + holderWords(p, ": claimed by ")
	case Handover:
		return Us(p.Ns) + " until " + p.lock() + " was handed over"
	case Runs:
		return "ran " + Us(p.Ns)
	}
	return Us(p.Ns) + " " + laterWords(p)
}

// laterWords say what the one before did meanwhile.
func laterWords(p *Part) string {
	switch p.Cause {
	case Blocked:
		return "blocked on " + p.lock() + holderWords(p, " held by ")
	case Spins:
		return "spinning" + p.spinWords(" ")
	case Claimed:
		return "asleep" + holderWords(p, ", its wake-up claimed by ")
	case Handover:
		return p.lock() + " on its way to " + p.Holder
	case Preempted:
		return fmt.Sprintf("preempted by %s%s on CPU %d%s", p.By, ofPriority(p.ByPriority), *p.CPU,
			p.why())
	case IPI:
		return fmt.Sprintf("waiting for an IPI to CPU %d", *p.CPU)
	case IRQ:
		return strings.TrimSpace(fmt.Sprintf("in a hard interrupt on CPU %d %s", *p.CPU,
			p.bracket(p.Object)))
	case IdleExit:
		return fmt.Sprintf("CPU %d leaving idle", *p.CPU)
	}
	if p.Why != "" {
		return p.Why
	}
	return "running"
}

// spinWords say what a spinner waits for.
func (p *Part) spinWords(before string) string {
	switch p.Object {
	case workList:
		return " for a work item" + holderWords(p, " not linked yet by ")
	case queueWord:
		return " on the queue's word"
	}
	return " for " + p.lock() + holderWords(p, before+"held by ")
}

func (p *Part) bracket(text string) string {
	if text == "" {
		return ""
	}
	return "(" + text + ")"
}

// lock is its name.
func (p *Part) lock() string { return strings.TrimSpace(p.Object + " " + p.bracket(p.Of)) }

// why is what keeps a task on a CPU beside its priority.
func (p *Part) why() string {
	if p.Why == "" {
		return ""
	}
	return ", " + p.Why
}

func ofPriority(prio int32) string {
	if prio == 0 {
		return " (fair)"
	}
	return fmt.Sprintf(" (%d)", prio)
}

// holderWords are the holder and his priority.
func holderWords(p *Part, before string) string {
	switch {
	case p.Holder == "":
		return ""
	case p.Boosted:
		return fmt.Sprintf("%s%s, boosted to %d", before, p.Holder, p.HolderPriority)
	}
	return before + p.Holder + ofPriority(p.HolderPriority)
}

// Us prints a time in microseconds, exactly.
func Us(t sim.Time) string { return fmt.Sprintf("%d.%03d us", t/1000, t%1000) }

// Tree prints parts as a tree, one line a part with its time and its share of all, which add up
// exactly at each level. Steps that follow each other and are each below a hundredth of all are
// one line.
func Tree(parts []Part) string {
	total := Sum(parts)
	var b strings.Builder
	writeTree(&b, parts, 1000, total, 0)
	return b.String()
}

// writeTree writes the parts whose shares add up to so many thousandths.
func writeTree(b *strings.Builder, parts []Part, thousandths int64, total sim.Time, depth int) {
	lines := folded(parts, total/100)
	times := make([]sim.Time, len(lines))
	for i := range lines {
		times[i] = lines[i].Ns
	}
	shares := Apportion(times, thousandths)
	for i := range lines {
		p := &lines[i].Part
		fmt.Fprintf(b, "%16s %4d.%d %%  %s%s\n", Us(p.Ns), shares[i]/10, shares[i]%10,
			strings.Repeat("  ", depth), lines[i].text)
		writeTree(b, p.Because, shares[i], total, depth+1)
	}
}

// treeLine is a part, or several steps.
type treeLine struct {
	Part
	text string
}

// folded makes one line of neighbouring steps that are shorter than limit.
func folded(parts []Part, limit sim.Time) []treeLine {
	var lines []treeLine
	for i := 0; i < len(parts); {
		n := i + 1
		if small(&parts[i], limit) {
			for n < len(parts) && small(&parts[n], limit) && parts[n].Path == parts[i].Path {
				n++
			}
		}
		line := treeLine{parts[i], treeText(&parts[i])}
		if n > i+1 {
			line.Ns = Sum(parts[i:n])
			line.text = fmt.Sprintf("%s, %d steps up to: %s", line.text, n-i, parts[n-1].Step)
		}
		lines = append(lines, line)
		i = n
	}
	return lines
}

func small(p *Part, limit sim.Time) bool { return p.Cause == Runs && p.Ns < limit }

// treeText says what a part is.
func treeText(p *Part) string {
	switch p.Cause {
	case Spins:
		return p.Cause + p.spinWords(": ")
	case Blocked:
		return p.Cause + " on " + p.lock() + holderWords(p, ": held by ")
	case Claimed:
		return p.Cause + holderWords(p, " by ")
	case Handover:
		return p.Cause + " of " + p.lock() + " to " + p.Holder
	case Preempted:
		return fmt.Sprintf("%s by %s%s on CPU %d%s", p.Cause, p.By, ofPriority(p.ByPriority),
			*p.CPU, p.why())
	case IPI, IdleExit:
		return fmt.Sprintf("%s of CPU %d", p.Cause, *p.CPU)
	case IRQ:
		return fmt.Sprintf("%s on CPU %d %s", p.Cause, *p.CPU, p.bracket(p.Object))
	}
	text := p.Cause
	if p.Why != "" {
		text = p.Why
	}
	if p.Path != "" {
		text += " " + p.Path
	}
	if p.Step != "" {
		text += ": " + p.Step
	}
	return text
}

// Apportion rounds the shares that times have of their sum, of which there are so many parts, so
// that they add up: each is rounded down, and what is left goes to the largest remainders, to the
// first of equals first. Without any time all shares are 0.
func Apportion(times []sim.Time, all int64) []int64 {
	total := sim.Time(0)
	for _, t := range times {
		total += t
	}
	shares := make([]int64, len(times))
	if total == 0 {
		return shares
	}
	order, rest, left := make([]int, len(times)), make([]int64, len(times)), all
	for i, t := range times {
		product := int64(t) * all // a run has at most 1000 h
		shares[i], rest[i] = product/int64(total), product%int64(total)
		left -= shares[i]
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rest[b], rest[a]) })
	for _, i := range order[:left] {
		shares[i]++
	}
	return shares
}
