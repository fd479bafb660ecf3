package model

import "fmt"

// Check walks a listing over all its branches and returns, for each line, the locks that are held
// when it begins, in the order they were taken. It is an error if two ways to a line hold
// different locks, a lock is released that is not held or held at the end, a sleeping lock is
// taken or the path sleeps under a raw lock or with interrupts off.
func (c Code) Check() (held [][]Ref, err error) {
	w := walker{code: c, held: make([][]Ref, len(c)+1), seen: make([]bool, len(c)+1)}
	w.reach(0, nil)
	for len(w.todo) > 0 && w.err == nil {
		i := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		w.line(i)
	}
	if w.err == nil && len(w.held[len(c)]) > 0 {
		w.err = fmt.Errorf("ends holding %v", w.held[len(c)])
	}
	return w.held[:len(c)], w.err
}

// Check checks every listing; the error names the path and the step.
func (p *Paths) Check() error {
	for _, path := range []struct {
		name string
		code Code
	}{{"send", p.Send}, {"receive", p.Receive}, {"open", p.Open}, {"close", p.Close},
		{"reclaim", p.Reclaim}} {
		if _, err := path.code.Check(); err != nil {
			return fmt.Errorf("%s, %w", path.name, err)
		}
	}
	return nil
}

type walker struct {
	code Code
	held [][]Ref
	seen []bool
	todo []int
	err  error
}

// refIRQ and refPreempt stand for interrupts and for preemption off among the held locks.
const (
	refIRQ     Ref = 255
	refPreempt Ref = 254
)

// refOff is the one that an OpOff or OpOn is about.
func refOff(kind int32) Ref {
	if offKind(kind) == offPreempt {
		return refPreempt
	}
	return refIRQ
}

// reach says that a line can be begun with these locks.
func (w *walker) reach(i int, held []Ref) {
	if w.seen[i] {
		if fmt.Sprint(w.held[i]) != fmt.Sprint(held) {
			w.fail(i, "is reached with different locks held: %v and %v", w.held[i], held)
		}
		return
	}
	w.seen[i] = true
	w.held[i] = append([]Ref(nil), held...)
	if i < len(w.code) {
		w.todo = append(w.todo, i)
	}
}

func (w *walker) fail(i int, format string, args ...any) {
	if w.err == nil {
		note := "the end"
		if i < len(w.code) {
			note = w.code[i].Note
		}
		w.err = fmt.Errorf("line %d, %s: %s", i+1, note, fmt.Sprintf(format, args...))
	}
}

// line follows one step.
func (w *walker) line(i int) {
	l := &w.code[i]
	held := w.held[i]
	switch l.Op {
	case OpLock:
		if l.Ref.Sleeps() && atomic(held) {
			w.fail(i, "takes %v, which may sleep, holding %v", l.Ref, held)
		}
		held = append(append([]Ref(nil), held...), l.Ref)
	case OpUnlock:
		held = w.without(i, held, l.Ref)
	case OpOff:
		held = append(append([]Ref(nil), held...), refOff(l.Arg))
	case OpOn:
		held = w.without(i, held, refOff(l.Arg))
	case OpSchedule:
		if len(held) > 0 {
			w.fail(i, "sleeps holding %v", held)
		}
	case OpJump:
		w.reach(i+int(l.Target), held)
		return
	case OpDo:
		if l.Target != 0 {
			w.reach(i+int(l.Target), held)
		}
	case OpTry:
		w.reach(i+int(l.Target), held)
		held = append(append([]Ref(nil), held...), l.Ref)
	}
	w.reach(i+1, held)
}

// atomic says whether preemption is off with these locks held.
func atomic(held []Ref) bool {
	for _, r := range held {
		if r == refIRQ || r == refPreempt || r.raw() {
			return true
		}
	}
	return false
}

// without takes a lock out of the held ones.
func (w *walker) without(i int, held []Ref, r Ref) []Ref {
	for k := len(held) - 1; k >= 0; k-- {
		if held[k] == r {
			return append(append([]Ref(nil), held[:k]...), held[k+1:]...)
		}
	}
	w.fail(i, "releases %v, which it does not hold", r)
	return held
}
