package study

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// Pages keeps the pages of a recorded web as they were read, and the words they were cut into, so that many crawls over
// the same web read and cut every page once. It is a transport: a crawl that has it is answered from it. It may be used
// by many crawls at the same time.
type Pages struct {
	Web     *replay.Web
	how     page.Options
	arrange func(*page.Page)
	through http.RoundTripper
	clock   func() time.Duration

	mu      sync.Mutex
	entries map[string]*entry
	words   map[string]*wordStock // by what topics cut as
}

// entry is one page.
type entry struct {
	once sync.Once
	page *page.Page
	size int64 // of the body as recorded
	err  error
}

// NewPages makes the pages of a web, none of which is read yet. arrange, if there is one, sees each page once when it has been read, and may
// change its links.
func NewPages(web *replay.Web, arrange func(*page.Page)) *Pages {
	began := time.Now()
	return &Pages{Web: web, how: page.Options{Hidden: true}, arrange: arrange, entries: map[string]*entry{}, words: map[string]*wordStock{},
		clock:   func() time.Duration { return time.Since(began) },
		through: wire.Stack(scales{web}, wire.Decode(wire.DecodeConfig{}), wire.Charset())}
}

// As are the pages of the same web read in another way: they have nothing in common but the web.
func (s *Pages) As(how page.Options) *Pages {
	other := NewPages(s.Web, s.arrange)
	other.how, other.clock = how, s.clock
	return other
}

// Clock has the time that words cost from a clock: one of processor time tells more than that on the
// wall. It is called before anything is read.
func (s *Pages) Clock(now func() time.Duration) { s.clock = now }

// Page reads a page of the web by its recorded address.
func (s *Pages) Page(address string) (*page.Page, error) {
	b := s.entry(address)
	b.once.Do(func() { s.open(b, address) })
	return b.page, b.err
}

// Size is how many bytes the body of a page was recorded with; 0 for what is no page.
func (s *Pages) Size(address string) int64 {
	b := s.entry(address)
	b.once.Do(func() { s.open(b, address) })
	return b.size
}

func (s *Pages) entry(address string) *entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.entries[address]
	if !ok {
		b = &entry{}
		s.entries[address] = b
	}
	return b
}

func (s *Pages) open(b *entry, address string) { b.page, b.size, b.err = s.read(address) }

var errNotAPage = errors.New("is not a page")

// sizeKey is where, in the context of a request, the bytes of the recorded body are counted.
type sizeKey struct{}

// scales weigh the bodies of a web before anything is done to them.
type scales struct{ web *replay.Web }

func (s scales) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := s.web.RoundTrip(r)
	if size, ok := r.Context().Value(sizeKey{}).(*int64); ok && err == nil {
		resp.Body = countedBody{resp.Body, size}
	}
	return resp, err
}

// countedBody is a body whose bytes are counted.
type countedBody struct {
	io.ReadCloser
	size *int64
}

func (w countedBody) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	*w.size += int64(n)
	return n, err
}

func (s *Pages) read(address string) (p *page.Page, size int64, err error) {
	defer func() {
		if err != nil {
			p, err = nil, fmt.Errorf("recorded page %s: %w", address, err)
		}
	}()
	req, err := http.NewRequestWithContext(context.WithValue(context.Background(), sizeKey{}, &size), http.MethodGet, address, nil)
	if err != nil {
		return nil, 0, err
	}
	resp, err := s.through.RoundTrip(req)
	if err != nil {
		return nil, 0, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, size, err
	}
	media := wire.MediaType(resp.Header)
	if !page.Arrived(resp.StatusCode) || !wire.IsPage(media) && !s.how.Reads(media, body) {
		return nil, size, errNotAPage
	}
	if p, err = page.Read(media, body, address, s.how.In(resp.Header.Get(wire.CharsetHeader), resp.Header)); err != nil {
		return nil, size, errNotAPage
	}
	if s.arrange != nil {
		s.arrange(p)
	}
	return p, size, nil
}

// Cut finds the words of a page for a topic: those that were found before, by a topic that cuts alike, or new ones.
// spared is the processor time that they cost when they were found, and nobody has spent now.
func (s *Pages) Cut(t Cutter, address string, d *text.Doc) (spared time.Duration) {
	as := t.CutAs()
	if as == "" {
		t.Cut(d)
		return 0
	}
	return s.stock(as).cut(t, address, d, s.clock)
}

func (s *Pages) stock(as string) *wordStock {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, ok := s.words[as]
	if !ok {
		w = newWordStock()
		s.words[as] = w
	}
	return w
}

// ForgetWords lets go of the words that pages were cut into, and keeps the pages: the next topic may cut them otherwise.
func (s *Pages) ForgetWords() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.words = map[string]*wordStock{}
}

// RoundTrip answers as the web would, but for the bodies of pages: the crawl is given those as they were read.
func (s *Pages) RoundTrip(r *http.Request) (*http.Response, error) {
	status := http.StatusOK
	if _, err := s.Page(r.URL.String()); errors.Is(err, errNotAPage) {
		status = http.StatusNotFound
	} else if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
}
