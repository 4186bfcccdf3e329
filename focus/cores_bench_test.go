package focus_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"testing"
	"time"
)

// BenchmarkCores is how many pages a second one process makes of one core, and of two: over the pages of BenchmarkPipeline, which
// are answered from memory, so that nothing but the crawl itself is at work. It is skipped where there is one core alone.
//
//	go test ./focus -run '^$' -bench Cores -benchtime 2000x
func BenchmarkCores(b *testing.B) {
	if runtime.NumCPU() < 2 {
		b.Skip("there is one core alone")
	}
	web := newWebInMemory(&inEnglish)
	for _, strategy := range []string{"breadth", "shark", "apprentice"} {
		one := 0.0
		for _, cores := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/%d", strategy, cores), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
				run := wholeJourney(&inEnglish, strategy, "likely")
				run(b, web, 20)
				begin := time.Now()
				got := run(b, web, min(b.N, benchPages))
				rate := float64(got.pages) / time.Since(begin).Seconds()
				if b.ReportMetric(rate, "pages/s"); cores == 1 {
					one = rate
				} else if one > 0 {
					b.ReportMetric(rate/one, "x-one-core")
				}
			})
		}
	}
}

// webInMemory answers with the pages of the benchmark, which have all been drawn before.
type webInMemory map[string][]byte

func newWebInMemory(of *benchWeb) webInMemory {
	web, template := webInMemory{}, benchTemplate()
	for n := range of.pages {
		web[of.address(n)] = of.page(template, n)
	}
	return web
}

// RoundTrip answers a request.
func (w webInMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	resp := &http.Response{StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}}
	body := w[r.URL.String()]
	if body == nil {
		resp.StatusCode = http.StatusNotFound
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return resp, nil
}
