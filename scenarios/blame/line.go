package blame

import (
	"slices"

	"rtsim/sim"
)

// line is something that changes over time: values, each of which holds from its instant until
// the next one's. Of several changes in one instant the last one holds.
type line[T any] struct {
	from   []sim.Time // ascending
	values []T        // as many; never empty
}

func newLine[T any](first T) line[T] {
	return line[T]{from: []sim.Time{0}, values: []T{first}}
}

// last is the value now, to be changed by set.
func (l *line[T]) last() T { return l.values[len(l.values)-1] }

// set says what holds from an instant on, which is not before the last change.
func (l *line[T]) set(at sim.Time, v T) {
	if n := len(l.from) - 1; l.from[n] == at {
		l.values[n] = v
		return
	}
	l.from, l.values = append(l.from, at), append(l.values, v)
}

// now is the value from an instant on, to be changed there.
func (l *line[T]) now(at sim.Time) *T {
	l.set(at, l.last())
	return &l.values[len(l.values)-1]
}

// at is what holds at an instant that is not forgotten; until is moved down to its end.
func (l *line[T]) at(t sim.Time, until *sim.Time) T {
	i := l.index(t)
	if i+1 < len(l.from) {
		*until = min(*until, l.from[i+1])
	}
	return l.values[i]
}

// index is the place of the value that holds at an instant.
func (l *line[T]) index(t sim.Time) int {
	i, found := slices.BinarySearch(l.from, t)
	if found {
		return i
	}
	return max(i-1, 0)
}

// forget drops what ended before an instant. It moves what is left only when that is less than
// what is dropped, so that a value is moved once on average.
func (l *line[T]) forget(before sim.Time) {
	i := l.index(before)
	if 2*i < len(l.from) {
		return
	}
	l.from = append(l.from[:0], l.from[i:]...)
	l.values = append(l.values[:0], l.values[i:]...)
}
