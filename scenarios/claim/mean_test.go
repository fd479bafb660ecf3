package claim_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios/claim"
	"rtsim/sim"
)

// unit is a draw from (0, 1), never an end.
func unit(s *sim.Stream) float64 { return (float64(s.Bits()>>11) + 0.5) / (1 << 53) }

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// station is a queue with Poisson arrivals, rho of them while one unscaled service takes place.
type station struct {
	rho      float64
	servers  int
	constant bool    // services all take scale; else they are exponential with that mean
	scale    float64 // of the service time
	served   bool    // count the own service too
}

// waits are the times in the queue, or in the station, of its customers: the recursion of Kiefer
// and Wolfowitz, which for one server is Lindley's.
func waits(s station, seed uint64, customers int) []float64 {
	arrivals, services := sim.NewStream(seed, "arrivals"), sim.NewStream(seed, "services")
	work := make([]float64, s.servers) // until each server is free, ascending
	waited := make([]float64, customers)
	for i := range waited {
		service := s.scale
		if !s.constant {
			service *= -math.Log(unit(&services))
		}
		waited[i] = work[0]
		if s.served {
			waited[i] += service
		}
		work[0] += service
		gap := -math.Log(unit(&arrivals)) / s.rho
		for j := range work {
			work[j] = max(0, work[j]-gap)
		}
		slices.Sort(work)
	}
	return waited
}

func TestBatchMeansOfKnownQueues(t *testing.T) {
	// Look at the exact waits: Pollaczek-Khinchine for the first rows, Erlang C for the others.
	const customers = 400_000
	for _, row := range []struct {
		name string
		station
		wait float64
	}{
		{"M/M/1", station{0.5, 1, false, 1, false}, 1},
		{"M/D/1", station{0.5, 1, true, 1, false}, 0.5},
		{"M/D/1", station{0.8, 1, true, 1, false}, 2},
		{"M/D/1", station{0.9, 1, true, 1, false}, 4.5},
		{"M/M/2", station{1, 2, false, 1, false}, 1. / 3},
		{"M/M/2", station{1.6, 2, false, 1, false}, 1.7777778},
		{"M/M/4", station{3.2, 4, false, 1, false}, 0.7455406},
		{"M/M/5", station{4, 5, false, 1, false}, 0.5541126},
		{"M/M/10", station{8, 10, false, 1, false}, 0.2045901},
	} {
		m, err := claim.BatchMeans(waits(row.station, 1, customers), 20, 0.9999)
		require.NoError(t, err, row.name)
		assert.Less(t, m.Is.Low, row.wait, "%s at %v", row.name, row.rho)
		assert.Greater(t, m.Is.High, row.wait, "%s at %v", row.name, row.rho)
	}
}

func TestTailsOfKnownQueues(t *testing.T) {
	// Look at the tails: the time in M/M/1 is exponential with mean 1/(mu-lambda), so at rho 0.5
	// its p99.9 is 2 ln 1000 and at rho 0.8 P(over 10) is exp(-2). Only every 200th customer
	// counts, since the next ones remember him.
	const every = 200
	sample := func(rho float64, customers int) (times []float64) {
		all := waits(station{rho, 1, false, 1, true}, 3, customers)
		for i := every - 1; i < len(all); i += every {
			times = append(times, all[i])
		}
		return times
	}
	times := slices.Sorted(slices.Values(sample(0.5, 3_000_000)))
	r, err := claim.QuantileRanks(int64(len(times)), 0.999, 0.99)
	require.NoError(t, err)
	assert.LessOrEqual(t, times[r.Low-1], 13.815511)
	assert.GreaterOrEqual(t, times[r.High-1], 13.815511)
	assert.Less(t, times[r.High-1]-times[r.Low-1], 10.0, "and it says something")
	over := claim.Exceedances{}
	for _, time := range sample(0.8, 1_000_000) {
		over.Of++
		over.Over += int64(count(time > 10))
	}
	is, err := over.Interval(0.999)
	require.NoError(t, err)
	assert.Less(t, is.Low, 0.1353353)
	assert.Greater(t, is.High, 0.1353353)
}

func TestBatchMeansKnowTheirWorth(t *testing.T) {
	// Look at the variance of the mean: Var = rho(2+5rho-4rho^2+rho^3)/(1-rho)^4/n for M/M/1, many
	// times what independent waits of the same spread would have.
	const customers = 400_000
	for _, rho := range []float64{0.5, 0.8} {
		exact := rho * (2 + 5*rho - 4*rho*rho + rho*rho*rho) / math.Pow(1-rho, 4) / customers
		values := waits(station{rho, 1, false, 1, false}, 4, customers)
		m, err := claim.BatchMeans(values, 100, 0.95)
		require.NoError(t, err)
		assert.InDelta(t, rho/(1-rho), m.Mean, 4*math.Sqrt(exact))
		ratio := m.SD * m.SD / float64(m.N) / exact
		assert.Greater(t, ratio, 0.5, "rho %v", rho)
		assert.Less(t, ratio, 2.0, "rho %v", rho)
		naive, err := claim.Replications(values, 0.95)
		require.NoError(t, err)
		assert.Less(t, naive.SD*naive.SD/customers, exact/5, "single waits hide the dependence")
		assert.Greater(t, naive.Lag1, 0.5)
	}
}

func TestShortBatchesAreRefused(t *testing.T) {
	// Look at the error: 10 customers a batch at rho 0.9 remember each other.
	values := waits(station{0.9, 1, false, 1, false}, 1, 100_000)
	m, err := claim.BatchMeans(values, 10_000, 0.95)
	assert.ErrorIs(t, err, claim.ErrCorrelated)
	assert.Greater(t, m.Lag1, 0.5)
	assert.InDelta(t, mean(values), m.Mean, 1e-9, "the mean is none the worse")
	_, err = claim.BatchMeans(values, 19, 0.95)
	assert.ErrorContains(t, err, "at least 20")
	_, err = claim.BatchMeans(values[:10], 20, 0.95)
	assert.ErrorContains(t, err, "20 batches of 10 values")
	m, err = claim.BatchMeans(append([]float64{1e9}, make([]float64, 40)...), 20, 0.95)
	require.NoError(t, err)
	assert.Zero(t, m.Mean, "41 values: the first fills no batch")
}

func TestReplications(t *testing.T) {
	// Look at the half width: Student's t of 19 degrees is 2.093024, so it is 2.093024*sd/sqrt(20).
	values := make([]float64, 20)
	for i := range values {
		values[i] = float64(i % 2) // mean 1/2, sd sqrt(20*0.25/19)
	}
	m, err := claim.Replications(values, 0.95)
	require.NoError(t, err)
	half := 2.093024 * math.Sqrt(5./19) / math.Sqrt(20)
	assert.InDelta(t, 0.5-half, m.Is.Low, 1e-6)
	assert.InDelta(t, 0.5+half, m.Is.High, 1e-6)
	assert.InDelta(t, -0.95, m.Lag1, 1e-12, "19 of 20 products, each -1/4")
	assert.InDelta(t, 2*math.Sqrt(5./19), m.RelativeError(), 1e-12)
	_, err = claim.Replications(values[:1], 0.95)
	assert.ErrorContains(t, err, "no spread")
}

func TestCleanRuns(t *testing.T) {
	// Look at the two bounds: messages taken as independent show a thousandfold more than runs do.
	runs := make([]claim.Exceedances, 20)
	for i := range runs {
		runs[i].Of = 1_200_000
	}
	byMessage, err := claim.Pool(runs).AtMost(0.95)
	require.NoError(t, err)
	assert.InEpsilon(t, 1.25e-7, byMessage, 2e-3)
	byRun, err := claim.RunsOver(runs).AtMost(0.95)
	require.NoError(t, err)
	assert.InDelta(t, 1-math.Pow(0.05, 1./20), byRun, 1e-12)
	assert.InDelta(t, 1./7, byRun, 0.01)
	runs[3].Over = 12
	assert.Equal(t, claim.Exceedances{Over: 1, Of: 20}, claim.RunsOver(runs))
	assert.Equal(t, claim.Exceedances{Over: 12, Of: 24_000_000}, claim.Pool(runs))
	assert.InDelta(t, 1e-5, claim.Rates(runs)[3], 1e-18)
}

func TestEvents(t *testing.T) {
	// Look at the middle: 10, 15 and 20 hang together though 20 is far from 10.
	at := []sim.Time{10, 15, 20, 26, 40}
	assert.Equal(t, 3, claim.Events(at, 5))
	assert.Equal(t, 5, claim.Events(at, 4))
	assert.Equal(t, 1, claim.Events(at, 14))
	assert.Zero(t, claim.Events(nil, 5))
}
