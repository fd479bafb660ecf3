package designs_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
)

// Look at the two ends of one cost: a derived profile has its base's ranges, and each cost at one
// end of them.
func TestExtremeProfiles(t *testing.T) {
	for _, base := range designs.Profiles() {
		least, ok := designs.FindProfile(base.Name + "-least")
		require.True(t, ok)
		greatest, ok := designs.FindProfile(base.Name + "-greatest")
		require.True(t, ok)
		for i := range base.Costs {
			assert.Equal(t, base.Costs[i].Least, least.Costs[i].Typical)
			assert.Equal(t, base.Costs[i].Greatest, greatest.Costs[i].Typical)
			assert.Equal(t, base.Costs[i].Greatest, least.Costs[i].Greatest)
		}
		assert.Zero(t, least.JitterPercent+greatest.JitterPercent)
		assert.Equal(t, base.Name+"-least", least.Name)
	}
	_, ok := designs.FindProfile("orin-7.4-greatest-least")
	assert.False(t, ok)
}
