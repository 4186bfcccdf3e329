package focus_test

import (
	"context"
	"fmt"
	"io"
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
						if err != io.EOF {
							return
						}
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

// A visit of a crawl on Redis waits for it a fixed number of times, however many links its page has: three times for the frontier (what
// comes next, the links, the outcome), once to know which of the links have been seen, and twice for Colly's own check of what was
// visited.
func TestRoundTripsOfAVisit(t *testing.T) {
	web, err := filepath.Abs("../testdata/webs/small")
	if err != nil {
		t.Fatal(err)
	}
	db := startRedis(t)
	address, count := turning(t, fmt.Sprintf("127.0.0.1:%d", db.port))
	t.Chdir(t.TempDir())
	for _, strategy := range []string{"breadth", "apprentice"} {
		c := focus.DefaultSetting()
		c.Name, c.Store, c.Web, c.Seeds = strategy, "redis://"+address, web, smallSeeds
		c.Strategy.Name = strategy
		c.Topic.Terms = []crawlfile.TermConfig{{Term: "sailing", Weight: 1}, {Term: "boat", Weight: 1}}
		c.MinFree = 0
		crawler, err := focus.NewWith(c)
		if err != nil {
			t.Fatal(err)
		}
		visits, first, began := int64(0), int64(0), time.Now()
		var last int64
		crawler.OnDone(func(*focus.Visit) {
			if visits++; visits == 1 {
				first, began = count.Load(), time.Now()
			}
			last = count.Load()
		})
		if _, err := crawler.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d round trips in %d visits, %v", strategy, last-first, visits-1, time.Since(began))
	}
}
