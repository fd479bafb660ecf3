//go:build protoc

package scenarios

import (
	"bytes"
	"flag"
	"maps"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/scenarios/perfetto"
)

// What the protocol buffers' own compiler makes of a written trace. It needs protoc, and so a
// build tag of its own:
//
//	go test -tags protoc -run Protoc ./scenarios -args -protoc PATH

var protoc = flag.String("protoc", "protoc", "the compiler of protocol buffers")

// decodedRaw is a line of what protoc --decode_raw prints: two spaces a level, the number of the
// field, and its value unless it is a message.
var decodedRaw = regexp.MustCompile(`^( *)(\d+)(: (.*)| \{)$`)

// Look at every packet: protoc finds the same fields in it as the tests' decoder, as often, with
// the same whole numbers; and the same number of events in each bundle of ftrace.
func TestProtocReadsTheSame(t *testing.T) {
	for _, d := range []*designs.Design{designs.FutexOneshot, designs.MsgRing} {
		r := recordedDesign(t, d)
		var b bytes.Buffer
		w := perfetto.NewWriter(&b, r.names, []Message{{Number: 1, Begin: 1000, End: 2000}})
		require.NoError(t, w.Add(r.records))
		require.NoError(t, w.Close())
		cmd := exec.CommandContext(t.Context(), *protoc, "--decode_raw")
		cmd.Stdin = bytes.NewReader(b.Bytes())
		text, err := cmd.Output()
		require.NoError(t, err)
		want, found := fieldsOf(t, b.Bytes()), rawFields(t, string(text))
		require.Greater(t, len(want), 100)
		require.Len(t, found, len(want), "packets")
		kinds := map[int]int{}
		for i := range want {
			require.Equal(t, want[i], found[i], "packet %d", i)
			for field := range want[i].times {
				kinds[field]++
			}
		}
		t.Logf("%s: %d packets, by field: %v", d.Variant, len(want), kinds)
		for _, field := range []int{1, 2, 8, 10, 11, 60} {
			assert.Positive(t, kinds[field], "packets with field %d", field)
		}
	}
}

// packetFields are how often each field is in a packet, what its whole numbers are, and how many
// events its bundle has.
type packetFields struct {
	times   map[int]int
	numbers map[int][]string
	events  int
}

func newPacketFields() packetFields {
	return packetFields{times: map[int]int{}, numbers: map[int][]string{}}
}

// fieldsOf reads a trace with the tests' decoder.
func fieldsOf(t *testing.T, data []byte) []packetFields {
	var all []packetFields
	file := takeApart(t, data)
	require.Len(t, file, 1, "packets and nothing else")
	for _, v := range file[1] {
		p := newPacketFields()
		packet := takeApart(t, v.bytes)
		for field := range maps.Keys(packet) {
			for _, value := range packet[field] {
				p.times[int(field)]++
				if value.bytes == nil {
					p.numbers[int(field)] = append(p.numbers[int(field)],
						strconv.FormatUint(value.number, 10))
				}
			}
		}
		if len(packet[1]) > 0 {
			p.events = len(packet.message(t, 1)[2])
		}
		all = append(all, p)
	}
	return all
}

// rawFields reads what protoc prints.
func rawFields(t *testing.T, text string) []packetFields {
	var all []packetFields
	var path [64]string // the fields around a line, by level
	for line := range strings.Lines(text) {
		m := decodedRaw.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			require.Equal(t, "}", strings.TrimSpace(line))
			continue
		}
		level := len(m[1]) / 2
		path[level] = m[2]
		number, err := strconv.Atoi(m[2])
		require.NoError(t, err)
		switch {
		case level == 0:
			require.Equal(t, "1", m[2])
			all = append(all, newPacketFields())
		case level == 1:
			p := all[len(all)-1]
			p.times[number]++
			if m[4] != "" && !strings.HasPrefix(m[4], `"`) {
				p.numbers[number] = append(p.numbers[number], m[4])
			}
		case level == 2 && path[1] == "1" && m[2] == "2":
			all[len(all)-1].events++
		}
	}
	return all
}
