package plots

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// logTicks marks a logarithmic axis at 1, 2 and 5 of each decade when so many labels fit, else at
// decades, else at every second, third... decade. A range of a factor 5 always gets two labels.
type logTicks struct {
	labelsMax int
	label     func(mantissa, exponent int) string // names mantissa * 10^exponent
	low, high float64                             // no tick outside, whatever the axis shows
}

var _ plot.Ticker = logTicks{}

// Ticks returns the ticks in [low, high], ascending; those without a label are minor.
func (t logTicks) Ticks(low, high float64) []plot.Tick {
	low, high = math.Max(low, t.low), math.Min(high, t.high)
	if !(low > 0 && low <= high) {
		return nil
	}
	fine := t.marks(low, high, 1, 1, 2, 5)
	if len(fine) <= t.labelsMax {
		return t.minor(fine, low, high, 1)
	}
	for every := 1; ; every++ {
		if marks := t.marks(low, high, every, 1); len(marks) <= t.labelsMax {
			return t.minor(marks, low, high, every)
		}
	}
}

// marks returns labelled ticks at the mantissas in every so-many-th decade.
func (t logTicks) marks(low, high float64, every int, mantissas ...int) []plot.Tick {
	var ticks []plot.Tick
	first := int(math.Floor(math.Log10(low)))
	last := int(math.Ceil(math.Log10(high)))
	for e := first; e <= last; e++ {
		if ((e%every)+every)%every != 0 {
			continue
		}
		for _, m := range mantissas {
			v := power(m, e)
			if v >= low && v <= high {
				ticks = append(ticks, plot.Tick{Value: v, Label: t.label(m, e)})
			}
		}
	}
	return ticks
}

// minor adds the unlabelled ticks: within the decades if each is labelled, else the decades.
func (t logTicks) minor(major []plot.Tick, low, high float64, every int) []plot.Tick {
	steps := []int{1, 2, 3, 4, 5, 6, 7, 8, 9}
	if every > 1 {
		steps = []int{1}
	}
	all := t.marks(low, high, 1, steps...)
	k := 0
	for i := range all {
		if k < len(major) && all[i].Value == major[k].Value {
			k++
			continue
		}
		all[i].Label = ""
	}
	return all
}

// power returns mantissa * 10^exponent, as close as a float64 comes.
func power(mantissa, exponent int) float64 {
	if exponent < 0 {
		return float64(mantissa) / math.Pow10(-exponent)
	}
	return float64(mantissa) * math.Pow10(exponent)
}

// timeLabel names mantissa * 10^exponent ns: 1 ns, 20 us, 500 ms, 1 s.
func timeLabel(mantissa, exponent int) string {
	if exponent < 0 {
		return ""
	}
	names := []string{"ns", "us", "ms", "s"}
	unit := min(exponent/3, len(names)-1)
	exponent -= 3 * unit
	if exponent > 3 {
		return fmt.Sprintf("%de%d s", mantissa, exponent)
	}
	return fmt.Sprintf("%d %s", mantissa*int(math.Pow10(exponent)), names[unit])
}

// fractionLabel names mantissa * 10^exponent below or at 1: 1, 0.5, 0.1, 1e-2. A plain minus: the
// fonts have no superscript one and would leave it out without a word.
func fractionLabel(mantissa, exponent int) string {
	switch exponent {
	case 0:
		return strconv.Itoa(mantissa)
	case -1:
		return fmt.Sprintf("0.%d", mantissa)
	}
	return fmt.Sprintf("%de%d", mantissa, exponent)
}

// countLabel names mantissa * 10^exponent, at or above 1: 1, 20, 500, 1000, 1e4.
func countLabel(mantissa, exponent int) string {
	switch {
	case exponent < 0:
		return ""
	case exponent <= 3:
		return strconv.Itoa(mantissa * int(math.Pow10(exponent)))
	}
	return fmt.Sprintf("%de%d", mantissa, exponent)
}

// microTicks marks a linear axis in ns with labels in us, at multiples of a 1-2-5 step.
type microTicks struct{ labelsMax int }

var _ plot.Ticker = microTicks{}

// Ticks returns the ticks in [low, high] for 0 <= low < high, all of them labelled.
func (t microTicks) Ticks(low, high float64) []plot.Tick {
	for e := 0; ; e++ {
		for _, m := range []int{1, 2, 5} {
			step := power(m, e)
			if (high-low)/step >= float64(t.labelsMax) {
				continue
			}
			var ticks []plot.Tick
			for k := math.Ceil(low / step); k*step <= high; k++ {
				ticks = append(ticks, plot.Tick{Value: k * step, Label: microLabel(k * step)})
			}
			return ticks
		}
	}
}

// microLabel writes a whole number of ns in us.
func microLabel(ns float64) string {
	us := int64(ns / 1000)
	if rest := int64(math.Mod(ns, 1000)); rest != 0 {
		return strconv.FormatFloat(float64(us)+float64(rest)/1000, 'f', -1, 64)
	}
	return groups(us)
}
