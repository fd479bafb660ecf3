package designs_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model/trace"
	"rtsim/scenarios"
	"rtsim/sim"
)

// abaRounds is how many random situations the search for a request in use looks at.
const abaRounds = 1000

func TestRequestInUseIsFoundInTheLockFreeCacheOnly(t *testing.T) {
	// Look at the design and the scenario that is printed: of all places to keep requests only the
	// stack without a lock and without a tag may hand out one that is in use, and there a random
	// search finds it, in both eras: S sends at random times while P is preempted in his pop.
	for _, era := range designs.Eras() {
		for _, source := range []string{"trylock", "lock-free", "pool", "credits", "raw-lock"} {
			t.Run(era.Kernel+"/"+source, func(t *testing.T) {
				t.Parallel()
				d, err := designs.Parse("msg-ring-cache/" + source)
				require.NoError(t, err)
				found := 0
				for round := range uint64(abaRounds) {
					text := abaSituation(round)
					if inUse(t, d, era.Kernel, text) {
						found++
						require.Equal(t, "lock-free", source, text)
					}
				}
				assert.Equal(t, source == "lock-free", found > 0)
			})
		}
	}
}

// abaSituation is P with a burst soon after the begin of his call, and S with a few messages.
func abaSituation(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 2))
	us := func(least, most int) string { return fmt.Sprintf("%dus", least+r.IntN(most-least+1)) }
	begin := 15 + r.IntN(8)
	sends := "run 1us; every 1ms; send Q; send Q; sleep " + us(14, 22)
	for range 5 {
		sends += "; send Q; sleep " + us(0, 6)
	}
	return strings.Join([]string{"cpus: 3", "tasks:",
		fmt.Sprintf("  - {name: P, priority: 1, cpus: [0], program: \"run %dus; send Q\"}", begin),
		fmt.Sprintf("  - {name: B, priority: 50, cpus: [0], arrive: %dus, program: \"run %s\"}",
			begin+r.IntN(3), us(5, 20)),
		"  - {name: S, priority: 40, cpus: [1], program: \"" + sends + "\"}",
		"  - {name: R, priority: 40, cpus: [2], program: \"open Q; receive Q; goto 1\"}", ""}, "\n")
}

// inUse runs a situation and says whether a request in use is handed out.
func inUse(t *testing.T, d *designs.Design, kernel, text string) bool {
	t.Helper()
	profile, _ := designs.FindProfile("zero")
	for name, value := range map[string]sim.Time{"cache_move": 2000, "cache_swap": 2000,
		"pool_take": 2000, "pool_credit": 2000, "work_run": 4000, "handle": 2000} {
		cost, known := profile.Find(name)
		require.True(t, known, name)
		cost.Typical = value
	}
	w := readScenario(t, "random", text, d.Variant, kernel)
	m, err := scenarios.RunWorkload(w, profile.Table(), 1)
	require.NoError(t, err, text)
	for i := range m.Trace {
		if m.Trace[i].Kind == trace.InUse {
			return true
		}
	}
	return false
}
