package file

import (
	"strconv"
	"strings"

	"rtsim/model"
	"rtsim/sim"
)

// shapes are the file's words for the lengths of bursts, and the distributions they are.
var (
	shapes     = []string{"uniform", "log-uniform", "constant", "histogram"}
	shapeKinds = []sim.DistKind{sim.Uniform, sim.LogUniform, sim.Constant, sim.Histogram}
)

// burst reads an interrupt thread and the bursts it runs: with a duty of 0 there is none.
func (r *reader) burst(f fields) {
	name, names, cpus := r.where(f, "burst")
	priority := int64(1)
	if v, ok := f.get("priority"); ok {
		priority, _ = r.integer(v, 1, 99)
	}
	length, ok := r.length(f)
	duty, gapMin, hasGap := r.gap(f)
	if !ok || !hasGap || !r.validDist(name, &length) || duty == 0 {
		return
	}
	if _, greatest := length.Range(); greatest == 0 {
		r.node(name.Node, "%s has bursts of 0ns; give them a length", name.what)
		return
	}
	gap := sim.Dist{Kind: sim.ExpFloor, Least: gapMin,
		Mean: max(meanGap(length.MeanTime(), duty), gapMin)}
	if gap.Mean > sim.Longest {
		r.node(name.Node, "%s has bursts that are on average more than 1000h apart; give it a "+
			"greater duty or shorter bursts", name.what)
		return
	}
	if !r.validDist(name, &gap) {
		return
	}
	for i, cpu := range cpus {
		load, task := int32(len(r.out.Loads)), int32(len(r.out.Tasks))
		r.out.Loads = append(r.out.Loads, model.LoadDecl{Name: names[i], Kind: model.LoadBurst,
			CPU: int32(cpu), Task: task, Length: length, Gap: gap, Floor: gapMin})
		r.declare(name.Node, names[i], nameTask, task)
		r.out.Tasks = append(r.out.Tasks, model.TaskDecl{Name: names[i], Policy: model.FIFO,
			Priority: int32(priority), CPUs: 1 << cpu, FirstCPU: int32(cpu), TimerCPU: int32(cpu),
			Asleep: true, Program: []model.Word{{Kind: model.WordWait},
				{Kind: model.WordBurst, Arg: load}, {Kind: model.WordGoto, Arg: 0}}})
	}
}

// gap reads how much of the time bursts take, and the least time between two.
func (r *reader) gap(f fields) (duty int64, least sim.Time, ok bool) {
	share, hasDuty := f.get("duty")
	gap, hasGap := f.get("gap_min")
	if hasDuty {
		duty, hasDuty = r.share(share)
	}
	if hasGap {
		least, hasGap = r.duration(gap)
	}
	return duty, least, hasDuty && hasGap
}

// length reads the distribution of the lengths. What another shape needs may stand there too, so
// that the shape can be a parameter.
func (r *reader) length(f fields) (sim.Dist, bool) {
	v, ok := f.get("shape")
	if !ok {
		return sim.Dist{}, false
	}
	shape, ok := r.choice(v, shapes)
	if !ok {
		return sim.Dist{}, false
	}
	d := sim.Dist{Kind: shapeKinds[shape]}
	var needed []key
	for _, k := range burstKeys {
		switch k.name {
		case "least":
			k.required = d.Kind != sim.Histogram
		case "greatest":
			k.required = d.Kind == sim.Uniform || d.Kind == sim.LogUniform
		case "histogram":
			k.required = d.Kind == sim.Histogram
		default:
			continue
		}
		needed = append(needed, k)
	}
	r.missing(f, needed)
	_, hasGreatest := f.get("greatest")
	least, hasLeast := f.get("least")
	switch {
	case d.Kind == sim.Histogram:
		d.Bins, ok = r.bins(f)
	case hasGreatest:
		d.Least, d.Greatest, ok = r.times(f)
	case hasLeast:
		d.Least, ok = r.duration(least)
	}
	for _, k := range needed {
		ok = ok && (!k.required || f.values[k.name] != nil)
	}
	return d, ok
}

// bins reads a measured histogram: lines of an upper edge and how many were at most that long and
// longer than the edge before.
func (r *reader) bins(f fields) ([]sim.Bin, bool) {
	v, ok := f.get("histogram")
	if !ok {
		return nil, false
	}
	text, ok := r.text(v, "lines of edge,count, as in 20us,17")
	if !ok {
		return nil, false
	}
	at := r.placeOf(v.Node)
	var bins []sim.Bin
	for _, line := range strings.Split(text, "\n") {
		pos := at.over(line)
		if strings.TrimSpace(line) == "" {
			continue
		}
		edge, count, _ := strings.Cut(line, ",")
		t, err := parseTime(strings.TrimSpace(edge))
		n, wrong := strconv.ParseUint(strings.TrimSpace(count), 10, 62)
		switch {
		case err != nil:
			r.at(pos, "%s: %v", v.what, err)
			ok = false
		case wrong != nil:
			r.at(pos, "%s: %s has no count; write edge,count, as in 20us,17", v.what,
				quote(line))
			ok = false
		}
		bins = append(bins, sim.Bin{Edge: t, Count: n})
	}
	return bins, ok
}
