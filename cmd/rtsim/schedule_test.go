package main

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Look at an interrupted schedule and drawing: status 130, nothing printed but how to go on.
func TestInterruptedSchedule(t *testing.T) {
	for _, name := range []string{"schedule", "draw"} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		args := []string{name, "orin-queue", "--design", "doorbell", "--duration", "100s", "--json"}
		var stdout, stderr bytes.Buffer
		assert.Equal(t, statusInterrupted, run(ctx, args, nil, &stdout, &stderr))
		assert.Empty(t, stdout.String())
		assert.Contains(t, stderr.String(), "interrupted in the run of orin-queue; nothing is kept")
	}
}
