package perfetto

import (
	"strconv"

	"rtsim/model/trace"
	"rtsim/scenarios/tracepoint"
	"rtsim/sim"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// Tracks have a number each: what they show, and of which task or lock.
const (
	trackOfLocks    = 1
	trackOfMessages = 2

	kindShift = 48
	// The kinds; below the first the number is the task's or the lock's, a reader's is the lock's
	// and the task's.
	kindThread   = 1 << kindShift
	kindPriority = 2 << kindShift
	kindSteps    = 3 << kindShift
	kindWaits    = 4 << kindShift
	kindIRQOff   = 5 << kindShift
	kindPreempt  = 6 << kindShift
	kindLock     = 7 << kindShift
	kindReader   = 8 << kindShift
	readerShift  = 24
)

// taskTracks is what is open on a task's tracks, and which of them exist.
type taskTracks struct {
	steps, waits [2]bool // exists; open
	offs         [2]bool // of IRQOff and PreemptOff: exists
	wakeFlow     uint64  // of the last wake-up for a message; 0: none
	lockFlow     uint64  // of the last release to it
	receives     bool
}

type lockTrack struct {
	exists  bool
	owner   int32   // -1: none
	readers []int32 // tasks whose track exists
}

// header describes what there is from the beginning: processes, threads, priorities, messages.
func (w *Writer) header() {
	var flags message
	flags.number(packetSequence, sequence)
	flags.number(packetFlags, 1)
	var head message
	head.message(tracePacket, flags)
	if _, err := w.out.Write(head); err != nil {
		w.err = err
	}
	w.tree()
	for id := range w.names.Tasks {
		t := &w.names.Tasks[id]
		var thread, d message
		thread.number(descriptorPID, int64(t.PID))
		thread.number(descriptorTID, int64(t.PID))
		thread.text(descriptorThreadName, t.Name)
		d.number(trackUUID, kindThread+int64(id))
		d.message(trackThread, thread)
		w.put(-1, packetDescriptor, d)
		var counter message
		counter.text(counterUnitName, "rt_priority")
		w.describe(kindPriority+int64(id), kindThread+int64(id), "priority of "+t.Name, counter)
	}
	for _, id := range w.names.Endpoints {
		w.tasks[id].receives = true
	}
	if len(w.marked) == 0 {
		return
	}
	var interest message
	interest.number(interestStart, int64(w.marked[0].Begin/1000))
	w.put(-1, packetInterest, interest)
	w.describe(trackOfMessages, 0, "longest messages", nil)
	for _, m := range w.marked {
		w.slice(m.Begin, trackOfMessages, "message "+itoa(int64(m.Number))+": "+
			(m.End-m.Begin).String())
		w.end(m.End, trackOfMessages)
	}
}

// tree names the processes: each task is one, with one thread.
func (w *Writer) tree() {
	var tree message
	for i := range w.names.Tasks {
		var p message
		p.number(processPID, int64(w.names.Tasks[i].PID))
		p.text(processCommand, w.names.Tasks[i].Name)
		tree.message(treeProcesses, p)
	}
	for i := range w.names.Tasks {
		var t message
		t.number(threadTID, int64(w.names.Tasks[i].PID))
		t.text(threadName, w.names.Tasks[i].Name)
		t.number(threadTGID, int64(w.names.Tasks[i].PID))
		tree.message(treeThreads, t)
	}
	w.put(0, packetTree, tree)
}

// describe introduces a track below another, 0 for none; counter is nil unless it is one.
func (w *Writer) describe(uuid, parent int64, name string, counter message) {
	var d message
	d.number(trackUUID, uuid)
	d.text(trackName, name)
	if parent != 0 {
		d.number(trackParent, parent)
	}
	if counter != nil {
		d.message(trackCounter, counter)
	}
	w.put(-1, packetDescriptor, d)
}

// firstValues gives the priorities that tasks begin with.
func (w *Writer) firstValues(at sim.Time) {
	for id := range w.names.Tasks {
		w.priority(at, int32(id), w.names.Tasks[id].Prio)
	}
}

func (w *Writer) priority(at sim.Time, id, prio int32) {
	e := w.newEvent(typeCounter, kindPriority+int64(id))
	e.number(eventValue, int64(prio))
	w.put(at, packetEvent, e)
}

func (w *Writer) newEvent(kind, track int64) message {
	e := w.empty()
	e.number(eventType, kind)
	e.number(eventTrack, track)
	return e
}

// slice begins a slice; its name is given in pieces.
func (w *Writer) slice(at sim.Time, track int64, name ...string) {
	e := w.newEvent(typeBegin, track)
	e.text(eventName, name...)
	w.put(at, packetEvent, e)
}

// end ends the innermost slice of a track.
func (w *Writer) end(at sim.Time, track int64) {
	w.put(at, packetEvent, w.newEvent(typeEnd, track))
}

// instant puts an event without length, with the flows that begin and end there, 0 none; its name
// is given in pieces.
func (w *Writer) instant(at sim.Time, track int64, flow, ends uint64, name ...string) {
	e := w.newEvent(typeInstant, track)
	e.text(eventName, name...)
	if flow != 0 {
		e.fixed(eventFlow, flow)
	}
	if ends != 0 {
		e.fixed(eventFlowEnd, ends)
	}
	w.put(at, packetEvent, e)
}

// tracks shows an event on the tracks that it concerns.
func (w *Writer) tracks(e *tracepoint.Event) {
	r := e.Record
	thread := kindThread + int64(r.Task)
	switch e.Point {
	case tracepoint.SchedPISetprio:
		w.priority(e.At, r.Task, r.B)
	case tracepoint.SchedWaking:
		w.wakes(r)
	case tracepoint.SendBegin:
		b := w.newEvent(typeBegin, thread)
		b.text(eventName, "send ", itoa(int64(r.A)))
		late := w.empty()
		late.text(annotationName, "late_ns")
		late.number(annotationInt, int64(r.B))
		b.message(eventAnnotation, late)
		w.again(late)
		w.put(e.At, packetEvent, b)
	case tracepoint.SendEnd:
		w.end(e.At, thread)
	case tracepoint.LockAcquired:
		w.acquired(r)
	case tracepoint.LockRelease:
		w.released(r)
	case tracepoint.IRQDisable, tracepoint.IRQEnable, tracepoint.PreemptDisable,
		tracepoint.PreemptEnable:
		w.section(r)
	case tracepoint.ContentionBegin, tracepoint.ContentionEnd:
		w.waits(r)
	case tracepoint.UringSubmit:
		w.instant(e.At, thread, 0, 0, "io_uring_submit_req ", e.Opcode)
	case tracepoint.UringComplete:
		w.instant(e.At, thread, 0, 0, "io_uring_complete")
	case tracepoint.Mark:
		w.mark(r)
	}
}

// mark shows what has no tracepoint.
func (w *Writer) mark(r *trace.Record) {
	switch r.Kind {
	case trace.Handle:
		t := &w.tasks[r.Task]
		w.instant(r.At, kindThread+int64(r.Task), 0, t.wakeFlow, "handle")
		t.wakeFlow = 0
	case trace.Step:
		w.step(r)
	case trace.SpinBegin, trace.SpinEnd, trace.WaiterQueued:
		w.waits(r)
	case trace.Refused:
		w.instant(r.At, kindThread+int64(r.Task), 0, 0, "refused")
	case trace.BurstDue:
		w.instant(r.At, kindThread+int64(r.Task), 0, 0, "burst due")
	case trace.BurstBegin:
		w.instant(r.At, kindThread+int64(r.Task), 0, 0, "burst begins")
	}
}
