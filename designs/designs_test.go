package designs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/model"
)

func TestPathsBalance(t *testing.T) {
	// Look at the line that is named: every path releases what it takes on every branch, takes no
	// sleeping lock under a raw one, and sleeps with nothing held.
	for _, era := range Eras() {
		for _, d := range All() {
			if d = d.In(era); d.Unsupported(era.Kernel) != "" {
				require.Equal(t, model.Paths{}, d.Paths, d.Variant)
				continue
			}
			for name, code := range map[string]model.Code{"send": d.Paths.Send,
				"receive": d.Paths.Receive, "open": d.Paths.Open, "close": d.Paths.Close} {
				t.Run(era.Kernel+"/"+d.Variant+"/"+name, func(t *testing.T) {
					require.NotEmpty(t, code)
					_, err := code.Check()
					require.NoError(t, err)
				})
			}
			_, err := d.Paths.Reclaim.Check()
			require.NoError(t, err)
		}
	}
}

func TestEveryVariantSaysWhatItIs(t *testing.T) {
	// Look at two names with one sentence: rtsim list could not tell them apart.
	first := map[string]string{}
	for _, d := range All() {
		require.NotEmpty(t, d.About, d.Variant)
		require.Empty(t, first[d.About], "said of %s too: %s", d.Variant, d.About)
		first[d.About] = d.Variant
	}
}

func TestCheckRefuses(t *testing.T) {
	// Look at the error: each of these listings breaks one rule of paths.
	cases := []struct {
		want string
		code model.Code
	}{
		{"line 1, unlock hb->lock: releases hb->lock, which it does not hold",
			model.Unlock(model.RefHash)},
		{"ends holding [hb->lock]", model.Lock(model.RefHash)},
		{"line 2, lock hb->lock: takes hb->lock, which may sleep, holding [node->lock]",
			model.Seq(model.Lock(model.RefNode), model.Lock(model.RefHash))},
		{"line 2, lock uring_lock: takes uring_lock, which may sleep, holding [irqs off]",
			model.Seq(model.IRQOff(), model.Lock(model.RefOwnRing))},
		{"line 2, schedule(): sleeps holding [hb->lock]",
			model.Seq(model.Lock(model.RefHash), model.Schedule())},
		{"line 3, after: is reached with different locks held: [] and [hb->lock]",
			model.Seq(model.When(model.ActWork, model.NoCost, "?", model.Lock(model.RefHash)),
				model.Exec(model.NoCost, "after"))},
	}
	for _, c := range cases {
		_, err := c.code.Check()
		require.EqualError(t, err, c.want)
	}
}

func TestEveryCostHasANameARangeAndASource(t *testing.T) {
	// Look at the cost: each of each profile is named, has least <= typical <= greatest and says
	// where it comes from.
	for _, p := range Profiles() {
		for id, c := range p.Costs {
			require.NotEmpty(t, c.Name, "%s: cost %d", p.Name, id)
			require.NotEmpty(t, c.Source, "%s: %s", p.Name, c.Name)
			require.LessOrEqual(t, c.Least, c.Typical, c.Name)
			require.LessOrEqual(t, c.Typical, c.Greatest, c.Name)
		}
	}
}
