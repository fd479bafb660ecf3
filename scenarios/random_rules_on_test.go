//go:build invariants

package scenarios_test

// With this tag the machine counts its rules.
const (
	countsRules        = true
	monitoredWorkloads = 100_000
)
