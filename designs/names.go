package designs

import (
	"errors"
	"fmt"
	"strings"
)

// A variant is named DESIGN/WORD+WORD: of each of the design's choices at most one word, in the
// order of the choices. The word of the bare form may be said, and is left out of the full name.

// Choice is one thing in which a design's variants differ.
type Choice struct {
	About string // what is chosen, "walk"
	Bare  string // the word of the bare form; "" if that has none
	Words []string
}

// Refusal says why a word that other designs know, or that sounds right, names no variant; or why
// words of different choices, joined by + in the order of these, do not go together.
type Refusal struct{ Word, Why string }

// ErrUnknown is the error of a name whose design does not exist, as against a variant of it.
var ErrUnknown = errors.New("unknown design")

// Parse returns the design of a bare or full name, its words in any order. The error says why a
// variant means nothing.
func Parse(name string) (*Design, error) {
	design, words, slash := strings.Cut(name, "/")
	bare := bareForm(design)
	if bare == nil {
		return nil, fmt.Errorf("%w %q", ErrUnknown, name)
	}
	if !slash {
		return bare, nil
	}
	chosen := make([]string, len(bare.Choices))
	for word := range strings.SplitSeq(words, "+") {
		i, why := bare.choiceOf(word)
		switch {
		case why != "":
		case chosen[i] == word:
			why = fmt.Sprintf("it says %s twice", word)
		case chosen[i] != "":
			why = fmt.Sprintf("%s and %s are two of one choice, its %s; take one", chosen[i], word,
				bare.Choices[i].About)
		default:
			chosen[i] = word
		}
		if why != "" {
			return nil, fmt.Errorf("%q is no variant of %s: %s", name, design, why)
		}
	}
	full := bare.fullName(chosen)
	for _, d := range all {
		if d.Variant == full {
			return d, nil
		}
	}
	for _, r := range bare.Refused {
		if variant(design, strings.Split(r.Word, "+")...) == full {
			return nil, fmt.Errorf("%q is no variant of %s: %s", name, design, r.Why)
		}
	}
	panic("designs: " + full + " has words but is not registered")
}

// bareForm is the design of a bare name, nil if there is none.
func bareForm(name string) *Design {
	for _, d := range all {
		if d.Name == name && d.Variant == name {
			return d
		}
	}
	return nil
}

// choiceOf finds the choice that a word belongs to, or says why the word means nothing.
func (d *Design) choiceOf(word string) (choice int, why string) {
	for i, c := range d.Choices {
		if c.has(word) {
			return i, ""
		}
	}
	for _, r := range d.Refused {
		if r.Word == word {
			return 0, r.Why
		}
	}
	var known []string
	for _, c := range d.Choices {
		known = append(known, c.all()...)
	}
	if len(known) == 0 {
		return 0, "it has only its bare form"
	}
	return 0, fmt.Sprintf("%q is none of %s", word, strings.Join(known, ", "))
}

// all is every word of a choice, that of the bare form first.
func (c *Choice) all() []string {
	if c.Bare == "" {
		return c.Words
	}
	return append([]string{c.Bare}, c.Words...)
}

func (c *Choice) has(word string) bool {
	for _, w := range c.all() {
		if w == word {
			return true
		}
	}
	return false
}

// fullName is the name with these words, one for each choice, "" for that of the bare form.
func (d *Design) fullName(chosen []string) string {
	words := append([]string(nil), chosen...)
	for i := range words {
		if words[i] == d.Choices[i].Bare {
			words[i] = ""
		}
	}
	return variant(d.Name, words...)
}

// variant is the full name of a design with these words, but for those that are "".
func variant(design string, words ...string) string {
	name, sign := design, "/"
	for _, word := range words {
		if word != "" {
			name, sign = name+sign+word, "+"
		}
	}
	return name
}
