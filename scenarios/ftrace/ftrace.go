// Package ftrace reads and writes the kernel's trace as text: what a machine prints from
// /sys/kernel/tracing/trace, or trace-cmd report, becomes the records that the simulator has too.
//
// A file is one of two things. A machine's trace has sched_switch and its like, and says of locks
// only who begins and ends to contend and who is boosted; the rest is inferred (infer.go says
// how). One that rtsim wrote names its tasks and locks in its header and has a line for each
// record, so it reads back to what it was written from.
package ftrace

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"rtsim/model/trace"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// errorsMost is how many errors of a file are reported; a file that is no trace has one a line.
const errorsMost = 20

// lineLongest bounds a line, in bytes.
const lineLongest = 1 << 20

// Read reads a trace. Its records are in the order of time, which is that of the file's clock;
// the names say what their numbers stand for. The error is file.Errors, with the place of each.
func Read(name string, in io.Reader) ([]trace.Record, *trace.Names, error) {
	r := &reader{name: name, hardirq: -1}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 1<<16), lineLongest)
	r.translate = newInference()
	for lines.Scan() && len(r.problems) < errorsMost {
		r.number++
		r.line(lines.Text())
	}
	if err := lines.Err(); err != nil {
		r.number++
		r.problem(1, "cannot be read: %v", err)
	}
	if len(r.problems) == 0 && r.events == 0 {
		r.problem(1, "no event in the whole file; a trace has lines such as\n"+
			"  COMM-PID [000] d..2. 55.032920: sched_switch: prev_comm=...")
	}
	if len(r.problems) > 0 {
		return nil, nil, r.problems
	}
	records, names := r.translate.finish()
	return records, names, nil
}

// Is says whether a file that begins so is a trace: its first line that is not empty is a header
// of the kernel's or of trace-cmd's, or an event.
func Is(head []byte) bool {
	for text := range bytes.Lines(head) {
		line := strings.TrimRight(string(text), "\r\n")
		if strings.TrimSpace(line) == "" {
			continue
		}
		if _, err := parseLine(line); err == nil {
			return true
		}
		return strings.HasPrefix(line, "# tracer:") || strings.HasPrefix(line, "version = ") ||
			strings.HasPrefix(line, "cpus=")
	}
	return false
}

// reader goes through the lines of a file.
type reader struct {
	name      string
	number    int
	events    int
	last      sim.Time
	hardirq   int      // which flag says that a line is of an interrupt; -1: no legend
	legend    []string // of the flags, from the left
	translate translator
	exact     *exact // nil: the trace is a machine's
	problems  file.Errors
}

// translator turns lines into records.
type translator interface {
	// event takes one line into account; context is its flag of what it happened in. False: its
	// fields are not as they should be.
	event(l *line, context byte) bool
	// frame is one function of the stack trace below a line.
	frame(text string)
	finish() ([]trace.Record, *trace.Names)
}

func (r *reader) problem(column int, format string, args ...any) {
	r.problems = append(r.problems, file.Error{File: r.name, Line: max(r.number, 1),
		Column: column, Message: fmt.Sprintf(format, args...)})
}

// line reads one line of any kind.
func (r *reader) line(text string) {
	text = strings.TrimRight(text, " \t\r")
	switch {
	case strings.HasPrefix(text, "#"):
		r.header(text)
	case strings.HasPrefix(text, " => "):
		r.translate.frame(strings.TrimPrefix(text, " => "))
	case !between(text):
		r.event(text)
	}
}

// between says whether a line stands between the events: what trace-cmd puts before them, and
// what the kernel says of lost ones, after which the tasks on the CPUs are taken from the lines.
func between(text string) bool {
	for _, prefix := range []string{"version = ", "cpus=", "CPU:", "CPU ", "--"} {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return text == ""
}

// header reads the legend: "#    | / _---=> hardirq/softirq", and what Writer puts before it.
func (r *reader) header(text string) {
	if strings.HasPrefix(text, magic) && r.events == 0 && r.exact == nil {
		r.exact = newExact()
		r.translate = r.exact
		return
	}
	if _, meaning, ok := strings.Cut(text, "=> "); ok {
		if meaning == "hardirq/softirq" {
			r.hardirq = len(r.legend)
		}
		r.legend = append(r.legend, meaning)
		return
	}
	if rest, ok := strings.CutPrefix(text, "# "); ok && r.exact != nil && !r.exact.header(rest) {
		r.problem(1, "damaged; a trace of rtsim's says cpus, tasks, locks, interrupts and steps "+
			"here")
	}
}

// event reads one event line.
func (r *reader) event(text string) {
	l, err := parseLine(text)
	if err != nil {
		r.problem(1, "%v", err)
		return
	}
	if l.at < r.last {
		r.problem(1, "%v comes after %v; sort the lines by time", l.at, r.last)
		return
	}
	r.last = l.at
	r.events++
	if !r.translate.event(&l, r.context(l.flags)) {
		r.problem(strings.Index(text, l.event+":")+1, "%s has other fields than the kernel's: %q",
			l.event, l.args)
	}
}

// context is the flag that says in what a line happened: '.' a task, 'h', 'H', 'z' or 'Z' a hard
// interrupt or an NMI, 's' a softirq. Without a legend the number of flags tells where it stands:
// PREEMPT_RT before 6.13 or so had need-resched-lazy before it.
func (r *reader) context(flags string) byte {
	at := r.hardirq
	if at < 0 {
		at = 2
		if len(flags) > 5 {
			at = 3
		}
	}
	if at >= len(flags) {
		return '.'
	}
	return flags[at]
}
