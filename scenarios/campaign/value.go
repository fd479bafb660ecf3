package campaign

import "rtsim/scenarios"

// Value is a metric over the seeds of a design: a count, or a time in ns.
type Value struct {
	Mean     float64 `json:"mean"`
	Least    int64   `json:"least"`
	Greatest int64   `json:"greatest"`
	Seeds    []int64 `json:"seeds"` // each, in the order of the seeds
}

// valueOf gives a metric over the runs of one design, one a seed; nil if a run does not have it:
// too few values for a percentile, or a design that does not exist in the era.
func valueOf(m *Metric, runs []*scenarios.Result) *Value {
	v := &Value{}
	sum := int64(0)
	for i, r := range runs {
		if r.Unsupported != "" {
			return nil
		}
		n, ok := m.Of(r)
		if !ok {
			return nil
		}
		if i == 0 {
			v.Least, v.Greatest = n, n
		}
		v.Least, v.Greatest = min(v.Least, n), max(v.Greatest, n)
		v.Seeds = append(v.Seeds, n)
		sum += n
	}
	v.Mean = float64(sum) / float64(len(runs))
	return v
}

// above says by how much one value is above another: 1 or -1 if it is above or below in every
// seed, else 0.
func above(a, b *Value) int {
	sign := 0
	for i := range a.Seeds {
		s := 0
		switch {
		case a.Seeds[i] > b.Seeds[i]:
			s = 1
		case a.Seeds[i] < b.Seeds[i]:
			s = -1
		}
		if s == 0 || sign != 0 && s != sign {
			return 0
		}
		sign = s
	}
	return sign
}
