package focus_test

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
)

// turning stands between machines and a server, and counts round trips: how often somebody asks on a connection on which nothing
// was asked since the last answer, however much is asked at once.
func turning(t *testing.T, server string) (address string, count *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	count = new(atomic.Int64)
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", server)
			if err != nil {
				in.Close()
				continue
			}
			var asked atomic.Bool
			pass := func(from, to net.Conn, each func()) {
				defer from.Close()
				defer to.Close()
				buf := make([]byte, 64<<10)
				for {
					n, err := from.Read(buf)
					if n > 0 {
						each() // before it is passed on: what answers it comes after
						if _, err := to.Write(buf[:n]); err != nil {
							return
						}
					}
					if err != nil {
						return
					}
				}
			}
			go pass(in, out, func() {
				if !asked.Swap(true) {
					count.Add(1)
				}
			})
			go pass(out, in, func() { asked.Store(false) })
		}
	}()
	return l.Addr().String(), count
}

// However many links a page has, a crawl on Redis waits for it a fixed number of times a visit: three times for the frontier (what comes
// next, the links, the outcome), four times for which of the links are known, how many wait, and what Colly visited before and has
// visited now. Over a recorded web it asks once more, and hears that nothing else is ready. A robots.txt costs a visit's turn.
func TestRoundTripsOfAVisit(t *testing.T) {
	const most, hosts = 8, 6
	web, err := filepath.Abs("../testdata/webs/small")
	if err != nil {
		t.Fatal(err)
	}
	db := startRedis(t)
	address, count := turning(t, fmt.Sprintf("127.0.0.1:%d", db.port))
	t.Chdir(t.TempDir())
	c := focus.DefaultSetting()
	c.Name, c.Store, c.Web, c.Seeds = "shared", "redis://"+address, web, smallSeeds
	c.Strategy.Name = "breadth" // which scores no link again
	c.Topic.Terms = []crawlfile.TermConfig{{Term: "sailing", Weight: 1}, {Term: "boat", Weight: 1}}
	c.MinFree = 0
	crawler, err := focus.NewWith(c)
	if err != nil {
		t.Fatal(err)
	}
	before, began := count.Load(), time.Now()
	visits, links, last := int64(0), 0, int64(0)
	crawler.OnDone(func(v *focus.Visit) {
		visits++
		links += len(v.Found)
		last = count.Load()
	})
	if _, err := crawler.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	listened := 5 * (1 + int64(time.Since(began)/(250*time.Millisecond))) // to the other machines
	trips := last - before - listened
	t.Logf("%d round trips in %d visits of pages with %d links, without %d that listen to others", trips, visits, links, listened)
	if visits < 50 || links < 5*int(visits) || trips > most*(visits+2*hosts) {
		t.Errorf("%d round trips in %d visits of pages with %d links: want %d a visit at most", trips, visits, links, most)
	}
}
