package focus_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus"
)

// toldAll is a web that says the same at every address, with a status of its own for some.
type toldAll func(path string) (status int, body string)

func (a toldAll) RoundTrip(r *http.Request) (*http.Response, error) {
	status, body := a(r.URL.Path)
	return &http.Response{StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r, ContentLength: int64(len(body)),
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// Every callback of a program finds the body of an answer, whether Colly takes that for an error or not; and as much of it as the
// program wants to have read.
func TestCallbacksFindTheBody(t *testing.T) {
	const good, bad = `<html><body><p>sailing boat yacht</p><a href="/gone">gone</a></body></html>`, `<html><body>nothing here</body></html>`
	for _, most := range []int{0, 20} {
		config := replayConfig(t)
		config.Web, config.Seeds, config.Polite.Robots = "", []string{"http://example.test/"}, "ignore"
		config.Polite.Delay, config.Polite.Contact, config.Scope.Soft404 = 0, "mailto:test@example.org", "ignore"
		config.Transport = toldAll(func(path string) (int, string) {
			if path == "/" {
				return http.StatusOK, good
			}
			return http.StatusNotFound, bad
		})
		seen := map[string]string{}
		crawlWith(t, config, func(c *focus.Crawler) {
			own := c.Collector()
			own.MaxBodySize = most
			own.OnResponseHeaders(func(r *colly.Response) { seen["headers"] = string(r.Body) })
			own.OnResponse(func(r *colly.Response) { seen["response"] = string(r.Body) })
			own.OnError(func(r *colly.Response, _ error) { seen["error"] = string(r.Body) })
			own.OnHTML("p", func(e *colly.HTMLElement) { seen["html"] = e.Text })
		})
		want := map[string]string{"headers": "", "response": good, "error": bad, "html": "sailing boat yacht"}
		if most > 0 { // the page that is cut has no links
			want = map[string]string{"headers": "", "response": good[:most], "html": "sailing"[:most-len(`<html><body><p>`)]}
		}
		for name, body := range want {
			if seen[name] != body {
				t.Errorf("with at most %d bytes %s was called for %q, want %q", most, name, seen[name], body)
			}
		}
	}
}
