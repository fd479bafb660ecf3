package file

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"rtsim/model"
)

// Keys with which a task stands for several.
var copyKeys = []key{
	{"each_cpu", "each_cpu: [0, 1]", false},
	{"count", "count: 2", false},
	{"deal", "deal: [{priority: 40, cpu: 0}]", false},
}

const (
	maxCopies = 64 // of one task on one CPU
	cpuInName = "{cpu}"
)

// copies declares a task as often as its keys say: for each CPU of each_cpu, count times. All have
// the same program, which is checked even if there are none. dealt, if there is any, says by turns
// what policy, priority and CPU they have.
func (r *reader) copies(f fields, name value, t model.TaskDecl, dealt []model.TaskDecl) pending {
	if v, both := f.get("cpus"); both && f.values["each_cpu"] != nil {
		r.node(v.Node, "%s has cpus and each_cpu; take one out", f.owner)
	}
	count := int64(1)
	if v, ok := f.get("count"); ok {
		if n, ok := r.integer(v, 0, maxCopies); ok {
			count = n
		}
	}
	names, cpus := r.namesByCPU(f, name)
	p := pending{owner: names[0]}
	p.text, _ = f.get("program")
	for k := range names {
		if cpus != nil {
			t.CPUs, t.FirstCPU = 1<<cpus[k], int32(cpus[k])
			if f.values["timer_cpu"] == nil {
				t.TimerCPU = t.FirstCPU
			}
		}
		for n := range count {
			if dealt != nil {
				r.hand(f, &t, &dealt[n%int64(len(dealt))])
			}
			t.Name = names[k]
			if n > 0 {
				t.Name += fmt.Sprintf("-%d", n+1)
			}
			index := int32(len(r.out.Tasks))
			r.out.Tasks = append(r.out.Tasks, t)
			if names[k] != "" {
				r.declare(name.Node, t.Name, nameTask, index)
			}
			p.tasks = append(p.tasks, index)
		}
	}
	return p
}

// namesByCPU reads each_cpu and gives the name for each of its CPUs, with the parameters and the
// CPU put in. Without each_cpu there is one name and no CPU; a name that is wrong is "".
func (r *reader) namesByCPU(f fields, name value) (names []string, cpus []int64) {
	text := ""
	if name.Node != nil && name.Kind == yaml.ScalarNode {
		text = name.Value
	}
	cpus = r.eachCPU(f)
	names = make([]string, max(len(cpus), 1))
	if text == "" {
		return names, cpus
	}
	text, ok := r.expand(text, position{name.Line, name.Column})
	if !ok || !r.isNameOfEach(name, text, cpus) {
		return names, cpus
	}
	for k := range names {
		names[k] = text
		if cpus != nil {
			names[k] = strings.ReplaceAll(text, cpuInName, fmt.Sprint(cpus[k]))
		}
	}
	return names, cpus
}

// eachCPU reads the CPUs that get a task or a load each, and nil if the key is absent.
func (r *reader) eachCPU(f fields) []int64 {
	v, ok := f.get("each_cpu")
	if !ok {
		return nil
	}
	cpus := []int64{}
	seen := map[int64]bool{}
	items := r.list(v, "a CPU in "+v.what, "a list, as in [0, 1]")
	for _, item := range items {
		n, ok := r.integer(item, 0, r.maxCPU)
		switch {
		case ok && seen[n]:
			r.node(item.Node, "CPU %d comes twice in %s; name it once", n, v.what)
		case ok:
			cpus = append(cpus, n)
		}
		seen[n] = seen[n] || ok
	}
	if len(items) == 0 && v.Kind == yaml.SequenceNode {
		r.node(v.Node, "%s is an empty list; name at least one CPU", v.what)
	}
	if len(cpus) == 0 {
		cpus = []int64{0}
	}
	return cpus
}

// isNameOfEach reports a name that cannot be that of one thing on each CPU.
func (r *reader) isNameOfEach(name value, text string, cpus []int64) bool {
	plain := strings.ReplaceAll(text, cpuInName, "0")
	switch {
	case cpus == nil && plain != text:
		r.node(name.Node, "%s is %s, and there is no each_cpu; "+
			"add each_cpu, as in each_cpu: [0, 1]", name.what, quote(text))
	case len(cpus) > 1 && plain == text:
		r.node(name.Node, "%s is %s on %d CPUs; put {cpu} into it, as in %s", name.what,
			quote(text), len(cpus), quote(text+"-{cpu}"))
	case !isName.MatchString(plain):
		r.node(name.Node, "%s is %s; a name has letters A to Z and a to z, digits, _ and -",
			name.what, quote(text))
	default:
		return true
	}
	return false
}
