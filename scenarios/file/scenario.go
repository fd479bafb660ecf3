package file

import (
	"fmt"

	"rtsim/model"
	"rtsim/sim"
)

// Scenario is what a scenario file declares, with its parameters' values put in.
type Scenario struct {
	File
	Name       string
	Parameters []Parameter // in the order of the file, with the values of this reading
	Sender     string      // the task whose sends are measured, "" if none are
	Receiver   string      // the task whose handling of them is
	From       sim.Time    // no message is measured whose call begins before
	FromAt     Place       // where the file says so
	Root       Place       // where its first key is
	Kernel     string      // the era: 7.4 or 6.18
	Designs    []string    // by queue: the design it has whatever is tested; "": the tested one
	Claims     []Claim
}

// Place is a place in a scenario's file, for an error that only its run or a claim on it shows.
type Place struct{ Line, Column int }

// Wrong is an error at a place of the scenario's file.
func (s *Scenario) Wrong(at Place, format string, args ...any) error {
	return Errors{{s.Name, at.Line, at.Column, fmt.Sprintf(format, args...)}}
}

// Setting gives a parameter another value than its file does.
type Setting struct{ Name, Value string }

// Option says what a reader cannot know from the file.
type Option func(*reader)

// Ended says that the caller ends the run, whatever the file says.
func Ended() Option { return func(r *reader) { r.ended, r.outside = true, true } }

// Designs has the names of designs checked: wrong says what is wrong with one and what would be
// right, "" if nothing is.
func Designs(wrong func(name string) string) Option {
	return func(r *reader) { r.wrongDesign = wrong }
}

// ReadScenario reads and checks a scenario file with some parameters set; of several settings of
// one parameter the last counts. The error is an Errors with every problem: those of the settings,
// then those of the file in its order.
func ReadScenario(name string, data []byte, set []Setting, options ...Option) (*Scenario, error) {
	r := newReader(name, scenarioGrammar())
	for _, option := range options {
		option(r)
	}
	r.scenario = &Scenario{Name: name, Kernel: kernels[0]}
	r.out.Measured, r.out.Costs = -1, ""
	if root := r.document(data); root != nil {
		r.scenario.Root = Place{root.Line, root.Column}
		r.parameters(root, set)
		r.workload(root)
		r.defaultCosts()
		if len(r.out.Queues) > 0 && !r.measures {
			r.node(root, "the file has queues and no measure; "+
				"add measure: {sender: S, receiver: R}")
		}
		r.ended = r.ended || len(r.out.Queues) > 0 // a run of messages has a duration
		r.flows()
	}
	if len(r.found) > 0 {
		return nil, r.sorted()
	}
	r.scenario.File = *r.out
	return r.scenario, nil
}

// ReadAny reads a file as a workload file, or, if it says what only a scenario file may, as one.
func ReadAny(name string, data []byte, options ...Option) (*Scenario, error) {
	r := newReader(name, workloadGrammar())
	for _, option := range options {
		option(r)
	}
	r.read(data, noEnd)
	switch {
	case r.foreign:
		return ReadScenario(name, data, nil, options...)
	case len(r.found) > 0:
		return nil, r.sorted()
	}
	r.out.Measured = -1
	return &Scenario{File: *r.out, Name: name, Kernel: kernels[0], Root: r.root}, nil
}

// What only a scenario file has; it may be said at the top of a file, or in a task.
var (
	scenarioOnlyKeys = []string{"queues", "load", "parameters", "claims", "measure", "kernel",
		"each_cpu", "count", "deal"}
	scenarioOnlyWords = []string{"send", "receive", "open", "close", "every", "for"}
)

// scenarioGrammar is what a scenario file may say.
func scenarioGrammar() grammar {
	return grammar{
		file:  "a scenario file",
		topic: "scenario",
		keys: []fileKey{
			{key{"parameters", "parameters: {}", false}, readBefore},
			{key{"cpus", "cpus: 2", true}, (*reader).cpus},
			{key{"kernel", "kernel: 7.4", false}, (*reader).kernel},
			{key{"costs", "costs: orin", false}, (*reader).costs},
			{key{"until", "until: 1ms", false}, (*reader).until},
			{key{"bh_lock", "bh_lock: true", false}, (*reader).bhLock},
			{key{"locks", "locks: {S: spin}", false}, (*reader).locks},
			{key{"semaphores", "semaphores: {Q: 0}", false}, (*reader).semaphores},
			{key{"queues", "queues: [Q]", false}, (*reader).queues},
			{key{"tasks", "tasks, a list", true}, (*reader).tasks},
			{key{"interrupts", "interrupts, a list", false}, (*reader).interrupts},
			{key{"fair_server", "fair_server", false}, (*reader).fairServers},
			{key{"load", "load, a list", false}, (*reader).loads},
			{key{"measure", "measure: {sender: S, receiver: R}", false}, (*reader).measure},
			{key{"claims", "claims, a list", false}, (*reader).claims},
		},
		words:    append(workloadWords[:len(workloadWords):len(workloadWords)], scenarioWords...),
		taskKeys: append(taskKeys[:len(taskKeys):len(taskKeys)], copyKeys...),
	}
}

// readBefore reads nothing: the parameters are read before all other keys.
func readBefore(*reader, value) {}

// kernels are the eras; the first is the default.
var kernels = []string{"7.4", "6.18"}

func (r *reader) kernel(v value) {
	if k, ok := r.choice(v, kernels); ok {
		r.scenario.Kernel = kernels[k]
	}
}

// orin is the machine of the published measurement; its profile is that of the kernel.
const orin = "orin"

// defaultCosts completes the name of the cost profile. What sends and receives says nothing
// without costs, so a file with queues has some.
func (r *reader) defaultCosts() {
	switch {
	case r.out.Costs == "" && len(r.out.Queues) == 0:
		r.out.Costs = "zero"
	case r.out.Costs == "", r.out.Costs == orin:
		r.out.Costs = orin + "-" + r.scenario.Kernel
	}
}

var measureKeys = []key{
	{"sender", "sender: S", true},
	{"receiver", "receiver: R", true},
	{"from", "from: 1ms", false},
}

// measure reads whose messages are counted.
func (r *reader) measure(v value) {
	r.measures = true
	f, ok := r.mapping(v, "as in {sender: S, receiver: R}", measureKeys)
	if !ok {
		return
	}
	sender, hasSender := r.measuredTask(f, "sender", model.WordSend)
	receiver, hasReceiver := r.measuredTask(f, "receiver", model.WordReceive)
	if hasSender {
		r.out.Measured = sender
		r.scenario.Sender = r.out.Tasks[sender].Name
		if v, _ := f.get("sender"); !r.says(sender, model.WordEvery, -1) {
			r.node(v.Node, "%s is %s, which has no every: its sends fall due at no instant; "+
				"add every, as in every 500us", v.what, quote(v.Value))
		}
	}
	if hasReceiver {
		r.scenario.Receiver = r.out.Tasks[receiver].Name
	}
	if hasSender && hasReceiver && !r.haveOneQueue(sender, receiver) {
		r.node(v.Node, "%s receives from no queue that %s sends to; name two that share one",
			r.scenario.Receiver, r.scenario.Sender)
	}
	r.measuredFrom(f)
}

// measuredFrom reads from when on messages are measured. Before, the system starts.
func (r *reader) measuredFrom(f fields) {
	v, ok := f.get("from")
	if !ok {
		return
	}
	r.scenario.From, ok = r.duration(v)
	r.scenario.FromAt = Place{v.Line, v.Column}
	if until := r.out.Until; ok && !r.outside && r.scenario.From >= until {
		r.node(v.Node, "%s is %v, and the run ends at %v: nothing is measured; write less than "+
			"that", v.what, r.scenario.From, until)
	}
}

// measuredTask reads a task of measure, whose program has a word that is measured.
func (r *reader) measuredTask(f fields, key string, kind model.WordKind) (int32, bool) {
	v, ok := f.get(key)
	if !ok {
		return 0, false
	}
	task, ok := r.taskName(v, v.what)
	if ok && !r.says(task, kind, -1) {
		r.node(v.Node, "%s is %s, which has no %s; name a task that has", v.what, quote(v.Value),
			map[model.WordKind]string{model.WordSend: "send", model.WordReceive: "receive"}[kind])
		return 0, false
	}
	return task, ok
}

// says says whether a task's program has a word, with a certain queue unless that is -1.
func (r *reader) says(task int32, kind model.WordKind, queue int32) bool {
	for _, w := range r.out.Tasks[task].Program {
		if w.Kind == kind && (queue < 0 || w.Lock == queue) {
			return true
		}
	}
	return false
}

// haveOneQueue says whether one task receives from a queue that the other sends to.
func (r *reader) haveOneQueue(sender, receiver int32) bool {
	for queue := range int32(len(r.out.Queues)) {
		if r.says(sender, model.WordSend, queue) && r.says(receiver, model.WordReceive, queue) {
			return true
		}
	}
	return false
}
