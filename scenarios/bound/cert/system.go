package cert

import (
	"fmt"
	"slices"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/sim"
)

// The scenario as the checker reads it.

type checker struct {
	c     *Certificate
	w     *model.Workload
	p     *designs.Profile
	tasks []who
	ends  []end
	ways  []*way
	root  int
	level int32
	took  map[stretch]sim.Time
	waits map[taker]sim.Time
	users map[waiting][]taker // by lock, but for those of a task
	parts map[part]sim.Time
	again []int // by endpoint: how often it comes back while the root walks
	err   error // the first
	// lone: no CPU has two owners (apart), once it is known.
	known, lone bool
}

// who is a task: one CPU, its own priority, whether it runs bursts, may stand back for its equals,
// or arms timers.
type who struct {
	name                 string
	cpu, prio            int32
	burst, yields, timer bool
}

// end is a task's end of a queue.
type end struct{ task, queue int }

// way is a listing that a task goes through.
type way struct {
	task, queue int
	kind        string
	code        model.Code
	held        [][]model.Ref
}

// lock is a lock instance.
type lock struct {
	ref model.Ref
	of  int
}

// build reads the scenario; the error is of what is not checked here.
func build(c *Certificate, w *model.Workload, p *designs.Profile, root string) (*checker, error) {
	k := &checker{c: c, w: w, p: p, took: map[stretch]sim.Time{}, waits: map[taker]sim.Time{},
		users: map[waiting][]taker{}, parts: map[part]sim.Time{}}
	if len(w.FairServers) > 0 {
		return nil, fmt.Errorf("a fair server is not checked")
	}
	for i := range w.Tasks {
		if err := k.addTask(i); err != nil {
			return nil, err
		}
		if w.Tasks[i].Name == root {
			k.root, k.level = i, w.Tasks[i].Priority
		}
	}
	reclaims := w.Paths.Reclaim != nil
	for _, f := range w.Fixed {
		reclaims = reclaims || f.Reclaim != nil
	}
	if reclaims {
		k.addKworkers()
	}
	if k.level <= 1 {
		return nil, fmt.Errorf("a sender beside ktimers is not checked")
	}
	for i, t := range k.tasks {
		if i != k.root && t.cpu == k.tasks[k.root].cpu && (!t.burst || t.prio >= k.level) {
			return nil, fmt.Errorf("%s runs on the sender's CPU", t.name)
		}
	}
	return k, nil
}

func (k *checker) addTask(i int) error {
	d := &k.w.Tasks[i]
	t := who{name: d.Name, cpu: d.FirstCPU, prio: d.Priority, yields: d.Policy != model.FIFO}
	if d.CPUs != 1<<d.FirstCPU {
		return fmt.Errorf("%s may move", d.Name)
	}
	for _, w := range d.Program {
		paths := &k.w.Paths
		switch w.Kind {
		case model.WordRun, model.WordEnd, model.WordGoto, model.WordRepeat, model.WordWait,
			model.WordFor:
			continue
		case model.WordSleep, model.WordEvery:
			t.timer = true
			continue
		case model.WordYield:
			t.yields = true
			continue
		case model.WordBurst:
			t.burst = true
			continue
		case model.WordSend, model.WordReceive, model.WordOpen, model.WordClose:
			if f := k.w.Fixed; f != nil && f[w.Lock].Send != nil {
				paths = &f[w.Lock]
			}
		default:
			return fmt.Errorf("%s has a word that is not checked", d.Name)
		}
		q := int(w.Lock)
		switch w.Kind {
		case model.WordSend:
			k.addWay(i, q, "send", paths.Send)
			continue
		case model.WordReceive:
			k.addWay(i, q, "receive", paths.Receive)
		case model.WordOpen:
			k.addWay(i, q, "open", paths.Open)
		case model.WordClose:
			k.addWay(i, q, "close", paths.Close)
		}
		if !slices.Contains(k.ends, end{i, q}) {
			k.ends = append(k.ends, end{i, q})
		}
	}
	k.tasks = append(k.tasks, t)
	return nil
}

func (k *checker) addWay(task, queue int, kind string, code model.Code) {
	held, err := code.Check()
	if err != nil {
		k.refuse("%s: %v", kind, err)
	}
	k.ways = append(k.ways, &way{task, queue, kind, code, held})
}

// addKworkers adds the threads that free requests; the locks that they take are not checked.
func (k *checker) addKworkers() {
	for _, r := range k.ways {
		name := fmt.Sprint("kworker/", k.tasks[r.task].cpu)
		frees := slices.ContainsFunc(r.code, func(l model.Line) bool {
			return l.Action == model.ActKfreeRCU
		})
		if frees && !slices.ContainsFunc(k.tasks, func(t who) bool { return t.name == name }) {
			k.tasks = append(k.tasks, who{name: name, cpu: k.tasks[r.task].cpu, yields: true,
				timer: true})
			reclaim := k.w.Paths.Reclaim
			for i := range k.w.Fixed {
				if reclaim == nil {
					reclaim = k.w.Fixed[i].Reclaim
				}
			}
			k.addWay(len(k.tasks)-1, -1, "reclaim", reclaim)
		}
	}
}

// lock is the instance that a reference names to a task that goes a way and stands at a target.
func (k *checker) lock(r model.Ref, by *way, target int) lock {
	at := 0
	switch r {
	case model.RefOwnRing:
		at = by.task
	case model.RefHash:
		at = k.bucket(by.queue)
	case model.RefNode:
		at = by.queue
	case model.RefPI:
		at = k.ends[target].task
	case model.RefRQ:
		at = int(k.tasks[k.ends[target].task].cpu)
	case model.RefKrc:
		at = int(k.tasks[by.task].cpu)
	case model.RefMsg, model.RefCache, model.RefEventfd, model.RefSignal, model.RefSignalfd:
		at = target
	case model.RefOwnMsg, model.RefOwnCache, model.RefOwnEventfd, model.RefOwnSignal,
		model.RefOwnSignalfd:
		r, at = r-1, slices.Index(k.ends, end{by.task, by.queue})
	case model.RefSheaf, model.RefCPUSlab:
		at = int(k.slab(by.queue))*model.MaxCPUs + int(k.tasks[by.task].cpu)
	case model.RefBarn, model.RefList, model.RefListRaw:
		at = int(k.slab(by.queue))
	}
	return lock{r, at}
}

func (k *checker) bucket(queue int) int {
	if queue >= 0 && k.w.Buckets != nil {
		return int(k.w.Buckets[queue])
	}
	return queue
}

// pays is the most that a task pays for a cost; charged is what a CPU pays by itself.
func (k *checker) pays(id model.CostID) sim.Time {
	return k.charged(id) * sim.Time(100+k.p.JitterPercent) / 100
}

func (k *checker) charged(id model.CostID) sim.Time {
	if id == model.NoCost {
		return 0
	}
	return k.p.Costs[id].Typical
}
