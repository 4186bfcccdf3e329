package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/turn"
)

// What limits a crawl is told by where its time went.
func TestWhatLimitsACrawl(t *testing.T) {
	at := func(workers int, spent map[turn.Stage]time.Duration) turn.Times {
		times := new(turn.Clock).Times()
		times.Wall, times.Workers = 10*time.Second, workers
		for s, d := range spent {
			times.Stages[s].Spent = d
		}
		return times
	}
	for _, c := range []struct {
		times    turn.Times
		recorded bool
		want     string
	}{
		{at(4, map[turn.Stage]time.Duration{turn.Rank: 8 * time.Second, turn.Wait: 20 * time.Second}), false, "the turn"},
		{at(4, map[turn.Stage]time.Duration{turn.Fetch: 3 * time.Second}), false, "hosts"},
		{at(4, map[turn.Stage]time.Duration{turn.Fetch: 30 * time.Second}), false, "answers"},
		{at(4, map[turn.Stage]time.Duration{turn.Prepare: 30 * time.Second}), false, "the processor"},
		{at(4, map[turn.Stage]time.Duration{turn.Fetch: 3 * time.Second}), true, "the processor"},
	} {
		if got := limitOf(c.times, c.recorded); !strings.HasPrefix(got, "what limits it: "+c.want) {
			t.Errorf("of %v it says %q, want %s", c.times, got, c.want)
		}
	}
}

// A crawl with --timings tells every stage, and the turn is no longer than the crawl.
func TestACrawlTellsItsTimings(t *testing.T) {
	files(t, "small.yaml", smallCrawl())
	code, out, errs := thresher(t, "crawl", "small.yaml", "--timings")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for s, words := range stageWords {
		if !strings.Contains(out, s.String()+" ") || !strings.Contains(out, words) {
			t.Errorf("it does not tell %s (%s):\n%s", s, words, out)
		}
	}
	if !strings.Contains(out, "what limits it: ") {
		t.Errorf("it does not say what limits it:\n%s", out)
	}
	code, out, errs = thresher(t, "crawl", "small.yaml", "--budget", "45", "--timings") // it goes on
	if code != exitDone || !regexp.MustCompile(`where the time of \d visits went`).MatchString(out) {
		t.Errorf("exit %d: five pages more are not told alone: %s\n%s", code, errs, out)
	}
	code, out, errs = thresher(t, "crawl", "small.yaml", "--fresh", "--json", "--timings")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, errs)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var said struct{ Timings *jsonTimings }
	noError(t, json.Unmarshal([]byte(lines[len(lines)-1]), &said))
	if at := said.Timings; at == nil || at.Turn <= 0 || at.Turn > at.Wall || at.Visits < 40 || len(at.Stages) != len(stageWords) || at.Limit == "" {
		t.Errorf("the timings are %+v", at)
	}
}
