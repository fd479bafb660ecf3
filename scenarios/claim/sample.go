package claim

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A probability from runs whose messages depend on each other.
//
// One burst spoils two or three sends in a row, so the binomial interval, which takes messages as
// independent, is too narrow. Each answer here is the more cautious of two: that of the messages,
// and that of batches. If nothing was over, no batch was, and a message is over at most as often as
// a batch has one that is: the exact interval of the batches bounds it, whatever goes on within a
// batch. If something was over, the spread of long stretches counts, by Student's t. Rejected: to
// divide by a mean length of clusters that was never observed; and to stop when the numbers
// please: the number of messages is fixed before the run.

// BatchLength is how many consecutive messages make a batch: 5 ms at a message every 500 us, five
// of the longest bursts of the published experiment.
const BatchLength = 10

// Sample is what runs said of one threshold: by run, its batches in their order.
type Sample struct {
	Runs [][]Exceedances
}

// All are the messages of all runs together.
func (s *Sample) All() (all Exceedances) {
	for _, run := range s.Runs {
		for _, b := range run {
			all.Over, all.Of = all.Over+b.Over, all.Of+b.Of
		}
	}
	return all
}

// Batches counts batches in place of messages: in how many anything was over.
func (s *Sample) Batches() (n Exceedances) {
	for _, run := range s.Runs {
		of := RunsOver(run)
		n.Over, n.Of = n.Over+of.Over, n.Of+of.Of
	}
	return n
}

// stretches are the shares of messages over in at least LeastBatches stretches: a run each, or
// equal parts of it. They are nil if there are too few batches for that.
func (s *Sample) stretches() (shares []float64) {
	if len(s.Runs) == 0 {
		return nil
	}
	parts := (LeastBatches + len(s.Runs) - 1) / len(s.Runs)
	for _, run := range s.Runs {
		if len(run) < parts {
			return nil
		}
		for i := range parts {
			part := Sample{[][]Exceedances{run[i*len(run)/parts : (i+1)*len(run)/parts]}}
			all := part.All()
			shares = append(shares, float64(all.Over)/float64(all.Of))
		}
	}
	return shares
}

// Holds is the p-value of the hypothesis that the probability is above the limit: the claim "at
// most limit" is shown with confidence c if it is at most 1-c. It is an error if there is no
// message or the limit is not between 0 and 1.
func (s *Sample) Holds(limit float64) (float64, error) {
	all := s.All()
	p, err := all.PValue(limit)
	if err != nil {
		return 0, err
	}
	if all.Over == 0 {
		batches, err := s.Batches().PValue(limit)
		return max(p, batches), err
	}
	return max(p, s.below(limit)), nil
}

// Fails is the p-value of the opposite: that the probability is at most the limit. Errors are those
// of Holds.
func (s *Sample) Fails(limit float64) (float64, error) {
	all := s.All()
	if _, err := all.PValue(limit); err != nil || all.Over == 0 {
		return 1, err
	}
	return max(1-binomial(all.Of, all.Over-1, limit), 1-s.below(limit)), nil
}

// below is the probability that the stretches have so low a mean share or a lower one if the true
// one is the limit, 1 if there are too few of them.
func (s *Sample) below(limit float64) float64 {
	shares := s.stretches()
	if shares == nil {
		return 1
	}
	mean, sd := stat.MeanStdDev(shares, nil)
	if sd == 0 {
		if mean < limit {
			return 0
		}
		return 1
	}
	t := (mean - limit) / (sd / math.Sqrt(float64(len(shares))))
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(shares) - 1)}.CDF(t)
}

// Interval is where the probability lies, each side erring with at most (1-confidence)/2: the hull
// of the intervals of messages and of batches or stretches. Errors are those of Exceedances.
func (s *Sample) Interval(confidence float64) (Interval, error) {
	all := s.All()
	is, err := all.Interval(confidence)
	if err != nil {
		return Interval{}, err
	}
	if all.Over == 0 {
		batches, err := s.Batches().Interval(confidence)
		return Interval{0, max(is.High, batches.High)}, err
	}
	shares := s.stretches()
	if shares == nil {
		return Interval{0, 1}, nil
	}
	m, err := Replications(shares, confidence)
	return Interval{max(0, min(is.Low, m.Is.Low)), min(1, max(is.High, m.Is.High))}, err
}

// AtMost is the upper end alone, with a one-sided confidence. Errors are those of Interval.
func (s *Sample) AtMost(confidence float64) (float64, error) {
	is, err := s.Interval(2*confidence - 1)
	return is.High, err
}
