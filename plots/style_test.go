package plots

import (
	"fmt"
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

type matrix [3][3]float64

func (m matrix) times(v [3]float64) (out [3]float64) {
	for i, row := range m {
		for k := range row {
			out[i] += row[k] * v[k]
		}
	}
	return out
}

// What a person without one kind of cone sees, in linear RGB: Machado, Oliveira and Fernandes,
// "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009, severity 1.
var eyes = map[string]matrix{
	"typical": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216},
		{-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413},
		{-0.011820, 0.042940, 0.968881}},
}

// linear undoes the sRGB curve.
func linear(c color.RGBA) (out [3]float64) {
	for i, v := range []uint8{c.R, c.G, c.B} {
		if s := float64(v) / 255; s <= 0.04045 {
			out[i] = s / 12.92
		} else {
			out[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	return out
}

// lab is CIE L*a*b* for daylight (D65).
func lab(rgb [3]float64) [3]float64 {
	xyz := matrix{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722},
		{0.0193, 0.1192, 0.9505}}.times(rgb)
	f := func(v, white float64) float64 {
		if v /= white; v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return (24389.0/27*v + 16) / 116
	}
	x, y, z := f(xyz[0], 0.9505), f(xyz[1], 1), f(xyz[2], 1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func distance(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// Look at: the first seven series by colour alone, with the eyes of those who lack a cone. Ten
// units of L*a*b* are seen at a glance; two or three are just seen.
func TestColoursDifferForEveryEye(t *testing.T) {
	for name, eye := range eyes {
		for i, a := range styles[:7] {
			for k, b := range styles[:i] {
				d := distance(lab(eye.times(linear(a.color))), lab(eye.times(linear(b.color))))
				require.GreaterOrEqual(t, d, 10.0, "%s: series %d and %d", name, i, k)
			}
		}
	}
}

// Look at: all twelve without colour: no two share dashes, none a marker, and each is dark enough
// to be seen on paper (a contrast of 2 to 1 at the least).
func TestStylesDifferWithoutColour(t *testing.T) {
	dashes, markers, colors := map[string]bool{}, map[marker]bool{}, map[color.RGBA]bool{}
	for i, s := range styles {
		dashes[fmt.Sprint(s.dashes)] = true
		markers[s.marker] = true
		colors[s.color] = true
		rgb := linear(s.color)
		luminance := 0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2]
		require.GreaterOrEqual(t, 1.05/(luminance+0.05), 2.0, "series %d", i)
		require.Zero(t, len(s.dashes)%2, "dashes and gaps come in pairs")
	}
	require.Len(t, dashes, SeriesMax)
	require.Len(t, markers, SeriesMax)
	require.Len(t, colors, SeriesMax)
}
