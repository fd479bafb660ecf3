package scenarios

import (
	"slices"
	"strings"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// Answers from outside: a run draws its arrivals, lengths and costs from the seed, each by the
// name of its site and its ordinal there (sim.Tape), and an answer replaces one draw. What a search
// found is repeated so. The sites are those of the tasks, sources and costs of a scenario; only
// kworkers exist in some designs and not in others, so an answer to one of theirs is legal for all.

// checkAnswers says which answers are to sites that no design has.
func (c *Case) checkAnswers() error {
	if len(c.options.Answers) == 0 {
		return nil
	}
	var known []string
	for _, d := range append(designs.Bare(), &designs.Design{}) {
		if d.Unsupported(c.Scenario.Kernel) != "" {
			continue
		}
		w := c.Workload(d)
		w.Answers = nil
		for _, site := range sitesOf(w, c.Profile) {
			if !slices.Contains(known, site) {
				known = append(known, site)
			}
		}
	}
	return unknownSites(c.options.Answers, known)
}

// sitesOf are the sites of a workload, in the order of their registration.
func sitesOf(w *model.Workload, p *designs.Profile) (sites []string) {
	tape := model.New(w, p.Table(), 1).Tape()
	for id := range tape.Len() {
		sites = append(sites, tape.Name(sim.StreamID(id)))
	}
	return sites
}

// sitesShown is how many sites an error lists that knows no near one.
const sitesShown = 8

// unknownSites is the error of answers to sites that do not exist, each with the near ones.
func unknownSites(answers []sim.Answer, known []string) error {
	var wrong file.Errors
	for i, a := range answers {
		if slices.Contains(known, a.Site) || i > 0 && a.Site == answers[i-1].Site {
			continue
		}
		list := "it asks nothing"
		if n := len(known); n > 0 {
			list = "sites are " + strings.Join(known[:min(n, sitesShown)], ", ")
			if n > sitesShown {
				list += " and so on"
			}
		}
		wrong = append(wrong, file.Error{File: "--answer " + a.String(),
			Message: "no question has the site \"" + a.Site + "\"" + meant(a.Site, known, list)})
	}
	if len(wrong) > 0 {
		return wrong
	}
	return nil
}
