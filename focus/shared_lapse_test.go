package focus

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
)

// lapse is a crawl on Redis in the middle of which the lease of a visit lapses, by the clock of Redis and that of the machine.
type lapse struct {
	*testing.T
	server  *miniredis.Miniredis
	now     time.Time // of Redis
	wall    *frontier.Manual
	crawler *Crawler
	thief   *redis.Frontier
	taken   []uint64 // by the thief, and not given back yet

	moment string // at which it lapses: when the third page is handed over, fetched, or gone through
	steals bool   // the thief takes the visit, or only looks
	handed int
	late   frontier.Item // whose lease it is
	asked  map[string]int
	went   map[string]int // through its steps
	done   map[string]int
}

const (
	lapseHosts, lapsePages = 4, 3
	lapseAll               = lapseHosts*lapsePages + 1
)

// RoundTrip serves a start page that links to all others.
func (l *lapse) RoundTrip(r *http.Request) (*http.Response, error) {
	if l.asked[r.URL.String()]++; r.URL.String() == l.late.URL {
		l.at("fetched", l.late)
	}
	var b strings.Builder
	b.WriteString("<title>Sailing</title><p>sailing boat yacht")
	if r.URL.Host == "start.example" {
		for n := range lapseHosts * lapsePages {
			fmt.Fprintf(&b, `<a href="http://h%d.example/%d">boat</a> `, n%lapseHosts, n)
		}
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: io.NopCloser(strings.NewReader(b.String())), Request: r}, nil
}

func (l *lapse) DialHook(next goredis.DialHook) goredis.DialHook { return next }

func (l *lapse) ProcessPipelineHook(next goredis.ProcessPipelineHook) goredis.ProcessPipelineHook {
	return next
}

// ProcessHook sees what Redis hands over before the crawl hears of it.
func (l *lapse) ProcessHook(next goredis.ProcessHook) goredis.ProcessHook {
	return func(ctx context.Context, cmd goredis.Cmder) error {
		err := next(ctx, cmd)
		if c, ok := cmd.(*goredis.Cmd); ok && err == nil {
			if a, _ := c.Slice(); len(a) > 1 && a[0] == "item" {
				if l.handed++; l.handed == 3 {
					l.late, _ = l.thief.Get(uint64(a[1].(int64)))
					l.at("handed over", l.late)
				}
			}
		}
		return err
	}
}

// at lets the lease lapse if this is the moment.
func (l *lapse) at(moment string, item frontier.Item) {
	if moment != l.moment || item.ID != l.late.ID {
		return
	}
	l.moment = ""
	if !l.steals {
		l.thief.Rest(item.Host, time.Now().Add(2*time.Hour)) // longer than the lease
	}
	l.inRedis(time.Hour)
	for {
		it, _, err := l.thief.TryPop(0)
		if err != nil {
			l.Fatal(err)
		}
		if it.ID != 0 {
			l.taken = append(l.taken, it.ID)
		}
		if it.ID == item.ID || it.ID == 0 {
			break
		}
	}
	if !l.steals {
		if _, state := l.thief.Get(item.ID); state != frontier.Waiting {
			l.Errorf("the lease has not lapsed: %v", state)
		}
		l.inRedis(2 * time.Hour)
		l.giveBack()
	}
	l.wall.Advance(time.Hour) // it begins to renew its leases by itself: whether that or the visit comes first is all the same
}

// inRedis lets time pass there.
func (l *lapse) inRedis(d time.Duration) {
	l.now = l.now.Add(d)
	l.server.SetTime(l.now)
}

// giveBack lets wait what the thief has.
func (l *lapse) giveBack() {
	for _, id := range l.taken {
		if err := l.thief.Done(id, frontier.Outcome{Again: true, Idle: true}); err != nil && err != frontier.ErrNotLeased {
			l.Error(err)
		}
	}
	l.taken = nil
}

func (l *lapse) config() Setting {
	c := DefaultSetting()
	c.Name, c.Store, c.Seeds = "shared", "redis://"+l.server.Addr()+"/0?lease=1h", []string{"http://start.example/"}
	c.Strategy.Name, c.Topic.Calibrate, c.Topic.Threshold = "breadth", "off", .05
	c.Topic.Terms = []crawlfile.TermConfig{{Term: "sailing", Weight: 1}}
	c.Scope.Traps, c.Scope.Soft404, c.Duplicates = "ignore", "ignore", "keep"
	c.Polite.Contact, c.Polite.Robots, c.Polite.Parallel, c.Polite.Delay = "test@example.org", "ignore", 1, 0
	c.MinFree, c.Transport, c.Wall = 0, l, l.wall
	return c
}

func (l *lapse) begin() {
	l.server = miniredis.RunT(l.T)
	l.now = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	l.wall = frontier.NewManual(l.now)
	l.server.SetTime(l.now)
	l.Chdir(l.TempDir())
	var err error
	if l.crawler, err = NewWith(l.config()); err != nil {
		l.Fatal(err)
	}
	l.crawler.company.(*shared).client.(goredis.UniversalClient).AddHook(l)
	client, to, err := redis.Dial("redis://" + l.server.Addr() + "/0?crawl=shared")
	if err != nil {
		l.Fatal(err)
	}
	l.Cleanup(func() { client.Close() })
	if l.thief, err = redis.Join(context.Background(), client, to.Crawl, frontier.Manners{Lease: time.Hour}, redis.Options{}); err != nil {
		l.Fatal(err)
	}
	l.Cleanup(func() { l.thief.Close() })
	l.crawler.OnPage(func(v *Visit) string {
		l.went[v.Item.URL]++
		l.at("gone through", v.Item)
		return ""
	})
	l.crawler.OnDone(func(v *Visit) {
		if l.done[v.Item.URL]++; v.Item.ID != l.late.ID {
			l.giveBack()
		}
	})
}

// A lease may lapse at any moment: before its visit has begun, while its page is fetched, and in the middle of its steps. A visit
// that had not begun is given back. One that had is ended if nobody else took it meanwhile; if somebody did, nothing of it is
// written, or, when that is done already, it is unlearned. Each page counts once, whoever asks.
func TestALeaseLapsesInTheMiddleOfACrawl(t *testing.T) {
	for _, what := range []struct {
		moment                    string
		steals                    bool
		handed, asked, went, done int // of the page, how often
	}{
		{"handed over", false, lapseAll + 1, 1, 1, 1},
		{"handed over", true, lapseAll + 1, 1, 1, 1},
		{"fetched", false, lapseAll, 1, 1, 1},
		{"fetched", true, lapseAll + 1, 2, 1, 1},
		{"gone through", false, lapseAll, 1, 1, 1},
		{"gone through", true, lapseAll + 1, 2, 2, 2},
	} {
		t.Run(fmt.Sprint(what.moment, " and taken ", what.steals), func(t *testing.T) {
			l := &lapse{T: t, moment: what.moment, steals: what.steals, asked: map[string]int{}, went: map[string]int{}, done: map[string]int{}}
			l.begin()
			report, err := l.crawler.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if l.moment != "" {
				t.Fatal("no lease lapsed: the test sees nothing")
			}
			if a, w, d := l.asked[l.late.URL], l.went[l.late.URL], l.done[l.late.URL]; l.handed != what.handed || a != what.asked || w != what.went || d != what.done {
				t.Errorf("handed over %d in all; the page was asked for %d times, gone through %d times, done %d times; want %+v", l.handed, a, w, d, what)
			}
			if c := report.Counts; c.Pages != lapseAll || c.Kept != lapseAll || c.Failed != 0 || len(l.went) != lapseAll {
				t.Errorf("%d pages, %d kept, %d failed; %d were gone through, want %d", c.Pages, c.Kept, c.Failed, len(l.went), lapseAll)
			}
			for url, n := range l.asked {
				if url != l.late.URL && n != 1 {
					t.Errorf("%s was asked for %d times", url, n)
				}
			}
			if waits := l.thief.Len(); waits != 0 {
				t.Errorf("%d wait", waits)
			}
			l.joins()
		})
	}
}

// joins checks what somebody finds counted who joins when all is done.
func (l *lapse) joins() {
	l.Helper()
	l.Chdir(l.TempDir()) // another machine
	c := l.config()
	c.Wall = nil
	late, err := NewWith(c)
	if err != nil {
		l.Fatal(err)
	}
	defer late.Close()
	if n := late.Counts(); n.Pages != lapseAll || n.Kept != lapseAll {
		l.Errorf("who joins counts %d pages, %d kept", n.Pages, n.Kept)
	}
}
