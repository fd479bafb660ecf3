package scenarios

import (
	"fmt"
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
//
// The range of a question is known when it is asked. So an answer outside its range is an error of
// the run, which ends soon after; rejected: to take the nearest that is in the range, which is
// another run than the one that was asked for. A question that a run ends without asking is only
// remarked on: a witness that somebody shortens, or gives to another design, is a run of its own.

// checkAnswers says which answers are to sites that no design has, and which questions have two.
func (c *Case) checkAnswers() error {
	if len(c.options.Answers) == 0 {
		return nil
	}
	if err := answeredOnce(c.options.Answers); err != nil {
		return err
	}
	c.told = true
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

// answeredOnce is the error of a question that has several answers, the first such.
func answeredOnce(answers []sim.Answer) error {
	type question struct {
		site    string
		ordinal uint64
	}
	values := make(map[question]int64, len(answers))
	for _, a := range answers {
		q := question{a.Site, a.Ordinal}
		if v, ok := values[q]; ok {
			return fmt.Errorf("--answer %s: that question is answered twice, with %d and with "+
				"%d; leave one out", a, v, a.Value)
		}
		values[q] = a.Value
	}
	return nil
}

// refused is the error of an answer that is outside the range of its question, once it is asked.
func refused(t *sim.Tape) error {
	q, is := t.Outside()
	if !is {
		return nil
	}
	a := sim.Answer{Site: t.Name(q.Site), Ordinal: q.Ordinal, Value: q.Value}
	return fmt.Errorf("--answer %s: the range of that question is %d to %d, in ns", a, q.Least,
		q.Greatest)
}

// Asked is how often a run has asked the sites that have answers.
type Asked map[string]uint64

// take counts those of a run, if it asked more.
func (a *Asked) take(answers []sim.Answer, t *sim.Tape) {
	if len(answers) > 0 && *a == nil {
		*a = Asked{}
	}
	for i, x := range answers {
		if i > 0 && x.Site == answers[i-1].Site {
			continue
		}
		n := uint64(0)
		if t.Has(x.Site) {
			n = t.Ordinal(t.Stream(x.Site))
		}
		(*a)[x.Site] = max((*a)[x.Site], n)
	}
}

// Unasked says of the answers to questions that none of some runs has asked, one a line, that they
// change nothing.
func Unasked(answers []sim.Answer, runs ...Asked) (remarks []string) {
	most := Asked{}
	for _, run := range runs {
		for site, n := range run {
			most[site] = max(most[site], n)
		}
	}
	var idle []sim.Answer
	for _, a := range answers {
		if a.Ordinal >= most[a.Site] {
			idle = append(idle, a)
		}
	}
	for _, text := range sim.AnswerTexts(idle) {
		site := text[:strings.LastIndex(text, "#")]
		says := "never asked"
		if n := most[site]; n > 0 {
			says = fmt.Sprintf("asked %d times, the last is #%d,", n, n-1)
		}
		remarks = append(remarks, fmt.Sprintf("--answer %s changes nothing: its site is %s up to "+
			"the end of the run", text, says))
	}
	return remarks
}
