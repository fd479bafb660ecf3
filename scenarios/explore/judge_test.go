package explore

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Look at the reasons: an interval that few repetitions stand behind is none.
func TestRareIsTrusted(t *testing.T) {
	for _, row := range []struct {
		r   Rare
		why string
	}{
		{Rare{Runs: 20, Zero: 20},
			"none of 20 repetitions met such a message, which bounds nothing"},
		{Rare{Runs: 20, Zero: 5, RelativeError: 1}, "5 of 20 repetitions met no such message"},
		{Rare{Runs: 20, RelativeError: 2.5}, "the relative error of one repetition is 2.5"},
		{Rare{Runs: 20, Estimate: 1e-6, Rest: 3e-7},
			"30 % of it is outside of what flights are aimed at"},
		{Rare{Runs: 20, Zero: 4, RelativeError: 1.4, Estimate: 1e-6, Rest: 1e-7}, ""},
	} {
		row.r.judge()
		assert.Equal(t, row.why, row.r.Why)
		assert.Equal(t, row.why == "", row.r.Trusted)
	}
}
