package file

import (
	"rtsim/model"
)

// scenarioWords are the words that only a scenario file has.
var scenarioWords = []wordRule{
	{"send", "send Q", model.WordSend, 1, 1, queueOperand},
	{"receive", "receive Q", model.WordReceive, 1, 1, queueOperand},
	{"open", "open Q", model.WordOpen, 1, 1, queueOperand},
	{"close", "close Q", model.WordClose, 1, 1, queueOperand},
	{"every", "every 500us or every 500us jitter 20us", model.WordEvery, 1, 3, everyOperands},
	{"for", "for 1s", model.WordFor, 1, 1, timeOperand},
}

func queueOperand(r *reader, p *program, w *word, operands []string) {
	index, ok := r.resolve(w, operands[0], nameQueue)
	if !ok {
		p.unsure = true
	}
	w.Lock = index
}

func everyOperands(r *reader, _ *program, w *word, operands []string) {
	if len(operands) == 2 || len(operands) == 3 && operands[1] != "jitter" {
		r.invalid(w, "write every 500us or every 500us jitter 20us")
		return
	}
	timeOperand(r, nil, w, operands)
	if w.bad {
		return
	}
	if w.Time == 0 {
		r.invalid(w, "the period is nothing; write more")
		return
	}
	if len(operands) < 3 {
		return
	}
	jitter, err := parseTime(operands[2])
	switch {
	case err != nil:
		r.invalid(w, "%v", err)
	case jitter > w.Time:
		r.invalid(w, "the jitter is %v and the period %v; write at most the period", jitter, w.Time)
	}
	w.Aux = jitter
}

// queue checks and follows a word that opens, closes or receives from a queue.
func (f *flow) queue(w *word) {
	if w.bad {
		return
	}
	name := f.out.Queues[w.Lock]
	if open := f.opened[w.Lock]; open != (w.Kind == model.WordOpen) {
		if w.Kind != model.WordReceive {
			f.opened[w.Lock] = !open
			f.opens = append(f.opens, w.Lock)
		}
		return
	}
	if w.Kind == model.WordOpen && f.unsure {
		return
	}
	if w.Kind == model.WordOpen {
		f.at(w.at, "%s, but %s has %s open here; put close %s before it, or leave this out",
			quote(w.text), f.name(), name, name)
		return
	}
	if !f.unsure {
		f.at(w.at, "%s, but %s does not have %s open here; put open %s before it",
			quote(w.text), f.name(), name, name)
	}
	f.opened[w.Lock] = true // said once
}

// queueDifferences says how what is open differs from what was open before the changes from since.
func (f *flow) queueDifferences(since int) []string {
	var differences []string
	odd := map[int32]bool{} // opened and closed in turn: an odd number makes a difference
	for _, queue := range f.opens[since:] {
		if odd[queue] = !odd[queue]; !odd[queue] {
			delete(odd, queue)
		}
	}
	if len(odd) == 0 { // as in every loop that is right, and there may be many queues
		return nil
	}
	for queue, name := range f.out.Queues {
		switch {
		case !odd[int32(queue)]:
		case f.opened[int32(queue)]:
			differences = append(differences, name+" open")
		default:
			differences = append(differences, name+" closed")
		}
	}
	return differences
}

// passes reports a loop that ends by time in which no time passes.
func (f *flow) passes(begin *word, cycle []int32) {
	if takesTime, waits := f.moves(cycle); !takesTime && !waits {
		f.at(begin.at, "%s opens a loop in which nothing takes time or waits; "+
			"put a run, sleep, every or receive into it", quote(begin.text))
	}
}

// oneFor reports a for inside of another: a task has one end of its life at a time.
func (r *reader) oneFor(p *program, w *word, open []int32) {
	if w.Kind != model.WordFor {
		return
	}
	for _, i := range open {
		if p.words[i].Kind == model.WordFor {
			r.at(w.at, "%s is inside %s of word %d; a for has no other in it", quote(w.text),
				quote(p.words[i].text), i)
			return
		}
	}
}
