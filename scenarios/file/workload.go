package file

import (
	"math"

	"go.yaml.in/yaml/v4"

	"rtsim/model"
)

// workloadGrammar is what a workload file may say.
func workloadGrammar() grammar {
	return grammar{
		file:  "a workload file",
		topic: "workload",
		keys: []fileKey{
			{key{"cpus", "cpus: 2", true}, (*reader).cpus},
			{key{"costs", "costs: zero", false}, (*reader).costs},
			{key{"until", "until: 1ms", false}, (*reader).until},
			{key{"bh_lock", "bh_lock: true", false}, (*reader).bhLock},
			{key{"locks", "locks: {S: spin}", false}, (*reader).locks},
			{key{"semaphores", "semaphores: {Q: 0}", false}, (*reader).semaphores},
			{key{"tasks", "tasks, a list", true}, (*reader).tasks},
			{key{"interrupts", "interrupts, a list", false}, (*reader).interrupts},
			{key{"fair_server", "fair_server", false}, (*reader).fairServers},
		},
		words:        workloadWords,
		taskKeys:     taskKeys,
		foreignKeys:  scenarioOnlyKeys,
		foreignWords: scenarioOnlyWords,
		foreign:      "a scenario file; take it out, or run the file with rtsim compare",
	}
}

// workload reads the keys of a file, in the order of its grammar.
func (r *reader) workload(root *yaml.Node) {
	if root.Kind != yaml.MappingNode {
		r.node(root, "the file is %s; write keys and values, at least cpus and tasks",
			describe(root))
		return
	}
	keys := make([]key, len(r.grammar.keys))
	for i, k := range r.grammar.keys {
		keys[i] = k.key
	}
	f := r.fields(root, "", keys)
	r.missing(f, keys)
	for _, k := range r.grammar.keys {
		if v, ok := f.get(k.name); ok {
			k.read(r, v)
		}
	}
}

func (r *reader) cpus(v value) {
	if n, ok := r.integer(v, 1, model.MaxCPUs); ok {
		r.out.CPUs = int(n)
		r.maxCPU = n - 1
	}
}

func (r *reader) costs(v value) {
	name, ok := r.text(v, "zero or the name of a cost profile")
	if ok && name == "" {
		r.wrong(v, "zero or the name of a cost profile")
	}
	r.out.Costs = name
}

func (r *reader) until(v value) {
	r.ended = true // what is meant, even if it is not written well
	if t, ok := r.duration(v); ok {
		r.out.Until = t
	}
}

func (r *reader) bhLock(v value) { r.out.BHLock = r.boolean(v) }

// lockKinds are the file's words for the kinds of locks, in the order of model's constants.
var lockKinds = []string{"spin", "local", "mutex", "rw", "raw"}

func (r *reader) locks(v value) {
	r.pairs(v, "as in locks: {S: spin}", func(name *yaml.Node, of value) {
		index := int32(len(r.out.Locks))
		r.declare(name, name.Value, nameLock, index)
		kind, ok := r.choice(of, lockKinds)
		if !ok {
			r.badLocks[index] = true
		}
		r.out.Locks = append(r.out.Locks, model.LockDecl{
			Name: name.Value, Kind: model.LockKind(kind)})
	})
}

func (r *reader) semaphores(v value) {
	r.pairs(v, "as in semaphores: {Q: 0}", func(name *yaml.Node, of value) {
		r.declare(name, name.Value, nameSemaphore, int32(len(r.out.Semaphores)))
		n, _ := r.integer(of, 0, math.MaxInt32)
		r.out.Semaphores = append(r.out.Semaphores, model.SemaphoreDecl{
			Name: name.Value, Count: int32(n)})
	})
}

// pairs gives the names of a mapping with their values, in the order of the file.
func (r *reader) pairs(v value, example string, each func(name *yaml.Node, of value)) {
	if v.Kind != yaml.MappingNode {
		r.wrong(v, "names with their values, "+example)
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(v.Content); i += 2 {
		name := v.Content[i]
		if name.Kind != yaml.ScalarNode || seen[name.Value] || name.Value == "<<" {
			continue // plainKeys has reported it
		}
		seen[name.Value] = true
		each(name, value{v.Content[i+1], quote(name.Value) + " of " + v.what})
	}
}

var interruptKeys = []key{
	{"at", "at: 4us", true},
	{"cpu", "cpu: 0", true},
	{"cost", "cost: 1us", false},
	{"wakes", "wakes: [I]", false},
}

func (r *reader) interrupts(v value) {
	const want = "a list, as in [{at: 4us, cpu: 0, wakes: [I]}]"
	for _, item := range r.list(v, "an interrupt", want) {
		f, ok := r.mapping(item, "as in {at: 4us, cpu: 0, wakes: [I]}", interruptKeys)
		if !ok {
			continue
		}
		var irq model.InterruptDecl
		if v, ok := f.get("at"); ok {
			irq.At, _ = r.duration(v)
		}
		if v, ok := f.get("cpu"); ok {
			irq.CPU = r.cpu(v)
		}
		if v, ok := f.get("cost"); ok {
			irq.Cost, _ = r.duration(v)
		}
		if v, ok := f.get("wakes"); ok {
			irq.Wakes = r.wakes(v)
		}
		r.out.Interrupts = append(r.out.Interrupts, irq)
	}
}

// wakes reads the tasks that an interrupt wakes.
func (r *reader) wakes(v value) []int32 {
	var tasks []int32
	for _, item := range r.list(v, "a task of "+v.what, "a list of tasks, as in [I]") {
		if task, ok := r.taskName(item, v.what); ok {
			tasks = append(tasks, task)
		}
	}
	return tasks
}

// taskName reads the name of a task of the file; what is where it stands.
func (r *reader) taskName(v value, what string) (int32, bool) {
	name, ok := r.text(v, "the name of a task")
	if !ok {
		return 0, false
	}
	d, ok := r.names[name]
	switch {
	case !ok:
		r.node(v.Node, "unknown task %s in %s; %s", quote(name), what, r.unknown(name, nameTask))
	case d.kind != nameTask:
		r.node(v.Node, "%s in %s is a %s; name a task", quote(name), what,
			nameKinds[d.kind].one)
		ok = false
	}
	return d.index, ok
}

var fairServerKeys = []key{
	{"cpu", "cpu: 0", true},
	{"runtime", "runtime: 50ms", true},
	{"period", "period: 1000ms", true},
}

func (r *reader) fairServers(v value) {
	items := []value{v}
	if v.Kind == yaml.SequenceNode {
		items = r.list(v, v.what, "")
	}
	line := map[int32]int{} // where a CPU's server is
	for _, item := range items {
		f, ok := r.mapping(item, "as in {cpu: 0, runtime: 50ms, period: 1000ms}", fairServerKeys)
		if !ok {
			continue
		}
		var s model.FairServerDecl
		if v, ok := f.get("cpu"); ok {
			s.CPU = r.cpu(v)
			if line[s.CPU] > 0 {
				r.node(v.Node, "CPU %d has a fair server on line %d; a CPU has at most one",
					s.CPU, line[s.CPU])
			}
			line[s.CPU] = v.Line
		}
		r.budget(f, &s)
		r.out.FairServers = append(r.out.FairServers, s)
	}
}

// budget reads the runtime and the period of a fair server.
func (r *reader) budget(f fields, s *model.FairServerDecl) {
	runtime, hasRuntime := f.get("runtime")
	period, hasPeriod := f.get("period")
	if hasRuntime {
		s.Runtime, hasRuntime = r.duration(runtime)
	}
	if hasPeriod {
		s.Period, hasPeriod = r.duration(period)
	}
	switch {
	case hasPeriod && s.Period == 0:
		r.node(period.Node, "%s is %s; write more than nothing", period.what, quote(period.Value))
	case hasRuntime && hasPeriod && s.Runtime > s.Period:
		r.node(runtime.Node, "%s is %s, more than its period %s; write at most the period",
			runtime.what, quote(runtime.Value), quote(period.Value))
	}
}

// mapping gives the fields of an item that is a mapping, and reports missing ones.
func (r *reader) mapping(v value, example string, keys []key) (fields, bool) {
	if v.Kind != yaml.MappingNode {
		r.wrong(v, "a mapping, "+example)
		return fields{}, false
	}
	f := r.fields(v.Node, v.what, keys)
	r.missing(f, keys)
	return f, true
}

// cpu gives the number of a CPU that the machine has.
func (r *reader) cpu(v value) int32 {
	n, _ := r.integer(v, 0, r.maxCPU)
	return int32(n)
}
