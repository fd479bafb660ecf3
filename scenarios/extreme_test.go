package scenarios_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// quickly runs a design on a scenario for 400 ms: 800 messages, none of which may be lost.
func quickly(t *testing.T, design, scenario string, set ...file.Setting) *scenarios.Result {
	t.Helper()
	r, err := scenarios.Run(design, scenario, 1, scenarios.Options{
		Duration: 400 * sim.Millisecond, Set: set})
	require.NoError(t, err)
	require.EqualValues(t, 800, r.Messages, design)
	require.Zero(t, r.Lost, design)
	return r
}

func setting(name, value string) file.Setting { return file.Setting{Name: name, Value: value} }

func TestStormKeepsOnlyBoundedDesigns(t *testing.T) {
	// Look at the design: the two with a sleeping lock on their path have sends longer than any
	// burst of orin-queue, and doorbell has none above its clean path and the raw sections of the
	// crowd.
	for _, name := range []string{"futex-plain", "futex-oneshot"} {
		assert.Greater(t, quickly(t, name, "storm").Send.MaxNs, 1100*sim.Microsecond, name)
	}
	assert.Less(t, quickly(t, "doorbell", "storm").Send.MaxNs, cleanPath)
}

func TestStrangersDelayWhoSharesTheirBucket(t *testing.T) {
	// Look at whether a queue of nobody else is disturbed: with no process of low priority on it,
	// a futex design is late all the same, because of strangers in the bucket, and only of those;
	// to doorbell, which has no bucket, they do not matter.
	alone := []file.Setting{setting("low_pubs", "0"), setting("low_subs", "0"),
		setting("floods", "0")}
	none := append([]file.Setting{setting("strangers", "0")}, alone...)
	assert.Greater(t, quickly(t, "futex-oneshot", "storm", alone...).Send.Over["100000"], int64(0))
	assert.Zero(t, quickly(t, "futex-oneshot", "storm", none...).Send.Over["100000"])
	assert.Less(t, quickly(t, "doorbell", "storm", alone...).Send.MaxNs, cleanPath)
}

func TestFloodsDelayWhoAllocates(t *testing.T) {
	// Look at msg-ring with nobody else on its queue or in its bucket: processes that use MSG_RING
	// for something else hold the allocator's locks, so its sends are late; without them none is.
	alone := []file.Setting{setting("low_pubs", "0"), setting("low_subs", "0"),
		setting("strangers", "0")}
	none := append([]file.Setting{setting("floods", "0")}, alone...)
	four := append([]file.Setting{setting("floods", "4")}, alone...)
	assert.Greater(t, quickly(t, "msg-ring", "storm", four...).Send.MaxNs, 100*sim.Microsecond)
	assert.Less(t, quickly(t, "msg-ring", "storm", none...).Send.MaxNs, cleanPath)
}

func TestFanOutDealsSubscribers(t *testing.T) {
	// Look at the seventh subscriber: it is dealt what the second is; the first is measured.
	data, _ := scenarios.Builtin("fan-out")
	s, err := file.ReadScenario("fan-out", data, []file.Setting{setting("subscribers", "7")})
	require.NoError(t, err)
	var got []string
	for _, task := range s.Tasks[1:8] {
		got = append(got, fmt.Sprintf("%s %d cpu%d timer%d", task.Name, task.Priority,
			task.FirstCPU, task.TimerCPU))
		assert.EqualValues(t, 1<<task.FirstCPU, task.CPUs)
	}
	assert.Equal(t, []string{"receiver 40 cpu5 timer5", "receiver-2 20 cpu3 timer3",
		"receiver-3 10 cpu2 timer2", "receiver-4 0 cpu0 timer0", "receiver-5 0 cpu1 timer1",
		"receiver-6 40 cpu5 timer5", "receiver-7 20 cpu3 timer3"}, got)
	assert.Equal(t, "receiver", s.Receiver)
}

func TestFanOutCostsTheSender(t *testing.T) {
	// Look at the median send: each subscriber more costs the sender his wake-up, in every design
	// that wakes; ideal-spin stores once.
	for _, d := range []string{"futex-persistent", "doorbell", "msg-ring"} {
		one := quickly(t, d, "fan-out", setting("subscribers", "1")).Send.Percentiles["50"]
		all := quickly(t, d, "fan-out", setting("subscribers", "16")).Send.Percentiles["50"]
		assert.Greater(t, all, one+15*300, "%s: 15 more at 0.3 us at least", d)
	}
	spin := quickly(t, "ideal-spin", "fan-out", setting("subscribers", "16"))
	assert.Less(t, spin.Send.MaxNs, 100*sim.Nanosecond)
}

func TestTargetThatNeverDrains(t *testing.T) {
	// Look at the sends of the bounded designs: a process that hangs costs the sender a constant,
	// for its bits stay set and its mark stays pending. With 8 of them no send is longer by more
	// than 8 wake-ups.
	for _, d := range []string{"futex-persistent", "doorbell"} {
		none := quickly(t, d, "target-never-drains", setting("stuck", "0"))
		many := quickly(t, d, "target-never-drains", setting("stuck", "8"))
		assert.Less(t, many.Send.MaxNs, none.Send.MaxNs+8*2*sim.Microsecond, d)
		assert.Less(t, many.Receive.MaxNs, cleanPath, d)
	}
}

func TestTargetThatNeverDrainsUsesUpMemory(t *testing.T) {
	// Look at what is refused: a message to 8 rings that nobody drains keeps 8 requests, and at the
	// limit of 262,144 no ring gets another one, the receiver's neither. The rest arrives. What the
	// receiver has handled waits for RCU, for 30 ms or 1500 messages, as long as 190 others keep.
	set := []file.Setting{setting("stuck", "8"), setting("send_period", "20us"),
		setting("low_pubs", "0"), setting("low_subs", "0"), setting("slow", "0"),
		setting("burst_duty", "0")}
	r, err := scenarios.Run("msg-ring", "target-never-drains", 1, scenarios.Options{
		Duration: 700 * sim.Millisecond, Set: set})
	require.NoError(t, err)
	require.EqualValues(t, 35000, r.Messages)
	assert.InDelta(t, 35000-262144/8+190, float64(r.Refused), 100)
	assert.Zero(t, r.Lost)
	early := int64(sim.Millisecond / (20 * sim.Microsecond)) // sent before they are measured
	assert.Equal(t, r.Messages-early-r.Refused, r.Receive.Count)
}

func TestMassExitLosesNothing(t *testing.T) {
	// Look at the design that loses a message, or breaks, when crowds come and go every few hundred
	// microseconds; and at doorbell, to which their exits do not matter but for who is there.
	for _, d := range []string{"futex-plain", "futex-oneshot", "msg-ring", "futex-persistent",
		"doorbell", "ideal-spin"} {
		quickly(t, d, "start-stop", setting("start_stop_period", "500us"),
			setting("start_stop_pause", "100us"), setting("low_subs", "3"))
	}
}
