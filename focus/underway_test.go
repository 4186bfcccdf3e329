package focus

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
)

// A crawl whose visits are made alone, because a process died twice over all of them, ends like any other, to the byte: they
// are fetched in the same order.
func TestVisitsMadeAloneChangeNothing(t *testing.T) {
	config := drawnCrawl(t, "block-shark")
	killed := filepath.Join(t.TempDir(), "run")
	crawled(t, context.Background(), config, func(c *Crawler, visit int) {
		if visit == 20 {
			if err := c.keeper.Sync(); err != nil {
				t.Error(err)
			}
			image(t, config.Store, killed)
		}
	})
	want := outcome(t, config.Store)
	var text []byte
	addresses := 0
	for line := range strings.Lines(want["frontier"]) {
		if f := strings.Fields(line); len(f) > 2 && strings.HasPrefix(f[2], "http") && addresses%3 < 2 {
			name := page.LinkTo(f[2]).Identity
			text = append(text, run.Sealed("! "+name)+run.Sealed("+ "+name)...)
		}
		addresses++
	}
	if addresses < 40 {
		t.Fatalf("%d addresses: the test sees nothing", addresses)
	}
	config.Store = killed
	if err := os.WriteFile(filepath.Join(killed, run.FileState, run.FileUnderway), text, 0o600); err != nil {
		t.Fatal(err)
	}
	most, visits := 0, 0
	crawled(t, context.Background(), config, func(c *Crawler, visit int) {
		visits++
		now, alone := map[string]int{}, map[string]bool{}
		if _, err := run.EachSealed(filepath.Join(killed, run.FileState, run.FileUnderway), 0, func(line string) {
			switch sign, name, _ := strings.Cut(line, " "); sign {
			case "!!":
				alone[name] = true
			case "+":
				now[name]++
			case "-", "~":
				if now[name]--; now[name] == 0 {
					delete(now, name)
				}
			}
		}); err != nil {
			t.Error(err)
		}
		for name := range now {
			if alone[name] {
				most = max(most, len(now))
			}
		}
	})
	same(t, "with visits made alone", outcome(t, killed), want)
	if most != 1 || visits < 10 {
		t.Errorf("%d visits were under way together with one that is made alone, of %d", most, visits)
	}
}
