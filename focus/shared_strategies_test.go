package focus_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// Two processes share a crawl by strategies that learn of links: each understands what the other
// tells, and so does who joins when all is done.
func TestMachinesUnderstandEachOther(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	db := startRedis(t)
	web, seeds := drawWeb(t, 2)
	for _, strategy := range []string{"apprentice", "opic"} {
		t.Run(strategy, func(t *testing.T) {
			s, dir := serveWeb(t, web, 0), t.TempDir()
			told := sharing{Store: db.address("-" + strategy), Web: s.address(), Seeds: seeds,
				Parallel: 2, Strategy: strategy, Judge: "vsm-restricted"}
			for _, w := range s.startWorkers(t, dir, told, 2) {
				w.ends(t)
			}
			if c, n := joins(t, told), len(s.requests()); c.Pages != n || n < 30 {
				t.Errorf("who joins counts %d pages of %d", c.Pages, n)
			}
		})
	}
}

// Two machines that share a crawl give each page the relevance that one alone gives it.
func TestTwoMachinesJudgeAsOne(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	db := startRedis(t)
	web, seeds := drawWeb(t, 2)
	s, dir := serveWeb(t, web, 0), t.TempDir()
	told := sharing{Store: db.address("-verdicts"), Web: s.address(), Seeds: seeds, Parallel: 2, Strategy: "apprentice", Judge: topic.DefaultJudge}
	for _, w := range s.startWorkers(t, dir, told, 2) {
		w.ends(t)
	}
	machines := run.Parts(filepath.Join(dir, "runs/shared-verdicts"))
	told.Store, told.Agent, told.Strategy = filepath.Join(t.TempDir(), "run"), "alone", "breadth"
	crawlHere(t, told)
	alone, shared, by := relevances(t, told.Store), 0, 0
	for _, machine := range machines {
		judged := relevances(t, machine)
		for address, relevance := range judged {
			if was, ok := alone[address]; ok && was != relevance {
				t.Errorf("%s: %v, and %v by one machine alone", address, relevance, was)
			} else if ok {
				shared++
			}
		}
		if len(judged) > 0 {
			by++
		}
	}
	if by != 2 || shared < 30 {
		t.Errorf("%d machines have judged %d pages that one alone has", by, shared)
	}
}

// relevances are what the pages of a run were judged, by address.
func relevances(t *testing.T, dir string) map[string]float64 {
	t.Helper()
	of := map[string]float64{}
	if err := run.ReadLog(filepath.Join(dir, "crawl.log"), func(d *run.Decision) bool {
		if (d.Decision == "keep" || d.Decision == "drop") && !math.IsNaN(d.Relevance) {
			of[d.URL] = d.Relevance
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return of
}
