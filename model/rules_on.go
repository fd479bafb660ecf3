//go:build invariants

package model

const countRules = true

// ruleCounts has a count for each rule.
type ruleCounts [NRules]int64
