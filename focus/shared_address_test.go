package focus_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
)

// Two machines visit hosts of one address: together they never visit more of them at once
// than polite.per_ip allows, as the server of that address sees it, once it is known where each host is.
func TestMachinesShareTheVisitsOfAnAddress(t *testing.T) {
	const hosts, pages, most = 10, 6, 3
	s := serveWeb(t, transport(func(r *http.Request) (*http.Response, error) {
		_, port, _ := net.SplitHostPort(r.URL.Host)
		var b strings.Builder
		b.WriteString("<title>Sailing</title><p>sailing boat yacht")
		for n := range hosts * pages {
			if strings.HasPrefix(r.URL.Host, "start.") {
				fmt.Fprintf(&b, `<a href="http://h%d.example:%s/%d">boat</a> `, n%hosts, port, n)
			}
		}
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: io.NopCloser(strings.NewReader(b.String())), Request: r}, nil
	}), 50*time.Millisecond)
	_, port, _ := net.SplitHostPort(s.address())
	db := startRedis(t)
	t.Chdir(t.TempDir())
	var machines sync.WaitGroup
	s.answersOnly(1) // until both are at work
	for _, agent := range []string{"one", "two"} {
		told := sharing{Store: db.address(""), Agent: agent, Seeds: []string{"http://start.example:" + port + "/"}, Parallel: 5}
		c := told.config()
		c.Transport, c.Polite.PerIP, c.Fetch.Private = nil, most, []string{"127.0.0.0/8"}
		c.Lookup = func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		}
		crawler, err := focus.NewWith(c)
		if err != nil {
			t.Fatal(err)
		}
		machines.Go(func() {
			if _, err := crawler.Run(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	over := timeout(nil, late)
	if !s.awaitAgent("one", over) || !s.awaitAgent("two", over) {
		t.Error("one of them does nothing")
	}
	s.answersAll()
	machines.Wait()
	log := s.requests()
	if len(log) != hosts*pages+1 {
		t.Errorf("%d requests for %d pages", len(log), hosts*pages+1)
	}
	known, agents := map[string]bool{}, map[string]bool{}
	var since time.Time // every host was found
	for _, r := range log {
		if agents[r.agent] = true; !known[r.host] && r.answered.After(since) {
			since = r.answered
		}
		known[r.host] = true
	}
	full := 0
	for i, r := range log {
		at := 1 // once
		for _, before := range log[:i] {
			if before.answered.After(r.at) {
				at++
			}
		}
		if r.at.Before(since) {
			continue
		}
		if at > most {
			t.Errorf("%s%s is the %dth visit at once", r.host, r.path, at)
		}
		if at == most {
			full++
		}
	}
	if len(agents) != 2 || full == 0 {
		t.Errorf("%d machines; the address never had all its visits: the test shows nothing", len(agents))
	}
}
