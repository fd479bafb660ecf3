package sim

import (
	"cmp"
	"slices"
)

// StreamID names a stream of a Tape: the site of a choice.
type StreamID int32

// Tape answers every question of a run that is not determined: when something arrives, what a
// step costs, who wins a tie. A question is known by its site and its ordinal at this site, not
// by its place in the run, so that an answer can be replaced and all others stay: a replay, a
// property test and its shrinking, an adversary and a search are all runs with other answers.
//
// The drawn answers are those of the Stream of the site's name.
type Tape struct {
	seed    uint64
	names   []string // by StreamID; only ever appended to, so copies share it
	streams []Stream // by StreamID
	answers []answer // sorted by site, then ordinal; no two alike
	asked   []Question
	listens bool     // asked grows
	open    bool     // there are answers, or it listens
	outside Question // the first whose answer was set outside its range, with that answer
	refused bool     // there is one
}

// Question is one that was asked, and what was answered.
type Question struct {
	Site            StreamID
	Ordinal         uint64
	Least, Greatest int64 // the range of legal answers
	Value           int64
}

// answer replaces what the stream would have said.
type answer struct {
	site    StreamID
	ordinal uint64
	value   int64
}

// NewTape returns the tape of a seed, without streams.
func NewTape(seed uint64) Tape { return Tape{seed: seed} }

// Stream registers a stream, while a machine is built; the same name again gives the same id.
func (t *Tape) Stream(name string) StreamID {
	if id := slices.Index(t.names, name); id >= 0 {
		return StreamID(id)
	}
	t.names = append(t.names, name)
	t.streams = append(t.streams, NewStream(t.seed, name))
	return StreamID(len(t.names) - 1)
}

// Has says whether a stream of that name was registered.
func (t *Tape) Has(name string) bool { return slices.Contains(t.names, name) }

// Len is the number of streams; their ids are 0 to Len-1, in order of registration.
func (t *Tape) Len() int { return len(t.names) }

// Name is what a stream was registered as.
func (t *Tape) Name(site StreamID) string { return t.names[site] }

// Ordinal is the ordinal of the site's next question, from 0.
func (t *Tape) Ordinal(site StreamID) uint64 { return t.streams[site].n }

// Choose answers the site's next question with an integer from least to greatest, both included.
// Preconditions: least <= greatest.
func (t *Tape) Choose(site StreamID, least, greatest int64) int64 {
	if least > greatest {
		refuseChoice(least, greatest)
	}
	drawn := scale(t.streams[site].Bits(), least, greatest)
	if !t.open {
		return drawn
	}
	return t.answered(site, drawn, least, greatest)
}

// answered is the answer to the question that a site has just been asked: the one that was set, or
// else the drawn one.
func (t *Tape) answered(site StreamID, drawn, least, greatest int64) int64 {
	ordinal := t.streams[site].n - 1
	if i, found := t.find(site, ordinal); found {
		set := t.answers[i].value
		drawn = min(max(set, least), greatest)
		if set != drawn && !t.refused {
			t.outside, t.refused = Question{site, ordinal, least, greatest, set}, true
		}
	}
	if t.listens {
		t.asked = append(t.asked, Question{site, ordinal, least, greatest, drawn})
	}
	return drawn
}

// Listen has Asked return the questions from now on.
func (t *Tape) Listen() { t.listens, t.open = true, true }

// Asked are the questions since Listen, in the order in which they were asked; valid until the next
// one is asked.
func (t *Tape) Asked() []Question { return t.asked }

// Outside is the first question so far that was set an answer outside its range, if any: Value is
// what was set, not the nearest that it got.
func (t *Tape) Outside() (Question, bool) { return t.outside, t.refused }

// Sample answers the site's next question with a time drawn from d.
// Preconditions: d is valid.
func (t *Tape) Sample(site StreamID, d *Dist) Time {
	s := &t.streams[site]
	draw := s.Bits()
	if !t.open {
		return d.At(draw)
	}
	least, greatest := d.Range()
	return Time(t.answered(site, int64(d.At(draw)), int64(least), int64(greatest)))
}

// Answer replaces the answer to one question: value, or the nearest to it in the range that the
// question then allows. A second answer to the same question replaces the first. An answer to a
// question that was already asked has no effect, and one that is never asked none either.
func (t *Tape) Answer(site StreamID, ordinal uint64, value int64) {
	_ = t.streams[site] // a site that does not exist is a mistake of the caller
	i, found := t.find(site, ordinal)
	if !found {
		t.answers = slices.Insert(t.answers, i, answer{site: site, ordinal: ordinal})
		t.open = true
	}
	t.answers[i].value = value
}

// AnswerAll sets answers by the names of their sites. One to a site that does not exist is never
// asked for.
func (t *Tape) AnswerAll(answers []Answer) {
	for _, a := range answers {
		if id := slices.Index(t.names, a.Site); id >= 0 {
			t.Answer(StreamID(id), a.Ordinal, a.Value)
		}
	}
}

// find is where the answer to a question is, or belongs.
func (t *Tape) find(site StreamID, ordinal uint64) (int, bool) {
	return slices.BinarySearchFunc(t.answers, answer{site: site, ordinal: ordinal},
		func(a, b answer) int {
			if a.site != b.site {
				return cmp.Compare(a.site, b.site)
			}
			return cmp.Compare(a.ordinal, b.ordinal)
		})
}

// Reseed has all questions from now on drawn as the tape of that seed would: each site goes on at
// its ordinal. Set answers stay. A clone that is to go another way than its parent needs it.
func (t *Tape) Reseed(seed uint64) {
	t.seed = seed
	for i, name := range t.names {
		t.streams[i].key = hash64(seed, name)
	}
}

// CopyFrom makes t equal to src, in t's memory if that is large enough; what either is asked or
// told from then on does not reach the other.
func (t *Tape) CopyFrom(src *Tape) {
	t.seed = src.seed
	t.names = src.names[:len(src.names):len(src.names)] // full: the next append moves away
	t.streams = append(t.streams[:0], src.streams...)
	t.answers = append(t.answers[:0], src.answers...)
	t.asked = append(t.asked[:0], src.asked...)
	t.listens, t.open = src.listens, src.open
	t.outside, t.refused = src.outside, src.refused
}
