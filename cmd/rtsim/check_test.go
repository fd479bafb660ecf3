package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// checked is a scenario of a sender and a receiver alone, whose claims follow.
const checked = `cpus: 2
queues: [Q]
tasks:
  - {name: sender, priority: 40, cpus: [0], program: "every 500us; send Q; goto 0"}
  - {name: receiver, priority: 40, cpus: [1], program: "open Q; receive Q; goto 1"}
measure: {sender: sender, receiver: receiver}
claims:
`

// Look at the statuses: one refuted claim outweighs one that is open, and that one outweighs all
// that hold.
func TestCheckStatuses(t *testing.T) {
	const (
		refuted   = "  - {name: a, metric: send, never_over: 1ns, designs: [doorbell]}\n"
		open      = "  - {name: b, order: kept, designs: [doorbell]}\n"
		estimated = "  - {name: c, metric: send, over: 50us, at_most: 0.5, confidence: 0.9, " +
			"designs: [doorbell]}\n"
	)
	for claims, status := range map[string]int{
		estimated:                  statusDone,
		estimated + open:           statusOpen,
		estimated + open + refuted: statusFailed,
		refuted:                    statusFailed,
	} {
		name := filepath.Join(t.TempDir(), "s.yaml")
		require.NoError(t, os.WriteFile(name, []byte(checked+claims), 0o666))
		var stdout, stderr bytes.Buffer
		args := []string{"check", name, "--duration", "100ms", "--json"}
		got := run(t.Context(), args, strings.NewReader(""), &stdout, &stderr)
		assert.Equal(t, status, got, "%s%s", claims, stderr.String())
		assert.Contains(t, stdout.String(), `"schema": "rtsim.check/1"`)
		assert.Empty(t, stderr.String())
	}
}

// Look at the ends: 0.0 % is a bound that is met, 100.0 % a witness of no time at all.
func TestGapCell(t *testing.T) {
	for gap, want := range map[float64]string{0: "0.0 %", 1e-5: "<0.1 %", 0.0005: "0.1 %",
		0.5: "50.0 %", 0.9994: "99.9 %", 0.9996: ">99.9 %", 1: "100.0 %"} {
		assert.Equal(t, want, gapCell(&gap))
	}
	assert.Empty(t, gapCell(nil))
}
