package trace

// Names says what the numbers in records stand for. Whoever prints records takes it beside them;
// a run's come from its workload, a machine's from the trace that was read.
type Names struct {
	CPUs    int
	Tasks   []TaskName // by Record.Task
	Locks   []string   // by lock instance
	Sources []string   // of interrupts, by slot
	Steps   []StepName // of programs, by number; a machine's trace has none
	// Endpoints are the tasks to whom the ends of queues belong, by the numbers of Events.
	Endpoints []int32
}

// RescheduleIPI is the source of the interrupt by which a CPU asks another to reschedule.
const RescheduleIPI = "reschedule IPI"

// StepName is a step as a listing has it.
type StepName struct {
	Path string // send, receive, open, close, reclaim; "" for a word of a program
	Text string
}

// TaskName is a task as a person and a viewer know it.
type TaskName struct {
	Name string
	PID  int32  // above 0
	Prio int32  // the rt_priority it starts with, 0 in the fair class
	Nice int32  // in the fair class
	CPUs uint64 // where it may run, bit c is CPU c; of a machine's trace: where it was seen
}

// Task returns the name of a task, "-" for none.
func (n *Names) Task(id int32) string {
	if id < 0 {
		return "-"
	}
	return n.Tasks[id].Name
}

// TaskCalled returns the task of that name, -1 if there is none.
func (n *Names) TaskCalled(name string) int32 {
	for i := range n.Tasks {
		if n.Tasks[i].Name == name {
			return int32(i)
		}
	}
	return -1
}
