package focus

import (
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/ground"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// TestSlowHostsAreSpared: the manners of a live crawl with a delay leave a slow host alone for a multiple of what its
// answer took, and a failing one for longer each time; a crawl without a delay, and a recorded web, only as the delay says.
func TestSlowHostsAreSpared(t *testing.T) {
	live := &Crawler{with: settle(nil), config: Default(), clock: liveTime{ground.Wall{}}}
	live.config.Polite.Adapt = 3
	if m := live.manners(); m.Adapt != 3 || m.Backoff != time.Second {
		t.Errorf("a live crawl: adapt %v, back-off %v; want 3 and the delay", m.Adapt, m.Backoff)
	}
	hurried := &Crawler{with: settle(nil), config: live.config, clock: liveTime{ground.Wall{}}}
	hurried.config.Polite.Delay = strict.Pace(0)
	overWeb := Default()
	overWeb.Web = "../testdata/webs/small"
	web, err := ground.Open(&overWeb, ground.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	recorded := &Crawler{with: settle(nil), config: live.config, clock: clockOf(web)}
	for name, c := range map[string]*Crawler{"without delay": hurried, "recorded": recorded} {
		if m := c.manners(); m.Adapt != 0 || m.Backoff != 0 {
			t.Errorf("%s: adapt %v, back-off %v; want neither", name, m.Adapt, m.Backoff)
		}
	}
}
