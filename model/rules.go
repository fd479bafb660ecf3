package model

// Rule is one case of a rule of the kernel that the machine acts on. Where it acts it says
// fired(rule); built with the tag invariants the machine counts these, else the call is nothing.
// A rule that is not here has no moment of its own: a definition, or the absence of an action.
type Rule uint8

// The cases, in the order of the rule list; ruleTexts says what each is.
const (
	RulePickHighest Rule = iota
	RuleClassOrder
	RuleTail
	RuleTailBoost
	RuleHeadDeboost
	RuleTailYield
	RuleTailSlice
	RuleBackToFair
	RulePreemptedStays
	RuleHigherPreempts
	RuleEqualWaits
	RuleEqualMakesRoom
	RuleRunningDropped
	RuleQueuedRose
	RuleReschedIRQ
	RuleReschedEnable
	RuleReschedBlock
	RulePreemptOff
	RuleIRQHeld
	RuleIRQSteals
	RulePreemptedAwake
	RuleRemoteWake
	RuleIPI
	RuleOneIPI
	RuleFairShares
	RuleFairBoosted
	RuleServerFires
	RuleServerSpent
	RuleServerRestarts
	RuleSelectStays
	RuleSelectGoes
	RulePush
	RuleLowest
	RulePull
	RulePinnedStops
	RuleCurrentPushed
	RulePinnedCounts
	RuleMigrateOn
	RuleFastLock
	RuleSlowLock
	RuleBehindEquals
	RuleReranked
	RuleBoostsReady
	RuleBoost
	RuleWalks
	RuleWalkStops
	RuleWalkWakes
	RuleSpins
	RuleSpinRetries
	RuleOwnerNotOnCPU
	RuleNotTopSleeps
	RuleSpinFails
	RuleSpinnerPreempted
	RuleOwnerSpins
	RuleSteals
	RuleStealsLaterally
	RuleMayNotSteal
	RuleTakesOffered
	RuleFastUnlock
	RuleSlowUnlock
	RulePinEndsFirst
	RuleWriterWaits
	RuleReaderQueues
	RuleStateRestored
	RuleWakeSaved
	RuleRawSpins
	RuleWaitLock
	RuleWaitLockContended
	RuleOneToken
	RuleOneChoice
	RuleBHLock
	RuleHardTimer
	RuleSoftTimer
	RuleKtimers
	NRules
)

// ruleTexts begin with the number of the rule in the project's list.
var ruleTexts = [NRules]string{
	RulePickHighest:       "1.1 the first of the highest of several priorities",
	RuleClassOrder:        "1.2 RT before a fair task",
	RuleTail:              "1.2 woken or moved: tail",
	RuleTailBoost:         "1.2 priority risen: tail",
	RuleHeadDeboost:       "1.2 priority dropped: head",
	RuleTailYield:         "1.2 sched_yield",
	RuleTailSlice:         "1.2 SCHED_RR slice used up, with a peer",
	RuleBackToFair:        "1.2 deboosted out of the RT class while it runs",
	RulePreemptedStays:    "1.3 the preempted task keeps its place",
	RuleHigherPreempts:    "1.5 a strictly higher wake-up",
	RuleEqualWaits:        "1.6 an equal one does not",
	RuleEqualMakesRoom:    "1.6 but a pinned one moves a movable one",
	RuleRunningDropped:    "1.7 the running task's priority drops below a queued one's",
	RuleQueuedRose:        "1.7 a queued task's rises above the running one's",
	RuleReschedIRQ:        "1.8 (a) return from an interrupt",
	RuleReschedEnable:     "1.8 (b) preemption or interrupts on again",
	RuleReschedBlock:      "1.8 (d) the task goes to sleep",
	RulePreemptOff:        "1.9 a request meets a task with preemption off",
	RuleIRQHeld:           "1.10 an interrupt waits for interrupts on",
	RuleIRQSteals:         "1.11 a handler takes time from a task",
	RulePreemptedAwake:    "1.12 preempted while its state says sleeping",
	RuleRemoteWake:        "1.13 the waker enqueues on another CPU",
	RuleIPI:               "1.14 a reschedule IPI flies",
	RuleOneIPI:            "1.14 no second one",
	RuleFairShares:        "1.18 one of several fair tasks",
	RuleFairBoosted:       "1.19 a fair owner joins the RT class",
	RuleServerFires:       "1.21 fair tasks starved: above FIFO",
	RuleServerSpent:       "1.21 the runtime is used up",
	RuleServerRestarts:    "1.21 fair tasks had their share: a new period",
	RuleSelectStays:       "1.22 woken onto a busy previous CPU",
	RuleSelectGoes:        "1.22 woken onto another",
	RulePush:              "1.23 a push moves a task",
	RuleLowest:            "1.24 a CPU of the lowest rank is found",
	RulePull:              "1.25 a pull moves a task",
	RulePinnedStops:       "1.26 a pinned candidate stops a push",
	RuleCurrentPushed:     "1.26 the running task is moved instead",
	RulePinnedCounts:      "1.27 a migrate-disabled running task counts as movable",
	RuleMigrateOn:         "1.28 migrate_enable",
	RuleFastLock:          "2.1 a free lock is taken at once",
	RuleSlowLock:          "2.2 the slow path, past the fast one",
	RuleBehindEquals:      "2.3 a waiter behind its equals",
	RuleReranked:          "2.3 a waiter whose priority changed",
	RuleBoostsReady:       "2.4 the owner is boosted and not on a CPU",
	RuleBoost:             "2.5 an owner's priority rises",
	RuleWalks:             "2.5 the next owner's priority changes with it",
	RuleWalkStops:         "2.5 the re-ranked waiter is not the top",
	RuleWalkWakes:         "2.5 the new top waiter of a pending lock is woken",
	RuleSpins:             "2.6 the top waiter spins on an owner that is on a CPU",
	RuleSpinRetries:       "2.6 the owner changed: try again",
	RuleOwnerNotOnCPU:     "2.7 (a) (e) the top waiter sleeps: the owner is not on a CPU",
	RuleNotTopSleeps:      "2.7 (b) who is not the top waiter sleeps",
	RuleSpinFails:         "2.7 (c) displaced, or the owner left its CPU: sleeps",
	RuleSpinnerPreempted:  "2.7 (f) a spinner is preempted",
	RuleOwnerSpins:        "2.7 (g) spins on an owner that spins itself",
	RuleSteals:            "2.8 strictly higher takes a pending lock",
	RuleStealsLaterally:   "2.8 outside of the RT class also an equal",
	RuleMayNotSteal:       "2.8 others don't",
	RuleTakesOffered:      "2.9 the woken top waiter takes the lock",
	RuleFastUnlock:        "2.10 no waiters: at once",
	RuleSlowUnlock:        "2.11 deboost and wake",
	RulePinEndsFirst:      "2.12 migrate_enable before a contended release",
	RuleWriterWaits:       "2.14 for the readers",
	RuleReaderQueues:      "2.14 behind a writer",
	RuleStateRestored:     "2.15 the saved state, after a wait",
	RuleWakeSaved:         "2.15 a wake-up meets the saved state",
	RuleRawSpins:          "2.16 spins for a raw lock",
	RuleWaitLock:          "2.17 a slow path's raw section",
	RuleWaitLockContended: "2.17 spins for it",
	RuleOneToken:          "3.4 a wake-up while one is pending",
	RuleOneChoice:         "3.5 several tasks woken in one handler",
	RuleBHLock:            "3.8 the BH lock is taken",
	RuleHardTimer:         "3.9 a sleeper with an RT policy",
	RuleSoftTimer:         "3.9 one without",
	RuleKtimers:           "3.10 woken by ktimers",
}

// String is the rule's number and its case in a few words.
func (r Rule) String() string { return "R" + ruleTexts[r] }

// fired notes that the machine has just acted on a rule.
func (m *Machine) fired(r Rule) {
	if countRules {
		m.rules[r]++
	}
}

// firedIf does the same if the case is the rule's.
func (m *Machine) firedIf(is bool, r Rule) {
	if countRules && is {
		m.rules[r]++
	}
}

// RulesFired says how often the machine acted on each rule; nil without the tag invariants.
func (m *Machine) RulesFired() []int64 { return m.rules[:] }
