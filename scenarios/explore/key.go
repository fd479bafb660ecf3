package explore

import (
	"math/bits"
	"reflect"
	"slices"

	"rtsim/model"
	"rtsim/sim"
)

// stateKey tells states apart: 128 bits, so that of 10^8 states two that differ have the same one
// with a probability of 10^-23.
type stateKey [2]uint64

// keyMaker makes keys of states. It walks the machine's state by its type, so that no field can be
// forgotten: slow, some ten microseconds a state, and safe. Left out is what has no influence on
// what comes: counts of what was, and the tape, of which an exploration knows what is left open.
type keyMaker struct{ words []uint64 }

// noFuture are the fields of model.State, and of what is in it, that have no influence; the last
// ones say what else a draw might have been.
var noFuture = []string{"digest", "steps", "words", "wordsAt", "begun", "tape", "gapFrom",
	"gapFloor", "lasts"}

// known says whether a state, with so many actions left, was met before with a message that had
// taken as long; and keeps it.
func (x *explorer) known(n *node, left int) bool {
	if x.states == nil {
		return false
	}
	key := x.keys.key(n, left)
	begin := sim.Never
	if len(n.open) > 0 {
		begin = n.open[0].begin
	}
	if before, met := x.states[key]; met && before <= begin {
		return true
	}
	x.states[key] = begin
	return false
}

// key is a state's.
func (k *keyMaker) key(n *node, left int) stateKey {
	k.words = append(k.words[:0], uint64(left), uint64(len(n.open)), uint64(len(n.releases)))
	for i := range n.bursts {
		k.value(reflect.ValueOf(&n.bursts[i]).Elem())
	}
	for i := range n.releases {
		k.value(reflect.ValueOf(&n.releases[i]).Elem())
	}
	for i := range n.open {
		s := &n.open[i]
		k.words = append(k.words, uint64(s.serial), uint64(s.queue), uint64(s.number))
		if i > 0 { // the first one's is what dominance is about
			k.words = append(k.words, uint64(s.begin))
		}
	}
	k.machine(n.m)
	return hash(k.words)
}

func (k *keyMaker) machine(m *model.Machine) { k.value(reflect.ValueOf(&m.State).Elem()) }

// value appends a value, all of it.
func (k *keyMaker) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		t := v.Type()
		for i := range v.NumField() {
			if !slices.Contains(noFuture, t.Field(i).Name) {
				k.value(v.Field(i))
			}
		}
	case reflect.Slice:
		k.words = append(k.words, uint64(v.Len()))
		for i := range v.Len() {
			k.value(v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			k.value(v.Index(i))
		}
	case reflect.Bool:
		b := uint64(0)
		if v.Bool() {
			b = 1
		}
		k.words = append(k.words, b)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		k.words = append(k.words, v.Uint())
	default: // the integers; anything else panics
		k.words = append(k.words, uint64(v.Int()))
	}
}

// hash mixes words to 128 bits: two sums, each multiplied through at every word.
func hash(words []uint64) stateKey {
	a, b := uint64(0x9e3779b97f4a7c15), uint64(0xc2b2ae3d27d4eb4f)
	for _, w := range words {
		high, low := bits.Mul64(a^w, 0xbf58476d1ce4e5b9)
		a = high ^ low + w
		high, low = bits.Mul64(b^bits.RotateLeft64(w, 32), 0x94d049bb133111eb)
		b = high ^ low ^ w
	}
	return stateKey{a ^ bits.RotateLeft64(b, 17), b ^ a>>29}
}
