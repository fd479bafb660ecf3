package explore

import (
	"fmt"

	"rtsim/scenarios/claim"
	"rtsim/sim"
)

// LeastRuns is how many runs Repeat insists on: the estimates are skewed, and Student's t is to be
// trusted only for the mean of many.
const LeastRuns = 20

// Repeated is what independent runs of an algorithm say together.
type Repeated struct {
	claim.Mean         // of the estimates; its RelativeError is that of one run
	Steps      int64   // of all runs
	Predicted  float64 // mean PredictedError of the runs; +Inf if one came to no target
	Zero       int     // runs that came to no target; their estimate is 0, and counts
}

// Repeat runs an algorithm with seeds of their own and puts the estimates together. If the relative
// error of one run is far above the predicted one the score is bad: the mean is still right, its
// interval less so. It is an error if there are fewer than 20 runs, or one fails.
func Repeat(runs int, seed uint64, confidence float64, run func(seed uint64) (Estimate, error)) (
	Repeated, error,
) {
	if runs < LeastRuns {
		return Repeated{}, fmt.Errorf("%d runs; take at least %d", runs, LeastRuns)
	}
	var r Repeated
	seeds := sim.NewStream(seed, "explore/run")
	estimates := make([]float64, runs)
	for i := range estimates {
		e, err := run(seeds.Bits())
		if err != nil {
			return Repeated{}, fmt.Errorf("run %d: %w", i, err)
		}
		estimates[i] = e.Probability
		r.Steps += e.Steps
		r.Predicted += e.PredictedError() / float64(runs)
		if e.Probability == 0 {
			r.Zero++
		}
	}
	mean, err := claim.Replications(estimates, confidence)
	if err != nil {
		return Repeated{}, err
	}
	mean.Is.Low = max(0, mean.Is.Low)
	r.Mean = mean
	return r, nil
}
