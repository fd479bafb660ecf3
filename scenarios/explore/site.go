package explore

import (
	"slices"
	"strings"

	"rtsim/model"
	"rtsim/sim"
)

// siteKind is what the answers of a site decide.
type siteKind uint8

const (
	burstGap siteKind = iota
	burstLength
	deviceGap
	deviceLength
	arrival // how late a periodic task's release is
	cost    // what a step takes
	fixed   // nothing: a constant
	nKinds
)

// site is what a stream of the tape decides, and of whom.
type site struct {
	kind siteKind
	load int // of gaps and lengths
	task int32
}

// sitesOf says what each stream of a workload's tape decides.
func sitesOf(w *model.Workload, tape *sim.Tape) []site {
	sites := make([]site, tape.Len())
	for id := range sites {
		sites[id] = siteOf(w, tape.Name(sim.StreamID(id)))
	}
	return sites
}

func siteOf(w *model.Workload, name string) site {
	prefix, rest, _ := strings.Cut(name, "/")
	s := site{kind: fixed, load: -1, task: -1}
	switch prefix {
	case "load-gap", "load-length":
		s.load = slices.IndexFunc(w.Loads, func(l model.LoadDecl) bool { return l.Name == rest })
		d := &w.Loads[s.load]
		dist := &d.Gap
		if prefix == "load-length" {
			dist = &d.Length
		}
		if least, greatest := dist.Range(); least == greatest || d.Kind == model.LoadTick {
			return s
		}
		s.kind = burstGap
		if d.Kind == model.LoadDevice {
			s.kind = deviceGap
		}
		if prefix == "load-length" {
			s.kind++
		}
	case "arrivals":
		s.kind = arrival
		s.task = taskNamed(w, rest[:strings.LastIndexByte(rest, '/')])
	case "cost":
		_, task, _ := strings.Cut(rest, "/")
		s.kind, s.task = cost, taskNamed(w, task)
	}
	return s
}
