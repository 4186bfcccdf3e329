package wire

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
)

// What several workers ask of one host goes over as many connections, wave after wave: with TLS one more costs as much as a page. A
// transport that a program brought along keeps as many as it says.
func TestConnectionsAreUsedAgain(t *testing.T) {
	const workers, waves = 6, 5
	for _, c := range []struct {
		name string
		base http.RoundTripper
		o    LimitsConfig
		want int64
	}{
		{"as many as work", nil, LimitsConfig{Idle: workers}, workers},
		{"a program's transport", &http.Transport{}, LimitsConfig{Idle: workers}, workers},
		{"which knows better", &http.Transport{MaxIdleConnsPerHost: 1}, LimitsConfig{Idle: workers}, workers + (waves-1)*(workers-1)},
		{"unless told two", nil, LimitsConfig{}, workers + (waves-1)*(workers-2)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var made atomic.Int64
			all := sync.WaitGroup{} // of a wave have been heard before one is answered
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				all.Done()
				all.Wait()
				io.WriteString(w, "page")
			}))
			server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
				if s == http.StateNew {
					made.Add(1)
				}
			}
			server.Start()
			defer server.Close()
			client := &http.Client{Transport: Stack(c.base, Limits(c.o))}
			defer client.CloseIdleConnections()
			for range waves {
				all.Add(workers)
				var wave sync.WaitGroup
				for range workers {
					wave.Go(func() {
						resp, err := client.Get(server.URL)
						if err != nil {
							t.Error(err)
							return
						}
						io.Copy(io.Discard, resp.Body)
						resp.Body.Close()
					})
				}
				wave.Wait()
			}
			if made.Load() != c.want {
				t.Errorf("%d connections were made for %d waves of %d pages, want %d", made.Load(), waves, workers, c.want)
			}
		})
	}
}

// Hosts come by turns: what is kept is no less than half a minute's, and no more than the system has files for.
func TestConnectionsThatAreKept(t *testing.T) {
	for _, c := range []struct {
		files   uint64
		workers int
		want    int
	}{{0, 16, 1024}, {1 << 19, 16, 1024}, {1 << 19, 500, 2000}, {1024, 500, 512}, {1, 2, 1}} {
		if got := mostIdle(c.files, c.workers); got != c.want {
			t.Errorf("%d files, %d workers: %d connections are kept, want %d", c.files, c.workers, got, c.want)
		}
	}
	const hosts = 600
	if files := openFiles(); files > 0 && files < 4*hosts {
		t.Skipf("the system lets %d files be open: too few for %d connections and their other ends", files, hosts)
	}
	var made atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "page") }))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			made.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	to := server.Listener.Addr().(*net.TCPAddr).AddrPort()
	found := func(context.Context, string) ([]netip.Addr, error) { return []netip.Addr{to.Addr()}, nil }
	client := &http.Client{Transport: Stack(nil, Resolver(ResolverConfig{Lookup: found}))}
	defer client.CloseIdleConnections()
	for range 2 {
		for n := range hosts {
			resp, err := client.Get(fmt.Sprintf("http://h%d.example:%d/", n, to.Port()))
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
	}
	if made.Load() != hosts {
		t.Errorf("%d connections were made to %d hosts that were asked twice", made.Load(), hosts)
	}
}
