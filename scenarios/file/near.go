package file

import "strings"

// What an unknown name was probably meant to be. Nobody reads past a hundred problems, and a file
// of nothing but mistakes must not take time that is the square of its size: so suggestions stop.
const (
	maxSuggested  = 100 // problems of a file that get suggestions
	maxCandidates = 500 // names looked at for one
	maxNameBytes  = 64  // longer names are not compared
	maxListed     = 12  // names listed if none is near
	minPrefix     = 3   // bytes of a name that may be the beginning of another
)

// suggestion says what an unknown name was probably meant to be: the near names, or else all of
// them after the words of all, or else instead.
func (p *problems) suggestion(name string, known []string, all, instead string) string {
	if len(p.found) >= maxSuggested {
		return instead
	}
	if near := nearest(name, known); len(near) > 0 {
		return "did you mean " + alternatives(near) + "?"
	}
	if len(known) == 0 || len(known) > maxListed {
		return instead
	}
	return all + " " + strings.Join(known, ", ")
}

// nearest gives the known names that differ from name by case alone, or else by the least number
// of letters, at most two and fewer than half of them; or else those that begin with name.
func nearest(name string, known []string) []string {
	if len(name) > maxNameBytes {
		return nil
	}
	least := min(2, (len(name)-1)/2) + 1
	var near []string
	for _, k := range known[:min(len(known), maxCandidates)] {
		if len(k) > maxNameBytes {
			continue
		}
		d := distance(strings.ToLower(name), strings.ToLower(k))
		if d < least || d == least && len(near) > 0 {
			if d < least {
				near, least = nil, d
			}
			near = append(near, k)
		}
	}
	if len(near) == 0 && len(name) >= minPrefix {
		for _, k := range known[:min(len(known), maxCandidates)] {
			if strings.HasPrefix(k, name) {
				near = append(near, k)
			}
		}
	}
	return near
}

// alternatives joins names with commas and a last or.
func alternatives(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// distance is the number of bytes to insert, remove, replace or swap with their neighbour that
// make b of a (optimal string alignment).
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replace := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			rows[i][j] = min(replace, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
