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

// String writes an answer as ParseAnswer reads it: SITE#ORDINAL=VALUE.
func (a Answer) String() string { return fmt.Sprintf("%s#%d=%d", a.Site, a.Ordinal, a.Value) }

// ParseAnswer reads SITE#ORDINAL=VALUE, as in load-gap/irq-50-cpu0#3=10000. A site may contain any
// of these signs: the last ones count.
func ParseAnswer(text string) (Answer, error) {
	question, value, hasValue := cutLast(text, "=")
	site, ordinal, hasOrdinal := cutLast(question, "#")
	if !hasValue || !hasOrdinal || site == "" {
		return Answer{}, fmt.Errorf("%q: write SITE#ORDINAL=VALUE, as in "+
			"load-gap/irq-50-cpu0#3=10000", text)
	}
	n, err := strconv.ParseUint(ordinal, 10, 64)
	if err != nil {
		return Answer{}, fmt.Errorf("%q: the ordinal %q is no whole number from 0", text, ordinal)
	}
	v, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return Answer{}, fmt.Errorf("%q: the value %q is no whole number; a time is in "+
			"nanoseconds, without a unit", text, value)
	}
	return Answer{Site: site, Ordinal: n, Value: v}, nil
}

// cutLast cuts a text at the last sign.
func cutLast(text, sign string) (before, after string, found bool) {
	i := strings.LastIndex(text, sign)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sign):], true
}
