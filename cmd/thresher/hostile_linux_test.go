package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/wire/hostiletest"
)

// mostResident is how much memory a crawl among hostile servers may take, as the system measures the process.
const mostResident = 400 << 20

// TestHostileServersFromOutside: a process of its own crawls all hostile servers that speak no TLS beside ten good hosts. All good
// pages are kept, it ends when its time is over, and the system has not seen it take more than 400 MB. The names lead to the
// servers by way of a proxy, which they are themselves.
func TestHostileServersFromOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	signed, err := hostiletest.NewAuthority()
	noError(t, err)
	for _, seconds := range []int{12, 60} { // of a machine that is busy more is waited for
		web := hostiletest.New(t, signed)
		var seeds strings.Builder
		for _, name := range hostiletest.Names() {
			fmt.Fprintf(&seeds, "  - http://%s.example/\n", name)
		}
		for n := range 10 {
			fmt.Fprintf(&seeds, "  - http://good%d.example/0\n", n)
		}
		files(t, "hostile.yaml", fmt.Sprintf("name: hostile\ntopic: {language: en, terms: [solar], threshold: 0}\nmin_free: 0\nscope: {per_host: 40}\n"+
			"budget: {pages: 0, time: %ds}\npolite: {delay: 0s, contact: tests@example.org}\n"+
			"fetch: {private: [127.0.0.1], answer: %ds, timeout: %ds}\nseeds:\n%s", seconds, seconds/6, seconds/4, seeds.String()))
		began := time.Now()
		resident := peakOf(t, "crawl hostile.yaml --quiet", "HTTP_PROXY=http://127.0.0.1:"+web.Port)
		took := time.Since(began)
		web.Close()
		kept := map[string]bool{}
		for r, err := range sink.HarvestOnce("runs/hostile") {
			noError(t, err)
			kept[r.URL] = true
		}
		missing := 0
		for host := range 10 {
			for n := range hostiletest.GoodPages {
				if !kept[fmt.Sprintf("http://good%d.example/%d", host, n)] {
					missing++
				}
			}
		}
		t.Logf("%d servers: %d MB, %v", len(hostiletest.Names()), resident>>20, took)
		if resident > mostResident {
			t.Errorf("the process took %d MB", resident>>20)
		}
		if bound := 10 * time.Duration(seconds) * time.Second; took > bound {
			t.Errorf("it took %v, ten times its time is %v", took, bound)
		}
		if missing == 0 {
			return
		}
		t.Logf("%d good pages are missing after %d seconds", missing, seconds)
	}
	t.Error("good pages are missing")
}
