package focus

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/replay"
)

// Shelf keeps the pages of a recorded web as they were read, so that many crawls over the same web read every page once;
// each cuts the words for itself. It is a transport: a crawl with a shelf is answered from it. It may be used by many
// crawls at the same time.
type Shelf struct {
	web     *replay.Web
	arrange func(*page.Page)
	through http.RoundTripper
	mu      sync.Mutex
	books   map[string]*book
}

// book is one page of a shelf.
type book struct {
	once sync.Once
	page *page.Page
	err  error
}

// NewShelf makes an empty shelf over a web. arrange, if there is one, sees each page once when it has been read, and may
// change its links.
func NewShelf(web *replay.Web, arrange func(*page.Page)) *Shelf {
	return &Shelf{web: web, arrange: arrange, books: map[string]*book{},
		through: extensions.Stack(web, extensions.Decode(), extensions.Charset())}
}

// Page reads a page of the web by its recorded address.
func (s *Shelf) Page(address string) (*page.Page, error) {
	b := s.book(address)
	b.once.Do(func() { b.page, b.err = s.read(address) })
	return b.page, b.err
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

var errNotAPage = errors.New("is not a page")

func (s *Shelf) read(address string) (*page.Page, error) {
	req, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("focus: recorded page %s: %w", address, err)
	}
	resp, err := s.through.RoundTrip(req)
	if err != nil {
		return nil, fmt.Errorf("focus: recorded page %s: %w", address, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("focus: recorded page %s: %w", address, err)
	}
	if resp.StatusCode != http.StatusOK || !isPage(mediaType(resp.Header)) {
		return nil, fmt.Errorf("focus: recorded page %s: %w", address, errNotAPage)
	}
	p := page.Parse(body, address, page.Options{Hidden: true})
	if s.arrange != nil {
		s.arrange(p)
	}
	return p, nil
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
