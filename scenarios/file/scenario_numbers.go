package file

import (
	"fmt"
	"strconv"
	"strings"

	"rtsim/sim"
)

// A parameter's values as numbers, for what moves them: durations in ns, shares in parts per
// million, integers and priorities as they are. A word is no number.

// IsNumber says whether a parameter's values are numbers.
func (p *Parameter) IsNumber() bool { return p.Unit != "word" && p.OneOf == nil }

// Number reads a value of a parameter whose values are numbers. The error says what would be right,
// of the unit or of the range.
func (p *Parameter) Number(text string) (int64, error) {
	n, err := units[p.Unit].parse(text)
	if err != nil {
		return 0, err
	}
	if why := p.outside(text); why != "" {
		return 0, fmt.Errorf("%s is out of range; %s", text, why)
	}
	return n, nil
}

// Text writes a number as a value of a parameter whose values are numbers.
func (p *Parameter) Text(n int64) string {
	switch p.Unit {
	case "duration":
		if n == 0 {
			return "0us"
		}
		return sim.Time(n).String()
	case "share":
		decimals := strings.TrimRight(fmt.Sprintf("%06d", n%one), "0")
		return strings.TrimSuffix(fmt.Sprintf("%d.%s", n/one, decimals), ".")
	}
	return strconv.FormatInt(n, 10)
}
