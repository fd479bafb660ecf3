//go:build !invariants

package model

// checking turns the costly checks on; CI runs the tests with and without it.
const checking = false
