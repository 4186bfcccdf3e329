package focus_test

import (
	"context"
	"io"
	"log"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// Whatever servers do, a crawl whose time is over ends within fetch.timeout and a second, and so does one that is told to
// stop: neither a connection that was handed over nor a host that must be waited for holds it up.
func TestACrawlEndsAmongServersThatDoNot(t *testing.T) {
	log.SetOutput(io.Discard)
	defer log.SetOutput(os.Stderr)
	all := []string{"switch-silent", "switch-flood", "hints", "robots-switch", "robots-silent", "silent", "drip", "endless"}
	for _, c := range []struct {
		name   string
		names  []string
		store  bool
		told   bool // to stop, rather than out of time
		reason string
	}{
		{"out of time", all, true, false, "the time of "},
		{"out of time while all hosts are waited for", nil, false, false, "the time of "},
		{"told to stop", all, true, true, "you stopped it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			web := hostiletest.New(t, trusted)
			defer web.Close()
			config := hostileConfig(t, web.Port, c.names, 500*time.Millisecond)
			config.Polite.Delay = strict.Pace(time.Hour) // so that the good hosts are waited for
			if !c.store {
				config.Store = ""
			}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			if !c.told {
				config.Budget.Time = strict.Duration(200 * time.Millisecond)
			}
			crawler, err := focus.NewWith(config)
			if err != nil {
				t.Fatal(err)
			}
			if c.told {
				time.AfterFunc(200*time.Millisecond, stop)
			}
			began := time.Now()
			report, err := crawler.Run(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(report.Reason, c.reason) {
				t.Errorf("it ended because %q", report.Reason)
			}
			bound := config.Fetch.Timeout.Duration() + time.Second
			if took := time.Since(began); took > 10*bound {
				t.Errorf("it took %v, ten times the bound is %v", took, 10*bound)
			}
		})
	}
}

// A crawl whose context has ended is never told as one that has found all, however quickly it is over.
func TestACrawlThatIsStoppedSaysSo(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for range 100 {
		config := focus.DefaultSetting()
		config.Name, config.Store = "stopped", ""
		config.Seeds = []string{"http://stopped.example/"}
		config.Topic.Terms = []crawlfile.TermConfig{{Term: "solar", Weight: 1}}
		config.Polite.Contact = "mailto:owner@example.org"
		crawler, err := focus.NewWith(config)
		if err != nil {
			t.Fatal(err)
		}
		if report, err := crawler.Run(ctx); err != nil || report.Finished {
			t.Fatalf("finished, because %s (%v)", report.Reason, err)
		}
	}
}
