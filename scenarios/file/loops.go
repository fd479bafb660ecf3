package file

import (
	"strings"

	"rtsim/model"
)

// maxLoops bounds how deep loops may be nested: so many counts of rounds a task of the model keeps.
const maxLoops = 8

// loops matches each repeat with its end and checks that no goto leads into a loop or out of it.
func (r *reader) loops(p *program) {
	inside := make([]int32, len(p.words)+1) // the repeat of the innermost loop, -1 outside of all
	var open []int32
	innermost := func() int32 {
		if len(open) == 0 {
			return -1
		}
		return open[len(open)-1]
	}
	for i := range p.words {
		w := &p.words[i]
		inside[i] = innermost()
		switch w.Kind {
		case model.WordRepeat, model.WordFor:
			r.oneFor(p, w, open)
			if len(open) == maxLoops {
				r.at(w.at, "%s is inside %d others; loops nest %d deep at most",
					quote(w.text), maxLoops, maxLoops)
			}
			open = append(open, int32(i))
		case model.WordEnd:
			if len(open) == 0 {
				if r.scenario != nil {
					r.at(w.at, "this end has no repeat or for; "+
						"put repeat N or for D before it, or leave it out")
				} else {
					r.at(w.at, "this end has no repeat; put repeat N before it, or leave it out")
				}
				p.opaque = true
				continue
			}
			w.Match = innermost()
			p.words[w.Match].Match = int32(i)
			open = open[:len(open)-1]
		}
	}
	for _, i := range open {
		r.at(p.words[i].at, "%s has no end; put end after its last word", quote(p.words[i].text))
		p.opaque = true
	}
	inside[len(p.words)] = -1
	if !p.opaque {
		r.gotos(p, inside)
	}
}

// gotos checks that each goto stays in its loop. A repeat is not inside its own loop: to go there
// from inside is to leave the loop and to enter it anew.
func (r *reader) gotos(p *program, inside []int32) {
	for i := range p.words {
		w := &p.words[i]
		if w.Kind != model.WordGoto || inside[i] == inside[w.Arg] {
			continue
		}
		p.opaque = true
		if to := inside[w.Arg]; to >= 0 && !within(p, int32(i), to) {
			r.at(w.at, "%s leads into the loop of word %d; go to word %d, its %s",
				quote(w.text), to, to, strings.Fields(p.words[to].text)[0])
			continue
		}
		from := inside[i]
		r.at(w.at, "%s leads out of the loop of word %d; go to a word from %d to %d, its end",
			quote(w.text), from, from+1, p.words[from].Match)
	}
}

// within says whether a word is inside the loop of a repeat.
func within(p *program, word, repeat int32) bool {
	return word > repeat && word <= p.words[repeat].Match
}
