package explore_test

import (
	"fmt"

	"rtsim/scenarios/claim"
	"rtsim/scenarios/explore"
)

// A claim of 1e-8 on an event of 8.4e-10: 20 runs of 24,000 short paths decide it, where counting
// would take half a billion trials without one event.
func ExampleRepeat() {
	start := gambler() // ruined at 0, and here asked to come to 25 first
	r, err := explore.Repeat(20, 1, 0.99, func(seed uint64) (explore.Estimate, error) {
		return explore.FixedEffort(start, explore.Levels{Scores: every(25, 1), Starts: 1000,
			Seed: seed, Limit: limit})
	})
	if err != nil {
		panic(err)
	}
	trials, err := claim.SampleSize(1e-8, 0.99, 0)
	if err != nil {
		panic(err)
	}
	fmt.Println("at most 1e-8 with confidence 0.99:", r.Is.High <= 1e-8)
	fmt.Println("by counting:", trials, "trials, all clean")
	// Output:
	// at most 1e-8 with confidence 0.99: true
	// by counting: 460517017 trials, all clean
}
