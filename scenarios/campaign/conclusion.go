package campaign

import (
	"fmt"
	"strings"
)

// Conclusion is something that a reader takes from a comparison, about one design alone or against
// another. A sensitivity analysis asks of each whether it survives other assumptions.
type Conclusion struct {
	Design string
	Metric string // a count or a time, less is better
	Than   string // the design it is compared with; "": the metric is 0, never
}

// Conclusions are the ones that are asked, of the designs that are run: what the options promise,
// and who is late less often than whom.
var Conclusions = []Conclusion{
	{"futex-persistent", "send.over.100us", ""},
	{"futex-persistent", "receive.over.100us", ""},
	{"doorbell", "send.over.100us", ""},
	{"doorbell", "receive.over.100us", ""},
	{"msg-ring-cache", "send.over.100us", ""},
	{"msg-ring-cache", "receive.over.100us", ""},
	{"msg-ring", "send.over.100us", "futex-oneshot"},
	{"futex-plain", "send.over.100us", "futex-oneshot"},
	{"futex-oneshot", "send.over.100us", "signalfd"},
	{"msg-ring", "send.over.100us", "eventfd"},
	{"eventfd", "send.over.100us", "signalfd"},
	{"msg-ring-cache", "send.over.100us", "msg-ring"},
	{"futex-persistent", "send.over.100us", "msg-ring"},
	{"doorbell", "send.over.100us", "msg-ring"},
	{"msg-ring", "receive.over.100us", "futex-oneshot"},
	{"doorbell", "low_preempt_off.max", "futex-persistent"},
}

// String is the conclusion as a sentence without its point.
func (c *Conclusion) String() string {
	what, figure, _ := strings.Cut(c.Metric, ".")
	over, isOver := strings.CutPrefix(figure, "over.")
	switch {
	case c.Than == "" && isOver:
		return fmt.Sprintf("%s has no %s over %s", c.Design, what, over)
	case isOver:
		return fmt.Sprintf("%s has fewer %ss over %s than %s", c.Design, what, over, c.Than)
	}
	return fmt.Sprintf("the longest %s of %s is shorter than that of %s", what, c.Design, c.Than)
}

// holding is whether a conclusion holds at one setting.
type holding int

const (
	holds   holding = iota
	equal           // the seeds do not agree on who is less: nothing is decided
	refuted         // the opposite holds, in every seed
)

// of says whether the conclusion holds of the values of its designs; than is nil if it has one.
func (c *Conclusion) of(design, than *Value) holding {
	switch {
	case than == nil && design.Greatest == 0:
		return holds
	case than == nil:
		return refuted
	}
	switch above(design, than) {
	case -1:
		return holds
	case 1:
		return refuted
	}
	return equal
}

// Verdict is what became of a conclusion.
type Verdict struct {
	Conclusion string `json:"conclusion"`
	// Verdict is survives, overturned, or does not hold: not even with all as it is.
	Verdict string `json:"verdict"`
	// By are the settings that overturn it, NAME=VALUE.
	By []string `json:"by"`
	// Undecided are those at which the seeds do not agree.
	Undecided []string `json:"undecided"`
	Settings  int      `json:"settings"` // how many were tried
}

// Text is the verdict as a line, with at most so many of the settings that overturn it, all if that
// is 0.
func (v *Verdict) Text(most int) string {
	text := fmt.Sprintf("%-13s %s", v.Verdict, v.Conclusion)
	if n := len(v.By); n > most && most > 0 {
		text += fmt.Sprintf(": by %s and %d more", strings.Join(v.By[:most], ", "), n-most)
	} else if n > 0 {
		text += ": by " + strings.Join(v.By, ", ")
	}
	if n := len(v.Undecided); n > 0 && v.Verdict != verdictFalse {
		text += fmt.Sprintf(" (undecided at %d of %d settings)", n, v.Settings)
	}
	return text
}

const (
	verdictSurvives   = "survives"
	verdictOverturned = "overturned"
	verdictFalse      = "does not hold"
)
