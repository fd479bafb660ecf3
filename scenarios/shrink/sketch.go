package shrink

import (
	"fmt"
	"slices"
	"strings"

	"rtsim/sim"
)

// A sketch is what a small file says, in a form in which every change gives another file that is
// right: happenings in the order of time, each so long after the one before. So to leave one out
// moves all later ones with it, and zero is the simplest of all numbers.

// kind is what happens.
type kind uint8

const (
	sends     kind = iota // a task comes and sends
	receives              // a task comes, opens its end, receives again and again
	closes                // a task comes, opens its end and closes it
	runs                  // a task comes and runs for a length
	interrupt             // a hard interrupt that takes a length
)

// happening is the arrival of a task with a program of one line, or a hard interrupt.
type happening struct {
	kind     kind
	measured bool  // the sender or receiver whose message counts
	cpu      int32 // of the sketch
	priority int32 // rt_priority; 0: policy other
	queue    int32 // of the sketch, by which it sends or receives
	calls    int32 // how often it sends, at least 1
	after    sim.Time
	length   sim.Time
}

// queueDecl is a queue as a file declares it.
type queueDecl struct {
	name, bucketOf, design string // "" for its own bucket, and for the tested design
}

// sketch is a small scenario.
type sketch struct {
	comments []string
	kernel   string // "": the default
	costs    string // "": the default
	queues   []queueDecl
	all      []happening
}

func (s *sketch) clone() *sketch {
	c := *s
	c.all = slices.Clone(s.all)
	return &c
}

// names are what the happenings are called, by their kinds.
func (s *sketch) names() []string {
	names, count := make([]string, len(s.all)), map[string]int{}
	for i := range s.all {
		h := &s.all[i]
		base := [...]string{sends: "writer", receives: "reader", closes: "closer", runs: "burst",
			interrupt: "interrupt"}[h.kind]
		switch {
		case h.measured && h.kind == sends:
			base = "sender"
		case h.measured:
			base = "receiver"
		}
		names[i] = base
		if count[base]++; count[base] > 1 {
			names[i] += fmt.Sprintf("-%d", count[base])
		}
	}
	return names
}

// sendPeriod is between two sends of the measured sender.
const sendPeriod = sim.Millisecond

// program is what a task does.
func (s *sketch) program(h *happening) string {
	q, text := s.queues[h.queue].name, ""
	switch h.kind {
	case sends:
		text = "send " + q
		if h.measured {
			text = fmt.Sprintf("every %s; send %s", sendPeriod, q)
		}
		if h.calls > 1 {
			text = fmt.Sprintf("repeat %d; %s; end", h.calls, text)
		}
	case receives:
		text = fmt.Sprintf("open %s; receive %s; goto 1", q, q)
	case closes:
		text = fmt.Sprintf("open %s; close %s", q, q)
	case runs:
		text = "run " + h.length.String()
	}
	return text
}

// file is the scenario file.
func (s *sketch) file() []byte {
	var b strings.Builder
	for _, text := range s.comments {
		b.WriteString(comment(text))
	}
	fmt.Fprintf(&b, "cpus: %d\n", s.cpus())
	for _, key := range [][2]string{{"kernel", s.kernel}, {"costs", s.costs}} {
		if key[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", key[0], key[1])
		}
	}
	var queues []string
	for _, q := range s.queues {
		queues = append(queues, q.text())
	}
	fmt.Fprintf(&b, "queues: [%s]\ntasks:\n", strings.Join(queues, ", "))
	at, interrupts := sim.Time(0), ""
	names := s.names()
	measure := [2]string{}
	for i := range s.all {
		h := &s.all[i]
		at += h.after
		if h.kind == interrupt {
			interrupts += fmt.Sprintf("  - {at: %s, cpu: %d, cost: %s}\n", at, h.cpu, h.length)
			continue
		}
		if h.measured {
			measure[min(h.kind, receives)] = names[i]
		}
		arrive := ""
		if at > 0 {
			arrive = fmt.Sprintf("arrive: %s, ", at)
		}
		fmt.Fprintf(&b, "  - {name: %s, %s, cpus: [%d], %sprogram: %q}\n", names[i],
			policy(h.priority), h.cpu, arrive, s.program(h))
	}
	if interrupts != "" {
		b.WriteString("interrupts:\n" + interrupts)
	}
	fmt.Fprintf(&b, "measure: {sender: %s, receiver: %s}\n", measure[sends], measure[receives])
	return []byte(b.String())
}

// commentWidth is how long a line of a comment is at most.
const commentWidth = 90

// comment is a text in lines of a file that mean nothing.
func comment(text string) string {
	lines, width := "#", 1
	for _, word := range strings.Fields(text) {
		if width > 1 && width+1+len(word) > commentWidth {
			lines, width = lines+"\n#", 1
		}
		lines, width = lines+" "+word, width+1+len(word)
	}
	return lines + "\n"
}

func (q *queueDecl) text() string {
	if q.bucketOf == "" && q.design == "" {
		return q.name
	}
	text := "{name: " + q.name
	if q.bucketOf != "" {
		text += ", bucket_of: " + q.bucketOf
	}
	if q.design != "" {
		text += ", design: " + q.design
	}
	return text + "}"
}

func policy(priority int32) string {
	if priority == 0 {
		return "policy: other"
	}
	return fmt.Sprintf("priority: %d", priority)
}

func (s *sketch) cpus() int32 {
	most := int32(0)
	for i := range s.all {
		most = max(most, s.all[i].cpu)
	}
	return most + 1
}

// last is when the last happening comes.
func (s *sketch) last() sim.Time {
	at := sim.Time(0)
	for i := range s.all {
		at += s.all[i].after
	}
	return at
}
