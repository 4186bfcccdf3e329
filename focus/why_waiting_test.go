package focus

import (
	"context"
	"fmt"
	"regexp"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/learn"
)

// whyHeld calls visit with what why says of every link that a run's selection holds back, and tells how many lessons stand
// behind the run's snapshot.
func whyHeld(t *testing.T, dir string, visit func(item frontier.Item, said string)) (lessons int) {
	t.Helper()
	run, err := OpenRun(dir)
	if err != nil {
		t.Fatal(err)
	}
	f, err := run.frontier()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for id := uint64(1); id <= uint64(f.Restored().Items); id++ {
		item, state := f.Get(id)
		if state != frontier.Waiting || item.Tier <= frontier.Held {
			continue
		}
		w, err := run.Why(item.URL)
		if err != nil {
			t.Fatal(err)
		}
		visit(item, w.Chosen)
	}
	return len(f.Restored().Lessons)
}

// Why names of a link that waits under a bandit the same as of one that was visited: its group, the group's mean and bonus;
// of a crawl that has ended, and of one that goes on.
func TestWhyNamesTheGroupOfAWaitingLink(t *testing.T) {
	config, under := drawnCrawl(t, "bandit"), t.TempDir()
	config.Budget.Pages = 25
	var g *groups
	crawled(t, context.Background(), config, func(c *Crawler, visit int) {
		if g = c.steps.steward.(*groups); visit == 20 {
			image(t, config.Store, under)
		}
	})
	held, tried := 0, 0
	whyHeld(t, config.Store, func(item frontier.Item, said string) {
		group := int(item.Tier - frontier.Held - 1)
		n, want := g.tries[group], fmt.Sprintf("group %d (%s), not tried before", group+1, g.places.Name(group))
		if held++; n.Tries > 0 {
			tried++
			bonus, _ := learn.UpperBound(n.mean(), g.Alpha, n.Tries, g.all)
			want = fmt.Sprintf("group %d (%s), mean %.4g of %d tries, bonus %.4g", group+1, g.places.Name(group), n.mean(), n.Tries, bonus)
		}
		if said != want {
			t.Errorf("%s: %q, want %q", item.URL, said, want)
		}
	})
	if tried == 0 || tried == held {
		t.Errorf("%d links are held, %d of them in groups that were tried", held, tried)
	}
	form := regexp.MustCompile(`^group \d+ \(.+\), (not tried before|mean \S+ of \d+ tries, bonus \S+)$`)
	lessons := whyHeld(t, under, func(item frontier.Item, said string) {
		if !form.MatchString(said) {
			t.Errorf("%s: %q", item.URL, said)
		}
	})
	if lessons == 0 {
		t.Error("no lesson was told since the snapshot")
	}
}
