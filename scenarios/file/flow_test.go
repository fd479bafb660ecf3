package file

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rtsim/model"
)

// naive executes a program round by round with the state written out, and says whether it ever
// does what it must not. It stops when it is at a word of the outermost level a second time.
type naive struct {
	words  []model.Word
	held   [3]bool // of the locks S, M, R
	opened [2]bool // of the queues P, Q
	off    int
	wrong  bool
}

// state is what the task holds.
func (n *naive) state() string { return fmt.Sprint(n.held, n.opened, n.off) }

// block executes the words from one to another, the level of the outermost block being 0.
func (n *naive) block(from, to int32, level int) {
	seen := map[int32]string{}
	for at := from; at < to && !n.wrong; at++ {
		if before, ok := seen[at]; ok && level == 0 {
			n.wrong = before != n.state()
			return
		}
		seen[at] = n.state()
		w := n.words[at]
		switch w.Kind {
		case model.WordGoto:
			at = w.Arg - 1
		case model.WordRepeat, model.WordFor:
			before, rounds := n.state(), w.Arg
			if w.Kind == model.WordFor {
				rounds = 3 // as many as fit into its time, here
			}
			for round := range rounds {
				n.wrong = n.wrong || round > 0 && before != n.state()
				n.block(at+1, w.Match, level+1)
			}
			n.wrong = n.wrong || rounds > 1 && before != n.state()
			at = w.Match
		default:
			n.word(w)
		}
	}
	if level == 0 && !n.wrong {
		n.wrong = n.held != [3]bool{} || n.off > 0
	}
}

// word executes a word that does not lead elsewhere. Lock 1 is a mutex, lock 2 is raw.
func (n *naive) word(w model.Word) {
	atomic := n.off > 0 || n.held[2]
	switch w.Kind {
	case model.WordLock:
		n.wrong = n.held[w.Lock] || atomic && w.Lock != 2
		n.held[w.Lock] = true
	case model.WordUnlock:
		n.wrong = !n.held[w.Lock]
		n.held[w.Lock] = false
	case model.WordPreemptOff:
		n.off++
	case model.WordPreemptOn:
		n.off--
		n.wrong = n.off < 0
	case model.WordSleep, model.WordSend, model.WordEvery:
		n.wrong = atomic || n.held[0]
	case model.WordOpen, model.WordClose, model.WordReceive:
		n.wrong = atomic || n.held[0] || n.opened[w.Lock] != (w.Kind != model.WordOpen)
		n.opened[w.Lock] = w.Kind != model.WordClose
	}
}

// words generates a piece of a program: often one that gives back what it takes.
func words(depth int) *rapid.Generator[[]string] {
	return rapid.Custom(func(t *rapid.T) []string {
		inner := func() []string {
			if depth == 0 {
				return []string{"run 1us"}
			}
			return slices.Concat(rapid.SliceOfN(words(depth-1), 0, 3).Draw(t, "inner")...)
		}
		lock := rapid.SampledFrom([]string{"S", "M", "R"}).Draw(t, "lock")
		switch rapid.IntRange(0, 7).Draw(t, "piece") {
		case 0, 1:
			return slices.Concat([]string{"lock " + lock}, inner(), []string{"unlock " + lock})
		case 2:
			return slices.Concat([]string{"preempt_off"}, inner(), []string{"preempt_on"})
		case 3:
			rounds := rapid.IntRange(1, 3).Draw(t, "rounds")
			return slices.Concat([]string{fmt.Sprint("repeat ", rounds)}, inner(), []string{"end"})
		case 4:
			return []string{"sleep 1us"}
		case 5:
			return []string{rapid.SampledFrom([]string{"lock " + lock, "unlock " + lock,
				"preempt_off", "preempt_on"}).Draw(t, "odd")}
		}
		return []string{"run 1us"}
	})
}

// oneProgram generates a file with one task, whose program is pieces and perhaps a last goto.
var oneProgram = rapid.Custom(func(t *rapid.T) string {
	pieces := rapid.SliceOfN(words(2), 1, 6).Draw(t, "pieces")
	starts := []int{0}
	for _, p := range pieces {
		starts = append(starts, starts[len(starts)-1]+len(p))
	}
	text := slices.Concat(pieces...)
	if rapid.Bool().Draw(t, "goto") {
		to := rapid.SampledFrom(starts).Draw(t, "to")
		text = append(text, "run 1us", fmt.Sprint("goto ", to))
	}
	return "cpus: 1\nuntil: 1ms\nlocks: {S: spin, M: mutex, R: raw}\n" +
		"tasks: [{name: A, priority: 1, program: \"" + strings.Join(text, "; ") + "\"}]\n"
})

// isWrong executes the program of a file naively.
func isWrong(t require.TestingT, source string) bool {
	r := &reader{problems: problems{file: "w"}, grammar: workloadGrammar(), out: &File{},
		names: map[string]declared{}}
	r.workload(r.document([]byte(source)))
	require.Empty(t, r.found)
	n := naive{words: r.out.Tasks[0].Program}
	n.block(0, int32(len(n.words)), 0)
	return n.wrong
}

// Look at random programs: the check that follows each word once finds something wrong exactly
// where an execution of every round does.
func TestFlowAgreesWithExecution(t *testing.T) {
	right, wrong := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range 40 { // a single one rarely has its only mistake in a loop
			source := oneProgram.Draw(t, "file")
			want := isWrong(t, source)
			_, err := Read("w", []byte(source))
			require.Equal(t, want, err != nil, "%s\n%v", source, err)
			if want {
				wrong++
			} else {
				right++
			}
		}
	})
	require.Greater(t, right, 10)
	require.Greater(t, wrong, 10)
}
