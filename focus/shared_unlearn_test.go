package focus_test

import (
	"context"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
)

// A machine that was cut off in the middle of a visit's steps, and whose visit another machine has taken meanwhile, has
// learned something that is not told to the others. It lets go of that: it visits the page again if it comes to it, and at the
// end it leaves all that was learned to those who join, each page once.
func TestAMachineThatWasCutOffLearnsNothingTwice(t *testing.T) {
	const hosts, pages = 4, 5
	s, db := serveWeb(t, manyHosts(hosts, pages), 0), startRedis(t)
	t.Chdir(t.TempDir())
	told := sharing{Store: db.address("&lease=1s"), Web: s.address(), Agent: "one", Seeds: []string{"http://start.example/"}, Parallel: 1}
	config := told.config()
	crawler, err := focus.NewWith(config)
	if err != nil {
		t.Fatal(err)
	}
	client, to, err := redis.Dial(told.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	later := frontier.NewManual(time.Time{})
	thief, err := redis.Join(context.Background(), client, to.Crawl, frontier.Manners{Clock: later}, redis.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer thief.Close()
	var taken []uint64
	visits := 0
	crawler.OnPage(func(v *focus.Visit) string {
		if visits++; visits == 8 { // its steps have begun
			for over := time.Now().Add(late); ; {
				later.Set(time.Now().Add(1100 * time.Millisecond)) // every lease has lapsed, unless it is renewed meanwhile
				it, _, err := thief.TryPop(0)
				if it.ID == 0 && (err == nil || err == frontier.ErrIdle) && time.Now().Before(over) {
					continue
				}
				if err != nil || it.ID == 0 {
					t.Errorf("the visit was not taken: %v, %v", it, err)
					return ""
				}
				if taken = append(taken, it.ID); it.ID == v.Item.ID {
					return ""
				}
			}
		}
		for _, id := range taken {
			if err := thief.Done(id, frontier.Outcome{Again: true, Idle: true}); err != nil {
				t.Error(err)
			}
		}
		taken = nil
		return ""
	})
	report, err := crawler.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	const all = hosts*pages + 1
	if c := report.Counts; c.Pages != all || c.Kept != all || c.Failed != 0 || visits != all+1 {
		t.Errorf("%d pages, %d kept, %d failed in %d visits, want %d of them in %d", c.Pages, c.Kept, c.Failed, visits, all, all+1)
	}
	if kept, err := client.HExists(context.Background(), "thresher:{shared/0}:learned", "state").Result(); err != nil || !kept {
		t.Errorf("it leaves nothing of what was learned: %v", err)
	}
	if c := joins(t, told); c.Pages != all || c.Kept != all || c.Relevant != all {
		t.Errorf("who joins counts %d pages, %d kept, %d relevant", c.Pages, c.Kept, c.Relevant)
	}
}
