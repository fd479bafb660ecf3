package model

import "rtsim/model/trace"

// Notes are records for whoever explains a run: which step a task is at, what a switch costs, who
// has a wait_lock, what an operation on a kernel object gave. They are not happenings, so the
// digest leaves them out, and a run that does not keep them pays a test of a bit.

// KeepNotes keeps all notes beside what is kept already.
func (m *Machine) KeepNotes() { m.keep |= (1<<trace.NKinds - 1) &^ (1<<trace.FirstNote - 1) }

// note reports what enters no digest.
func (m *Machine) note(k trace.Kind, cpu int32, task TaskID, a, b int32) {
	if m.keep>>(k&63)&1 != 0 {
		m.Trace = append(m.Trace, trace.Record{At: m.now, Kind: k, CPU: int16(cpu),
			Task: int32(task), A: a, B: b})
	}
}

// waits says whether time may pass in a step that pays nothing.
func (op Op) waits() bool {
	switch op {
	case OpLock, OpUnlock, OpReadLock, OpReadUnlock, OpSleep, OpWait, OpTake, OpSchedule, OpEvery,
		OpOff, OpOn, OpExit:
		return true
	}
	return false
}

// noteEvent reports an operation of the task on a CPU and its result. The endpoint is the one that
// it has chosen: in a receive its own.
func (m *Machine) noteEvent(t *Task, a Action, yes bool) {
	result := int32(a) * 2
	if yes {
		result++
	}
	m.note(trace.Event, t.cpu, m.cpus[t.cpu].curr, t.regs.target, result)
}

// StepName says what a step of a program is.
type StepName = trace.StepName

// name notes what the next step of the code is called.
func (p *Program) name(path, text string) {
	for len(p.steps) < len(p.code) {
		p.steps = append(p.steps, StepName{})
	}
	p.steps = append(p.steps, StepName{Path: path, Text: text})
}

// opNames are the words of the operations that no listing names.
var opNames = [...]string{OpExec: "run", OpLock: "lock", OpUnlock: "unlock",
	OpReadLock: "read_lock", OpReadUnlock: "read_unlock", OpSleep: "sleep", OpWait: "wait",
	OpWake: "wake", OpPost: "post", OpTake: "take", OpJump: "goto", OpRepeat: "repeat",
	OpEnd: "end", OpYield: "yield", OpOff: "off", OpOn: "on", OpPrepare: "prepare",
	OpSchedule: "schedule", OpSetPriority: "set_priority", OpEvery: "every", OpFor: "for",
	OpBurst: "burst", OpDo: "operation", OpTry: "trylock", OpExit: "exit"}

// StepNames are the names of all steps, by the numbers that notes have.
func (p *Program) StepNames() []StepName {
	names := make([]StepName, len(p.code))
	for i := range names {
		if i < len(p.steps) && p.steps[i].Text != "" {
			names[i] = p.steps[i]
			continue
		}
		s := &p.code[i]
		switch {
		case int(s.Op) < len(opNames):
			names[i].Text = opNames[s.Op]
		default:
			names[i].Text = opNames[OpDo]
		}
		if s.Op >= OpLock && s.Op <= OpReadUnlock && s.Lock >= 0 {
			names[i].Text += " " + p.lockNames[s.Lock]
		}
	}
	return names
}

// EndpointTasks are the tasks to whom the endpoints belong.
func (p *Program) EndpointTasks() []int32 {
	var tasks []int32
	for _, e := range p.net.endpoints {
		tasks = append(tasks, int32(e.task))
	}
	return tasks
}

// Sources are the sources of interrupts, by slot.
func (p *Program) Sources() []string {
	all := make([]string, p.pullSlot+p.pullSlot-p.serverSlot)
	for i := range all {
		switch {
		case i < p.irqSlot:
		case i < p.loadSlot:
			all[i] = "interrupt " + itoa(i-p.irqSlot)
		case i < p.timerSlot:
			all[i] = p.net.loads[i-p.loadSlot].Name
		case i < p.cpuSlot:
			all[i] = "timer of " + p.names[i-p.timerSlot]
		case i < p.ipiSlot:
		case i < p.sliceSlot:
			all[i] = trace.RescheduleIPI
		case i < p.serverSlot:
			all[i] = "end of a slice"
		case i < p.pullSlot:
			all[i] = "fair server"
		default:
			all[i] = "RT pull"
		}
	}
	return all
}
