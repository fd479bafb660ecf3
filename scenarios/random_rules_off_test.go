//go:build !invariants

package scenarios_test

// Without the tag invariants no rule is counted, and fewer workloads do.
const (
	countsRules        = false
	monitoredWorkloads = 5_000
)
