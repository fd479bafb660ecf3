package blame

import (
	"cmp"
	"slices"
	"strings"

	"rtsim/sim"
)

// Tally says who is to blame for the messages that took longer than a threshold: it adds up their
// whole time, not only what is above.
type Tally struct {
	ThresholdNs sim.Time `json:"threshold_ns"`
	Messages    int64    `json:"messages"`
	TotalNs     sim.Time `json:"total_ns"`
	// Causes have all of the total, by the cause of the message's own time and by what went on at
	// the bottom of each chain.
	Causes []CauseShare `json:"causes"`
	// Locks have what was spent waiting for each: by the message, and by whoever is below it.
	Locks []LockShare `json:"locks"`
	// Kinds are the chains: at each level the part that was longest.
	Kinds []KindShare `json:"kinds"`
}

// CauseShare is a cause's share of a tally's time.
type CauseShare struct {
	Cause    string   `json:"cause"`
	Ns       sim.Time `json:"ns"`
	BottomNs sim.Time `json:"bottom_ns"`
}

// LockShare is what was spent blocked on a lock, spinning for it, or until it was handed over.
type LockShare struct {
	Lock string   `json:"lock"`
	Ns   sim.Time `json:"ns"`
}

// KindShare is the messages of one kind.
type KindShare struct {
	Kind     string   `json:"kind"`
	Messages int64    `json:"messages"`
	TotalNs  sim.Time `json:"total_ns"`
	MaxNs    sim.Time `json:"max_ns"`
}

// NewTally counts messages above a threshold.
func NewTally(threshold sim.Time) *Tally {
	t := &Tally{ThresholdNs: threshold, Locks: []LockShare{}, Kinds: []KindShare{}}
	for _, c := range Causes {
		t.Causes = append(t.Causes, CauseShare{Cause: c})
	}
	return t
}

// Add takes a message's parts into account, if it took longer than the threshold.
func (t *Tally) Add(parts []Part) {
	total := Sum(parts)
	if total <= t.ThresholdNs {
		return
	}
	t.Messages++
	t.TotalNs += total
	for i := range parts {
		t.Causes[slices.Index(Causes, parts[i].Cause)].Ns += parts[i].Ns
		t.addBottom(&parts[i])
		t.addLocks(&parts[i], nil)
	}
	kind := Kind(parts)
	i := slices.IndexFunc(t.Kinds, func(k KindShare) bool { return k.Kind == kind })
	if i < 0 {
		i = len(t.Kinds)
		t.Kinds = append(t.Kinds, KindShare{Kind: kind})
	}
	k := &t.Kinds[i]
	k.Messages, k.TotalNs, k.MaxNs = k.Messages+1, k.TotalNs+total, max(k.MaxNs, total)
}

func (t *Tally) addBottom(p *Part) {
	if len(p.Because) == 0 {
		t.Causes[slices.Index(Causes, p.Cause)].BottomNs += p.Ns
	}
	for i := range p.Because {
		t.addBottom(&p.Because[i])
	}
}

// addLocks adds a lock's time once, whatever waits for the same lock below.
func (t *Tally) addLocks(p *Part, above []string) {
	if p.Cause == Blocked || p.Cause == Spins || p.Cause == Handover {
		if !slices.Contains(above, p.Object) {
			i := slices.IndexFunc(t.Locks, func(l LockShare) bool { return l.Lock == p.Object })
			if i < 0 {
				i = len(t.Locks)
				t.Locks = append(t.Locks, LockShare{Lock: p.Object})
			}
			t.Locks[i].Ns += p.Ns
			above = append(slices.Clip(above), p.Object)
		}
	}
	for i := range p.Because {
		t.addLocks(&p.Because[i], above)
	}
}

// Sort puts the greatest first.
func (t *Tally) Sort() {
	slices.SortStableFunc(t.Causes, func(a, b CauseShare) int { return cmp.Compare(b.Ns, a.Ns) })
	slices.SortStableFunc(t.Locks, func(a, b LockShare) int {
		return cmp.Or(cmp.Compare(b.Ns, a.Ns), strings.Compare(a.Lock, b.Lock))
	})
	slices.SortStableFunc(t.Kinds, func(a, b KindShare) int {
		return cmp.Or(cmp.Compare(b.TotalNs, a.TotalNs), strings.Compare(a.Kind, b.Kind))
	})
}

// Chain is what took longest at each level, the first one's own time first; what lies below a part
// of it are all of the next level.
func Chain(parts []Part) []Part {
	var chain []Part
	for len(parts) > 0 {
		p := longest(parts)
		chain = append(chain, p)
		parts = p.Because
	}
	return chain
}

// Kind names the chain of a message: at each level what took longest.
func Kind(parts []Part) string {
	var chain []string
	for _, p := range Chain(parts) {
		text := p.Cause
		switch {
		case p.Cause == IRQ, p.Cause == Runs:
		case p.Object != "":
			text += " " + p.Object
		}
		if p.Holder != "" {
			text += " by " + p.Holder
		}
		if p.By != "" {
			text += " by " + p.By
		}
		chain = append(chain, text)
	}
	return strings.Join(chain, ", ")
}

// longest is what took longest of some parts, those of one cause and culprit taken together.
func longest(parts []Part) Part {
	var all []Part
	for i := range parts {
		p := parts[i]
		at := slices.IndexFunc(all, func(q Part) bool {
			return p.Cause == q.Cause && p.Object == q.Object && p.Of == q.Of &&
				p.Holder == q.Holder && p.By == q.By
		})
		if at < 0 {
			all = append(all, p)
			all[len(all)-1].Because = slices.Clip(p.Because)
			continue
		}
		all[at].Ns += p.Ns
		all[at].Because = append(all[at].Because, p.Because...)
	}
	return slices.MaxFunc(all, func(a, b Part) int { return cmp.Compare(a.Ns, b.Ns) })
}
