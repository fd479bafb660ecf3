package bound

import (
	"fmt"
	"slices"

	"rtsim/model"
	"rtsim/scenarios/bound/cert"
	"rtsim/sim"
)

// Who takes which lock, at what priority, on which CPU: read from the scenario's tasks, their
// programs and the listings of their queues' designs.

// path is a listing that a task runs.
type path struct {
	kind string // send, receive, open, close, reclaim
	code model.Code
	tree []node
	held [][]model.Ref // by line, before it
}

// endpoint is a task's end of a queue.
type endpoint struct{ task, queue int }

// task is one that may run, the scenario's or a kworker.
type task struct {
	name  string
	cpu   int32
	prio  int32
	burst int // the load whose thread it is; -1
	// shares: it may stand back for a task of its own priority.
	shares bool
	runs   []run // the paths of its program, each once
}

// run is a path on a queue; queue -1: a kworker's reclaim.
type run struct {
	path  *path
	queue int
}

// analysis is everything that is worked out once for a system.
type analysis struct {
	s         *System
	w         *model.Workload
	tasks     []task
	endpoints []endpoint
	paths     map[string]*path
	uses      map[key][]use
	holds     map[useID]val
	root      int        // the task whose metric is bounded
	level     int32      // its priority
	shows     shows      // what root's evaluation counts, while its terms are told apart
	items     bool       // a loop over queued work goes round once; queued.go counts the others
	execOnly  bool       // waits for sleeping locks are left out: what a section executes
	together  bool       // bursts and handlers are left out of releases: together.go counts them
	back      []int      // by endpoint: how often it may come back within a walk of the root's
	visits    []sim.Time // by endpoint: of the root's walks the shortest round for it
	ranked    bool       // all these go by priority
	offs      map[int32]sim.Time
	takers    map[key][]int // tasks, each once
	owners    owners        // that one CPU may have at a time
	waits     map[useID]waited
	boosts    map[boostID]sim.Time
	shares    map[stretchID]share
	atomics   map[atomicID]sim.Time
	points    []cert.Point       // of the certificate
	pointAt   map[cert.Point]int // where it is in points, by all but its window
}

// cost is the most that a task pays for a cost.
func (a *analysis) cost(id model.CostID) sim.Time {
	c := a.own(id)
	return c + c*sim.Time(a.s.Profile.JitterPercent)/100
}

// own is what a CPU pays by itself, without jitter.
func (a *analysis) own(id model.CostID) sim.Time {
	if id < 0 || int(id) >= len(a.s.Profile.Costs) {
		return 0
	}
	return a.s.Profile.Costs[id].Typical
}

// analyse lays the system out; why says what it has that is not analysed.
func analyse(s *System, root string) (a *analysis, why string) {
	w := s.Scenario.Workload
	w.Paths, w.Fixed = s.Design.Sized(s.Profile).Paths, s.Fixed
	a = &analysis{s: s, w: &w, paths: map[string]*path{}, uses: map[key][]use{},
		holds: map[useID]val{}, offs: map[int32]sim.Time{},
		takers: map[key][]int{}, boosts: map[boostID]sim.Time{},
		pointAt: map[cert.Point]int{}, waits: map[useID]waited{},
		shares: map[stretchID]share{}, atomics: map[atomicID]sim.Time{}}
	a.root = slices.IndexFunc(w.Tasks, func(t model.TaskDecl) bool { return t.Name == root })
	for i := range w.Tasks {
		if why := a.addTask(i); why != "" {
			return nil, why
		}
	}
	if why := a.addKworkers(); why != "" {
		return nil, why
	}
	a.level = a.tasks[a.root].prio
	if a.level <= 1 {
		return nil, fmt.Sprintf("%s does not run above the kernel's ktimers threads, SCHED_FIFO 1",
			root)
	}
	if len(w.FairServers) > 0 {
		return nil, "a fair server runs fair tasks above SCHED_FIFO, which is not analysed"
	}
	for i := range a.tasks {
		t := &a.tasks[i]
		switch {
		case i == a.root || t.cpu != a.tasks[a.root].cpu:
		case t.burst >= 0 && t.prio < a.level:
		default:
			return nil, fmt.Sprintf("%s may run on CPU %d too, where %s runs; only a CPU of its "+
				"own is analysed", t.name, t.cpu, root)
		}
	}
	a.findUses()
	return a, ""
}

// analysed are the words whose effect on others is analysed; others may hold locks, or keep
// preemption off, for longer than is looked at here.
var analysed = []model.WordKind{model.WordRun, model.WordSleep, model.WordEvery, model.WordFor,
	model.WordEnd, model.WordGoto, model.WordRepeat, model.WordSend, model.WordReceive,
	model.WordOpen, model.WordClose, model.WordWait, model.WordBurst, model.WordYield}

// addTask adds a task of the scenario.
func (a *analysis) addTask(i int) (why string) {
	d := &a.w.Tasks[i]
	if d.CPUs&(d.CPUs-1) != 0 {
		return d.Name + " may run on several CPUs; only tasks of one CPU are analysed"
	}
	t := task{name: d.Name, cpu: d.FirstCPU, prio: d.Priority, burst: -1,
		shares: d.Policy != model.FIFO}
	for l := range a.w.Loads {
		if a.w.Loads[l].Kind == model.LoadBurst && int(a.w.Loads[l].Task) == i {
			t.burst = l
		}
	}
	for k := range d.Program {
		w := &d.Program[k]
		if !slices.Contains(analysed, w.Kind) {
			return d.Name + " takes locks, wakes, or turns something off by words of its own; " +
				"only what send, receive, open and close do is analysed"
		}
		p := a.w.Paths
		if q := int(w.Lock); a.w.Fixed != nil && q < len(a.w.Fixed) && a.w.Fixed[q].Send != nil {
			p = a.w.Fixed[q]
		}
		switch w.Kind {
		case model.WordYield:
			t.shares = true
		case model.WordSend:
			t.add(a.path("send", w.Lock, p.Send), int(w.Lock))
		case model.WordReceive:
			t.add(a.path("receive", w.Lock, p.Receive), int(w.Lock))
			a.addEndpoint(i, int(w.Lock))
		case model.WordOpen:
			t.add(a.path("open", w.Lock, p.Open), int(w.Lock))
			a.addEndpoint(i, int(w.Lock))
		case model.WordClose:
			t.add(a.path("close", w.Lock, p.Close), int(w.Lock))
		}
	}
	a.tasks = append(a.tasks, t)
	return ""
}

func (a *analysis) addEndpoint(t, queue int) {
	if e := (endpoint{t, queue}); !slices.Contains(a.endpoints, e) {
		a.endpoints = append(a.endpoints, e)
	}
}

// add notes that the task runs a path.
func (t *task) add(p *path, queue int) {
	if r := (run{p, queue}); !slices.Contains(t.runs, r) {
		t.runs = append(t.runs, r)
	}
}

// path is a queue's listing of a kind, parsed once.
func (a *analysis) path(kind string, queue int32, code model.Code) *path {
	name := fmt.Sprint(kind, queue)
	if a.paths[name] == nil {
		held, err := code.Check()
		if err != nil {
			panic("bound: an illegal listing: " + err.Error())
		}
		a.paths[name] = &path{kind, code, parse(code, 0, len(code)), held}
	}
	return a.paths[name]
}

// addKworkers adds those that free requests, on the CPUs on which requests wait for RCU.
func (a *analysis) addKworkers() (why string) {
	reclaim := a.w.Paths.Reclaim
	for _, p := range a.w.Fixed {
		if p.Reclaim != nil {
			reclaim = p.Reclaim
		}
	}
	if reclaim == nil {
		return ""
	}
	if a.w.Paths.Reclaim != nil {
		reclaim = a.w.Paths.Reclaim
	}
	var cpus []int32
	for i := range a.tasks {
		for _, r := range a.tasks[i].runs {
			frees := slices.ContainsFunc(r.path.code, func(l model.Line) bool {
				return l.Action == model.ActKfreeRCU
			})
			if frees && !slices.Contains(cpus, a.tasks[i].cpu) {
				cpus = append(cpus, a.tasks[i].cpu)
			}
		}
	}
	for _, c := range cpus {
		t := task{name: fmt.Sprint("kworker/", c), cpu: c, burst: -1, shares: true}
		t.add(a.path("reclaim", -1, reclaim), -1)
		a.tasks = append(a.tasks, t)
	}
	return ""
}

// slab is whose cache a queue's design allocates from.
func (a *analysis) slab(queue int) model.SlabKind {
	switch {
	case queue < 0:
		return model.SlabRequest
	case a.w.Fixed != nil && a.w.Fixed[queue].Send != nil:
		return a.w.Fixed[queue].Slab
	}
	return a.w.Paths.Slab
}

// bucket is whose futex hash bucket a queue's word is in.
func (a *analysis) bucket(queue int) int {
	if a.w.Buckets != nil {
		return int(a.w.Buckets[queue])
	}
	return queue
}

// lone says whether a task is alone on its CPU but for threads of bursts.
func (a *analysis) lone(t int) bool {
	for i := range a.tasks {
		if i != t && a.tasks[i].cpu == a.tasks[t].cpu && a.tasks[i].burst < 0 {
			return false
		}
	}
	return true
}
