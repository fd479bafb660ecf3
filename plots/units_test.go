package plots

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Look at: three digits and a unit; a value that rounds up to 1000 takes the next unit.
func TestTimeText(t *testing.T) {
	for ns, text := range map[int64]string{
		0: "0 ns", 7: "7 ns", 999: "999 ns", 1000: "1.00 us", 1004: "1.00 us", 1005: "1.01 us",
		9994: "9.99 us", 9995: "10.0 us", 99_949: "99.9 us", 99_950: "100 us", 100_499: "100 us",
		999_499: "999 us", 999_500: "1.00 ms", 1_003_211: "1.00 ms", 10_000_000_000: "10.0 s",
		1_234_500_000_000: "1235 s",
	} {
		require.Equal(t, text, timeText(ns), "%d ns", ns)
	}
}

// Look at: a maximum above a threshold is never shown as one at it.
func TestMaximumAboveThreshold(t *testing.T) {
	limits := []int64{50_000, 100_000}
	for ns, text := range map[int64]string{
		99_960: "max 100 us", 100_000: "max 100 us", 100_001: "max 100.001 us",
		100_400: "max 100.4 us", 100_500: "max 101 us", 50_049: "max 50.049 us",
		50_050: "max 50.1 us",
	} {
		require.Equal(t, text, maxText(ns, limits), "%d ns", ns)
	}
}

// Look at: a threshold is not rounded.
func TestExactText(t *testing.T) {
	for ns, text := range map[int64]string{
		1: "1 ns", 1500: "1500 ns", 100_000: "100 us", 100_001: "100 001 ns",
		2_000_000: "2 ms", 3_000_000_000: "3 s",
	} {
		require.Equal(t, text, exactText(ns))
	}
}

// Look at: digits in threes from five digits on.
func TestGroups(t *testing.T) {
	for n, text := range map[int64]string{
		0: "0", 1000: "1000", 10_000: "10 000", 1_200_000: "1 200 000",
	} {
		require.Equal(t, text, groups(n))
	}
}
