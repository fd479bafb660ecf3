package sim

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestTimeString(t *testing.T) {
	// Look at 1.234567ms: six decimals are too many, so it is written in us.
	for _, c := range []struct {
		ns   Time
		want string
	}{
		{0, "0ns"}, {1, "1ns"}, {999, "999ns"}, {1000, "1us"}, {1001, "1.001us"}, {1500, "1.5us"},
		{500_000, "500us"}, {1_234_567, "1234.567us"}, {10_000_000, "10ms"},
		{999_999_999, "999999.999us"}, {1_050_000_000, "1.05s"}, {60_000_000_000, "60s"},
		{-1500, "-1.5us"}, {-1 << 63, "-9223372036854775.808us"},
		{Never - 1, "9223372036854775.806us"}, {Never, "never"},
	} {
		assert.Equal(t, c.want, c.ns.String())
	}
}

func TestParseTime(t *testing.T) {
	// Look at the two micro signs, U+00B5 and U+03BC, and at the longest decimals.
	for _, c := range []struct {
		text string
		want Time
	}{
		{"0ns", 0}, {"0h", 0}, {"7ns", 7}, {"1us", 1000}, {"1\u00b5s", 1000}, {"1\u03bcs", 1000},
		{"1.5us", 1500}, {"0.000001ms", 1}, {"1.500000000000000000000us", 1500}, {"10ms", 1e7},
		{"2s", 2e9}, {"10m", 600e9}, {"1.5h", 5400e9}, {"0.00000000025h", 900},
		{"0.0000000000000ns", 0}, {"007us", 7000}, {"1000h", Longest},
		{"3600000000000000ns", Longest}, {"3599999999999.999us", Longest - 1},
	} {
		got, err := ParseTime(c.text)
		require.NoError(t, err)
		assert.Equal(t, c.want, got, c.text)
	}
}

func TestParseTimeErrors(t *testing.T) {
	// Look at the end of each message: it says what would be right.
	for _, c := range []struct{ text, want string }{
		{"", `duration "" has no number; write one number and one unit, as in 10ms`},
		{"ms", `duration "ms" has no number; write one number and one unit, as in 10ms`},
		{"0", `duration "0" has no unit; write one of ns us µs ms s m h, as in 0ms`},
		{"10", `duration "10" has no unit; write one of ns us µs ms s m h, as in 10ms`},
		{"-1ms", `duration "-1ms" has a sign; write it without, as in 10ms`},
		{"+1ms", `duration "+1ms" has a sign; write it without, as in 10ms`},
		{"10 ms", `duration "10 ms" has a space in it; write 10ms`},
		{"1h30m", `duration "1h30m" is not one number with one unit; ` +
			`write one of each, as in 90m for 1h30m`},
		{"1e3ms", `duration "1e3ms" is not one number with one unit; ` +
			`write one of each, as in 90m for 1h30m`},
		{"5sec", `duration "5sec" has the unit "sec", which does not exist; ` +
			`write one of ns us µs ms s m h`},
		{"5MS", `duration "5MS" has the unit "MS", which does not exist; ` +
			`write one of ns us µs ms s m h`},
		{".5ms", `duration ".5ms" is no number; write digits on both sides of one point, ` +
			`as in 0.5ms`},
		{"1.ms", `duration "1.ms" is no number; write digits on both sides of one point, ` +
			`as in 0.5ms`},
		{"1.2.3s", `duration "1.2.3s" is no number; write digits on both sides of one point, ` +
			`as in 0.5s`},
		{"1.5ns", `duration "1.5ns" is not a whole number of nanoseconds; ` +
			`the nearest are 1ns and 2ns`},
		{"0.0005us", `duration "0.0005us" is not a whole number of nanoseconds; ` +
			`the nearest are 0ns and 1ns`},
		{"0.0000000000000000001h", `duration "0.0000000000000000001h" ` +
			`is not a whole number of nanoseconds; the nearest are 0ns and 1ns`},
		{"1001h", `duration "1001h" is too long; the longest is 1000h`},
		{"3600000000000001ns", `duration "3600000000000001ns" is too long; the longest is 1000h`},
		{"3600000000000000.5ns", `duration "3600000000000000.5ns" is too long; ` +
			`the longest is 1000h`},
		{"9223372036854775807ns", `duration "9223372036854775807ns" is too long; ` +
			`the longest is 1000h`},
		{"99999999999999999999s", `duration "99999999999999999999s" is too long; ` +
			`the longest is 1000h`},
		{"18446744073.709551616s", `duration "18446744073.709551616s" is too long; ` + // 2^64 ns
			`the longest is 1000h`},
		{"5124095576030431h", `duration "5124095576030431h" is too long; ` +
			`the longest is 1000h`},
		{"never", `duration "never" has no number; write one number and one unit, as in 10ms`},
	} {
		_, err := ParseTime(c.text)
		assert.EqualError(t, err, c.want)
	}
}

func TestTimeRoundTrip(t *testing.T) {
	// Look at the range: every time from 0 to Longest reads back as itself.
	rapid.Check(t, func(t *rapid.T) {
		want := Time(rapid.Int64Range(0, int64(Longest)).Draw(t, "t"))
		if rapid.Bool().Draw(t, "round") {
			unit := Time(rapid.SampledFrom([]int64{1e3, 1e5, 1e6, 1e9}).Draw(t, "unit"))
			want -= want % unit
		}
		got, err := ParseTime(want.String())
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

func TestParseTimeAgainstFractions(t *testing.T) {
	// Look at the oracle: exact fractions decide what is whole, and what is too long.
	units := map[string]int64{"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "m": 60e9, "h": 3600e9}
	rapid.Check(t, func(t *rapid.T) {
		digits := `[0-9]{1,20}(\.[0-9]{1,12}[05]{0,6}0{0,9})?`
		number := rapid.StringMatching(digits).Draw(t, "number")
		unit := rapid.SampledFrom([]string{"ns", "us", "ms", "s", "m", "h"}).Draw(t, "unit")
		exact, ok := new(big.Rat).SetString(number)
		require.True(t, ok)
		exact.Mul(exact, new(big.Rat).SetInt64(units[unit]))
		legal := exact.IsInt() && exact.Cmp(new(big.Rat).SetInt64(int64(Longest))) <= 0
		got, err := ParseTime(number + unit)
		require.Equal(t, legal, err == nil, "%v", err)
		if legal {
			require.Equal(t, exact.Num().Int64(), int64(got))
		}
	})
}

func FuzzParseTime(f *testing.F) {
	// Look at the property: what is read is written in digits, a point and a known unit.
	for _, seed := range []string{"10ms", "1.5us", "0ns", "-1s", "1h30m", "9223372036854775807ns"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseTime(text)
		if err != nil {
			assert.Contains(t, err.Error(), fmt.Sprintf("%q", text))
			return
		}
		assert.NotZero(t, unitOf(strings.TrimLeft(text, "0123456789.")))
		assert.True(t, got >= 0 && got <= Longest)
	})
}
