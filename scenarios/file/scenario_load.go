package file

import (
	"math/bits"

	"go.yaml.in/yaml/v4"

	"rtsim/model"
	"rtsim/sim"
)

// A load is one of three kinds; the key that tells the kind has its name.
var (
	burstKeys = []key{
		{"burst", "burst: irq-50", true},
		{"cpu", "cpu: 0", false},
		{"each_cpu", "each_cpu: [0, 1]", false},
		{"priority", "priority: 50", true},
		{"shape", "shape: uniform", true},
		{"least", "least: 20us", false},
		{"greatest", "greatest: 1ms", false},
		{"histogram", "histogram, lines of edge,count", false},
		{"duty", "duty: 0.35", true},
		{"gap_min", "gap_min: 3us", true},
	}
	deviceKeys = []key{
		{"device", "device: nic", true},
		{"cpu", "cpu: 0", false},
		{"each_cpu", "each_cpu: [0, 1]", false},
		{"every", "every: 500us", true},
		{"least", "least: 1us", true},
		{"greatest", "greatest: 5us", true},
	}
	tickKeys = []key{
		{"tick", "tick: tick", true},
		{"cpu", "cpu: 0", false},
		{"each_cpu", "each_cpu: [0, 1]", false},
		{"every", "every: 4ms", true},
	}
)

// deviceFloor is the least time between two interrupts of a device: no real one is nearer.
const deviceFloor = 20 * sim.Microsecond

// loads reads the interrupt load. The threads of bursts follow the file's tasks.
func (r *reader) loads(v value) {
	const example = "as in {tick: tick, cpu: 0, every: 4ms}"
	kinds := []struct {
		name string
		keys []key
		read func(*reader, fields)
	}{
		{"burst", burstKeys, (*reader).burst},
		{"device", deviceKeys, (*reader).device},
		{"tick", tickKeys, (*reader).tick},
	}
	for _, item := range r.list(v, "a load", "a list of loads") {
		if item.Kind != yaml.MappingNode {
			r.wrong(item, "a mapping, "+example)
			continue
		}
		known := false
		for _, k := range kinds {
			if known || !has(item, k.name) {
				continue
			}
			known = true
			f := r.fields(item.Node, "the load", k.keys)
			if name, _ := f.get(k.name); name.Kind == yaml.ScalarNode {
				f.owner = "load " + quoteUnlessName(name.Value)
			}
			r.missing(f, k.keys)
			k.read(r, f)
		}
		if !known {
			r.node(item.Node, "the load has no burst, device or tick; add one, %s", example)
		}
	}
}

// has says whether a mapping has a key.
func has(v value, key string) bool {
	for i := 0; i+1 < len(v.Content); i += 2 {
		if v.Content[i].Value == key {
			return true
		}
	}
	return false
}

// where reads a load's name and CPUs, and gives the names by CPU; none if something is wrong.
func (r *reader) where(f fields, kind string) (name value, names []string, cpus []int64) {
	name, ok := f.get(kind)
	if ok {
		_, ok = r.text(name, "a name")
	}
	names, cpus = r.namesByCPU(f, name)
	switch cpu, single := f.get("cpu"); {
	case single && cpus != nil:
		r.node(cpu.Node, "%s has cpu and each_cpu; take one out", f.owner)
	case single:
		cpus = []int64{int64(r.cpu(cpu))}
	case cpus == nil:
		r.node(f.node, "%s has no cpu; add cpu: 0, or each_cpu: [0, 1]", f.owner)
	}
	if !ok || names[0] == "" {
		return name, nil, nil
	}
	return name, names, cpus
}

// times reads the least and the greatest time.
func (r *reader) times(f fields) (low, high sim.Time, ok bool) {
	a, hasLeast := f.get("least")
	b, hasGreatest := f.get("greatest")
	if hasLeast {
		low, hasLeast = r.duration(a)
	}
	if hasGreatest {
		high, hasGreatest = r.duration(b)
	}
	ok = hasLeast && hasGreatest
	if ok && high < low {
		r.node(b.Node, "%s is %v, less than %s, %v; write at least that", b.what, high, a.what, low)
		ok = false
	}
	return low, high, ok
}

// period reads the time between interrupts of a device or a tick.
func (r *reader) period(f fields, floor sim.Time) (sim.Time, bool) {
	v, ok := f.get("every")
	if !ok {
		return 0, false
	}
	every, ok := r.duration(v)
	if ok && every < floor {
		r.node(v.Node, "%s is %v; write at least %v", v.what, every, floor)
		ok = false
	}
	return every, ok
}

func (r *reader) device(f fields) {
	name, names, cpus := r.where(f, "device")
	least, greatest, ok := r.times(f)
	every, hasEvery := r.period(f, deviceFloor)
	if !ok || !hasEvery {
		return
	}
	r.addLoads(name, names, cpus, model.LoadDecl{Kind: model.LoadDevice,
		Length: sim.Dist{Kind: sim.Uniform, Least: least, Greatest: greatest},
		Gap:    sim.Dist{Kind: sim.ExpFloor, Least: deviceFloor, Mean: every}})
}

func (r *reader) tick(f fields) {
	name, names, cpus := r.where(f, "tick")
	if every, ok := r.period(f, 1); ok {
		r.addLoads(name, names, cpus, model.LoadDecl{Kind: model.LoadTick,
			Gap: sim.Dist{Kind: sim.Constant, Least: every}})
	}
}

// addLoads declares a device or a tick on each CPU.
func (r *reader) addLoads(name value, names []string, cpus []int64, d model.LoadDecl) {
	if !r.validDist(name, &d.Length) || !r.validDist(name, &d.Gap) {
		return
	}
	for i, cpu := range cpus {
		d.Name, d.CPU, d.Task = names[i], int32(cpu), -1
		r.declare(name.Node, d.Name, nameLoad, int32(len(r.out.Loads)))
		r.out.Loads = append(r.out.Loads, d)
	}
}

// validDist reports what is wrong with a distribution beyond single values.
func (r *reader) validDist(v value, d *sim.Dist) bool {
	err := d.Validate()
	if err != nil {
		r.node(v.Node, "%s: %v", v.what, err)
	}
	return err == nil
}

// meanGap is the gap that gives bursts of a mean length their share of the time, in parts per
// million; a share of 1 leaves none. What is too long for a Time is Never.
// Preconditions: duty is above 0.
func meanGap(length sim.Time, duty int64) sim.Time {
	hi, lo := bits.Mul64(uint64(length), uint64(one-duty))
	lo, carry := bits.Add64(lo, uint64(duty)/2, 0) // to round
	if hi += carry; hi >= uint64(duty) {
		return sim.Never
	}
	gap, _ := bits.Div64(hi, lo, uint64(duty))
	return sim.Time(min(gap, uint64(sim.Never)))
}
