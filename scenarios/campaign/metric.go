package campaign

import (
	"fmt"
	"slices"
	"strings"

	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// Metric is one figure of a run: a count, or a time in ns.
type Metric struct {
	Name   string // as asked for
	IsTime bool
	Over   sim.Time // of an over: the threshold that runs must count

	distribution, figure string // figure is max, count, over, or p with the percentile's name
}

// MetricForm is what metrics look like.
const MetricForm = "send.max, receive.over.100us, irq_start.p99.9 or lost"

// percentiles are those that results have.
var percentiles = []string{"50", "90", "99", "99.9", "99.99", "99.999"}

// totals are the figures of a run that belong to no distribution.
var totals = []string{"messages", "lost", "refused", "corrupted"}

// ParseMetric reads the name of a metric: DISTRIBUTION.max, .count, .over.DURATION or
// .pPERCENTILE, or messages, lost, refused or corrupted. The error says what would be right.
func ParseMetric(text string) (Metric, error) {
	if slices.Contains(totals, text) {
		return Metric{Name: text, figure: text}, nil
	}
	d, figure, _ := strings.Cut(text, ".")
	m := Metric{Name: text, distribution: d, figure: figure}
	if !slices.Contains(file.Metrics, d) {
		return m, fmt.Errorf("unknown metric %q; write one of %s, a point, and max, over.100us or "+
			"p99.9, or write %s", text, strings.Join(file.Metrics, ", "),
			strings.Join(totals, ", "))
	}
	percentile, isPercentile := strings.CutPrefix(figure, "p")
	limit, isOver := strings.CutPrefix(figure, "over.")
	switch {
	case figure == "max":
		m.IsTime = true
	case figure == "count":
	case isPercentile && slices.Contains(percentiles, percentile):
		m.IsTime = true
	case isPercentile:
		return m, fmt.Errorf("metric %q: there is no percentile %q; write one of p%s", text,
			percentile, strings.Join(percentiles, ", p"))
	case isOver:
		t, err := sim.ParseTime(limit)
		if err != nil {
			return m, fmt.Errorf("metric %q: %w", text, err)
		}
		m.Over, m.figure = t, "over"
	default:
		return m, fmt.Errorf("metric %q: %s has no figure %q; write %s.max, %s.count, "+
			"%s.over.100us or %s.p99.9", text, d, figure, d, d, d, d)
	}
	return m, nil
}

// ParseMetrics reads metrics, each once.
func ParseMetrics(texts []string) (metrics []Metric, wrong []error) {
	for _, text := range texts {
		m, err := ParseMetric(text)
		switch {
		case err != nil:
			wrong = append(wrong, err)
		case slices.ContainsFunc(metrics, func(o Metric) bool { return o.Name == m.Name }):
			wrong = append(wrong, fmt.Errorf("metric %q is asked for twice; write it once", text))
		default:
			metrics = append(metrics, m)
		}
	}
	return metrics, wrong
}

// Thresholds are those that runs must count for the metrics, besides those that are asked for.
func Thresholds(metrics []Metric, asked []sim.Time) []sim.Time {
	all := slices.Clone(asked)
	for _, m := range metrics {
		if m.figure == "over" {
			all = append(all, m.Over)
		}
	}
	return all
}

// Of gives the metric of a run; there is no percentile of too few values.
func (m *Metric) Of(r *scenarios.Result) (v int64, ok bool) {
	switch m.figure {
	case "messages":
		return r.Messages, true
	case "lost":
		return r.Lost, true
	case "refused":
		return r.Refused, true
	case "corrupted":
		return r.Corrupted, true
	}
	d := r.Distribution(m.distribution)
	switch m.figure {
	case "max":
		return int64(d.MaxNs), true
	case "count":
		return d.Count, true
	case "over":
		v, ok = d.Over[fmt.Sprint(int64(m.Over))]
		return v, ok
	}
	t, ok := d.Percentiles[strings.TrimPrefix(m.figure, "p")]
	return int64(t), ok
}

// Text writes a value for people, the mean of seeds perhaps.
func (m *Metric) Text(v float64) string {
	switch {
	case m.IsTime:
		return scenarios.Micros(sim.Time(v + 0.5))
	case v == float64(int64(v)):
		return fmt.Sprint(int64(v))
	}
	return fmt.Sprintf("%.1f", v)
}
