package file

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"rtsim/model"
)

// program is a task's words and what is known of them.
type program struct {
	owner  string // the name of its task
	words  []word
	opaque bool // a word could not be understood: what the task does after it is not known
	vague  bool // a lock could not be: what the task does not hold is not known
	unsure bool // a queue could not be: what is not open is not known
}

// word is one word with its place.
type word struct {
	model.Word
	text string   // as in the file
	at   position // of the word itself
	bad  bool     // an operand is wrong: it has been reported, and the word changes nothing
}

// wordRule is one word of a grammar.
type wordRule struct {
	name        string
	example     string
	kind        model.WordKind
	least, most int                                                     // operands
	operands    func(r *reader, p *program, w *word, operands []string) // nil if there is none
}

// workloadWords are the words of a workload file.
var workloadWords = []wordRule{
	{"run", "run 5us", model.WordRun, 1, 1, timeOperand},
	{"lock", "lock S", model.WordLock, 1, 1, lockOperand},
	{"unlock", "unlock S", model.WordUnlock, 1, 1, lockOperand},
	{"read_lock", "read_lock W", model.WordReadLock, 1, 1, lockOperand},
	{"read_unlock", "read_unlock W", model.WordReadUnlock, 1, 1, lockOperand},
	{"write_lock", "write_lock W", model.WordWriteLock, 1, 1, lockOperand},
	{"write_unlock", "write_unlock W", model.WordWriteUnlock, 1, 1, lockOperand},
	{"sleep", "sleep 1ms", model.WordSleep, 1, 1, timeOperand},
	{"sleep_until", "sleep_until 1ms", model.WordSleepUntil, 1, 1, timeOperand},
	{"wait", "wait", model.WordWait, 0, 0, nil},
	{"wake", "wake T", model.WordWake, 1, 1, taskOperand},
	{"post", "post Q", model.WordPost, 1, 1, semaphoreOperand},
	{"take", "take Q", model.WordTake, 1, 1, semaphoreOperand},
	{"goto", "goto 0", model.WordGoto, 1, 1, targetOperand},
	{"repeat", "repeat 2", model.WordRepeat, 1, 1, countOperand},
	{"end", "end", model.WordEnd, 0, 0, nil},
	{"yield", "yield", model.WordYield, 0, 0, nil},
	{"preempt_off", "preempt_off", model.WordPreemptOff, 0, 0, nil},
	{"preempt_on", "preempt_on", model.WordPreemptOn, 0, 0, nil},
	{"irq_off", "irq_off", model.WordIRQOff, 0, 0, nil},
	{"irq_on", "irq_on", model.WordIRQOn, 0, 0, nil},
	{"bh_off", "bh_off", model.WordBHOff, 0, 0, nil},
	{"bh_on", "bh_on", model.WordBHOn, 0, 0, nil},
	{"prepare", "prepare", model.WordPrepare, 0, 0, nil},
	{"schedule", "schedule", model.WordSchedule, 0, 0, nil},
	{"set_priority", "set_priority 50 or set_priority T 50", model.WordSetPriority, 1, 2,
		priorityOperands},
}

// program reads the words of a task's program.
func (r *reader) program(owner string, v value) program {
	p := program{owner: owner}
	text, ok := r.text(v, `one text of words joined by ";", as in "run 5us; yield"`)
	if !ok {
		p.opaque = true
		return p
	}
	p.words = split(text, r.placeOf(v.Node))
	for i := range p.words {
		r.word(&p, &p.words[i])
	}
	r.loops(&p)
	return p
}

// modelWords gives the words for the model.
func (p *program) modelWords() []model.Word {
	words := make([]model.Word, len(p.words))
	for i, w := range p.words {
		words[i] = w.Word
	}
	return words
}

// split cuts a program at its semicolons. Nothing after the last semicolon is no word.
func split(text string, at *place) []word {
	words := make([]word, 0, strings.Count(text, ";")+1)
	start, end := -1, 0 // of the word that is being read, as offsets
	var next word
	finish := func() {
		if start >= 0 {
			next.text = text[start:end]
		}
		words = append(words, next)
		next, start = word{}, -1
	}
	for i, c := range text {
		pos := at.next(c)
		if start < 0 {
			next.at = pos
		}
		switch {
		case c == ';':
			finish()
		case !unicode.IsSpace(c):
			if start < 0 {
				start = i
			}
			end = i + len(string(c))
		}
	}
	if start >= 0 {
		finish()
	}
	return words
}

// word finds a word's rule and reads its operands.
func (r *reader) word(p *program, w *word) {
	text, ok := r.expand(w.text, w.at)
	if !ok {
		w.bad, p.opaque = true, true
		return
	}
	parts := strings.Fields(text)
	if len(parts) == 0 {
		w.bad, p.opaque = true, true
		r.at(w.at, `nothing stands before this ";"; write a word, or leave the ";" out`)
		return
	}
	for _, rule := range r.grammar.words {
		if rule.name != parts[0] {
			continue
		}
		w.Kind = rule.kind
		if n := len(parts) - 1; n < rule.least || n > rule.most {
			w.bad, p.opaque = true, true
			r.at(w.at, `%s has %s; write %s, and ";" between words`,
				quote(w.text), count(n, "operand"), rule.example)
		} else if rule.operands != nil {
			rule.operands(r, p, w, parts[1:])
		}
		return
	}
	w.bad, p.opaque = true, true
	for _, name := range r.grammar.foreignWords {
		if parts[0] == name {
			r.foreign = true
			r.at(w.at, "the word %s belongs to %s", name, r.grammar.foreign)
			return
		}
	}
	names := make([]string, len(r.grammar.words))
	for i, rule := range r.grammar.words {
		names[i] = rule.name
	}
	r.at(w.at, "unknown word %s; %s", quote(parts[0]), r.suggestion(parts[0], names,
		"the words are", "rtsim help "+r.grammar.topic+" lists the words"))
}

// invalid reports a wrong operand, and takes the word's effect away.
func (r *reader) invalid(w *word, format string, args ...any) {
	w.bad = true
	r.at(w.at, "%s: %s", quote(w.text), fmt.Sprintf(format, args...))
}

func timeOperand(r *reader, _ *program, w *word, operands []string) {
	t, err := parseTime(operands[0])
	if err != nil {
		r.invalid(w, "%v", err)
	}
	w.Time = t
}

// resolve gives the index of the lock, semaphore or task that an operand names.
func (r *reader) resolve(w *word, name string, kind nameKind) (int32, bool) {
	d, ok := r.names[name]
	switch {
	case !ok:
		r.invalid(w, "unknown %s %s; %s", nameKinds[kind].one, quote(name), r.unknown(name, kind))
	case d.kind != kind:
		r.invalid(w, "%s is a %s, not a %s; it is for %s", quoteUnlessName(name),
			nameKinds[d.kind].one, nameKinds[kind].one, nameKinds[d.kind].use)
		ok = false
	}
	return d.index, ok
}

func lockOperand(r *reader, p *program, w *word, operands []string) {
	index, ok := r.resolve(w, operands[0], nameLock)
	if !ok {
		p.vague = true
		return
	}
	w.Lock = index
	if r.badLocks[index] {
		w.bad = true
		return
	}
	kind := r.out.Locks[index].Kind
	forRW := w.Kind != model.WordLock && w.Kind != model.WordUnlock
	if forRW != (kind == model.RW) {
		r.invalid(w, "%s is %s; write %s", operands[0], lockKinds[kind], r.rightWord(w, kind))
	}
}

// rightWord is the word for a lock of the kind in place of w's.
func (r *reader) rightWord(w *word, kind model.LockKind) string {
	takes := w.Kind == model.WordLock || w.Kind == model.WordReadLock ||
		w.Kind == model.WordWriteLock
	name := r.out.Locks[w.Lock].Name
	switch {
	case kind == model.RW && takes:
		return "read_lock " + name + " or write_lock " + name
	case kind == model.RW:
		return "read_unlock " + name + " or write_unlock " + name
	case takes:
		return "lock " + name
	}
	return "unlock " + name
}

func taskOperand(r *reader, _ *program, w *word, operands []string) {
	w.Task, _ = r.resolve(w, operands[0], nameTask)
}

func semaphoreOperand(r *reader, _ *program, w *word, operands []string) {
	w.Lock, _ = r.resolve(w, operands[0], nameSemaphore)
}

// number reads an operand that is a whole number.
func number(text string, least, greatest int64) (int32, bool) {
	if !isNumber.MatchString(text) {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return int32(n), err == nil && n >= least && n <= greatest
}

func targetOperand(r *reader, p *program, w *word, operands []string) {
	last := int64(len(p.words))
	n, ok := number(operands[0], 0, last)
	if !ok {
		r.invalid(w, "the words are 0 to %d; write one of these, or %d to exit", last-1, last)
		p.opaque = true
	}
	w.Arg = n
}

func countOperand(r *reader, _ *program, w *word, operands []string) {
	n, ok := number(operands[0], 1, math.MaxInt32)
	if !ok {
		r.invalid(w, "write %s", wholeNumber(1, math.MaxInt32))
		n = 1
	}
	w.Arg = n
}

func priorityOperands(r *reader, _ *program, w *word, operands []string) {
	w.Task = -1
	if len(operands) == 2 {
		w.Task, _ = r.resolve(w, operands[0], nameTask)
	}
	n, ok := number(operands[len(operands)-1], 1, 99)
	if !ok {
		r.invalid(w, "a priority is 1 to 99; write set_priority 50, or set_priority T 50")
	}
	w.Arg = n
}
