package plots

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// style tells one series from the others by colour, by dashes and by marker, each enough alone.
type style struct {
	color  color.RGBA
	dashes []vg.Length
	marker marker
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

// styles are given to the series in order. The first seven colours are Okabe and Ito's without
// yellow, which white paper swallows; the rest are from Tol's muted set, and grey.
var styles = [SeriesMax]style{
	{rgb(0x0072B2), nil, circle},
	{rgb(0xD55E00), []vg.Length{7, 2.5}, square},
	{rgb(0x000000), []vg.Length{2, 1.6}, triangle},
	{rgb(0x009E73), []vg.Length{9, 2, 2, 2}, diamond},
	{rgb(0xCC79A7), []vg.Length{4, 2}, triangleDown},
	{rgb(0xE69F00), []vg.Length{9, 2, 2, 2, 2, 2}, plus},
	{rgb(0x56B4E9), []vg.Length{14, 3}, cross},
	{rgb(0x882255), []vg.Length{14, 2, 4, 2}, ring},
	{rgb(0x332288), []vg.Length{5, 5}, openSquare},
	{rgb(0x999933), []vg.Length{5, 1.6, 1.6, 1.6}, openTriangle},
	{rgb(0x44AA99), []vg.Length{1.6, 3.4}, openDiamond},
	{rgb(0x7F7F7F), []vg.Length{12, 2, 2, 2, 6, 2}, star},
}

// The colours of everything but the data.
var (
	paper     = rgb(0xFFFFFF)
	ink       = rgb(0x222222)
	faintInk  = rgb(0x555555)
	axisInk   = rgb(0x444444)
	gridMajor = rgb(0xDADADA)
	gridMinor = rgb(0xEFEFEF)
	limitInk  = rgb(0xB00020)
)

// The measures of a figure, in points. Half the size is still readable: 5 pt at the least.
const (
	pageWidth   = vg.Length(720)
	pageMargin  = vg.Length(14)
	titleSize   = vg.Length(15)
	axisSize    = vg.Length(12.5)
	tickSize    = vg.Length(12)
	nameSize    = vg.Length(12)
	tagSize     = vg.Length(11)
	captionSize = vg.Length(10.5)

	curveWidth   = vg.Length(1.6)
	hairWidth    = vg.Length(0.6)
	markerRadius = vg.Length(3.2)

	// dotsPerInch is the resolution of PNG files; pixel is one of its columns.
	dotsPerInch = 192
	pixel       = vg.Length(72.0 / dotsPerInch)
)
