package replay

import (
	"bytes"
	"container/list"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// RoundTrip answers as the recorded web did: the exact address first, then a redirect of redirects.tsv (301), then the
// canonical form of the address; everything else is a 404. A robots.txt is a page like any other. Bodies come with
// their transfer and content encodings undone. Where the recording met a failure instead of an answer, there is an
// error again.
func (w *Web) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		r.Body.Close()
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if r.Method != "" && r.Method != http.MethodGet && r.Method != http.MethodHead {
		return made(r, http.StatusMethodNotAllowed, http.Header{"Allow": {"GET, HEAD"}}), nil
	}
	n, alias, ok := w.find(r.URL.String())
	switch {
	case !ok:
		return made(r, http.StatusNotFound, http.Header{}), nil
	case alias != "":
		return made(r, http.StatusMovedPermanently, http.Header{"Location": {alias}}), nil
	}
	a, err := w.read(n)
	if err != nil {
		return nil, err
	}
	return a.response(r), nil
}

// made is an answer that nobody recorded.
func made(r *http.Request, status int, h http.Header) *http.Response {
	h.Set("Content-Type", "text/plain; charset=utf-8")
	body := []byte(http.StatusText(status) + "\n")
	a := &stored{proto: "HTTP/1.1", status: status, text: fmt.Sprintf("%d %s", status, http.StatusText(status)), header: h, body: body}
	return a.response(r)
}

// stored is a recorded answer in memory. It is shared and never changed.
type stored struct {
	proto  string
	status int
	text   string
	header http.Header
	body   []byte
}

func (a *stored) response(r *http.Request) *http.Response {
	major, minor, _ := http.ParseHTTPVersion(a.proto)
	h := a.header.Clone()
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	resp := &http.Response{
		Status: a.text, StatusCode: a.status, Proto: a.proto, ProtoMajor: major, ProtoMinor: minor,
		Header: h, Body: http.NoBody, ContentLength: int64(len(a.body)), Request: r,
	}
	if r.Method != http.MethodHead {
		resp.Body = io.NopCloser(bytes.NewReader(a.body))
	}
	return resp
}

// read fetches a recorded answer from disk, or from the few that were asked for last.
func (w *Web) read(n int32) (*stored, error) {
	e := w.pages[n]
	if e.failure != "" {
		return nil, fmt.Errorf("fetch %q: recorded failure: %s", e.address, e.failure)
	}
	if a := w.cache.get(n); a != nil {
		return a, nil
	}
	rec, err := warc.At(w.files[e.file], e.offset)
	if err != nil {
		return nil, fmt.Errorf("fetch %q: %w", e.address, err)
	}
	resp, body, err := rec.Response()
	if err != nil {
		return nil, fmt.Errorf("fetch %q: %w", e.address, err)
	}
	if cut := rec.Header.Get("WARC-Truncated"); cut != "" && cut != "length" { // what a host calls the whole page is no name of its beginning
		resp.Header.Del("ETag")
		resp.Header.Del("Last-Modified")
	}
	a := &stored{proto: resp.Proto, status: resp.StatusCode, text: resp.Status, header: resp.Header, body: body}
	w.cache.put(n, a)
	return a, nil
}

// location is where a recorded redirect leads, empty for any other answer.
func (w *Web) location(n int32) string {
	e := w.pages[n]
	if e.status < 300 || e.status > 399 {
		return ""
	}
	a, err := w.read(n)
	if err != nil {
		return ""
	}
	return page.Location(e.address, a.header.Get("Location"))
}

// cacheBytes is how much of a web is kept in memory: enough for the pages that several strategies fetch side by side.
const cacheBytes = 16 << 20

// Keep has so many bytes of the answers asked for last kept in memory: one crawl asks for few of them twice.
func (w *Web) Keep(bytes int) { w.cache = newCache(bytes) }

// cost is what an answer takes in a cache: its body, and about as much as its header and its place do.
func (a *stored) cost() int { return len(a.body) + 1024 }

// cache keeps the answers that were asked for last, up to a number of bytes.
type cache struct {
	mu    sync.Mutex
	most  int
	left  int
	order *list.List // of cached, the last used first
	at    map[int32]*list.Element
}

type cached struct {
	n int32
	a *stored
}

func newCache(bytes int) *cache {
	return &cache{most: bytes, left: bytes, order: list.New(), at: map[int32]*list.Element{}}
}

func (c *cache) get(n int32) *stored {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.at[n]
	if !ok {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(cached).a
}

func (c *cache) put(n int32, a *stored) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, twice := c.at[n]; twice || a.cost() > c.most/4 {
		return
	}
	c.at[n] = c.order.PushFront(cached{n, a})
	c.left -= a.cost()
	for c.left < 0 {
		last := c.order.Back()
		old := c.order.Remove(last).(cached)
		delete(c.at, old.n)
		c.left += old.a.cost()
	}
}
