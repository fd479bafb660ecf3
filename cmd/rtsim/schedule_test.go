package main

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Look at an interrupted schedule and drawing: status 130, nothing printed but how to go on.
func TestInterruptedSchedule(t *testing.T) {
	for name, more := range map[string]string{"schedule": "--json", "draw": "--json",
		"explain": "--json", "check": "--json", "trace": "-o-"} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		args := []string{name, "orin-queue", "--design", "doorbell", "--duration", "100s", more}
		var stdout, stderr bytes.Buffer
		assert.Equal(t, statusInterrupted, run(ctx, args, nil, &stdout, &stderr))
		assert.Empty(t, stdout.String())
		if name != "check" {
			assert.Contains(t, stderr.String(),
				"interrupted in the run of orin-queue; nothing is kept")
		}
		assert.Contains(t, stderr.String(), "\nTo go on, start it again:\n  rtsim "+name+
			" orin-queue --design doorbell --duration 100s "+more+"\n")
	}
}
