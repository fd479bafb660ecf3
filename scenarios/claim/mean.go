package claim

// Means of values that depend on each other.
//
// Within a run neighbours are alike, so the spread of single values says nothing of that of their
// mean. What is independent is a run with its own seed (replications), and nearly so a long
// stretch of one run (batch means). Of two good ways the first needs no assumption and is the one
// to take in a simulator, where a seed costs nothing; the second is for a trace of a real machine,
// of which there is one. Rejected: spectral estimates and autoregressive fits, which need tuning
// that a reader cannot check; fewer than 20 batches, whose lag-1 correlation says nothing. Source:
// Law, Simulation Modeling and Analysis, 5th edition, chapter 9.

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"rtsim/sim"
)

// Mean is the mean of values that are taken as independent, with what it is worth. Its unit is
// that of the values.
type Mean struct {
	Mean float64
	SD   float64  // of one value
	N    int      // values
	Is   Interval // where the true mean lies, by Student's t
	Lag1 float64  // correlation of neighbours; about +-1/sqrt(N) if independent; 0 if all are equal
}

// RelativeError is the standard deviation of one value over the mean; 0 if the mean is.
func (m *Mean) RelativeError() float64 {
	if m.Mean == 0 {
		return 0
	}
	return m.SD / math.Abs(m.Mean)
}

// Replications is the mean of one value from each of several runs with seeds of their own. It is
// an error if there are fewer than two, or the confidence is not between 0 and 1. If all runs
// gave the same value the interval is that point, which is no evidence: for counts that are all 0
// take RunsOver.
func Replications(values []float64, confidence float64) (Mean, error) {
	if len(values) < 2 {
		return Mean{}, fmt.Errorf("%d runs have no spread; take at least 2", len(values))
	}
	if err := checkProbability(confidence); err != nil {
		return Mean{}, fmt.Errorf("confidence: %w", err)
	}
	m := Mean{N: len(values), Lag1: lag1(values)}
	m.Mean, m.SD = stat.MeanStdDev(values, nil)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(m.N - 1)}.Quantile((1 + confidence) / 2)
	half := t * m.SD / math.Sqrt(float64(m.N))
	m.Is = Interval{m.Mean - half, m.Mean + half}
	return m, nil
}

// LeastBatches and GreatestLag1 are what BatchMeans insists on.
const (
	LeastBatches = 20
	GreatestLag1 = 0.1
)

// ErrCorrelated says that batches are too short to be taken as independent.
var ErrCorrelated = errors.New("neighbouring batches are correlated")

// BatchMeans is the mean of one run's values in their order, its worth judged by the means of
// batches of equal length; values that do not fill a batch are left out at the start, where the
// run warms up. It is an error if there are fewer than 20 batches or fewer values than batches.
// If the lag-1 correlation of the batch means is above 0.1 the error is an ErrCorrelated: the
// result is then returned for the sake of its Mean and Lag1, and its interval is too narrow.
func BatchMeans(values []float64, batches int, confidence float64) (Mean, error) {
	if batches < LeastBatches || len(values) < batches {
		return Mean{}, fmt.Errorf("%d batches of %d values; take at least %d batches",
			batches, len(values), LeastBatches)
	}
	length := len(values) / batches
	values = values[len(values)-length*batches:]
	means := make([]float64, batches)
	for i := range means {
		means[i] = stat.Mean(values[i*length:(i+1)*length], nil)
	}
	m, err := Replications(means, confidence)
	if err == nil && m.Lag1 > GreatestLag1 {
		err = fmt.Errorf("%w: lag-1 %.2f at %d values a batch; take longer ones",
			ErrCorrelated, m.Lag1, length)
	}
	return m, err
}

// lag1 is the correlation of neighbours, about the common mean.
func lag1(values []float64) float64 {
	mean := stat.Mean(values, nil)
	var square, product float64
	for i, v := range values {
		square += (v - mean) * (v - mean)
		if i > 0 {
			product += (v - mean) * (values[i-1] - mean)
		}
	}
	if square == 0 {
		return 0
	}
	return product / square
}

// Pool adds up the exceedances of several runs. Their interval takes all messages as independent;
// print what RunsOver or Replications of Rates says beside it.
func Pool(runs []Exceedances) Exceedances {
	var all Exceedances
	for _, r := range runs {
		all.Over += r.Over
		all.Of += r.Of
	}
	return all
}

// Rates are each run's share of messages that were over. Preconditions: no run is empty.
func Rates(runs []Exceedances) []float64 {
	rates := make([]float64, len(runs))
	for i, r := range runs {
		rates[i] = float64(r.Over) / float64(r.Of)
	}
	return rates
}

// RunsOver counts runs in place of messages: in how many anything was over. Runs are independent
// where messages are not, so the bounds of this count are sound, and they are all that clean runs
// show: 20 of them leave room for one bad run in seven.
func RunsOver(runs []Exceedances) Exceedances {
	over := Exceedances{Of: int64(len(runs))}
	for _, r := range runs {
		if r.Over > 0 {
			over.Over++
		}
	}
	return over
}

// Events counts the disturbances behind the exceedances of one run: those within gap of the one
// before belong to the same (runs declustering). Preconditions: at is in order of time.
func Events(at []sim.Time, gap sim.Time) int {
	events := 0
	for i, t := range at {
		if i == 0 || t-at[i-1] > gap {
			events++
		}
	}
	return events
}
