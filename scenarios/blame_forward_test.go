package scenarios

import (
	"slices"

	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

// A second way to blame. It goes through the records once, holds what is true now and nothing of
// what was, and at each stretch between two instants writes down, for the sender and the receiver,
// a chain of words from the message down to whoever is to blame. What it must know of the future,
// who ends a sleep, it looks up in the records themselves. scenarios/blame goes by lines over time
// and cuts them; the two share the names and nothing else.

// stretch is a piece of time with its chain.
type stretch struct {
	from, to sim.Time
	chain    string
}

// forward is what is true now.
type forward struct {
	sys                *trace.Names
	rest               []trace.Record // from now on
	now                sim.Time
	runs               map[int16]int32       // task on a CPU
	handler            map[int16]int32       // source
	ipi                map[int16]bool        //
	moves              map[int16][2]sim.Time // end of the idle exit, end of the switch
	place              map[int32]int16       // CPU of a task
	sleep              map[int32]trace.Sleep // of those that are not awake
	lock               map[int32]int32       // that a task sleeps for
	queued             map[int32]int32       // among whose waiters a task is
	spin               map[int32]int32
	step               map[int32]int32
	prio, own          map[int32]int32
	preemptOff, irqOff map[int32]bool
	owner              map[int32]int32
	line               map[int32][][2]int32 // by lock: waiters with their ranks, in order
	owes               map[int32][]int32    // by task: who has taken its wake-up on himself
	list               map[int32][][2]int32 // by task: who pushed work, and whether it is linked
	stuck              map[int32]int32      // by task: whose link it waits for
}

func newForward(sys *trace.Names, records []trace.Record) *forward {
	f := &forward{sys: sys, rest: records, runs: map[int16]int32{}, handler: map[int16]int32{},
		ipi: map[int16]bool{}, moves: map[int16][2]sim.Time{}, place: map[int32]int16{},
		sleep: map[int32]trace.Sleep{}, lock: map[int32]int32{}, queued: map[int32]int32{},
		spin: map[int32]int32{}, step: map[int32]int32{}, prio: map[int32]int32{},
		own: map[int32]int32{}, preemptOff: map[int32]bool{}, irqOff: map[int32]bool{},
		owner: map[int32]int32{}, line: map[int32][][2]int32{}, owes: map[int32][]int32{},
		list: map[int32][][2]int32{}, stuck: map[int32]int32{}}
	for i := range sys.Tasks {
		id := int32(i)
		f.sleep[id], f.step[id] = trace.NotYet, -1
		f.prio[id], f.own[id] = sys.Tasks[i].Prio, sys.Tasks[i].Prio
	}
	return f
}

// instant takes all records of the next instant, shows each to see, and returns when the state
// changes next.
func (f *forward) instant(see func(*trace.Record)) (until sim.Time) {
	f.now = f.rest[0].At
	for len(f.rest) > 0 && f.rest[0].At == f.now {
		f.take(&f.rest[0])
		see(&f.rest[0])
		f.rest = f.rest[1:]
	}
	if len(f.rest) == 0 {
		return f.now
	}
	return f.rest[0].At
}

// cut is the first end of an idle exit or a switch after now, at most until.
func (f *forward) cut(until sim.Time) sim.Time {
	for _, ends := range f.moves {
		for _, end := range ends {
			if end > f.now {
				until = min(until, end)
			}
		}
	}
	return until
}

func (f *forward) take(r *trace.Record) {
	id := r.Task
	switch r.Kind {
	case trace.SchedSwitch:
		delete(f.runs, r.CPU)
		if id >= 0 {
			f.runs[r.CPU], f.place[id] = id, r.CPU
		}
	case trace.Switching:
		leaves := r.At + sim.Time(r.A)
		f.moves[r.CPU] = [2]sim.Time{leaves, leaves + sim.Time(r.B)}
	case trace.SchedWakeup:
		delete(f.sleep, id)
		f.place[id] = r.CPU
		f.owes[id] = without(f.owes[id], r.A)
	case trace.SchedMigrate:
		f.place[id] = r.CPU
	case trace.TaskSleep:
		f.sleep[id] = trace.Sleep(r.A)
	case trace.TaskExit:
		f.sleep[id] = trace.Exited
	case trace.SchedPISetprio:
		f.prio[id] = r.B
	case trace.SetPriority:
		f.own[id] = r.B
	case trace.PreemptOff:
		f.preemptOff[id] = r.B == 1
	case trace.IRQOff:
		f.irqOff[id] = r.B == 1
	case trace.IRQEntry:
		f.handler[r.CPU] = r.A
	case trace.IRQExit:
		delete(f.handler, r.CPU)
	case trace.IPI:
		f.ipi[r.CPU] = true
	case trace.IPIArrives:
		f.ipi[r.CPU] = false
	case trace.Step:
		f.step[id] = r.A
	case trace.SendEnd:
		f.doneWithAll(id)
	case trace.Event:
		f.takeEvent(r)
	default:
		f.takeLock(r)
	}
}

func (f *forward) takeLock(r *trace.Record) {
	id, l := r.Task, r.A
	switch r.Kind {
	case trace.LockAcquired:
		if r.B != trace.ModeRead {
			f.owner[l] = id
		}
	case trace.LockReleased:
		if r.B != trace.ModeRead {
			delete(f.owner, l)
		}
	case trace.WaitLock:
		if r.B == 1 {
			f.owner[l+int32(len(f.sys.Locks)/2)] = id
		} else {
			delete(f.owner, l+int32(len(f.sys.Locks)/2))
		}
	case trace.LockWait:
		f.lock[id] = l
	case trace.WaiterQueued:
		f.line[l] = withoutPair(f.line[l], id)
		at := len(f.line[l])
		for at > 0 && f.line[l][at-1][1] < r.B {
			at--
		}
		f.line[l] = slices.Insert(f.line[l], at, [2]int32{id, r.B})
		f.queued[id] = l
	case trace.WaiterLeft:
		f.line[l] = withoutPair(f.line[l], id)
		delete(f.queued, id)
	case trace.SpinBegin:
		f.spin[id] = l
		if r.B == 1 {
			f.line[l] = append(f.line[l], [2]int32{id, 0})
		}
	case trace.SpinEnd:
		delete(f.spin, id)
		if r.B == 1 {
			f.line[l] = withoutPair(f.line[l], id)
		}
	}
}

func without(list []int32, x int32) []int32 {
	return slices.DeleteFunc(slices.Clone(list), func(y int32) bool { return x == y })
}

func withoutPair(list [][2]int32, x int32) [][2]int32 {
	return slices.DeleteFunc(slices.Clone(list), func(y [2]int32) bool { return x == y[0] })
}

func (f *forward) doneWithAll(by int32) {
	for target := range f.owes {
		f.owes[target] = without(f.owes[target], by)
	}
}

// takeEvent follows promises of wake-ups and the lists of work.
func (f *forward) takeEvent(r *trace.Record) {
	action, yes := model.Action(r.B>>1), r.B&1 != 0
	if action == model.ActNextOpen || action == model.ActNodeNext {
		f.doneWithAll(r.Task)
	}
	if r.A < 0 {
		return
	}
	target := f.sys.Endpoints[r.A]
	list := f.list[target]
	switch action {
	case model.ActClaim, model.ActClaimLazy, model.ActClaimKept, model.ActMarkPending,
		model.ActBell, model.ActWakeQAdd, model.ActPollGet:
		if yes && target != r.Task {
			f.owes[target] = append(f.owes[target], r.Task)
		}
	case model.ActStateMatch:
		f.owes[target] = without(f.owes[target], r.Task)
	case model.ActWorkPush:
		f.list[target] = append(list, [2]int32{r.Task, 0})
	case model.ActWorkAdd:
		f.list[target] = append(list, [2]int32{r.Task, 1})
	case model.ActWorkLink:
		for i := range list {
			if list[i][0] == r.Task {
				list[i][1] = 1
			}
		}
	case model.ActWork, model.ActNoWork:
		if yes == (action == model.ActNoWork) {
			f.list[target] = nil
		}
	case model.ActWorkPop:
		delete(f.stuck, target)
		if len(list) > 0 && yes {
			f.list[target] = list[1:]
		} else if len(list) > 0 {
			f.stuck[target] = list[0][0]
		}
	}
}
