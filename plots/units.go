package plots

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"rtsim/sim"
)

// units are the names of times, greatest first. Only ASCII: every font and every format has it.
var units = []struct {
	ns   int64
	name string
}{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}}

// maxText is the label of a maximum. One that is above a threshold is written exactly if it would
// be rounded down to it.
func maxText(ns int64, thresholds []int64) string {
	for _, t := range thresholds {
		if ns > t && toThreeDigits(ns) <= t {
			exact := sim.Time(ns).String()
			unit := strings.IndexFunc(exact, unicode.IsLetter)
			return "max " + exact[:unit] + " " + exact[unit:]
		}
	}
	return "max " + timeText(ns)
}

// toThreeDigits is the time that timeText writes.
func toThreeDigits(ns int64) int64 {
	step := int64(1)
	for ns/step >= 1000 {
		step *= 10
	}
	return (ns + step/2) / step * step
}

// timeText writes a time with three digits, rounded to the nearest, and a unit.
func timeText(ns int64) string {
	if ns < 1000 {
		return fmt.Sprintf("%d ns", ns)
	}
	for i, u := range units {
		if ns < u.ns {
			continue
		}
		text := threeDigits(ns, u.ns)
		if text == "1000" && i > 0 {
			return "1.00 " + units[i-1].name
		}
		return text + " " + u.name
	}
	panic("a time of at least 1000 ns has a unit")
}

// threeDigits writes ns/unit with three digits, or as an integer from 1000 on.
func threeDigits(ns, unit int64) string {
	whole := ns / unit
	for _, form := range []struct {
		below, scale int64
		digits       int
	}{{10, 100, 2}, {100, 10, 1}} {
		if whole >= form.below {
			continue
		}
		step := unit / form.scale
		scaled := ns / step
		if ns%step >= step-step/2 {
			scaled++
		}
		if scaled < form.below*form.scale {
			return fmt.Sprintf("%d.%0*d", scaled/form.scale, form.digits, scaled%form.scale)
		}
	}
	if rest := ns % unit; rest >= unit-unit/2 {
		whole++
	}
	return strconv.FormatInt(whole, 10)
}

// exactText writes a time in the greatest unit in which it is whole.
func exactText(ns int64) string {
	for _, u := range units {
		if ns >= u.ns && ns%u.ns == 0 {
			return groups(ns/u.ns) + " " + u.name
		}
	}
	return "0 ns"
}

// groups writes n with a space between groups of three digits, from five digits on.
func groups(n int64) string {
	digits := strconv.FormatInt(n, 10)
	if len(digits) < 5 {
		return digits
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(d)
	}
	return b.String()
}
