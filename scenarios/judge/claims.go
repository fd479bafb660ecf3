package judge

import (
	"fmt"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/claim"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// Claims in Go tests, about a design that need not be registered anywhere:
//
//	func TestMine(t *testing.T) {
//		judge.NeverOver(t, mine, "orin-queue", judge.Send, 100*sim.Microsecond)
//	}
//
// A claim that is REFUTED fails the test, with who is to blame, a picture, and a command that
// repeats just that run. One that is OPEN passes: a test is no proof, and says so only if asked, by
// Proven. AtMost alone fails unless it is ESTIMATED, since its runs are to show something.
// Rejected: to fail by panic or FailNow; a test may make several claims, and all that fail are of
// interest.

// The metrics, as in the results.
const (
	Send          = scenarios.MetricSend
	Receive       = scenarios.MetricReceive
	Response      = scenarios.MetricResponse
	IRQStart      = scenarios.MetricIRQStart
	LowPreemptOff = scenarios.MetricLowPreemptOff
)

// TestingT is what a claim needs of a *testing.T. If it has Helper or Name too, they are used.
type TestingT interface {
	Errorf(format string, args ...any)
}

// Option changes how a claim is judged.
type Option func(*trial)

// For simulates so long with each seed, instead of 2 s.
func For(d sim.Time) Option { return func(t *trial) { t.options.Duration = d } }

// Seeds takes so many seeds, from 1 on, instead of 3.
func Seeds(n int) Option { return func(t *trial) { t.seeds = n } }

// With sets a parameter of the scenario, or a cost.
func With(name, value string) Option {
	return func(t *trial) {
		t.options.Set = append(t.options.Set, file.Setting{Name: name, Value: value})
	}
}

// Searching has an adversary look for a violation in so many runs of some milliseconds.
func Searching(runs int) Option { return func(t *trial) { t.searches = runs } }

// Proven fails the test too if the claim is OPEN: a bound must prove it.
func Proven() Option { return func(t *trial) { t.proven = true } }

// NeverOver claims that no value of a metric is above a limit. It says whether that passed.
func NeverOver(t TestingT, d *designs.Design, scenario, metric string, limit sim.Time,
	options ...Option) bool {
	help(t)
	return claims(t, d, scenario, file.Claim{Kind: file.NeverOver, Metric: metric, Over: limit,
		Name: fmt.Sprintf("no %s is over %s", metric, limit)}, options)
}

// AtMost claims that a value of a metric is above a limit with at most a probability, to be shown
// with a confidence. Choose the length of the runs before: For and Seeds.
func AtMost(t TestingT, d *designs.Design, scenario, metric string, over sim.Time,
	probability, confidence float64, options ...Option) bool {
	help(t)
	return claims(t, d, scenario, file.Claim{Kind: file.AtMost, Metric: metric, Over: over,
		AtMost: probability, Confidence: confidence,
		Name: fmt.Sprintf("a %s is over %s with a probability of at most %g", metric, over,
			probability)}, options)
}

// Delivers claims that every message is handled that was not refused.
func Delivers(t TestingT, d *designs.Design, scenario string, options ...Option) bool {
	help(t)
	return claims(t, d, scenario, file.Claim{Kind: file.Delivers, Name: "no message is lost"},
		options)
}

// KeepsOrder claims that no message is handled after one that was sent later.
func KeepsOrder(t TestingT, d *designs.Design, scenario string, options ...Option) bool {
	help(t)
	return claims(t, d, scenario, file.Claim{Kind: file.Order, Name: "messages keep their order"},
		options)
}

// NeverLater claims that no message's value is greater than that of the same message with another
// design, on the same arrivals and bursts, by more than a time.
func NeverLater(t TestingT, d, than *designs.Design, scenario, metric string, by sim.Time,
	options ...Option) bool {
	help(t)
	options = append(options, func(t *trial) { t.than = than })
	return claims(t, d, scenario, file.Claim{Kind: file.NeverLater, Metric: metric, Over: by,
		Than: variant(than), Name: fmt.Sprintf("no %s is later than with %s by more than %s",
			metric, variant(than), by)}, options)
}

// Unmoved claims that no message's value moves by more than a time, whatever runs on some CPUs.
func Unmoved(t TestingT, d *designs.Design, scenario, metric string, by sim.Time, cpus []int32,
	options ...Option) bool {
	help(t)
	return claims(t, d, scenario, file.Claim{Kind: file.Unmoved, Metric: metric, Over: by,
		CPUs: cpus, Name: fmt.Sprintf("whatever runs on CPUs %s moves no %s by more than %s",
			cpuList(cpus), metric, by)}, options)
}

// help marks the caller as a helper of the test.
func help(t TestingT) {
	if h, ok := t.(interface{ Helper() }); ok {
		h.Helper()
	}
}

// passes says whether a test passes with a verdict.
func (t *trial) passes(kind file.ClaimKind, v claim.Verdict) bool {
	switch v {
	case claim.Refuted:
		return false
	case claim.Open, claim.Exhausted:
		return !t.proven && kind != file.AtMost
	}
	return true
}
