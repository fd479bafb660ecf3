package scenarios

import (
	"strings"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/sim"
)

// Listing is one path of a design as a reader sees it, with the costs of a profile.
type Listing struct {
	Path   string        `json:"path"` // send, receive, open, close or reclaim
	Lines  []ListingLine `json:"lines"`
	Sleeps []int         `json:"may_sleep"` // numbers of lines
	// Allocates are the lines whose note names an allocating function.
	Allocates []int `json:"allocates"`
	// Once is the straight sum with every loop gone round once and the dearer branch taken:
	// no contention, no interrupt, no preemption.
	Once   CostRange   `json:"once"`
	Rounds []LoopRound `json:"rounds"` // what each further round of a loop adds

	numbers []int // by step of the path's code
}

// pathTitles say what each path is.
var pathTitles = map[string]string{
	"send":    "send: the sender's call",
	"receive": "receive: one round of the receiver's loop",
	"open":    "open: a receiver comes",
	"close":   "close: a receiver goes",
	"reclaim": "reclaim: the kworker that frees a batch",
}

// Title says what the path is.
func (l *Listing) Title() string { return pathTitles[l.Path] }

// ListingLine is one step.
type ListingLine struct {
	Number int      `json:"number"` // from 1; 0: an else, which is no step
	Depth  int      `json:"depth"`  // of nesting
	Kind   string   `json:"kind"`   // step, if, else or while
	Text   string   `json:"text"`
	Cost   string   `json:"cost,omitempty"` // its name in the profile
	Ns     sim.Time `json:"ns"`             // its typical value
	Held   []string `json:"held"`           // locks held when it begins
}

// CostRange is a sum of costs at their least, typical and greatest.
type CostRange struct {
	LeastNs    sim.Time `json:"least_ns"`
	TypicalNs  sim.Time `json:"typical_ns"`
	GreatestNs sim.Time `json:"greatest_ns"`
}

// LoopRound is the cost of one round of the loop that a line begins.
type LoopRound struct {
	Line int `json:"line"`
	CostRange
}

// Listings are a design's paths.
func Listings(d *designs.Design, p *designs.Profile) ([]Listing, error) {
	var all []Listing
	for _, path := range []struct {
		name string
		code model.Code
	}{{"send", d.Paths.Send}, {"receive", d.Paths.Receive}, {"open", d.Paths.Open},
		{"close", d.Paths.Close}, {"reclaim", d.Paths.Reclaim}} {
		if path.code == nil {
			continue
		}
		l, err := newListing(path.name, path.code, p)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

func newListing(path string, code model.Code, p *designs.Profile) (Listing, error) {
	l := Listing{Path: path, Lines: []ListingLine{}, Sleeps: []int{}, Allocates: []int{},
		Rounds: []LoopRound{}}
	held, err := code.Check()
	if err != nil {
		return l, err
	}
	l.Once = rangeOf(code, 0, len(code), p)
	number := 0
	for i := range code {
		l.numbers = append(l.numbers, number+1)
		line := ListingLine{Depth: code[i].Depth, Kind: kindOf(code, i), Text: code[i].Note,
			Held: []string{}}
		if line.Kind == "" {
			continue
		}
		if line.Kind != "else" {
			number++
			line.Number = number
		}
		for _, ref := range held[i] {
			line.Held = append(line.Held, ref.String())
		}
		if c := code[i].Cost; c != model.NoCost {
			line.Cost, line.Ns = p.Costs[c].Name, p.Costs[c].Typical
		}
		l.note(code, i, number, p)
		l.Lines = append(l.Lines, line)
	}
	return l, nil
}

// NumberOf is the number of the line that is a step of the path's code, from 1; 0: the step is
// before the first line.
func (l *Listing) NumberOf(step int) int {
	if step < 0 {
		return 0
	}
	return l.numbers[step]
}

// note keeps what is said below the lines of a listing.
func (l *Listing) note(code model.Code, i, number int, p *designs.Profile) {
	step := &code[i]
	if step.Op == model.OpLock && step.Ref.Sleeps() || step.Op == model.OpSchedule {
		l.Sleeps = append(l.Sleeps, number)
	}
	if strings.Contains(step.Note, "alloc") {
		l.Allocates = append(l.Allocates, number)
	}
	if kindOf(code, i) == "while" {
		end := i + int(step.Target) - 1
		l.Rounds = append(l.Rounds, LoopRound{number, rangeOf(code, i, end, p)})
	}
}

// kindOf says what a line of code is to a reader; "" is a jump that is not shown.
func kindOf(code model.Code, i int) string {
	switch step := &code[i]; {
	case step.Else && step.Target > 0:
		return "else"
	case step.Else:
		return ""
	case step.Op != model.OpDo && step.Op != model.OpTry || step.Target == 0:
		return "step"
	default:
		if last := &code[i+int(step.Target)-1]; last.Else && last.Target < 0 &&
			last.Target == 1-step.Target {
			return "while"
		}
		return "if"
	}
}

// rangeOf adds the costs from a line up to another.
func rangeOf(code model.Code, from, to int, p *designs.Profile) CostRange {
	return CostRange{
		straight(code, from, to, func(id model.CostID) sim.Time { return p.Costs[id].Least }),
		straight(code, from, to, func(id model.CostID) sim.Time { return p.Costs[id].Typical }),
		straight(code, from, to, func(id model.CostID) sim.Time { return p.Costs[id].Greatest }),
	}
}

// straight is the cost of the dearest way from a line to another on which each loop goes round at
// most once: a jump back pays the loop's test once more and leaves.
func straight(code model.Code, from, to int, cost func(model.CostID) sim.Time) sim.Time {
	costAt := func(i int) sim.Time {
		if code[i].Cost == model.NoCost {
			return 0
		}
		return cost(code[i].Cost)
	}
	best := make([]sim.Time, to-from+1)
	for i := to - 1; i >= from; i-- {
		next := best[i+1-from]
		target := i + int(code[i].Target)
		switch {
		case code[i].Target < 0:
			next += costAt(target)
		case code[i].Target > 0 && code[i].Op == model.OpJump:
			next = best[min(target, to)-from]
		case code[i].Target > 0:
			next = max(next, best[min(target, to)-from])
		}
		best[i-from] = costAt(i) + next
	}
	return best[0]
}
