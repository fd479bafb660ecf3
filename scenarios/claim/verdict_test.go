package claim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"rtsim/scenarios/claim"
	"rtsim/sim"
)

func TestGap(t *testing.T) {
	// Look at the witness and the bound: the gap is what the witness lacks, as a share of the
	// bound, and a run over its bound is a broken invariant.
	for _, c := range []struct {
		witness, bound sim.Time
		gap            float64
	}{{5, 10, 0.5}, {10, 10, 0}, {0, 0, 0}} {
		j := &claim.Judgement{Verdict: claim.Proved, BoundNs: &c.bound, WitnessNs: &c.witness}
		j.Close()
		assert.True(t, j.Held)
		assert.Equal(t, c.gap, *j.Gap)
	}
	for _, c := range [][2]sim.Time{{11, 10}, {1, 0}} {
		j := &claim.Judgement{Claim: "a", Design: "d", BoundNs: &c[1], WitnessNs: &c[0]}
		assert.PanicsWithValue(t, "claim: a of d: a run of "+c[0].String()+" is over the bound of "+
			c[1].String(), j.Close)
	}
}
