// Package perfetto writes records as a Perfetto trace in protobuf, for ui.perfetto.dev and
// trace_processor.
//
// Scheduling is an ftrace bundle, so that CPU tracks, thread states, wake-up arrows and the Linux
// tables of its SQL are there. What ftrace has no message for is track events: a thread's track
// has its sends and what it handles; below it lie the steps of its path, what it waits and spins
// for, its sections without preemption or interrupts, and its effective rt_priority as a counter;
// each lock has a track with its owners. Arrows go from a waker's wake-up to where the message is
// handled, and from a lock's release to where its waiter has it.
//
// Rejected: the JSON format alone (its importer mends overlapping slices by guessing); interned
// names (a third of the size, but a table that grows with the run).
package perfetto

import (
	"bufio"
	"io"

	"google.golang.org/protobuf/encoding/protowire"

	"rtsim/model/trace"
	"rtsim/scenarios/tracepoint"
	"rtsim/sim"
)

// Writer writes records, in memory that does not grow with their number.
type Writer struct {
	out     *bufio.Writer
	names   *trace.Names
	stream  *tracepoint.Stream
	marked  []tracepoint.Message
	bundles []message // by CPU, FtraceEventBundles that are not written yet
	pending int       // events in them
	tasks   []taskTracks
	locks   []lockTrack
	flow    uint64 // the last that was given
	begun   bool
	packet  message // the one that is built
	framed  message // with its tag and length
	spare   []message
	err     error
}

// pendingMost bounds the events that are held for bundles.
const pendingMost = 256

// NewWriter begins a trace; the marked messages are shown on a track of their own, and the first
// is the range of interest.
func NewWriter(out io.Writer, names *trace.Names, marked []tracepoint.Message) *Writer {
	w := &Writer{out: bufio.NewWriterSize(out, 1<<16), names: names, marked: marked,
		bundles: make([]message, names.CPUs), tasks: make([]taskTracks, len(names.Tasks)),
		locks: make([]lockTrack, len(names.Locks))}
	w.stream = tracepoint.NewStream(names, w.event)
	for i := range w.locks {
		w.locks[i].owner = -1
	}
	w.header()
	return w
}

// Add writes records, which follow those before in time.
func (w *Writer) Add(records []trace.Record) error {
	for i := range records {
		if !w.begun {
			w.begun = true
			w.firstValues(records[i].At)
		}
		w.stream.Add(&records[i])
	}
	return w.err
}

// Close ends the trace.
func (w *Writer) Close() error {
	w.stream.Close()
	w.flush()
	if w.err != nil {
		return w.err
	}
	return w.out.Flush()
}

// sequence is the only writer of packets.
const sequence = 1

// empty is a message to be built, in the memory of one that was written.
func (w *Writer) empty() (m message) {
	if last := len(w.spare) - 1; last >= 0 {
		m, w.spare = w.spare[last], w.spare[:last]
	}
	return m
}

// again takes back the memory of a message.
func (w *Writer) again(m message) {
	if len(w.spare) < 4 { // more are never built at once
		w.spare = append(w.spare, m[:0])
	}
}

// put writes a packet with one field, and takes back its memory.
func (w *Writer) put(at sim.Time, field protowire.Number, m message) {
	w.packet = w.packet[:0]
	if at >= 0 {
		w.packet.number(packetTime, int64(at))
	}
	w.packet.number(packetSequence, sequence)
	w.packet.message(field, m)
	w.again(m)
	w.framed = w.framed[:0]
	w.framed.message(tracePacket, w.packet)
	if _, err := w.out.Write(w.framed); err != nil && w.err == nil {
		w.err = err
	}
}

// event writes what a tracepoint says, in a bundle, on tracks, or both.
func (w *Writer) event(e *tracepoint.Event) {
	if m, ok := w.ftraceEvent(e); ok {
		w.bundles[e.CPU].message(bundleEvent, m)
		w.again(m)
		if w.pending++; w.pending >= pendingMost {
			w.flush()
		}
	}
	w.tracks(e)
}

// flush writes the bundles.
func (w *Writer) flush() {
	for cpu, events := range w.bundles {
		if len(events) == 0 {
			continue
		}
		m := w.empty()
		m.number(bundleCPU, int64(cpu))
		w.put(-1, packetFtrace, append(m, events...))
		w.bundles[cpu] = events[:0]
	}
	w.pending = 0
}

// ftraceEvent is an event of the bundle, if Perfetto has a message for it.
func (w *Writer) ftraceEvent(e *tracepoint.Event) (m message, ok bool) {
	var field protowire.Number
	f := w.empty()
	switch e.Point {
	case tracepoint.SchedSwitch:
		field = ftraceSwitch
		f.text(1, w.comm(e.Task, e.CPU))
		f.number(2, w.pid(e.Task))
		f.number(3, int64(e.Prio))
		f.number(4, prevState(e))
		f.text(5, w.comm(e.Next, e.CPU))
		f.number(6, w.pid(e.Next))
		f.number(7, int64(e.NextPrio))
	case tracepoint.SchedWaking, tracepoint.SchedWakeup:
		if field = ftraceWaking; e.Point == tracepoint.SchedWakeup {
			field = ftraceWakeup
		}
		w.party(&f, e)
		f.number(4, 1)
		f.number(5, int64(e.Target))
	case tracepoint.SchedMigrate:
		field = ftraceMigrate
		w.party(&f, e)
		f.number(4, int64(e.From))
		f.number(5, int64(e.Target))
	case tracepoint.SchedPISetprio:
		field = ftraceSetprio
		f.text(1, w.comm(e.Task, e.CPU))
		f.number(2, int64(e.NextPrio))
		f.number(3, int64(e.Prio))
		f.number(4, w.pid(e.Task))
	case tracepoint.IRQEntry:
		field = ftraceIRQEntry
		f.number(1, int64(e.Record.A))
		f.text(2, w.names.Sources[e.Record.A])
	case tracepoint.IRQExit:
		field = ftraceIRQExit
		f.number(1, int64(e.Record.A))
		f.number(2, 1)
	default:
		w.again(f)
		return nil, false
	}
	m = w.empty()
	m.number(ftraceTime, int64(e.At))
	m.number(ftracePID, w.pid(e.Context))
	m.message(field, f)
	w.again(f)
	return m, true
}

// party adds comm, pid and prio.
func (w *Writer) party(f *message, e *tracepoint.Event) {
	f.text(1, w.comm(e.Task, e.CPU))
	f.number(2, w.pid(e.Task))
	f.number(3, int64(e.Prio))
}

// states are the kernel's bits of why a task left its CPU, by Sleep.
var states = [...]int64{trace.Runnable: 0, trace.NotYet: 0x80, trace.Parked: 1, trace.InWait: 1,
	trace.InSleep: 1, trace.InTake: 2, trace.InSched: 1, trace.OnLock: 2, trace.OnReaders: 2,
	trace.Exited: 0x10}

// preemptedState is TASK_REPORT_MAX: it left its CPU without wanting to.
const preemptedState = 0x100

func prevState(e *tracepoint.Event) int64 {
	if e.State == trace.Runnable && e.Task >= 0 {
		return preemptedState
	}
	return states[e.State]
}

// comm is a task's name; each CPU has its idle task.
func (w *Writer) comm(id int32, cpu int16) string {
	if id >= 0 {
		return w.names.Tasks[id].Name
	}
	return "swapper/" + itoa(int64(cpu))
}

func (w *Writer) pid(id int32) int64 {
	if id < 0 {
		return 0
	}
	return int64(w.names.Tasks[id].PID)
}
