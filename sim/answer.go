package sim

import (
	"fmt"
	"strconv"
	"strings"
)

// Answer replaces the answer to one question of a run (see Tape): what a search changes, a witness
// consists of, and a command line repeats.
type Answer struct {
	Site    string // the name of the question's stream
	Ordinal uint64 // of the question at its site, from 0
	Value   int64  // what is answered; the question's range bounds it. A time is in nanoseconds
}

// String writes an answer as ParseAnswers reads it: SITE#ORDINAL=VALUE.
func (a Answer) String() string { return fmt.Sprintf("%s#%d=%d", a.Site, a.Ordinal, a.Value) }

// AnswerTexts writes answers as ParseAnswers reads them. Questions of one site in a row that are
// answered alike are one text: SITE#FIRST-LAST=VALUE.
func AnswerTexts(answers []Answer) (texts []string) {
	for len(answers) > 0 {
		a, n := answers[0], 1
		for n < len(answers) && answers[n] == (Answer{a.Site, a.Ordinal + uint64(n), a.Value}) {
			n++
		}
		text := a.String()
		if n > 1 {
			text = fmt.Sprintf("%s#%d-%d=%d", a.Site, a.Ordinal, answers[n-1].Ordinal, a.Value)
		}
		texts, answers = append(texts, text), answers[n:]
	}
	return texts
}

// answersMost is how many answers one text may stand for.
const answersMost = 1_000_000

// ParseAnswers reads SITE#ORDINAL=VALUE, as in load-gap/irq-50-cpu0#3=10000, or the answers to some
// questions in a row, as in load-gap/irq-50-cpu0#0-35=10000. A site may contain any of these signs:
// the last ones count.
func ParseAnswers(text string) ([]Answer, error) {
	question, value, hasValue := cutLast(text, "=")
	site, ordinal, hasOrdinal := cutLast(question, "#")
	if !hasValue || !hasOrdinal || site == "" {
		return nil, fmt.Errorf("%q: write SITE#ORDINAL=VALUE, as in "+
			"load-gap/irq-50-cpu0#3=10000", text)
	}
	from, to, isRange := strings.Cut(ordinal, "-")
	if !isRange {
		to = from
	}
	first, err := strconv.ParseUint(from, 10, 64)
	last, wrong := strconv.ParseUint(to, 10, 64)
	if err != nil || wrong != nil {
		return nil, fmt.Errorf("%q: the ordinal %q is no whole number from 0, nor two of them as "+
			"in 0-35", text, ordinal)
	}
	switch {
	case last < first:
		return nil, fmt.Errorf("%q: %d comes after %d; write #%d-%d", text, first, last, last,
			first)
	case last-first >= answersMost:
		return nil, fmt.Errorf("%q: %s are more than %d questions in a row; write fewer", text,
			ordinal, answersMost)
	}
	v, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%q: the value %q is no whole number; a time is in nanoseconds, "+
			"without a unit", text, value)
	}
	answers := make([]Answer, last-first+1)
	for i := range answers {
		answers[i] = Answer{Site: site, Ordinal: first + uint64(i), Value: v}
	}
	return answers, nil
}

// cutLast cuts a text at the last sign.
func cutLast(text, sign string) (before, after string, found bool) {
	i := strings.LastIndex(text, sign)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sign):], true
}
