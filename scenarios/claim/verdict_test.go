package claim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"rtsim/scenarios/claim"
	"rtsim/sim"
)

// Look at a bound that a run is over: it proves nothing any more, and says why.
func TestWrongBoundProvesNothing(t *testing.T) {
	for _, c := range []struct {
		witness, bound sim.Time
		want           claim.Verdict
	}{{5, 10, claim.Proved}, {10, 10, claim.Proved}, {11, 10, claim.Open}, {1, 0, claim.Open}} {
		j := &claim.Judgement{Verdict: claim.Proved, BoundNs: &c.bound, WitnessNs: &c.witness}
		j.Close()
		assert.Equal(t, c.want, j.Verdict)
		assert.Equal(t, c.want == claim.Proved, j.Held)
		assert.Equal(t, c.want == claim.Proved, j.BoundNs != nil)
	}
}
