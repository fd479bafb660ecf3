package scenarios

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
)

// CSV is a comparison as results.csv: one line a design, seed and metric.
func (c *Comparison) CSV() (string, error) {
	var b strings.Builder
	w := csv.NewWriter(&b)
	var overs []string
	for _, r := range c.Results {
		for key := range r.Send.Over {
			if !slices.Contains(overs, key) {
				overs = append(overs, key)
			}
		}
	}
	slices.SortFunc(overs, func(a, b string) int { return len(a) - len(b) + strings.Compare(a, b) })
	head := []string{"design", "variant", "seed", "metric", "count", "max_ns"}
	for _, key := range overs {
		head = append(head, "over_"+key+"_ns")
	}
	for _, p := range percentiles {
		head = append(head, "p"+p.name+"_ns")
	}
	if err := w.Write(append(head, "digest")); err != nil {
		return "", fmt.Errorf("write CSV: %w", err)
	}
	for _, r := range c.Results {
		for _, m := range r.metrics() {
			if err := w.Write(r.csvLine(m.name, m.d, overs)); err != nil {
				return "", fmt.Errorf("write CSV: %w", err)
			}
		}
	}
	w.Flush()
	return b.String(), w.Error()
}

type namedDistribution struct {
	name string
	d    *Distribution
}

func (r *Result) metrics() []namedDistribution {
	if r.Unsupported != "" {
		return nil
	}
	return []namedDistribution{{"send", &r.Send}, {"receive", &r.Receive},
		{"response", &r.Response}, {"irq_start", &r.IRQStart},
		{"low_preempt_off", &r.LowPreemptOff}}
}

// Distribution returns one metric of a run by its name in results.csv, nil if there is none.
func (r *Result) Distribution(metric string) *Distribution {
	for _, m := range r.metrics() {
		if m.name == metric {
			return m.d
		}
	}
	return nil
}

func (r *Result) csvLine(metric string, d *Distribution, overs []string) []string {
	line := []string{r.Design, r.Variant, fmt.Sprint(r.Seed), metric, fmt.Sprint(d.Count),
		fmt.Sprint(int64(d.MaxNs))}
	for _, key := range overs {
		line = append(line, fmt.Sprint(d.Over[key]))
	}
	for _, p := range percentiles {
		cell := ""
		if v, ok := d.Percentiles[p.name]; ok {
			cell = fmt.Sprint(int64(v))
		}
		line = append(line, cell)
	}
	return append(line, r.Digest)
}
