package shrink

import (
	"context"
	"slices"
	"strings"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios"
	"rtsim/scenarios/blame"
	"rtsim/sim"
)

// observed is a message, and why it took so long.
type observed struct {
	message  blame.Message
	total    sim.Time
	parts    []blame.Part
	chain    []blame.Part
	named    int // how many others its parts name, or parts below them
	names    *trace.Names
	workload *model.Workload
	steps    map[int32][]trace.Record // by task: its notes of steps, if they were asked for
	busy     map[int32]sim.Time       // by task: how long it ran at a time, at most
	sender   int32
	receiver int32
}

// runner runs a case and observes its messages.
type runner struct {
	c       *scenarios.Case
	d       *designs.Design
	metric  string
	steps   bool     // keep the notes of steps
	longest sim.Time // no run is longer
}

// batch is how much is simulated between two readings of the records.
const batch = sim.Millisecond

// observe runs a machine until a message is over that is wanted, and returns that; nil if none is.
func (r *runner) observe(ctx context.Context, w *model.Workload, m *model.Machine,
	wanted func(number int32, total sim.Time) bool) (*observed, error) {
	m.KeepAll()
	m.KeepNotes()
	o := &observed{names: scenarios.NamesOf(w, m.Program()), workload: w,
		busy: map[int32]sim.Time{}}
	o.sender, o.receiver = taskOf(w, r.c.Scenario.Sender), taskOf(w, r.c.Scenario.Receiver)
	f := blame.NewFollower(o.names, o.sender, o.receiver)
	f.Receives = r.metric == scenarios.MetricReceive
	found := false
	f.Over = func(message *blame.Message) {
		if total := f.Total(message); !found && wanted(message.Number, total) {
			found, o.message, o.total = true, *message, total
			o.parts = f.Parts(message)
			o.chain, o.named = blame.Chain(o.parts), len(named(nil, o.parts))
		}
	}
	b := busy{map[int32]sim.Time{}, map[int32]sim.Time{}, o.busy}
	for !found && m.Next() <= r.longest {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := m.Run(min(m.Next()+batch, r.longest)); err != nil {
			return nil, err
		}
		f.TakeAll(m.Trace)
		for i := range m.Trace {
			b.take(&m.Trace[i])
		}
		if r.steps {
			o.takeSteps(m.Trace)
		}
		m.Trace = m.Trace[:0]
	}
	if !found && !r.steps {
		return nil, nil
	}
	return o, nil
}

func (o *observed) takeSteps(records []trace.Record) {
	if o.steps == nil {
		o.steps = map[int32][]trace.Record{}
	}
	for i := range records {
		if r := &records[i]; r.Kind == trace.Step {
			o.steps[r.Task] = append(o.steps[r.Task], *r)
		}
	}
}

// busy adds up how long tasks have a CPU between two sleeps, switches and waits for locks apart.
type busy struct {
	since   map[int32]sim.Time // by task on a CPU: from when on it runs
	ran     map[int32]sim.Time // by task: since its last wake-up
	longest map[int32]sim.Time
}

func (b *busy) take(r *trace.Record) {
	switch r.Kind {
	case trace.SchedWakeup:
		if why := trace.Sleep(r.B); why != trace.OnLock && why != trace.OnReaders {
			b.ran[r.Task] = 0
		}
	case trace.SchedSwitch:
		b.leaves(r.A, r.At)
		b.since[r.Task] = r.At
	case trace.Switching:
		b.since[r.Task] = r.At + sim.Time(r.A) + sim.Time(r.B)
	}
}

// leaves is about a task that leaves its CPU.
func (b *busy) leaves(task int32, at sim.Time) {
	if since, ok := b.since[task]; ok {
		b.ran[task] += max(at-since, 0)
		b.longest[task] = max(b.longest[task], b.ran[task])
		delete(b.since, task)
	}
}

// named adds the tasks that parts name to a list.
func named(list []string, parts []blame.Part) []string {
	for i := range parts {
		for _, name := range []string{parts[i].Holder, parts[i].By} {
			if name != "" && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
		list = named(list, parts[i].Because)
	}
	return list
}

func taskOf(w *model.Workload, name string) int32 {
	return int32(slices.IndexFunc(w.Tasks, func(t model.TaskDecl) bool { return t.Name == name }))
}

// path is which of its listings somebody was in while others waited for him: what he runs of one
// below that part; "" if he runs nothing.
func path(p *blame.Part) string {
	var longest *blame.Part
	for i := range p.Because {
		q := &p.Because[i]
		if q.Cause == blame.Runs && q.Path != "" && (longest == nil || q.Ns > longest.Ns) {
			longest = q
		}
	}
	if longest == nil {
		return ""
	}
	return longest.Path
}

// reason is why a message was late: its chain of causes, with the roles of those in it for their
// names. A thread of the kernel, as kworker/0, is what it is.
type reason []cause

// cause is one level of it.
type cause struct {
	text string
	in   string // the listing in which its culprit was; "": the records do not say
}

// reason is the message's.
func (o *observed) reason() reason {
	return reasonOf(o.chain, o.names.Task(o.sender), o.names.Task(o.receiver))
}

func reasonOf(chain []blame.Part, sender, receiver string) reason {
	var all reason
	roles := map[string]string{sender: "sender", receiver: "receiver"}
	letters := 0
	role := func(name string) string {
		if roles[name] == "" {
			thread, _, is := strings.Cut(name, "/")
			if !is {
				thread = string(rune('a' + letters))
				letters++
			}
			roles[name] = thread
		}
		return roles[name]
	}
	for i := range chain {
		p := &chain[i]
		c := cause{text: p.Cause, in: path(p)}
		if p.Object != "" && p.Cause != blame.IRQ && p.Cause != blame.Runs {
			c.text += " " + p.Object
		}
		if p.Holder != "" {
			c.text += " by " + role(p.Holder)
		}
		if p.By != "" {
			c.text += " by " + role(p.By)
		}
		all = append(all, c)
	}
	return all
}

// covers says whether another message was late for this reason.
func (r reason) covers(other reason) bool {
	return slices.EqualFunc(r, other, func(a, b cause) bool {
		return a.text == b.text && (a.in == "" || a.in == b.in)
	})
}

func (r reason) String() string {
	var all []string
	for _, c := range r {
		if c.in != "" {
			c.text += " in " + c.in
		}
		all = append(all, c.text)
	}
	return strings.Join(all, ", ")
}
