package plots_test

import (
	"bytes"
	"fmt"

	"rtsim/plots"
)

// A tail is what a real-time engineer looks for: one call in a thousand takes 1 ms.
func ExampleCCDF() {
	drawing, err := plots.CCDF(plots.Figure{
		Title:  "orin-queue: time in the call that wakes the receiver",
		XLabel: "time in the sending call",
		Series: []plots.Series{
			{Name: "futex-plain", N: 1000, MaxNs: 1_000_000,
				Bins: []plots.Bin{{AtNs: 5_000, Count: 999}, {AtNs: 1_000_000, Count: 1}}},
			{Name: "doorbell", N: 1000, MaxNs: 3_000,
				Bins: []plots.Bin{{AtNs: 2_000, Count: 600}, {AtNs: 3_000, Count: 400}}},
		},
		Caption:      []string{"1000 sends a design, seed 1, 500 ms simulated, rtsim v0.1.0."},
		ThresholdsNs: []int64{100_000},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	svg, err := drawing.SVG()
	fmt.Println(bytes.HasPrefix(svg, []byte("<?xml")), err)
	fmt.Print(drawing.Numbers())
	// Output:
	// true <nil>
	// futex-plain N=1000 max_ns=1000000
	// 5000 1000
	// 1000000 1
	// doorbell N=1000 max_ns=3000
	// 2000 1000
	// 3000 400
}

// The figure that measuring tools draw: latency linear, counts logarithmic, bins of 1 us.
func ExampleHistogram() {
	drawing, err := plots.Histogram(plots.Figure{
		Title:  "orin-queue, futex-plain: time in the call that wakes the receiver",
		XLabel: "time in the sending call",
		Series: []plots.Series{{Name: "futex-plain", N: 1000, MaxNs: 42_700,
			Bins: []plots.Bin{{AtNs: 5_200, Count: 990}, {AtNs: 5_900, Count: 9},
				{AtNs: 42_700, Count: 1}}}},
		Caption: []string{"1000 sends, seed 1, 500 ms simulated, rtsim v0.1.0."},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	png, err := drawing.PNG()
	fmt.Printf("%q %v\n", png[1:4], err)
	fmt.Print(drawing.Numbers())
	// Output:
	// "PNG" <nil>
	// futex-plain N=1000 bin_ns=1000
	// 5000 999
	// 42000 1
}

// Compared from page to page, two designs need the same axes and the same bins: 1 us also for the
// one that alone would get finer bins.
func ExampleHistograms() {
	var figures []plots.Figure
	for _, s := range []plots.Series{
		{Name: "futex-plain", N: 1, MaxNs: 42_700, Bins: []plots.Bin{{AtNs: 42_700, Count: 1}}},
		{Name: "doorbell", N: 1, MaxNs: 2_050, Bins: []plots.Bin{{AtNs: 2_050, Count: 1}}},
	} {
		figures = append(figures, plots.Figure{Title: s.Name, Series: []plots.Series{s}})
	}
	drawings, err := plots.Histograms(figures...)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range drawings {
		fmt.Print(d.Numbers())
	}
	// Output:
	// futex-plain N=1 bin_ns=1000
	// 42000 1
	// doorbell N=1 bin_ns=1000
	// 2000 1
}
