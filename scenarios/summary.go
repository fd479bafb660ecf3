package scenarios

import "rtsim/sim"

// Compare puts the results of a plan together; those of runs that were not finished are nil. A
// design is summarized once all its seeds are there, against the first such design.
func (p *Plan) Compare(version string, results []*Result) *Comparison {
	c := &Comparison{Schema: "rtsim.compare/1", Version: version,
		Scenario: p.Case.Scenario.Name, Kernel: p.Case.Scenario.Kernel,
		DurationNs: p.Case.options.Duration, Set: map[string]string{},
		Answers: sim.AnswerTexts(p.Case.options.Answers), Results: []*Result{},
		Summary: []Summary{}, Thresholds: p.Case.limits}
	for _, s := range p.Case.options.Set {
		c.Set[s.Name] = s.Value
	}
	for _, r := range results {
		if r != nil {
			c.Results = append(c.Results, r)
		}
	}
	c.Summary = append(c.Summary, p.Summarize(results)...)
	c.mark(p.Case)
	return c
}

// mark says of each row whether it was fitted.
func (c *Comparison) mark(of *Case) {
	known, calibrated := of.Calibration()
	if len(c.Answers) > 0 { // no measurement is like that
		known, calibrated = Calibration{}, false
	}
	c.Calibration = known.Name
	for i := range c.Summary {
		s := &c.Summary[i]
		if s.Row = RowNotCalibrated; calibrated {
			s.Row, s.Reason = known.Row(s.Variant)
		}
	}
}

// Of returns the results of a summary's design, in the order of seeds.
func (c *Comparison) Of(s *Summary) []*Result {
	var own []*Result
	for _, r := range c.Results {
		if r.Design == s.Design {
			own = append(own, r)
		}
	}
	return own
}

// Histogram merges one metric, named as in results.csv, of all seeds of a summary's design. It is
// empty if the design does not exist in the era.
func (c *Comparison) Histogram(s *Summary, metric string) *Histogram {
	merged := NewHistogram(c.Thresholds)
	for _, r := range c.Of(s) {
		for _, m := range r.metrics() {
			if m.name == metric {
				merged.Merge(m.d.hist)
			}
		}
	}
	return merged
}

// Summarize puts each design's seeds together, and against the first design. Designs of which a
// result is missing are left out.
func (p *Plan) Summarize(results []*Result) []Summary {
	var out []Summary
	var first []*Result
	n := len(p.Seeds)
	for d := range p.Designs {
		own := results[d*n : (d+1)*n]
		if !whole(own) {
			continue
		}
		s := Summary{Design: p.Asked[d], Variant: p.Designs[d].Variant, Seeds: n,
			Send:    summarize(own, func(r *Result) *Distribution { return &r.Send }),
			Receive: summarize(own, func(r *Result) *Distribution { return &r.Receive })}
		switch {
		case own[0].Unsupported != "":
			s.Unsupported = own[0].Unsupported
		case first == nil:
			first = own
		default:
			s.Against = pair(first[0].Design, own, first)
		}
		out = append(out, s)
	}
	return out
}

func whole(rs []*Result) bool {
	for _, r := range rs {
		if r == nil {
			return false
		}
	}
	return true
}

// Rest is a part of a plan that was not finished: designs that lack the same seeds.
type Rest struct {
	Asked       []string
	First, Last uint64
}

// Missing says which runs of a plan have no result.
func (p *Plan) Missing(results []*Result) []Rest {
	var rests []Rest
	add := func(asked string, first, last uint64) {
		for i := range rests {
			if rests[i].First == first && rests[i].Last == last {
				rests[i].Asked = append(rests[i].Asked, asked)
				return
			}
		}
		rests = append(rests, Rest{[]string{asked}, first, last})
	}
	n := len(p.Seeds)
	for d, asked := range p.Asked {
		for k := 0; k < n; k++ {
			from := k
			for k < n && results[d*n+k] == nil {
				k++
			}
			if k > from {
				add(asked, p.Seeds[from], p.Seeds[k-1])
			}
		}
	}
	return rests
}
func summarize(rs []*Result, metric func(*Result) *Distribution) MetricSummary {
	m := MetricSummary{Over: map[string]Spread{}}
	for key := range metric(rs[0]).Over {
		var counts []int64
		for _, r := range rs {
			counts = append(counts, metric(r).Over[key])
		}
		mean, least, greatest := spread(counts)
		m.Over[key] = Spread{mean, least, greatest}
	}
	for _, r := range rs {
		m.MaxNs = max(m.MaxNs, metric(r).MaxNs)
	}
	return m
}

// pair is how a design's late sends differ from the first design's, seed by seed.
func pair(name string, own, first []*Result) *Paired {
	p := &Paired{Design: name, Paired: map[string]PairedSpread{}}
	for key := range own[0].Send.Over {
		var diffs []int64
		for i := range own {
			diffs = append(diffs, own[i].Send.Over[key]-first[i].Send.Over[key])
		}
		mean, least, greatest := spread(diffs)
		p.Paired[key] = PairedSpread{mean, least, greatest}
	}
	return p
}

func spread(v []int64) (mean float64, least, greatest int64) {
	least, greatest = v[0], v[0]
	sum := int64(0)
	for _, x := range v {
		sum += x
		least, greatest = min(least, x), max(greatest, x)
	}
	return float64(sum) / float64(len(v)), least, greatest
}
