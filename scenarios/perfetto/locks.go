package perfetto

import (
	"slices"

	"rtsim/model/trace"
)

// wakes shows a wake-up by a task: an arrow to where a message that it was for is handled, or to
// where the lock is taken that was released.
func (w *Writer) wakes(r *trace.Record) {
	why, t := trace.Sleep(r.B), &w.tasks[r.Task]
	name := w.names.Task(r.Task)
	switch {
	case r.A < 0:
	case why == trace.OnLock || why == trace.OnReaders:
		w.flow++
		t.lockFlow = w.flow
		w.instant(r.At, kindThread+int64(r.A), w.flow, 0, "releases to ", name)
	case t.receives:
		w.flow++
		t.wakeFlow = w.flow
		w.instant(r.At, kindThread+int64(r.A), w.flow, 0, "wakes ", name)
	}
}

// below makes a track below a task's, once, named by what it is and the task.
func (w *Writer) below(exists *bool, kind int64, task int32, what string) int64 {
	track := kind + int64(task)
	if !*exists {
		*exists = true
		w.describe(track, kindThread+int64(task), what+w.names.Task(task), nil)
	}
	return track
}

// step shows the step that a task is at until the next.
func (w *Writer) step(r *trace.Record) {
	t := &w.tasks[r.Task]
	track := w.below(&t.steps[0], kindSteps, r.Task, "steps of ")
	if t.steps[1] {
		w.end(r.At, track)
	}
	t.steps[1] = true
	e := w.newEvent(typeBegin, track)
	s := &w.names.Steps[r.A]
	e.text(eventName, s.Text)
	if s.Path != "" {
		e.text(eventCategory, s.Path)
	}
	w.put(r.At, packetEvent, e)
}

// waits shows what a task waits or spins for. A waiter that is ranked anew goes on waiting.
func (w *Writer) waits(r *trace.Record) {
	t := &w.tasks[r.Task]
	track := w.below(&t.waits[0], kindWaits, r.Task, "waits of ")
	switch r.Kind {
	case trace.WaiterQueued:
		if !t.waits[1] {
			t.waits[1] = true
			w.slice(r.At, track, "waits for ", w.names.Locks[r.A])
		}
	case trace.WaiterLeft:
		t.waits[1] = false
		w.end(r.At, track)
	case trace.SpinBegin:
		if r.A >= 0 {
			w.slice(r.At, track, "spins for ", w.names.Locks[r.A])
		} else {
			w.slice(r.At, track, "polls")
		}
	case trace.SpinEnd:
		w.end(r.At, track)
	}
}

// section shows a section without interrupts or preemption; preemption-off sections nest.
func (w *Writer) section(r *trace.Record) {
	t := &w.tasks[r.Task]
	kind, i, name, by := int64(kindIRQOff), 0, "interrupts off", "interrupts off by "
	if r.Kind == trace.PreemptOff {
		kind, i, name, by = kindPreempt, 1, "preemption off", "preemption off by "
	}
	track := w.below(&t.offs[i], kind, r.Task, by)
	if r.B == 1 {
		w.slice(r.At, track, name)
	} else {
		w.end(r.At, track)
	}
}

// lockTrack makes a lock's track, once, or that of a reader below it: readers overlap.
func (w *Writer) lockTrack(r *trace.Record) int64 {
	l := &w.locks[r.A]
	track := kindLock + int64(r.A)
	if !l.exists {
		if !slices.ContainsFunc(w.locks, func(l lockTrack) bool { return l.exists }) {
			w.describe(trackOfLocks, 0, "locks", nil)
		}
		l.exists = true
		w.describe(track, trackOfLocks, w.names.Locks[r.A], nil)
	}
	if r.B != trace.ModeRead {
		return track
	}
	reader := kindReader + int64(r.A)<<readerShift + int64(r.Task)
	if !slices.Contains(l.readers, r.Task) {
		l.readers = append(l.readers, r.Task)
		w.describe(reader, track, w.names.Locks[r.A]+" read by "+w.names.Task(r.Task), nil)
	}
	return reader
}

// acquired begins the owner's slice on the lock's track. An rwlock's writer has its rtmutex
// before, on the same track.
func (w *Writer) acquired(r *trace.Record) {
	track := w.lockTrack(r)
	name := w.names.Task(r.Task)
	switch {
	case r.B == trace.ModeMutex:
		name += ", waiting for readers"
	case r.B == trace.ModeWrite && w.locks[r.A].owner == r.Task:
		w.end(r.At, track)
	}
	if r.B != trace.ModeRead {
		w.locks[r.A].owner = r.Task
	}
	e := w.newEvent(typeBegin, track)
	e.text(eventName, name)
	if t := &w.tasks[r.Task]; t.lockFlow != 0 {
		e.fixed(eventFlowEnd, t.lockFlow)
		t.lockFlow = 0
	}
	w.put(r.At, packetEvent, e)
}

func (w *Writer) released(r *trace.Record) {
	w.end(r.At, w.lockTrack(r))
	if r.B != trace.ModeRead {
		w.locks[r.A].owner = -1
	}
}
