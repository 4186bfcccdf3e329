package focus

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// On Redis, too, what was refused while a site answered all alike comes back, and who goes on with the crawl visits it.
func TestWhatWasRefusedComesBackFromRedis(t *testing.T) {
	t.Chdir(t.TempDir())
	store := "redis://" + miniredis.RunT(t).Addr() + "?crawl=back"
	asked, kept, refused := 0, 0, 0
	web := site(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.RawQuery == "" {
			io.WriteString(w, wikiHub("/boat?id=%d"))
			return
		}
		var n int
		if fmt.Sscanf(r.URL.RawQuery, "id=%d", &n); asked < 16 {
			n = 99
		}
		asked++
		io.WriteString(w, article(fmt.Sprintf("/boat%d", n)))
	})
	for _, budget := range []int{16, 0} {
		config := sharedCrawl("back", store, web)
		config.Duplicates, config.Polite.Parallel, config.Polite.Delay, config.Budget.Pages = "drop", 1, strict.Pace(time.Millisecond), budget
		c, err := NewWith(config)
		if err != nil {
			t.Fatal(err)
		}
		ctx, giveUp := context.WithTimeout(t.Context(), 2*time.Minute)
		report, err := c.Run(ctx)
		giveUp()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		kept, refused = report.Counts.Kept, 0
		for why, n := range report.Counts.Dropped {
			if why.Kind() == admit.RefusedTrap {
				refused += n
			}
		}
		if budget > 0 && refused == 0 {
			t.Errorf("%d are refused by the first: %v", refused, report.Counts.Dropped)
		}
	}
	if want := wikiArticles - 16 + 2; kept != want {
		t.Errorf("%d articles were kept of %d that were asked for, want %d, and %d were refused", kept, asked, want, refused)
	}
}
