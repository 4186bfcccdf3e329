package focus

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/run"
)

// Start pages that are added to the crawl file of a run are visited when it goes on, each once however often it is
// started; without them the run was over.
func TestSeedsAddedLaterAreVisited(t *testing.T) {
	config := drawnCrawl(t, "breadth")
	config.Scope.Hosts = []string{"www.ribao.example", "daily.example"}
	config.Scope.Depth = 1
	config.Seeds = []string{"http://www.ribao.example/"}
	before := crawled(t, context.Background(), config, nil)
	if before.Reason != run.NothingMore {
		t.Fatalf("it ended because %s", before.Reason)
	}
	config.Seeds = append(config.Seeds, "http://daily.example/")
	for range 2 { // the second time as if the first had been killed before it took them
		c, err := NewWith(config)
		if err != nil {
			t.Fatal(err)
		}
		if from, ok := c.Resumed(); !ok || from.Added > 1 {
			t.Errorf("resumed %+v, %v", from, ok)
		}
		c.Close()
	}
	after := crawled(t, context.Background(), config, nil)
	if after.Counts.Pages <= before.Counts.Pages {
		t.Errorf("%d pages, and %d with another start page", before.Counts.Pages, after.Counts.Pages)
	}
	pushed := 0
	err := run.ReadLog(filepath.Join(config.Store, run.FileLog), func(d *run.Decision) bool {
		if d.Decision == "push" && d.URL == "http://daily.example/" && d.Via == 0 {
			pushed++
		}
		return true
	})
	if err != nil || pushed != 1 {
		t.Errorf("it entered %d times, %v", pushed, err)
	}
	if _, err := NewWith(config); err == nil || !strings.Contains(err.Error(), "finished run") {
		t.Errorf("nothing was added, and it goes on: %v", err)
	}
}

// The figures of the hosts are told while a crawl stands still, and holds the turn.
func TestHostsAreToldWhileACrawlStandsStill(t *testing.T) {
	config := drawnCrawl(t, "breadth")
	asked := false
	crawled(t, context.Background(), config, func(c *Crawler, visit int) { // it is called in the turn
		if states := c.ledger.HostStates(c.down); visit > 5 && states["ready"] == 0 {
			t.Errorf("visit %d: %v", visit, states)
		}
		asked = true
	})
	if !asked {
		t.Error("nobody asked")
	}
}

// Addresses given to a run that has used up its budget are taken with a larger one, and that is said.
func TestInjectIntoARunWithoutBudget(t *testing.T) {
	config := drawnCrawl(t, "breadth")
	config.Budget.Pages = 5
	crawled(t, context.Background(), config, nil)
	done, err := run.Inject(config.Store, []string{"http://daily.example/added"})
	if err != nil || done.Taken != 1 || done.UsedUp != "the budget of 5 pages is used up" {
		t.Errorf("%+v, %v", done, err)
	}
	if done, err := run.Inject(config.Store, []string{"http://daily.example:99999/"}); err != nil || done.Refused["http://daily.example:99999/"] != admit.RefusedAddress {
		t.Errorf("a port that there is not: %+v, %v", done, err)
	}
	if _, err := run.Raise(config.Store, 9, false); err != nil {
		t.Fatal(err)
	}
	if done, err := run.Inject(config.Store, []string{"http://daily.example/", "http://daily.example/other"}); err != nil || done.Taken != 2 || done.Known != 1 {
		t.Errorf("one was visited: %+v, %v", done, err)
	}
	if done, err := run.Inject(config.Store, []string{"http://daily.example/more"}); err != nil || done.UsedUp != "" {
		t.Errorf("the budget was raised: %+v, %v", done, err)
	}
	if err := os.RemoveAll(config.Store); err != nil {
		t.Fatal(err)
	}
	config.Budget.Pages = 0
	config.Scope.Depth = 1
	crawled(t, context.Background(), config, nil)
	if done, err := run.Inject(config.Store, []string{"http://daily.example/added"}); err != nil || done.UsedUp != "" {
		t.Errorf("there is budget: %+v, %v", done, err)
	}
}
