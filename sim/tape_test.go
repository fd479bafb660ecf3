package sim

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// goldenLines returns the fields of each line of testdata/golden.txt that begins with a word. The
// values were computed by testdata/golden.py from the written definitions.
func goldenLines(t *testing.T, word string) (lines [][]string) {
	text, err := os.ReadFile("testdata/golden.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); f[0] == word {
			lines = append(lines, f[1:])
		}
	}
	require.NotEmpty(t, lines)
	return lines
}

func hex(t *testing.T, text string) uint64 {
	n, err := strconv.ParseUint(text, 16, 64)
	require.NoError(t, err)
	return n
}

func TestStreamGolden(t *testing.T) {
	// Look at testdata/golden.py: it computes the values from the comment, not from the code.
	for _, f := range goldenLines(t, "mix") {
		assert.Equal(t, hex(t, f[2]), mix64(hex(t, f[0]), hex(t, f[1])))
	}
	for _, f := range goldenLines(t, "draws") {
		s := NewStream(hex(t, f[0]), f[1])
		for n, want := range f[2:] {
			assert.Equal(t, uint64(n), s.Ordinal())
			assert.Equal(t, hex(t, want), s.Bits(), f[1])
		}
	}
	for _, f := range goldenLines(t, "between") {
		s := NewStream(hex(t, f[0]), f[1])
		least, err := strconv.ParseInt(f[2], 10, 64)
		require.NoError(t, err)
		greatest, err := strconv.ParseInt(f[3], 10, 64)
		require.NoError(t, err)
		for _, want := range f[4:] {
			assert.Equal(t, want, strconv.FormatInt(s.Between(least, greatest), 10))
		}
	}
}

func TestBetweenStaysInside(t *testing.T) {
	// Look at the ranges: any two int64, so also those whose width overflows one.
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b")
		least, greatest := min(a, b), max(a, b)
		s := NewStream(rapid.Uint64().Draw(t, "seed"), "x")
		got := s.Between(least, greatest)
		require.True(t, least <= got && got <= greatest)
		require.Equal(t, uint64(1), s.Ordinal())
	})
	assert.PanicsWithValue(t, "sim: choice between 3 and 2", func() { new(Stream).Between(3, 2) })
}

// chiSquare is the statistic of counts that should be equal, times 1000.
func chiSquare(counts []int64) int64 {
	total, sum := int64(0), int64(0)
	for _, c := range counts {
		total += c
		sum += c * c
	}
	return 1000*sum*int64(len(counts))/total - 1000*total
}

func TestStreamIsEven(t *testing.T) {
	// Look at the bound: 63 degrees of freedom have mean 63 and deviation 11.2, so 140 is seven
	// deviations off: any of these failing by chance is one in ten thousand million.
	for _, name := range []string{"a", "b", "arrivals/sender", "cost/wake_up_state/task"} {
		for seed := range uint64(5) {
			s, other := NewStream(seed, name), NewStream(seed+1, name)
			var high, low, serial, across [64]int64
			last := uint64(0)
			for range 100_000 {
				high[s.Between(0, 63)]++
				draw, there := s.Bits(), other.Bits()
				low[draw%64]++
				serial[last>>61<<3|draw>>61]++
				across[there>>61<<3|draw>>61]++
				last = draw
			}
			for _, counts := range [][]int64{high[:], low[:], serial[:], across[:]} {
				assert.Less(t, chiSquare(counts), int64(140_000), "%s %d", name, seed)
			}
		}
	}
}

// ask takes n answers of a site.
func ask(t *Tape, site StreamID, n int) (answers []int64) {
	for range n {
		answers = append(answers, t.Choose(site, -1000, 1000))
	}
	return answers
}

func TestTapeStreamsAreIndependent(t *testing.T) {
	// Look at the second tape: it has more streams, in another order, asked between; "b" says
	// the same on both.
	one, two := NewTape(1), NewTape(1)
	b1 := one.Stream("b")
	a2, b2, c2 := two.Stream("a"), two.Stream("b"), two.Stream("c")
	want := ask(&one, b1, 20)
	var got []int64
	for range 20 {
		ask(&two, a2, 3)
		got = append(got, ask(&two, b2, 1)...)
		ask(&two, c2, 1)
	}
	assert.Equal(t, want, got)
	assert.Equal(t, uint64(20), two.Ordinal(b2))
	assert.Equal(t, b2, two.Stream("b"), "the same name is the same stream")
	assert.Equal(t, 3, two.Len())
	assert.Equal(t, "c", two.Name(c2))

	other := NewTape(2)
	assert.NotEqual(t, want, ask(&other, other.Stream("b"), 20), "another seed")
	again := NewTape(1)
	assert.NotEqual(t, want, ask(&again, again.Stream("a"), 20), "another name")
}

func TestTapeAnswer(t *testing.T) {
	// Look at ordinals 3 and 7 of "a": they are the answers given (one of them clamped into the
	// range), and nothing else changes.
	plain, told := NewTape(1), NewTape(1)
	for _, tape := range []*Tape{&plain, &told} {
		tape.Stream("a")
		tape.Stream("b")
	}
	told.Answer(0, 7, 1)
	told.Answer(0, 3, 5000)
	told.Answer(0, 7, 42)
	want := ask(&plain, 0, 20)
	want[3], want[7] = 1000, 42
	assert.Equal(t, want, ask(&told, 0, 20))
	assert.Equal(t, ask(&plain, 1, 20), ask(&told, 1, 20))
	assert.Panics(t, func() { told.Answer(2, 0, 0) }, "no such site")
}

func TestTapeAnswersAnyOrder(t *testing.T) {
	// Look at the map: whatever the order of telling, the last answer to a question counts.
	rapid.Check(t, func(t *rapid.T) {
		plain, told := NewTape(1), NewTape(1)
		want := map[[2]int]int64{}
		for site := range 3 {
			told.Stream(strconv.Itoa(site))
			for n, v := range ask(&plain, plain.Stream(strconv.Itoa(site)), 10) {
				want[[2]int{site, n}] = v
			}
		}
		for range rapid.IntRange(0, 20).Draw(t, "answers") {
			site, n := rapid.IntRange(0, 2).Draw(t, "site"), rapid.IntRange(0, 9).Draw(t, "n")
			value := rapid.Int64Range(-1000, 1000).Draw(t, "value")
			told.Answer(StreamID(site), uint64(n), value)
			want[[2]int{site, n}] = value
		}
		for site := range 3 {
			for n, got := range ask(&told, StreamID(site), 10) {
				require.Equal(t, want[[2]int{site, n}], got)
			}
		}
	})
}

func TestTapeSample(t *testing.T) {
	// Look at the told extremes: far outside, they give the distribution's own.
	d := Dist{Kind: ExpFloor, Least: 100, Mean: 300}
	tape := NewTape(1)
	site := tape.Stream("cost")
	tape.Answer(site, 1, 1<<62)
	tape.Answer(site, 2, -1)
	tape.Answer(site, 3, 123)
	draws := NewStream(1, "cost")
	want := []Time{d.At(draws.Bits()), 100 + 40*200, 100, 123}
	for range 3 {
		draws.Bits()
	}
	want = append(want, d.At(draws.Bits()))
	for _, w := range want {
		assert.Equal(t, w, tape.Sample(site, &d))
	}
}

func TestTapeCopyFrom(t *testing.T) {
	// Look at the two tapes after the copy: each is asked, told and extended without the other.
	src := NewTape(1)
	a := src.Stream("a")
	for src.Len() < 3 || cap(src.names) == src.Len() { // room that both could append into
		src.Stream(strconv.Itoa(src.Len()))
	}
	src.Answer(a, 5, 1)
	ask(&src, a, 3)
	var copied Tape
	copied.CopyFrom(&src)
	require.Equal(t, src, copied)
	left, right := copied.Stream("left"), src.Stream("right")
	assert.Equal(t, "left", copied.Name(left))
	assert.Equal(t, "right", src.Name(right))
	copied.Answer(a, 5, 2)
	src.Answer(a, 6, 3)
	got, want := ask(&copied, a, 5), ask(&src, a, 5)
	assert.Equal(t, []int64{2, 1}, []int64{got[2], want[2]})
	assert.Equal(t, int64(3), want[3])
	assert.NotEqual(t, int64(3), got[3])
	assert.Equal(t, want[4], got[4])
}

func BenchmarkChoose(b *testing.B) {
	tape := NewTape(1)
	site := tape.Stream("x")
	for b.Loop() {
		tape.Choose(site, 0, 999)
	}
}

func TestTapeReseed(t *testing.T) {
	// Look at the two tapes: after three questions they are those of one seed, but for an answer
	// that was set; a copy from before goes its own way.
	old, other := NewTape(1), NewTape(2)
	a, b := old.Stream("a"), old.Stream("b")
	require.Equal(t, a, other.Stream("a"))
	require.Equal(t, b, other.Stream("b"))
	old.Answer(a, 3, 77)
	var copied Tape
	ask := func(tape *Tape, site StreamID) int64 { return tape.Choose(site, 0, 1<<40) }
	for _, site := range []StreamID{a, b, a} {
		assert.NotEqual(t, ask(&old, site), ask(&other, site))
	}
	copied.CopyFrom(&old)
	old.Reseed(2)
	for ordinal, site := range []StreamID{a, b, a, b} {
		was, is, want := ask(&copied, site), ask(&old, site), ask(&other, site)
		if ordinal == 2 { // question 3 of a
			assert.Equal(t, []int64{77, 77}, []int64{was, is})
			continue
		}
		assert.Equal(t, want, is)
		assert.NotEqual(t, was, is)
	}
	late := old.Stream("late")
	require.Equal(t, late, other.Stream("late"))
	assert.Equal(t, ask(&other, late), ask(&old, late), "a later site is of the new seed too")
}

// Look at the questions: each with its range and with what was answered, drawn or set; and the same
// answers as a tape gives to which nobody listens.
func TestTapeListens(t *testing.T) {
	d := Dist{Kind: Uniform, Least: 3, Greatest: 90}
	plain, heard := NewTape(5), NewTape(5)
	for _, tape := range []*Tape{&plain, &heard} {
		tape.Stream("a")
		tape.Stream("b")
		tape.Choose(0, 0, 9) // before anybody listens
		tape.Answer(1, 1, 500)
	}
	heard.Listen()
	var want []Question
	for i := range uint64(3) {
		a := plain.Choose(0, 0, 1000)
		assert.Equal(t, a, heard.Choose(0, 0, 1000))
		b := plain.Sample(1, &d)
		assert.Equal(t, b, heard.Sample(1, &d))
		want = append(want, Question{0, i + 1, 0, 1000, a}, Question{1, i, 3, 90, int64(b)})
	}
	assert.Equal(t, want, heard.Asked())
	assert.Equal(t, int64(90), heard.Asked()[3].Value, "the nearest in the range")
	var copied Tape
	copied.CopyFrom(&heard)
	assert.Equal(t, heard, copied)
	assert.Empty(t, plain.Asked())
}
