package explore

import (
	"cmp"
	"slices"

	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

// Where to look. How a message is sent depends on what was before: a cache that runs empty once in
// many messages, a task that starts or ends once a second. So a run of a seed is scanned for
// messages of each way, as the set of steps that the sender (and the receiver) went through and the
// interrupts that their CPUs met, and a window is laid around the first of each.

// scanned is how long a run is scanned: the processes of the published experiment start and stop
// once a second.
const scanned = 1050 * sim.Millisecond

// scanBatch bounds the records that are kept at a time.
const scanBatch = 10 * sim.Millisecond

// way is one way of a message.
type way struct {
	steps []uint64 // set of steps and sources
	first message
	count int
}

// scan finds the ways of a seed's messages, the most frequent first, and when tasks on CPUs with
// bursts wake that have slept for long: what they do from then on may be moved as a whole; and
// whom messages meet (meet.go).
func (a *arena) scan(seed uint64) (ways []way, rested []sim.Time, near []meet, err error) {
	m := model.New(a.workload, a.costs, seed)
	m.Keep(trace.SendBegin, trace.SendEnd, trace.Publish, trace.Handle, trace.IRQEntry, trace.Step,
		trace.TaskSleep, trace.SchedWakeup, trace.LockAcquired)
	met := meets{a: a}
	slept := make([]sim.Time, len(a.workload.Tasks))
	var tail []trace.Record // of messages that were not over at the end of a batch
	for at := sim.Time(0); at < scanned; {
		at += scanBatch
		if err := m.Run(at); err != nil {
			return nil, nil, nil, a.failed(seed, err)
		}
		rested = a.rested(rested, slept, m.Trace)
		met.take(m, m.Trace)
		records := append(tail, m.Trace...)
		over := sim.Time(0)
		a.messages(records, func(x message) {
			ways = a.addWay(ways, records, x)
			over = x.over
		})
		first := slices.IndexFunc(records, func(r trace.Record) bool {
			return r.At >= over && r.Task == a.sender && r.Kind == trace.SendBegin
		})
		tail = tail[:0]
		if first >= 0 && len(records) < recordsMost {
			tail = slices.Clone(records[first:])
		}
		m.Trace = m.Trace[:0]
	}
	slices.SortStableFunc(ways, func(x, y way) int { return cmp.Compare(y.count, x.count) })
	return ways, rested, met.nearest(), nil
}

// restMost is how long a task sleeps between the things that it does, at most.
const restMost = 5 * sim.Millisecond

// rested adds when tasks wake that have slept for long. slept is when each last went to sleep.
func (a *arena) rested(all, slept []sim.Time, records []trace.Record) []sim.Time {
	for i := range records {
		r := &records[i]
		if r.Task < 0 || int(r.Task) >= len(slept) {
			continue
		}
		switch r.Kind {
		case trace.TaskSleep:
			slept[r.Task] = r.At
		case trace.SchedWakeup:
			cpus := a.workload.Tasks[r.Task].CPUs
			if last := slept[r.Task]; last > 0 && r.At-last > restMost && a.bursts(cpus) &&
				(len(all) == 0 || r.At > all[len(all)-1]+DefaultWindow) {
				all = append(all, r.At)
			}
		}
	}
	return all
}

// bursts says whether a task of some CPUs may run on one with bursts.
func (a *arena) bursts(cpus uint64) bool {
	return slices.ContainsFunc(a.workload.Loads, func(d model.LoadDecl) bool {
		return d.Kind == model.LoadBurst && cpus>>uint(d.CPU)&1 != 0
	})
}

// recordsMost bounds what is kept for a message that nobody handles.
const recordsMost = 1_000_000

// addWay counts a message to those of its way.
func (a *arena) addWay(ways []way, records []trace.Record, x message) []way {
	words := (len(a.names.Steps) + len(a.names.Sources) + 63) / 64
	set := make([]uint64, words)
	for i := range records {
		r := &records[i]
		if r.At < x.begin || r.At > x.over {
			continue
		}
		id := int32(0)
		switch {
		case r.Kind == trace.IRQEntry && a.concerns(r.CPU):
			id = int32(len(a.names.Steps)) + r.A
		case r.Kind == trace.Step && (r.Task == a.sender || a.receives && r.Task == a.receiver):
			id = r.A
		default:
			continue
		}
		set[id/64] |= 1 << (id % 64)
	}
	for i := range ways {
		if slices.Equal(ways[i].steps, set) {
			ways[i].count++
			return ways
		}
	}
	return append(ways, way{set, x, 1})
}

// concerns says whether a CPU is one that the sender or the receiver may run on.
func (a *arena) concerns(cpu int16) bool {
	cpus := a.workload.Tasks[a.sender].CPUs
	if a.receives {
		cpus |= a.workload.Tasks[a.receiver].CPUs
	}
	return cpus>>uint(cpu)&1 != 0
}
