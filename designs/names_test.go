package designs_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
)

func TestNames(t *testing.T) {
	// Look at the name: whatever the order of its words, and whether or not it says the bare
	// form's word, it is the same design.
	for name, want := range map[string]string{
		"futex-persistent":                      "futex-persistent",
		"futex-persistent/raw-walk":             "futex-persistent",
		"futex-persistent/no-wake-fix":          "futex-persistent/no-wake-fix",
		"futex-persistent/raw-walk+no-wake-fix": "futex-persistent/no-wake-fix",
		"futex-persistent/rcu-walk+fix-f4":      "futex-persistent/rcu-walk+fix-f4",
		"futex-persistent/fix-f4+rcu-walk":      "futex-persistent/rcu-walk+fix-f4",
		"doorbell/always-wake":                  "doorbell",
		"doorbell/always-wake+fix-f3":           "doorbell/fix-f3",
		"doorbell/no-wake-fix+first-wake":       "doorbell/first-wake+no-wake-fix",
	} {
		d, err := designs.Parse(name)
		require.NoError(t, err)
		assert.Equal(t, want, d.Variant, name)
		found, ok := designs.Find(name)
		assert.True(t, ok)
		assert.Same(t, d, found)
	}
}

func TestNamesOfNothing(t *testing.T) {
	// Look at the error: it says why the variant means nothing.
	for name, want := range map[string]string{
		"doorbell/fix-f4": "it queues no work, so there is no list to change; without one F4 is " +
			"F1, the bare form's rule",
		"doorbell/wake-fix": "its bare form has the fix; no-wake-fix takes it away",
		"doorbell/rcu-walk": `"rcu-walk" is none of always-wake, first-wake, no-wake-fix, ` +
			"fix-f2, fix-f3",
		"doorbell/": `"" is none of always-wake, first-wake, no-wake-fix, fix-f2, fix-f3`,
		"futex-persistent/fix-f2+no-wake-fix": "fix-f2 and no-wake-fix are two of one choice, " +
			"its wake-up rule; take one",
		"futex-persistent/raw-walk+rcu-walk": "raw-walk and rcu-walk are two of one choice, its " +
			"walk; take one",
		"futex-persistent/rcu-walk+rcu-walk": "it says rcu-walk twice",
		"futex-oneshot/wake-fix":             "it has only its bare form",
	} {
		design, err := designs.Parse(name)
		assert.Nil(t, design)
		assert.NotErrorIs(t, err, designs.ErrUnknown)
		assert.ErrorContains(t, err, "is no variant of ", name)
		assert.ErrorContains(t, err, ": "+want, name)
	}
	for _, name := range []string{"", "/", "futex", "futex-persistent+rcu-walk", "rcu-walk"} {
		_, err := designs.Parse(name)
		assert.ErrorIs(t, err, designs.ErrUnknown, name)
		_, ok := designs.Find(name)
		assert.False(t, ok)
	}
}

func TestNamesOfAllDesigns(t *testing.T) {
	// Look at the design: its full name leads to itself, and its bare form comes before it.
	bare := map[string]bool{}
	for _, d := range designs.All() {
		found, err := designs.Parse(d.Variant)
		require.NoError(t, err)
		assert.Same(t, d, found)
		assert.Equal(t, d.Variant != d.Name, bare[d.Name], d.Variant)
		bare[d.Name] = true
	}
}
