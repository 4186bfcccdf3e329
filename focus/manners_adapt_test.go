package focus

import (
	"slices"
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

// located is a frontier that writes down where it is told that hosts are.
type located []string

func (l *located) Locate(host, address string) { *l = append(*l, host+" "+address) }

// TestHostsThatAreAddressesAreLocated: they share the visits of their address (polite.per_ip), with names that stand there, too.
func TestHostsThatAreAddressesAreLocated(t *testing.T) {
	var told located
	c := &Crawler{with: settle(nil), config: Default(), clock: liveTime{ground.Wall{}}, can: powers{locate: &told}}
	polite := c.config.Polite
	c.polite.Store(&polite)
	c.places.Store("www.example.org", "127.0.0.1")
	for range 2 { // told once
		for _, host := range []string{"127.0.0.1:9110", "127.0.0.1", "www.example.org:81", "www.example.org", "[::1]:9110", "[::ffff:10.0.0.1]", "not-looked-up.example:81"} {
			c.locate(host)
		}
	}
	want := located{"127.0.0.1:9110 127.0.0.1", "127.0.0.1 127.0.0.1", "www.example.org:81 127.0.0.1", "[::1]:9110 ::1", "[::ffff:10.0.0.1] 10.0.0.1"}
	if !slices.Equal(told, want) {
		t.Errorf("have %q\nwant %q", told, want)
	}
}
