package file

import (
	"fmt"
	"strings"

	"rtsim/model"
)

// Keys with which a task stands for several.
var copyKeys = []key{
	{"each_cpu", "each_cpu: [0, 1]", false},
	{"count", "count: 2", false},
}

const (
	maxCopies = 64 // of one task on one CPU
	cpuInName = "{cpu}"
)

// copies declares a task as often as its keys say: for each CPU of each_cpu, count times. All have
// the same program, so that of the first alone is checked; without any it is checked all the same.
func (r *reader) copies(f fields, name value, t model.TaskDecl) []pending {
	text, _ := f.get("program")
	base, ok := r.expand(t.Name, position{f.node.Line, f.node.Column})
	if name.Node != nil {
		base, ok = r.expand(t.Name, position{name.Line, name.Column})
	}
	cpus := r.eachCPU(f, name, t.Name)
	if !ok || !r.isTaskName(name, base, cpus) {
		base = ""
	}
	if v, both := f.get("cpus"); both && cpus != nil {
		r.node(v.Node, "%s has cpus and each_cpu; take one out", f.owner)
	}
	count := int64(1)
	if v, ok := f.get("count"); ok {
		count, _ = r.integer(v, 0, maxCopies)
	}
	_, ownTimer := f.get("timer_cpu")
	var all []pending
	for k := range max(len(cpus), 1) {
		one, first := t, base
		if cpus != nil {
			one.CPUs, one.FirstCPU = 1<<cpus[k], int32(cpus[k])
			first = strings.ReplaceAll(base, cpuInName, fmt.Sprint(cpus[k]))
			if !ownTimer {
				one.TimerCPU = one.FirstCPU
			}
		}
		for n := range count {
			one.Name = first
			if n > 0 {
				one.Name = fmt.Sprintf("%s-%d", first, n+1)
			}
			index := int32(len(r.out.Tasks))
			r.out.Tasks = append(r.out.Tasks, one)
			if base != "" {
				r.declare(name.Node, one.Name, nameTask, index)
			}
			all = append(all, pending{index, one.Name, text, len(all) > 0})
		}
	}
	if len(all) == 0 {
		all = append(all, pending{-1, base, text, false})
	}
	return all
}

// eachCPU reads the CPUs that get a task or a load each, and nil if the key is absent. The name
// must tell them apart.
func (r *reader) eachCPU(f fields, name value, text string) []int64 {
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
	if len(items) == 0 && len(v.Content) == 0 {
		r.node(v.Node, "%s is an empty list; name at least one CPU", v.what)
	}
	if len(cpus) > 1 && name.Node != nil && !strings.Contains(text, cpuInName) {
		r.node(name.Node, "%s is %s for each of %d CPUs; put {cpu} into it, as in %s", name.what,
			quote(text), len(cpus), quote(text+"-{cpu}"))
	}
	if len(cpus) == 0 {
		cpus = []int64{0}
	}
	return cpus
}

// isTaskName reports a name, its parameters put in, that no copy could have.
func (r *reader) isTaskName(name value, base string, cpus []int64) bool {
	if name.Node == nil || base == "" {
		return false
	}
	plain := strings.ReplaceAll(base, cpuInName, "0")
	if cpus == nil && plain != base {
		r.node(name.Node, "%s is %s, and there is no each_cpu; add each_cpu, as in each_cpu: [0, 1]",
			name.what, quote(base))
		return false
	}
	if cpus != nil && len(cpus) > 1 && plain == base {
		return false // reported
	}
	if !isName.MatchString(plain) {
		r.node(name.Node, "a %s is named %s; a name has letters A to Z and a to z, digits, _ and -",
			nameKinds[nameTask].one, quote(base))
		return false
	}
	return true
}
