package focus_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
)

// quicker lets something be done just before a client begins a crawl on Redis.
type quicker struct{ first func() }

func (q quicker) DialHook(next goredis.DialHook) goredis.DialHook          { return next }
func (q quicker) ProcessHook(next goredis.ProcessHook) goredis.ProcessHook { return next }
func (q quicker) ProcessPipelineHook(next goredis.ProcessPipelineHook) goredis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []goredis.Cmder) error {
		if slices.ContainsFunc(cmds, func(c goredis.Cmder) bool { return c.Name() == "hsetnx" }) {
			q.first()
		}
		return next(ctx, cmds)
	}
}

// Two crawls of one name that begin at the same moment are not taken for one: whoever comes second is refused.
func TestAnotherCrawlThatBeginsAtTheSameMoment(t *testing.T) {
	db := startRedis(t)
	web, err := filepath.Abs("../testdata/webs/small")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	crawl := func(term string, client *goredis.Client) error {
		c := focus.DefaultSetting().Config
		c.Name, c.Store, c.Web, c.Seeds = "twins", "redis://127.0.0.1:1/0", web, smallSeeds
		c.Topic.Terms, c.MinFree = []crawlfile.TermConfig{{Term: term, Weight: 1}}, 0
		crawler, err := focus.New(t.Context(), c, focus.Redis(client))
		if err == nil {
			t.Cleanup(func() { crawler.Close() })
		}
		return err
	}
	second := db.client()
	second.AddHook(quicker{sync.OnceFunc(func() {
		if err := crawl("sailing", db.client()); err != nil {
			t.Error(err)
		}
	})})
	if err := crawl("beekeeping", second); err == nil || !strings.Contains(err.Error(), "crawl twins is another one: topic.terms") {
		t.Errorf("it was told %v", err)
	}
	if about, err := db.client().HGet(t.Context(), "thresher:{twins/0}:about", "crawl.yaml").Result(); err != nil || !strings.Contains(about, "sailing") {
		t.Errorf("the crawl is %q, %v", about, err)
	}
}
