package scenarios

import (
	"errors"
	"fmt"
	"sort"

	"rtsim/designs"
)

// Near returns the names that a mistyped one may have meant, nearest first, at most three.
func Near(name string, known []string) []string {
	type scored struct {
		name string
		d    int
	}
	var all []scored
	for _, k := range known {
		if d := distance(name, k); d <= max(len(name), len(k))/2 {
			all = append(all, scored{k, d})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].d < all[j].d })
	var out []string
	for i := 0; i < len(all) && i < 3; i++ {
		out = append(out, all[i].name)
	}
	return out
}

// distance is the number of single letters to change, insert or drop.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		left := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := left
			if a[i-1] != b[j-1] {
				cost++
			}
			left = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// longestName bounds the names of designs that near ones are looked for, in bytes.
const longestName = 64

// WrongDesign says what is wrong with the name of a design in a file, "" if nothing is.
func WrongDesign(name string) string {
	if len(name) > longestName {
		return "no design has so long a name; rtsim list lists the designs"
	}
	_, err := designs.Parse(name)
	switch {
	case err == nil:
		return ""
	case errors.Is(err, designs.ErrUnknown):
		return fmt.Sprintf("unknown design %q%s", name,
			meant(name, designs.Names(), "rtsim list lists the designs"))
	}
	return err.Error()
}
