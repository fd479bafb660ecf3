package draw

import (
	"rtsim/model/trace"
)

// taskState is what the records so far say of a task.
type taskState struct {
	asleep   trace.Sleep
	cpu      int16
	onCPU    bool
	spins    bool
	own, eff int32
	waitsFor int32 // lock among whose waiters it is, -1
}

// lockState is the same of a lock instance.
type lockState struct {
	owner   int32
	readers int32
}

type state struct {
	p     *Picture
	tasks []taskState // by task
	locks []lockState // by lock instance
	irq   []bool      // by CPU: a handler runs
}

func newState(p *Picture) *state {
	s := &state{p: p, irq: make([]bool, p.CPUs)}
	for i := range p.Rows {
		if r := &p.Rows[i]; !r.Lock {
			t := s.task(r.ID)
			t.own, t.eff = r.Own, r.Own
		}
	}
	return s
}

// task is a task's state, which begins with its first record.
func (s *state) task(id int32) *taskState {
	for int(id) >= len(s.tasks) {
		s.tasks = append(s.tasks, taskState{asleep: trace.NotYet, waitsFor: -1})
	}
	return &s.tasks[id]
}

// lock is the same of a lock.
func (s *state) lock(id int32) *lockState {
	for int(id) >= len(s.locks) {
		s.locks = append(s.locks, lockState{owner: -1})
	}
	return &s.locks[id]
}

// apply takes one record into account.
func (s *state) apply(r *trace.Record) {
	switch r.Kind {
	case trace.SchedSwitch:
		if r.A >= 0 {
			s.task(r.A).onCPU = false
		}
		if r.Task >= 0 {
			t := s.task(r.Task)
			t.onCPU, t.cpu = true, r.CPU
		}
	case trace.SchedWakeup:
		s.task(r.Task).asleep = trace.Runnable
	case trace.TaskSleep:
		s.task(r.Task).asleep = trace.Sleep(r.A)
	case trace.SchedPISetprio:
		s.task(r.Task).eff = r.B
	case trace.SetPriority:
		s.task(r.Task).own = r.B
	case trace.IRQEntry, trace.IRQExit:
		s.irq[r.CPU] = r.Kind == trace.IRQEntry
	default:
		s.applyLock(r)
	}
}

func (s *state) applyLock(r *trace.Record) {
	switch r.Kind {
	case trace.SpinBegin:
		s.task(r.Task).spins = true
		s.task(r.Task).waitsFor = r.A
	case trace.SpinEnd:
		s.task(r.Task).spins = false
		if r.B == 1 {
			s.task(r.Task).waitsFor = -1
		}
	case trace.WaiterQueued:
		s.task(r.Task).waitsFor = r.A
	case trace.WaiterLeft:
		s.task(r.Task).waitsFor = -1
	case trace.LockAcquired:
		if r.B == trace.ModeRead {
			s.lock(r.A).readers++
		} else {
			s.lock(r.A).owner = r.Task
		}
	case trace.LockReleased:
		if r.B == trace.ModeRead {
			s.lock(r.A).readers--
		} else {
			s.lock(r.A).owner = -1
		}
	}
}

// cell is a row's character now.
func (s *state) cell(r *Row) byte {
	if r.Lock {
		return s.lockCell(r)
	}
	t := s.task(r.ID)
	switch {
	case t.asleep == trace.NotYet || t.asleep == trace.Exited:
		return ' '
	case t.asleep == trace.OnLock || t.asleep == trace.OnReaders:
		return 'x'
	case t.asleep != trace.Runnable:
		return '-'
	case !t.onCPU:
		return '.'
	case s.irq[t.cpu]:
		return '!'
	case t.spins:
		return '~'
	case r.Multi && t.eff > t.own:
		return byte('a' + t.cpu%26)
	case r.Multi:
		return byte('0' + t.cpu%10)
	case t.eff > t.own:
		return '='
	}
	return '#'
}

func (s *state) lockCell(r *Row) byte {
	l := s.lock(r.ID)
	switch {
	case l.owner >= 0:
		return s.p.Initial(l.owner)
	case l.readers > 0:
		return byte('0' + min(l.readers, 9))
	}
	for i := range s.p.Rows {
		if q := &s.p.Rows[i]; !q.Lock && s.task(q.ID).waitsFor == r.ID {
			return '?'
		}
	}
	return ' '
}
