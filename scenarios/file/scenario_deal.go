package file

import (
	"go.yaml.in/yaml/v4"

	"rtsim/model"
)

var dealKeys = []key{
	{"policy", "policy: fifo", false},
	{"priority", "priority: 10", false},
	{"nice", "nice: 0", false},
	{"cpu", "cpu: 0", true},
}

// deal reads what the copies of a task are dealt by turns, so that a number of them, set from
// outside, has mixed policies, priorities and CPUs. It is nil if the key is absent.
func (r *reader) deal(f fields) []model.TaskDecl {
	v, ok := f.get("deal")
	if !ok {
		return nil
	}
	for _, k := range []string{"policy", "priority", "nice", "cpus", "each_cpu"} {
		if also, both := f.get(k); both {
			r.node(also.Node, "%s has deal and %s; take one out", f.owner, k)
		}
	}
	var dealt []model.TaskDecl
	items := r.list(v, "a deal of "+f.owner, "a list, as in [{priority: 40, cpu: 0}]")
	if v.Kind == yaml.SequenceNode && len(items) == 0 {
		r.node(v.Node, "%s is an empty list; deal at least one", v.what)
	}
	for _, item := range items {
		t := model.TaskDecl{CPUs: 1}
		if one, ok := r.mapping(item, "as in {priority: 40, cpu: 0}", dealKeys); ok {
			one.owner = item.what
			r.policy(one, &t)
			if cpu, ok := one.get("cpu"); ok {
				t.FirstCPU = r.cpu(cpu)
				t.CPUs = 1 << t.FirstCPU
			}
		}
		dealt = append(dealt, t)
	}
	if len(dealt) == 0 { // said above
		dealt = []model.TaskDecl{{CPUs: 1}}
	}
	return dealt
}

// hand gives a copy what it is dealt.
func (r *reader) hand(f fields, t, dealt *model.TaskDecl) {
	t.Policy, t.Priority, t.Nice = dealt.Policy, dealt.Priority, dealt.Nice
	t.CPUs, t.FirstCPU = dealt.CPUs, dealt.FirstCPU
	if f.values["timer_cpu"] == nil {
		t.TimerCPU = t.FirstCPU
	}
}
