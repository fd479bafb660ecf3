package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Look at the property: what is written of an answer is read as the same answer, whatever signs its
// site has.
func TestAnswerIsReadAsItIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Answer{rapid.StringN(1, 20, -1).Draw(t, "site"), rapid.Uint64().Draw(t, "ordinal"),
			rapid.Int64().Draw(t, "value")}
		got, err := ParseAnswers(a.String())
		require.NoError(t, err)
		assert.Equal(t, []Answer{a}, got)
	})
}

// Look at the texts: as few as there are rows of like answers, and they are read as the same
// answers, in the same order.
func TestAnswersInARow(t *testing.T) {
	answers := []Answer{{"a", 0, 5}, {"a", 1, 5}, {"a", 2, 5}, {"a", 3, 6}, {"a", 5, 6},
		{"b", 6, 6}, {"b-1", 7, 6}, {"b-1", 8, 6}, {"b-1", 8, 6}, {"b-1", 7, 6}}
	texts := AnswerTexts(answers)
	assert.Equal(t, []string{"a#0-2=5", "a#3=6", "a#5=6", "b#6=6", "b-1#7-8=6", "b-1#8=6",
		"b-1#7=6"}, texts)
	var got []Answer
	for _, text := range texts {
		some, err := ParseAnswers(text)
		require.NoError(t, err)
		got = append(got, some...)
	}
	assert.Equal(t, answers, got)
	assert.Empty(t, AnswerTexts(nil))
}

// Look at the messages: each says what is wrong and what would be right.
func TestAnswerMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":     `"": write SITE#ORDINAL=VALUE, as in load-gap/irq-50-cpu0#3=10000`,
		"a=1":  `"a=1": write SITE#ORDINAL=VALUE, as in load-gap/irq-50-cpu0#3=10000`,
		"a#1":  `"a#1": write SITE#ORDINAL=VALUE, as in load-gap/irq-50-cpu0#3=10000`,
		"#1=2": `"#1=2": write SITE#ORDINAL=VALUE, as in load-gap/irq-50-cpu0#3=10000`,
		"a#-1=2": `"a#-1=2": the ordinal "-1" is no whole number from 0, nor two of them as in ` +
			`0-35`,
		"a#3-2=1": `"a#3-2=1": 3 comes after 2; write #2-3`,
		"a#0-1000000=1": `"a#0-1000000=1": 0-1000000 are more than 1000000 questions in a row; ` +
			`write fewer`,
		"a#1=1us": `"a#1=1us": the value "1us" is no whole number; a time is in nanoseconds, ` +
			`without a unit`,
	} {
		_, err := ParseAnswers(text)
		assert.EqualError(t, err, want)
	}
}

// Look at the second tape: a site that does not exist is never asked, and changes nothing.
func TestAnswerAll(t *testing.T) {
	tape := NewTape(7)
	site := tape.Stream("a")
	tape.AnswerAll([]Answer{{"a", 1, 5}, {"b", 0, 1}, {"a", 2, 500}})
	plain := NewTape(7)
	plain.Stream("a")
	assert.Equal(t, plain.Choose(site, 0, 100), tape.Choose(site, 0, 100))
	assert.Equal(t, int64(5), tape.Choose(site, 0, 100))
	_, outside := tape.Outside()
	assert.False(t, outside)
	assert.Equal(t, int64(100), tape.Choose(site, 0, 100), "the nearest in the range")
	q, outside := tape.Outside()
	assert.True(t, outside)
	assert.Equal(t, Question{site, 2, 0, 100, 500}, q)
}
