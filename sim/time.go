// Package sim holds what every discrete-event simulator needs and nothing of kernels: integer
// time, the queue of timer slots, named random choices, integer sampling, the digest.
package sim

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Time is an instant or a duration in nanoseconds since the start of the run.
type Time int64

// Never is later than any instant of a run.
const Never Time = 1<<63 - 1

// Longest is the longest duration that is read, and the latest instant that a run may reach: a
// thousand hours, which no study of latencies needs. So no sum of a run overflows: not one instant
// and one duration, not a fair task's time by its weight (1024 times it, before the division), not
// an exponential time (40 times its mean).
const Longest = 1000 * 3600 * Second

// longestText is Longest as its error writes it: String writes no hours.
const longestText = "1000h"

// The units of Time.
const (
	Nanosecond  Time = 1
	Microsecond      = 1000 * Nanosecond
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond
)

// unitNames lists what ParseTime accepts, for its errors.
const unitNames = "ns us µs ms s m h"

// String writes t exactly, with one unit: the largest of s, ms, us and ns in which the number is
// at least 1 and needs at most three decimals. Minutes and hours are only read, never written:
// 60s says more than 1m beside a column of seconds, and m is easily taken for milli. A
// difference below zero gets a sign, which ParseTime refuses.
func (t Time) String() string {
	if t == Never {
		return "never"
	}
	sign, ns := "", uint64(t)
	if t < 0 {
		sign, ns = "-", -ns
	}
	for _, name := range []string{"s", "ms", "us"} {
		unit := uint64(unitOf(name))
		rest := ns % unit * 1000
		if ns < unit || rest%unit != 0 {
			continue
		}
		number := strconv.FormatUint(ns/unit, 10)
		if rest != 0 {
			number += strings.TrimRight(fmt.Sprintf(".%03d", rest/unit), "0")
		}
		return sign + number + name
	}
	return sign + strconv.FormatUint(ns, 10) + "ns"
}

// ParseTime reads a duration: one number and one unit of ns us µs ms s m h, without sign or
// space, with decimals only if the whole is a number of nanoseconds. Zero needs a unit too.
// The error quotes the text and says what would be right. ParseTime(t.String()) is t for every t
// from 0 to Longest; what is longer is an error.
func ParseTime(text string) (Time, error) {
	end := strings.IndexFunc(text, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(text)
	}
	number, unit := text[:end], unitOf(text[end:])
	if unit == 0 || number == "" {
		return 0, fmt.Errorf("duration %q %s", text, whatIsWrong(number, text[end:]))
	}
	whole, decimals, hasPoint := strings.Cut(number, ".")
	if whole == "" || hasPoint && decimals == "" || strings.Contains(decimals, ".") {
		return 0, fmt.Errorf("duration %q is no number; write digits on both sides of one point, "+
			"as in 0.5%s", text, text[end:])
	}
	high, err := strconv.ParseUint(whole, 10, 64)
	part, isWhole := partOf(strings.TrimRight(decimals, "0"), unit)
	over, ns := bits.Mul64(high, uint64(unit))
	ns, carry := bits.Add64(ns, uint64(part), 0)
	isLonger := ns > uint64(Longest) || ns == uint64(Longest) && !isWhole
	if err != nil || over+carry != 0 || isLonger {
		return 0, fmt.Errorf("duration %q is too long; the longest is %s", text, longestText)
	}
	if !isWhole {
		return 0, fmt.Errorf("duration %q is not a whole number of nanoseconds; "+
			"the nearest are %v and %v", text, Time(ns), Time(ns)+1)
	}
	return Time(ns), nil
}

// unitOf is the length of a unit, or 0 if there is none of that name. The micro sign and the
// Greek letter mu look alike, so both are read.
func unitOf(name string) Time {
	switch name {
	case "ns":
		return Nanosecond
	case "us", "\u00b5s", "\u03bcs":
		return Microsecond
	case "ms":
		return Millisecond
	case "s":
		return Second
	case "m":
		return 60 * Second
	case "h":
		return 3600 * Second
	}
	return 0
}

// whatIsWrong explains a text whose number is missing or whose rest is not a unit.
func whatIsWrong(number, rest string) string {
	bare := strings.TrimSpace(rest)
	switch {
	case number == "" && strings.HasPrefix(rest, "-"), number == "" && strings.HasPrefix(rest, "+"):
		return "has a sign; write it without, as in 10ms"
	case number == "":
		return "has no number; write one number and one unit, as in 10ms"
	case bare == "":
		return "has no unit; write one of " + unitNames + ", as in " + number + "ms"
	case unitOf(bare) != 0:
		return "has a space in it; write " + number + bare
	case strings.ContainsAny(rest, "0123456789"):
		return "is not one number with one unit; write one of each, as in 90m for 1h30m"
	}
	return fmt.Sprintf("has the unit %q, which does not exist; write one of %s", rest, unitNames)
}

// partOf is 0.decimals of unit, rounded down, and whether nothing was lost by that.
// Preconditions: decimals are digits without trailing zeros.
func partOf(decimals string, unit Time) (Time, bool) {
	// An hour is 2^13 * 5^11 * 9 ns, so a number that ends in a 14th decimal is never whole. What
	// is cut off here can only move the neighbours that the error names.
	const most = 15
	exact := len(decimals) <= most
	scaled, scale := uint64(0), uint64(1)
	for i := 0; i < min(len(decimals), most); i++ {
		scaled, scale = 10*scaled+uint64(decimals[i]-'0'), 10*scale
	}
	hi, lo := bits.Mul64(scaled, uint64(unit))
	part, rest := bits.Div64(hi, lo, scale)
	return Time(part), exact && rest == 0
}
