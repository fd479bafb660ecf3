package explore

import (
	"errors"
	"fmt"
)

// Levels is a plan for FixedEffort. Levels at which a fifth to a half of the paths come through do
// best, but any are right; Pilot finds some.
type Levels struct {
	Scores []int64 // ascending; the last is the target
	Starts int     // paths from each level
	Seed   uint64
	Limit  int64 // the most steps of one path, a guard against one that never stops
}

// FixedEffort estimates the probability that the score reaches the last of the levels before the
// process stops. From each level it starts the same number of paths, each from the state in which
// a random one of those that came there entered. The estimate is unbiased. It is an error if the
// plan has no levels, levels that do not ascend or no starts, or a path takes too many steps.
func FixedEffort[S any, P Process[S]](start P, plan Levels) (Estimate, error) {
	if err := plan.check(); err != nil {
		return Estimate{}, err
	}
	here := make([]S, max(plan.Starts, 1))
	P(&here[0]).CopyFrom((*S)(start))
	parents := newParents(plan.Seed)
	return climbLevels[S, P](here, 1, plan, func(_, _, entered int) int {
		return int(parents.Between(0, int64(entered-1)))
	})
}

// climbLevels takes paths from level to level. The first that entered of those here are where paths
// start; pick says from which of so many, by level and path.
// Preconditions: there are as many here as the plan has starts, at least.
func climbLevels[S any, P Process[S]](here []S, entered int, plan Levels,
	pick func(level, path, entered int) int) (Estimate, error) {
	e := Estimate{Probability: 1}
	seeds := newSeeds(plan.Seed)
	next := make([]S, plan.Starts)
	for i, level := range plan.Scores {
		reached := 0
		for j := range plan.Starts {
			clone := P(&next[reached])
			clone.CopyFrom(&here[pick(i, j, entered)])
			clone.Reseed(seeds.Bits())
			up, err := climb(clone, level, plan.Limit, &e.Steps)
			if err != nil {
				return Estimate{}, err
			}
			if up {
				reached++ // and so the entrance state is kept
			}
		}
		e.Stages = append(e.Stages, Stage{level, plan.Starts, reached})
		e.Probability *= float64(reached) / float64(plan.Starts)
		if reached == 0 {
			break
		}
		here, next, entered = next, here, reached
	}
	return e, nil
}

func (l *Levels) check() error {
	if len(l.Scores) == 0 || l.Starts < 1 {
		return errors.New("splitting needs a level and at least one start from each")
	}
	for i, score := range l.Scores[1:] {
		if score <= l.Scores[i] {
			return fmt.Errorf("levels ascend; %d comes after %d", score, l.Scores[i])
		}
	}
	return nil
}

// Pilot proposes levels up to the target of an adaptive run, between which about share of the
// paths come through; the fewer paths it has, the rougher they are. Levels that depend on the
// paths they are used for bias an estimate: take another seed for FixedEffort. Errors are those of
// Adaptive, and a pilot none of whose paths came to the target.
func Pilot[S any, P Process[S]](start P, plan Adaptation, share float64) ([]int64, error) {
	e, err := Adaptive(start, plan)
	if err != nil {
		return nil, err
	}
	if e.Probability == 0 {
		return nil, errors.New("no path of the pilot came to the target; take more paths")
	}
	var levels []int64
	through := 1.0
	for _, stage := range e.Stages {
		through *= float64(stage.Reached) / float64(stage.Starts)
		if stage.Level == plan.Target {
			break
		}
		if through <= share {
			levels = append(levels, stage.Level)
			through = 1
		}
	}
	return append(levels, plan.Target), nil
}
