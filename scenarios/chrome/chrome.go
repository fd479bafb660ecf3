// Package chrome writes records as Chrome's trace JSON, which Perfetto and Chrome's own viewer
// read: threads' states, their sends and what they wait for, locks with their owners, effective
// priorities, wake-ups as arrows. It is the lesser of two formats; package perfetto has more.
//
// Times are in microseconds with three decimals, so exact. Slices of one thread must nest in this
// format: waits and locks lie on threads of their own, readers of an rwlock are left out.
package chrome

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"rtsim/model/trace"
	"rtsim/scenarios/tracepoint"
	"rtsim/sim"
)

// The processes under which a viewer lists what is shown, in this order.
const (
	tasks    = 1 // threads are tasks, by pid
	waits    = 2 // the same: what they wait for
	locks    = 3 // threads are locks
	cpus     = 4 // threads are CPUs: handlers of interrupts
	messages = 5
)

var processNames = [...]string{tasks: "tasks", waits: "waits of tasks", locks: "locks",
	cpus: "interrupts", messages: "longest messages"}

// Writer writes records, in memory that does not grow with their number.
type Writer struct {
	out    *bufio.Writer
	names  *trace.Names
	stream *tracepoint.Stream
	tasks  []taskState
	owners []int32 // by lock, -1
	flow   int     // the last that was given
	some   bool    // an event was written
	begun  bool
	last   sim.Time
	err    error
}

// taskState is what a task does since when.
type taskState struct {
	state string // as Perfetto calls it; "": nothing is known yet
	cpu   int16
	since sim.Time
	waits bool // its slice is open
	flow  int  // ends where it runs next; 0: none
}

// event is one event of the format.
type event struct {
	Phase   string         `json:"ph"`
	Name    string         `json:"name,omitempty"`
	Process int            `json:"pid"`
	Thread  int32          `json:"tid"`
	At      stamp          `json:"ts"`
	Length  *stamp         `json:"dur,omitempty"`
	ID      int            `json:"id,omitempty"`
	Bind    string         `json:"bp,omitempty"`
	Scope   string         `json:"s,omitempty"`
	Kind    string         `json:"cat,omitempty"`
	Args    map[string]any `json:"args,omitempty"`
}

// stamp is a time as microseconds with three decimals.
type stamp sim.Time

// MarshalJSON gives the number.
func (s stamp) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%d.%03d", s/1000, s%1000), nil
}

// NewWriter begins a trace; the marked messages lie on a track of their own.
func NewWriter(out io.Writer, names *trace.Names, marked []tracepoint.Message) *Writer {
	w := &Writer{out: bufio.NewWriterSize(out, 1<<16), names: names,
		tasks: make([]taskState, len(names.Tasks)), owners: make([]int32, len(names.Locks))}
	w.stream = tracepoint.NewStream(names, w.event)
	w.text(`{"displayTimeUnit":"ns","traceEvents":[`)
	for process := tasks; process < len(processNames); process++ {
		w.meta("process_name", process, 0, "name", processNames[process])
		w.meta("process_sort_index", process, 0, "sort_index", process)
	}
	for i := range names.Tasks {
		for _, process := range []int{tasks, waits} {
			w.meta("thread_name", process, names.Tasks[i].PID, "name", names.Tasks[i].Name)
			w.meta("thread_sort_index", process, names.Tasks[i].PID, "sort_index", i)
		}
	}
	for l := range names.Locks {
		w.owners[l] = -1
		w.meta("thread_name", locks, int32(l), "name", names.Locks[l])
	}
	for c := range names.CPUs {
		w.meta("thread_name", cpus, int32(c), "name", fmt.Sprintf("CPU %d", c))
	}
	for _, m := range marked {
		length := stamp(m.End - m.Begin)
		w.put(event{Phase: "X", Process: messages, At: stamp(m.Begin), Length: &length,
			Name: fmt.Sprintf("message %d: %s", m.Number, m.End-m.Begin)})
	}
	return w
}

// Add writes records, which follow those before in time.
func (w *Writer) Add(records []trace.Record) error {
	for i := range records {
		if !w.begun {
			w.begun = true
			for id := range w.names.Tasks {
				w.priority(records[i].At, int32(id), w.names.Tasks[id].Prio)
			}
		}
		w.last = records[i].At
		w.stream.Add(&records[i])
	}
	return w.err
}

// Close ends the trace, and the states that tasks are in.
func (w *Writer) Close() error {
	w.stream.Close()
	for id := range w.tasks {
		w.turn(w.last, int32(id), "", 0)
	}
	w.text("\n]}\n")
	if w.err != nil {
		return w.err
	}
	return w.out.Flush()
}

func (w *Writer) text(s string) {
	if _, err := w.out.WriteString(s); err != nil && w.err == nil {
		w.err = err
	}
}

// put writes one event.
func (w *Writer) put(e event) {
	data, err := json.Marshal(e)
	if err != nil {
		panic(err) // every value is a number or a string
	}
	if w.some {
		w.text(",")
	}
	w.some = true
	w.text("\n" + string(data))
}

func (w *Writer) meta(name string, process int, thread int32, key string, value any) {
	w.put(event{Phase: "M", Name: name, Process: process, Thread: thread,
		Args: map[string]any{key: value}})
}
