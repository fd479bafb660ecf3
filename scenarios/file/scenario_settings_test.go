package file

import (
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rtsim/model"
	"rtsim/sim"
)

// Look at the parameters of testdata/scenario.yaml: texts as in the file, in its order.
func TestScenarioParameters(t *testing.T) {
	data, err := os.ReadFile("testdata/scenario.yaml")
	require.NoError(t, err)
	got, err := ScenarioParameters("s", data)
	require.NoError(t, err)
	require.Len(t, got, 7)
	assert.Equal(t, Parameter{Name: "period", Value: "500us", Default: "500us", Least: "20us",
		Greatest: "1s", Unit: "duration", Meaning: "time between sends", Source: "assumed"}, got[0])
	assert.Equal(t, Parameter{Name: "many", Value: "3", Default: "3", Unit: "integer",
		OneOf: []string{"1", "3", "5"}, Meaning: "rounds", Source: "assumed"}, got[2])
	assert.Equal(t, "which", got[6].Name)
	assert.Equal(t, got, readScenario(t, "testdata/scenario.yaml").Parameters)

	none, err := ScenarioParameters("s", []byte(minimal))
	require.NoError(t, err)
	assert.Empty(t, none)
	_, err = ScenarioParameters("s", []byte("parameters: {a: {}}\nnonsense: 1"))
	require.ErrorContains(t, err, "s:1:17: parameter a has no value")
	assert.NotContains(t, err.Error(), "nonsense")
}

// Look at what is set: the values are in the file in place of its own, and the last one counts.
func TestSettings(t *testing.T) {
	s := readScenario(t, "testdata/scenario.yaml", Setting{"period", "1s"},
		Setting{"period", "0.1ms"}, Setting{"copies", "3"}, Setting{"low", "other"},
		Setting{"duty", "0"}, Setting{"many", "1"}, Setting{"top", "99"})
	assert.Equal(t, 100*us, s.Tasks[0].Program[0].Time)
	var names []string
	for _, task := range s.Tasks {
		names = append(names, task.Name)
	}
	assert.Equal(t, []string{"sender", "receiver", "receiver-2", "receiver-3", "low-a-1-1",
		"low-a-1-1-2", "low-a-1-0", "low-a-1-0-2", "same", "other"}, names) // and no irq-0
	assert.Equal(t, int32(99), s.Tasks[3].Priority)
	assert.Equal(t, model.Other, s.Tasks[4].Policy)
	assert.Equal(t, int32(1), s.Tasks[4].Program[2].Arg)
	assert.Equal(t, "0.1ms", s.Parameters[0].Value)
	assert.Equal(t, "500us", s.Parameters[0].Default)
}

// Look at what cannot be set: every one is told, before what is wrong with the file.
func TestWrongSettings(t *testing.T) {
	data, err := os.ReadFile("testdata/scenario.yaml")
	require.NoError(t, err)
	_, err = ReadScenario("s", append(data, "cpu: 1\n"...), []Setting{
		{"perod", "1ms"}, {"zzz", "1"}, {"period", "5"}, {"period", "1us"}, {"copies", "9"},
		{"copies", "1.0"}, {"many", "2"}, {"low", "fifo-2"}, {"duty", "0.951"}, {"duty", "35%"},
		{"top", "0"}, {"which", "a b"}, {"", ""},
	})
	const parameters = "the parameters are period, copies, many, duty, top, low, which"
	assert.EqualError(t, err, strings.Join([]string{
		`--set perod=1ms: unknown parameter "perod"; did you mean period?`,
		`--set zzz=1: unknown parameter "zzz"; ` + parameters,
		`--set period=5: duration "5" has no unit; write one of ns us µs ms s m h, as in 5ms`,
		`--set period=1us: period is "1us"; write 20us to 1s`,
		`--set copies=9: copies is "9"; write 0 to 8`,
		`--set copies=1.0: "1.0" is no number; write a whole number`,
		`--set many=2: many is "2"; write one of 1, 3, 5`,
		`--set low=fifo-2: low is "fifo-2"; write one of other, fifo-1, rr-5`,
		`--set duty=0.951: duty is "0.951"; write 0 to 0.95`,
		`--set duty=35%: "35%" is no share; write 0 to 1 with at most six decimals, as in 0.35`,
		`--set top=0: "0" is no priority; write 1 to 99`,
		`--set which=a b: "a b" is no word; a word has letters, digits, point, _ and -`,
		`--set =: unknown parameter ""; ` + parameters,
		`s:66:1: unknown key "cpu" of a scenario file; did you mean cpus?`,
	}, "\n"))

	_, err = ReadScenario("s", []byte(minimal), []Setting{{"period", "1ms"}})
	assert.EqualError(t, err, `--set period=1ms: unknown parameter "period"; the file has none`)
}

// Look at shares: parts per million, exactly.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
	}{{"0", 0}, {"1", 1_000_000}, {"0.35", 350_000}, {"0.000001", 1}, {"1.000000", 1_000_000},
		{"0.123456", 123_456}, {"0.0", 0}} {
		got, err := parseShare(c.text)
		require.NoError(t, err, c.text)
		assert.Equal(t, c.want, got, c.text)
	}
	for _, text := range []string{"", "1.000001", "2", "-0.1", ".5", "0.", "0.1234567", "1e-3",
		"35%", "00.5", "0,5", "0.5 ", "inf"} {
		_, err := parseShare(text)
		assert.Error(t, err, text)
	}
}

// Look at the gap for a duty: the quotient of exact numbers, rounded to the nearest.
func TestMeanGap(t *testing.T) {
	assert.Equal(t, 1530*us, meanGap(510*us, 250_000))
	assert.Equal(t, sim.Time(0), meanGap(510*us, 1_000_000))
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.Int64Range(1, int64(sim.Never)-1).Draw(t, "length")
		duty := rapid.Int64Range(1, 1_000_000).Draw(t, "duty")
		want := new(big.Int).Mul(big.NewInt(length), big.NewInt(1_000_000-duty))
		want.Add(want, big.NewInt(duty/2)).Div(want, big.NewInt(duty))
		if most := big.NewInt(int64(sim.Never)); want.Cmp(most) > 0 {
			want = most
		}
		require.Equal(t, want.Int64(), int64(meanGap(sim.Time(length), duty)))
	})
}

// Look at a $name wherever one may stand: with the values put in, the file is another that has
// them written out.
func TestReferences(t *testing.T) {
	const parameters = "parameters:\n" +
		"  n: {value: 2, least: 1, greatest: 2, unit: integer, meaning: m, source: s}\n" +
		"  d: {value: 3us, least: 1us, greatest: 9us, unit: duration, meaning: m, source: s}\n" +
		"  w: {value: mutex, unit: word, meaning: m, source: s}\n" +
		"  p: {value: yield, unit: word, meaning: m, source: s}\n"
	const rest = "cpus: %[1]s\nuntil: %[2]s\nlocks: {S: %[3]s}\nsemaphores: {X: %[1]s}\ntasks:\n" +
		"  - {name: %[3]s, priority: %[1]s, nice: 0, program: %[4]s}\n" +
		"  - {name: A-%[3]s-%[1]s, priority: %[1]s, cpus: [0, 1],\n" +
		"     program: \"goto %[1]s; run %[2]s; lock S; unlock S; %[4]s; wake %[3]s\"}\n" +
		"interrupts: [{at: %[2]s, cpu: 1, wakes: [%[3]s]}]\n"
	text := strings.Replace(rest, ", nice: 0", "", 1)
	want, err := ReadScenario("w", fmt.Appendf(nil, text, "2", "3us", "mutex", "yield"), nil)
	require.NoError(t, err)
	data := fmt.Appendf([]byte(parameters), text, "$n", "$d", "$w", "$p")
	got, err := ReadScenario("w", data, nil)
	require.NoError(t, err)
	assert.Equal(t, want.File, got.File)
	assert.Equal(t, "A-mutex-2", got.Tasks[1].Name)
}
