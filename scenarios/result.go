package scenarios

import (
	"encoding/json"
	"strconv"

	"rtsim/sim"
)

// Distribution is a histogram as JSON: counts strictly above thresholds and the maximum are
// exact, percentiles are nearest ranks, present only if the count supports them.
type Distribution struct {
	Count       int64               `json:"count"`
	Over        map[string]int64    `json:"over"`
	MaxNs       sim.Time            `json:"max_ns"`
	Percentiles map[string]sim.Time `json:"percentiles"`

	hist *Histogram
}

// Histogram returns the counts behind the distribution.
func (d *Distribution) Histogram() *Histogram {
	h := NewHistogram(d.hist.limits)
	h.Merge(d.hist)
	return h
}

// percentiles are those that are reported: name, parts, of how many.
var percentiles = []struct {
	name     string
	p, parts int64
}{{"50", 50, 100}, {"90", 90, 100}, {"99", 99, 100}, {"99.9", 999, 1000},
	{"99.99", 9999, 10000}, {"99.999", 99999, 100000}}

func newDistribution(h *Histogram) Distribution {
	d := Distribution{Count: h.Count(), Over: map[string]int64{}, MaxNs: max(h.Max(), 0),
		Percentiles: map[string]sim.Time{}, hist: h}
	for k, limit := range h.limits {
		d.Over[strconv.FormatInt(int64(limit), 10)] = h.Over(k)
	}
	for _, p := range percentiles {
		if v, ok := h.Percentile(p.p, p.parts); ok {
			d.Percentiles[p.name] = v
		}
	}
	h.Pack()
	return d
}

// Result is one design's run with one seed.
type Result struct {
	Design   string `json:"design"`
	Variant  string `json:"variant"`
	Seed     uint64 `json:"seed"`
	Messages int64  `json:"messages"`
	Refused  int64  `json:"refused"`
	Lost     int64  `json:"lost"`
	// Corrupted counts requests in use that a cache handed out: from the first on a kernel's memory
	// is corrupt, and the run shows what the time would have been without.
	Corrupted     int64        `json:"corrupted"`
	Steps         int64        `json:"steps"`
	Digest        string       `json:"digest"`
	Send          Distribution `json:"send"`
	Receive       Distribution `json:"receive"`
	Response      Distribution `json:"response"`
	IRQStart      Distribution `json:"irq_start"`
	LowPreemptOff Distribution `json:"low_preempt_off"`
	Assumed       []string     `json:"assumed"`

	longest Value // of the sends, the first of equals

	Asked Asked `json:"-"`

	// Unsupported says why the design does not exist in this era; then nothing else is set.
	Unsupported string `json:"-"`
}

// MarshalJSON prints an unsupported design as the three fields it has.
func (r *Result) MarshalJSON() ([]byte, error) {
	if r.Unsupported != "" {
		return json.Marshal(struct {
			Design      string `json:"design"`
			Seed        uint64 `json:"seed"`
			Unsupported string `json:"unsupported"`
		}{r.Design, r.Seed, r.Unsupported})
	}
	type plain Result
	return json.Marshal((*plain)(r))
}

// Comparison is what `rtsim compare --json` prints: rtsim.compare/1.
type Comparison struct {
	Schema     string            `json:"schema"`
	Version    string            `json:"version"`
	Scenario   string            `json:"scenario"`
	Kernel     string            `json:"kernel"`
	DurationNs sim.Time          `json:"duration_ns"`
	Set        map[string]string `json:"set"`
	Answers    []string          `json:"answers,omitempty"` // that were replaced
	// Calibration is the one whose settings these are, "" if they are none's.
	Calibration string    `json:"calibration,omitempty"`
	Results     []*Result `json:"results"`
	Summary     []Summary `json:"summary"`

	Thresholds []sim.Time `json:"-"` // the keys of each over, ascending
}

// Summary is a design over its seeds, and against the first design on the same arrivals.
type Summary struct {
	Design  string        `json:"design"`
	Variant string        `json:"variant"`
	Row     string        `json:"row"`              // RowFitted and its like
	Reason  string        `json:"reason,omitempty"` // why it is not explained
	Seeds   int           `json:"seeds"`
	Send    MetricSummary `json:"send"`
	Receive MetricSummary `json:"receive"`
	Against *Paired       `json:"against,omitempty"`

	// Unsupported says why the design does not exist in this era; then nothing was measured.
	Unsupported string `json:"unsupported,omitempty"`
}

// MetricSummary is one metric over the seeds.
type MetricSummary struct {
	Over  map[string]Spread `json:"over"`
	MaxNs sim.Time          `json:"max_ns"`
}

// Spread is a count over the seeds.
type Spread struct {
	Mean     float64 `json:"mean"`
	Least    int64   `json:"least"`
	Greatest int64   `json:"greatest"`
}

// Paired is how much smaller a design's counts are than another's, seed by seed.
type Paired struct {
	Design string                  `json:"design"`
	Paired map[string]PairedSpread `json:"paired"`
}

// PairedSpread is the difference of counts over a threshold, this design less the other, over the
// seeds: the same arrivals and bursts on both sides.
type PairedSpread struct {
	Mean     float64 `json:"mean"`
	Least    int64   `json:"least"`
	Greatest int64   `json:"greatest"`
}
