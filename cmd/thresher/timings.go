package main

import (
	"fmt"
	"io"
	"time"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/turn"
)

// stageWords say what happens in a stage of a page's way.
var stageWords = map[turn.Stage]string{
	turn.Pop: "taken from the frontier", turn.Fetch: "host and network, robots.txt too", turn.Prepare: "read, words cut, links in scope",
	turn.Hooks: "Colly and its callbacks", turn.Wait: "others have the turn", turn.Judge: "judged", turn.Keep: "extracted, recorded, archived",
	turn.Learn: "learned", turn.Again: "waiting links scored again, on all cores", turn.Admit: "its links admitted", turn.Rank: "its links scored", turn.Push: "its links pushed",
	turn.Write: "log and meter", turn.Settle: "told to the frontier, saved",
}

// printTimings shows where the time of a crawl went, and what limits it.
func printTimings(w io.Writer, t turn.Times, recorded bool) {
	if t.Visits == 0 || t.Wall <= 0 {
		return
	}
	each := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / float64(t.Visits) }
	fmt.Fprintf(w, "\n  where the time of %s went, on the wall\n", run.Several(t.Visits, "visit"))
	for s, stage := range t.Stages {
		mark := " "
		if stage.InTurn {
			mark = "│"
		}
		fmt.Fprintf(w, "  %s %-8s %9.3f ms  %s\n", mark, stage.Name, each(stage.Spent), stageWords[turn.Stage(s)])
	}
	fmt.Fprintf(w, "  │ in the turn: %.3f ms a visit, %.0f %% of the time; one process makes at most %.0f a second\n",
		each(t.Turn()), 100*ratio(t.Turn(), t.Wall), float64(t.Visits)/t.Turn().Seconds())
	fmt.Fprintf(w, "    of the time of %d workers %.0f %% had nothing to do\n", t.Workers, 100*idleShare(t))
	fmt.Fprintf(w, "  %s\n", limitOf(t, recorded))
}

func ratio(part, whole time.Duration) float64 {
	if whole <= 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// idleShare is how much of their time the workers had nothing to do.
func idleShare(t turn.Times) float64 { return ratio(t.Idle(), time.Duration(t.Workers)*t.Wall) }

// limitOf says what limits a crawl, by where its time went, and what to turn.
func limitOf(t turn.Times, recorded bool) string {
	var busy time.Duration
	for _, s := range t.Stages {
		busy += s.Spent
	}
	switch waits := t.Of(turn.Fetch); {
	case ratio(t.Turn(), t.Wall) >= .7:
		return "what limits it: the turn, in which one page at a time is decided; a strategy that learns less is faster"
	case !recorded && idleShare(t) >= .5:
		return "what limits it: hosts, each of which is visited once in polite.delay, and polite.per_host pages of it at once; more start pages on other hosts help, and polite.patience: 0, with which none stands idle for a better page"
	case !recorded && 2*waits >= busy:
		return "what limits it: answers that are waited for; more polite.parallel helps, where there are enough hosts"
	}
	return "what limits it: the processor; more cores help"
}

// jsonTimings are the same for --json, in seconds.
type jsonTimings struct {
	Wall    float64            `json:"wall"`
	Workers int                `json:"workers"`
	Visits  int                `json:"visits"`
	Turn    float64            `json:"turn"`
	Idle    float64            `json:"idle"`
	Stages  map[string]float64 `json:"stages"`
	Limit   string             `json:"limit"`
}

func timingsOf(t turn.Times, recorded bool) *jsonTimings {
	j := &jsonTimings{Wall: t.Wall.Seconds(), Workers: t.Workers, Visits: t.Visits, Turn: t.Turn().Seconds(), Idle: t.Idle().Seconds(), Stages: map[string]float64{}, Limit: limitOf(t, recorded)}
	for _, s := range t.Stages {
		j.Stages[s.Name] = s.Spent.Seconds()
	}
	return j
}
