package focus

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/selection"
)

// whyHeld calls visit with what why says of every link that a run's selection holds back, and tells how many lessons stand
// behind the run's snapshot.
func whyHeld(t *testing.T, dir string, visit func(item frontier.Item, said string)) (lessons int) {
	t.Helper()
	ran, err := run.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	f, err := disk.OpenReadOnly(filepath.Join(dir, run.FileState))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for id := uint64(1); id <= uint64(f.Restored().Items); id++ {
		item, state := f.Get(id)
		if state != frontier.Waiting || item.Tier <= frontier.Held {
			continue
		}
		w, err := ran.Why(item.URL)
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
	var g selection.Stander
	crawled(t, context.Background(), config, func(c *Crawler, visit int) {
		if g = c.steps.selector.(selection.Stander); visit == 20 {
			image(t, config.Store, under)
		}
	})
	form := regexp.MustCompile(`^group \d+ \(.+\), (not tried before|mean \S+ of \d+ tries, bonus \S+)$`)
	held, tried := 0, 0
	whyHeld(t, config.Store, func(item frontier.Item, said string) {
		want := g.Stands(item)
		if held++; !strings.HasSuffix(want, "not tried before") {
			tried++
		}
		if said != want || !form.MatchString(said) {
			t.Errorf("%s: %q, want %q", item.URL, said, want)
		}
	})
	if tried == 0 || tried == held {
		t.Errorf("%d links are held, %d of them in groups that were tried", held, tried)
	}
	lessons := whyHeld(t, under, func(item frontier.Item, said string) {
		if !form.MatchString(said) {
			t.Errorf("%s: %q", item.URL, said)
		}
	})
	if lessons == 0 {
		t.Error("no lesson was told since the snapshot")
	}
}
