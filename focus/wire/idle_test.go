package wire

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
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
