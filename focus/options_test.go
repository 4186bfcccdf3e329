package focus_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/storage"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// shelving is a sink of a program's own.
type shelving struct {
	titles []string
	err    error
	closed bool
}

func (s *shelving) Write(r *sink.Record) error {
	s.titles = append(s.titles, r.Title)
	return s.err
}

func (s *shelving) Lengths() map[string]int64 { return map[string]int64{"no such file": 7} }

func (s *shelving) Sync() error { return nil }

func (s *shelving) Close() error {
	s.closed = true
	return nil
}

// The same options serve a crawl of a crawl file and a Colly program: sinks of one's own receive what is kept, the transport is
// asked, and addresses that are not offered do not enter.
func TestACrawlAndACollyProgramTakeTheSameOptions(t *testing.T) {
	web := solarWeb()
	options := func(own *shelving) []focus.Option {
		return []focus.Option{focus.Into(own), focus.Transport(web), focus.Offer(func(address string) bool { return !strings.Contains(address, "/roof") })}
	}
	config := solarConfig(t, nil)
	var crawled, attached shelving
	crawler, err := focus.New(context.Background(), config.Config, options(&crawled)...)
	if err != nil {
		t.Fatal(err)
	}
	report, err := crawler.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if kept := len(harvest(t, config)); kept == 0 || len(crawled.titles) != kept || report.Counts.Kept != kept {
		t.Errorf("%d records for the program, %d in the run folder, %d counted", len(crawled.titles), kept, report.Counts.Kept)
	}
	if crawled.closed {
		t.Error("the crawl has closed a sink that is the program's")
	}

	c := colly.NewCollector()
	waiting := frontier.NewMemory(frontier.Manners{})
	steps, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree), options(&attached)...)
	if err != nil {
		t.Fatal(err)
	}
	q := newQueue(t, 1, waiting)
	q.AddURL("http://a.example/")
	if err := q.Run(c); err != nil || steps.Err() != nil {
		t.Fatal(err, steps.Err())
	}
	if len(attached.titles) == 0 {
		t.Error("nothing was kept by the Colly program")
	}
	slices.Sort(crawled.titles)
	slices.Sort(attached.titles)
	for _, titles := range [][]string{crawled.titles, attached.titles} {
		if slices.ContainsFunc(titles, func(title string) bool { return strings.Contains(strings.ToLower(title), "roof") }) {
			t.Errorf("what was not offered was kept: %q", titles)
		}
	}
}

// How pages are read is the program's to say where no crawl file does: with one link a page, a Colly program finds one.
func TestACollyProgramSaysHowPagesAreRead(t *testing.T) {
	found := func(options ...focus.Option) (most int) {
		c := colly.NewCollector()
		waiting := frontier.NewMemory(frontier.Manners{})
		steps, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree), append(options, focus.Transport(solarWeb()))...)
		if err != nil {
			t.Fatal(err)
		}
		c.OnScraped(func(r *colly.Response) { most = max(most, len(focus.VisitOf(r.Ctx).Found)) })
		q := newQueue(t, 1, waiting)
		q.AddURL("http://a.example/")
		if err := q.Run(c); err != nil || steps.Err() != nil {
			t.Fatal(err, steps.Err())
		}
		return most
	}
	if all, one := found(), found(focus.Reading(page.Options{MaxLinks: 1})); all < 2 || one != 1 {
		t.Errorf("%d links, and %d where a page is read for one", all, one)
	}
}

// An option that one of the two can do nothing with is refused by it, with what to do instead.
func TestOptionsThatDoNothingAreRefused(t *testing.T) {
	config := solarConfig(t, solarWeb()).Config
	if _, err := focus.New(context.Background(), config, focus.Within(admit.Scope{})); err == nil || !strings.Contains(err.Error(), "Within") || !strings.Contains(err.Error(), "crawl file") {
		t.Errorf("New with Within: %v", err)
	}
	_, err := focus.Attach(colly.NewCollector(), frontier.NewMemory(frontier.Manners{}), solarTopic(t), loadTree(t, sharkTree), focus.Fresh(), focus.Record("x"))
	if err == nil || !strings.Contains(err.Error(), "Fresh and Record") || !strings.Contains(err.Error(), "New") {
		t.Errorf("Attach with Fresh and Record: %v", err)
	}
}

// The logger hears why a crawl cannot go on.
func TestTheLoggerHearsWhyACrawlCannotGoOn(t *testing.T) {
	var heard bytes.Buffer
	crawler, err := focus.New(context.Background(), solarConfig(t, nil).Config, focus.Transport(solarWeb()),
		focus.Into(&shelving{err: http.ErrContentLength}), focus.Logger(slog.New(slog.NewTextHandler(&heard, nil))))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := crawler.Run(context.Background()); err == nil || !strings.Contains(heard.String(), "level=ERROR") || !strings.Contains(heard.String(), http.ErrContentLength.Error()) {
		t.Errorf("the crawl ended with %v, and the logger heard %q", err, heard.String())
	}
}

// What a storage would keep is on Redis for all machines: one of the program's is refused there, and not replaced in silence.
func TestAStorageIsRefusedOnRedis(t *testing.T) {
	config := solarConfig(t, nil).Config
	config.Store = "redis://127.0.0.1:1/0?crawl=ours"
	if _, err := focus.New(context.Background(), config, focus.Storage(&storage.InMemoryStorage{})); err == nil || !strings.Contains(err.Error(), "Storage") {
		t.Errorf("with a storage: %v", err)
	}
}

// The clock of a program is the one that a crawl tells the time by.
func TestTheClockOfAProgram(t *testing.T) {
	noon := time.Date(2021, 6, 1, 12, 0, 0, 0, time.UTC)
	config := solarConfig(t, nil)
	config.Budget.Pages = 3
	crawler, err := focus.New(context.Background(), config.Config, focus.Transport(solarWeb()), focus.Clock(frontier.NewManual(noon)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := crawler.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, r := range harvest(t, config) {
		if !r.Time.Equal(noon) {
			t.Errorf("%s was fetched at %v, want %v", r.URL, r.Time, noon)
		}
	}
}

// A crawl on Redis speaks by the client that the program gives it, wherever the store's address points.
func TestACrawlSpeaksByTheRedisClientItIsGiven(t *testing.T) {
	db := startRedis(t)
	web, err := filepath.Abs("../testdata/webs/small")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	c := focus.DefaultSetting().Config
	c.Name, c.Store, c.Web, c.Seeds = "given", "redis://127.0.0.1:1/0", web, smallSeeds
	c.Topic.Terms, c.MinFree = []crawlfile.TermConfig{{Term: "sailing", Weight: 1}}, 0
	c.Budget.Pages = 10
	crawler, err := focus.New(t.Context(), c, focus.Redis(db.client()))
	if err != nil {
		t.Fatal(err)
	}
	report, err := crawler.Run(t.Context())
	if err != nil || report.Counts.Pages != 10 {
		t.Errorf("%d pages, %v", report.Counts.Pages, err)
	}
	keys, err := db.client().Keys(t.Context(), "thresher:{given/*").Result()
	if err != nil || len(keys) == 0 {
		t.Errorf("on the client's Redis stand %v, %v", keys, err)
	}
}
