// Package export writes distributions in the formats of other tools: the percentile text of
// HdrHistogram, fio's percentile block, cyclictest's histogram, lines for benchstat, CSV.
//
// A percentile is written only where the number of values supports it: at least one value is
// expected beyond it. Values are the upper edges of the buckets that results have: exact below
// 2048 ns, at most 0.1 % high above; the maximum is exact, and comes first where a format leaves
// the order open. None of these files says all: results.json does.
package export

import (
	"fmt"
	"strings"

	"rtsim/sim"
)

// Series is one design's distribution of one metric, over all its seeds.
type Series struct {
	Design, Metric string
	Max            sim.Time // exact
	Bins           []Bin    // ascending, none empty
}

// Bin is a bucket: its upper edge, never above the maximum.
type Bin struct {
	At    sim.Time
	Count int64
}

// Count is how many values there are.
func (s *Series) Count() int64 {
	n := int64(0)
	for _, b := range s.Bins {
		n += b.Count
	}
	return n
}

// mean is the mean of the buckets' edges.
func (s *Series) mean() float64 {
	sum := 0.0
	for _, b := range s.Bins {
		sum += float64(b.At) * float64(b.Count)
	}
	return sum / float64(max(s.Count(), 1))
}

// rank is the value of a rank, 1 to Count.
func (s *Series) rank(rank int64) sim.Time {
	for _, b := range s.Bins {
		if rank -= b.Count; rank <= 0 {
			return b.At
		}
	}
	return s.Max
}

// share is a part of all values, in parts of a million.
type share int64

const million = 1_000_000

// percentile is the nearest rank, if the number of values supports it.
func (s *Series) percentile(p share) (sim.Time, bool) {
	n := s.Count()
	if n == 0 || n*int64(million-p) < million {
		return 0, false
	}
	return s.rank(max((n*int64(p)+million-1)/million, 1)), true
}

// fioShares are the percentiles of fio's default list.
var fioShares = []share{10_000, 50_000, 100_000, 200_000, 300_000, 400_000, 500_000, 600_000,
	700_000, 800_000, 900_000, 950_000, 990_000, 995_000, 999_000, 999_500, 999_900}

// Fio is fio's percentile block (stat.c, show_clat_percentiles), after the maximum.
func Fio(s *Series) string {
	var b strings.Builder
	n := s.Count()
	if n == 0 {
		return fmt.Sprintf("%s: no %s\n", s.Design, s.Metric)
	}
	fmt.Fprintf(&b, "%s: %s (nsec): max=%d, min=%d, avg=%.2f, N=%d\n", s.Design, s.Metric,
		int64(s.Max), int64(s.Bins[0].At), s.mean(), n)
	fmt.Fprintf(&b, "    %s percentiles (nsec):\n", s.Metric)
	width := len(fmt.Sprint(int64(s.Max)))
	var cells []string
	for _, p := range fioShares {
		if v, ok := s.percentile(p); ok {
			cells = append(cells, fmt.Sprintf("%2d.%02dth=[%*d]", p/10_000, p/100%100, width,
				int64(v)))
		}
	}
	const perLine = 4
	for i := 0; i < len(cells); i += perLine {
		line := strings.Join(cells[i:min(i+perLine, len(cells))], ", ")
		if i+perLine < len(cells) {
			line += ","
		}
		b.WriteString("     | " + line + "\n")
	}
	return b.String()
}

// benchShares are the percentiles of Benchstat, by the names of their units.
var benchShares = []struct {
	unit string
	p    share
}{{"p50-ns", 500_000}, {"p99-ns", 990_000}, {"p99.9-ns", 999_000}, {"p99.99-ns", 999_900}}

// Benchstat is a line of the format that benchstat reads; a line a seed lets it judge whether two
// designs differ.
func Benchstat(s *Series) string {
	n := s.Count()
	if n == 0 {
		return ""
	}
	name := strings.ToUpper(s.Metric[:1]) + s.Metric[1:]
	line := fmt.Sprintf("Benchmark%s/design=%s %d %d max-ns", name, s.Design, n, int64(s.Max))
	for _, b := range benchShares {
		if v, ok := s.percentile(b.p); ok {
			line += fmt.Sprintf(" %d %s", int64(v), b.unit)
		}
	}
	return line + "\n"
}

// CSV is one line a bucket, from the greatest value down; above counts the values in it and
// beyond.
func CSV(all []Series) string {
	var b strings.Builder
	b.WriteString("design,metric,at_ns,count,at_least\n")
	for i := range all {
		s := &all[i]
		above := int64(0)
		for k := len(s.Bins) - 1; k >= 0; k-- {
			above += s.Bins[k].Count
			fmt.Fprintf(&b, "%s,%s,%d,%d,%d\n", s.Design, s.Metric, int64(s.Bins[k].At),
				s.Bins[k].Count, above)
		}
	}
	return b.String()
}
