package focus

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

// Shelf keeps the pages of a recorded web as they were read, and the words they were cut into, so that many crawls over
// the same web read and cut every page once. It is a transport: a crawl with a shelf is answered from it. It may be used
// by many crawls at the same time.
type Shelf struct {
	web     *replay.Web
	arrange func(*page.Page)
	through http.RoundTripper
	clock   func() time.Duration

	mu    sync.Mutex
	books map[string]*book
	words map[string]*wordStock // by what topics cut as
}

// book is one page of a shelf.
type book struct {
	once sync.Once
	page *page.Page
	size int64 // of the body as recorded
	err  error
}

// NewShelf makes an empty shelf over a web. arrange, if there is one, sees each page once when it has been read, and may
// change its links.
func NewShelf(web *replay.Web, arrange func(*page.Page)) *Shelf {
	began := time.Now()
	return &Shelf{web: web, arrange: arrange, books: map[string]*book{}, words: map[string]*wordStock{},
		clock:   func() time.Duration { return time.Since(began) },
		through: wire.Stack(scales{web}, wire.Decode(wire.DecodeConfig{}), wire.Charset())}
}

// Clock makes the shelf take the time that words cost from a clock: one of processor time tells more than that on the
// wall. It is called before the shelf is used.
func (s *Shelf) Clock(now func() time.Duration) { s.clock = now }

// Page reads a page of the web by its recorded address.
func (s *Shelf) Page(address string) (*page.Page, error) {
	b := s.book(address)
	b.once.Do(func() { s.open(b, address) })
	return b.page, b.err
}

// Size is how many bytes the body of a page was recorded with; 0 for what is no page.
func (s *Shelf) Size(address string) int64 {
	b := s.book(address)
	b.once.Do(func() { s.open(b, address) })
	return b.size
}

func (s *Shelf) book(address string) *book {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.books[address]
	if !ok {
		b = &book{}
		s.books[address] = b
	}
	return b
}

func (s *Shelf) open(b *book, address string) { b.page, b.size, b.err = s.read(address) }

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

// shelfReading is how a shelf reads pages.
var shelfReading = page.Options{Hidden: true}

func (s *Shelf) read(address string) (p *page.Page, size int64, err error) {
	defer func() {
		if err != nil {
			p, err = nil, fmt.Errorf("focus: recorded page %s: %w", address, err)
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
	if resp.StatusCode != http.StatusOK || !isPage(mediaType(resp.Header)) {
		return nil, size, errNotAPage
	}
	p = page.Parse(body, address, shelfReading)
	if s.arrange != nil {
		s.arrange(p)
	}
	return p, size, nil
}

// cut finds the words of a page for a topic: those that were found before, by a topic that cuts alike, or new ones.
// spared is the processor time that they cost when they were found, and nobody has spent now.
func (s *Shelf) cut(t cutter, address string, d *text.Doc) (spared time.Duration) {
	as := t.CutAs()
	if as == "" {
		t.Cut(d)
		return 0
	}
	return s.stock(as).cut(t, address, d, s.clock)
}

func (s *Shelf) stock(as string) *wordStock {
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
func (s *Shelf) ForgetWords() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.words = map[string]*wordStock{}
}

// RoundTrip answers as the web would, but for the bodies of pages: the crawl takes those off the shelf.
func (s *Shelf) RoundTrip(r *http.Request) (*http.Response, error) {
	status := http.StatusOK
	if _, err := s.Page(r.URL.String()); errors.Is(err, errNotAPage) {
		status = http.StatusNotFound
	} else if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
}
