package file

import (
	"regexp"

	"go.yaml.in/yaml/v4"

	"rtsim/model"
)

// aTask is what messages call a task whose name is not known.
const aTask = "the task"

var taskKeys = []key{
	{"name", "name: L", true},
	{"policy", "policy: fifo", false},
	{"priority", "priority: 10", false},
	{"nice", "nice: 0", false},
	{"cpus", "cpus: [0]", false},
	{"arrive", "arrive: 0us", false},
	{"timer_cpu", "timer_cpu: 0", false},
	{"asleep", "asleep: true", false},
	{"program", `program: "run 5us"`, true},
}

// policies are the file's words for the policies, in the order of model's constants.
var policies = []string{"fifo", "rr", "other"}

// tasks reads all tasks first and their programs then: a program may name a later task.
func (r *reader) tasks(v value) {
	items := r.list(v, aTask, "a list of tasks")
	if v.Kind == yaml.SequenceNode && len(items) == 0 {
		r.node(v.Node, "tasks is an empty list; a file has at least one task")
	}
	var programs []pending
	for _, item := range items {
		if item.Kind != yaml.MappingNode {
			r.wrong(item, `a mapping, as in {name: L, priority: 10, program: "run 5us"}`)
			continue
		}
		programs = append(programs, r.task(item))
	}
	for _, p := range programs {
		read := program{owner: p.owner}
		if p.text.Node != nil {
			read = r.program(p.owner, p.text)
		}
		words := read.modelWords()
		for _, task := range p.tasks {
			r.out.Tasks[task].Program = words
		}
		r.programs = append(r.programs, read)
	}
}

// pending is a program that is read when all tasks are declared.
type pending struct {
	tasks []int32 // that run it; without any it is only checked
	owner string  // the name of the first
	text  value   // without a node if there is none
}

// task reads all of a task but its program.
func (r *reader) task(item value) pending {
	f := r.fields(item.Node, aTask, r.grammar.taskKeys)
	t := model.TaskDecl{CPUs: 1}
	name, named := f.get("name")
	if named {
		if t.Name, named = r.text(name, "a name, as in name: L"); named {
			f.owner = "task " + quoteUnlessName(t.Name)
		}
	}
	r.missing(f, r.grammar.taskKeys)
	dealt := r.deal(f)
	if dealt == nil {
		r.policy(f, &t)
	}
	if v, ok := f.get("cpus"); ok {
		r.affinity(v, &t)
	}
	r.start(f, &t)
	if r.scenario != nil {
		return r.copies(f, name, t, dealt)
	}
	index := int32(len(r.out.Tasks))
	r.out.Tasks = append(r.out.Tasks, t)
	if named {
		r.declare(name.Node, t.Name, nameTask, index)
	}
	text, _ := f.get("program")
	return pending{[]int32{index}, t.Name, text}
}

// quoteUnlessName gives a name as messages show it.
func quoteUnlessName(name string) string {
	if isName.MatchString(name) && len(name) <= maxQuoted {
		return name
	}
	return quote(name)
}

// policy reads a task's policy, and its priority or nice value.
func (r *reader) policy(f fields, t *model.TaskDecl) {
	known := true
	if v, ok := f.get("policy"); ok {
		known = r.policyName(v, t)
	}
	name := policies[t.Policy]
	priority, has := f.get("priority")
	switch {
	case has && t.Priority > 0:
		r.node(priority.Node, "%s has a priority and policy %s-%d; take one out", f.owner, name,
			t.Priority)
	case has && known && t.Policy == model.Other:
		r.node(priority.Node, "%s has a priority and policy other; take one out", f.owner)
	case has:
		n, _ := r.integer(priority, 1, 99)
		t.Priority = int32(n)
	case known && t.Policy != model.Other && t.Priority == 0:
		r.node(f.node, "%s has policy %s and no priority; add priority, 1 to 99, or policy: other",
			f.owner, name)
	}
	nice, has := f.get("nice")
	switch {
	case has && known && t.Policy != model.Other:
		r.node(nice.Node,
			"%s has a nice value and policy %s; take nice out, or write policy: other",
			f.owner, name)
	case has:
		n, _ := r.integer(nice, -20, 19)
		t.Nice = int32(n)
	}
}

// policyName reads a policy; in a scenario file it may have its priority with it, as in fifo-5.
func (r *reader) policyName(v value, t *model.TaskDecl) bool {
	if match := withPriority.FindStringSubmatch(v.Value); r.scenario != nil && match != nil {
		n, ok := number(match[2], 1, 99)
		if !ok {
			r.node(v.Node, "%s is %s; write %s-1 to %s-99", v.what, quote(v.Value), match[1],
				match[1])
		}
		t.Priority = n
		if match[1] == "rr" {
			t.Policy = model.RR
		}
		return ok
	}
	policy, known := r.choice(v, policies)
	t.Policy = model.Policy(policy)
	return known
}

// withPriority is a policy with its priority.
var withPriority = regexp.MustCompile(`^(fifo|rr)-([0-9]+)$`)

// affinity reads the CPUs a task may run on; the first is its previous one.
func (r *reader) affinity(v value, t *model.TaskDecl) {
	items := r.list(v, "a CPU in "+v.what, "a list, as in [0]")
	if v.Kind == yaml.SequenceNode && len(items) == 0 {
		r.node(v.Node, "%s is an empty list; name at least one CPU", v.what)
	}
	var set uint64
	first := int32(-1)
	for _, item := range items {
		n, ok := r.integer(item, 0, r.maxCPU)
		if !ok {
			continue
		}
		if set&(1<<n) != 0 {
			r.node(item.Node, "CPU %d comes twice in %s; name it once", n, v.what)
		}
		set |= 1 << n
		if first < 0 {
			first = int32(n)
		}
	}
	if first >= 0 {
		t.CPUs, t.FirstCPU = set, first
	}
}

// start reads how a task begins: asleep, or woken by a timer.
func (r *reader) start(f fields, t *model.TaskDecl) {
	if v, ok := f.get("asleep"); ok {
		t.Asleep = r.boolean(v)
	}
	t.TimerCPU = t.FirstCPU
	for _, name := range []string{"arrive", "timer_cpu"} {
		v, ok := f.get(name)
		switch {
		case !ok:
		case t.Asleep:
			r.node(v.Node, "%s is asleep and has %s; take one out", f.owner, name)
		case name == "arrive":
			t.Arrive, _ = r.duration(v)
		default:
			t.TimerCPU = r.cpu(v)
		}
	}
}
