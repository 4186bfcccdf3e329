package junk

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/recent"
)

const softBits = 4 // in which error pages of one host differ, their own address left out

// ErrorPage is what a host says with status 200 where there is nothing. The zero value is of a host that says so with
// another status: no page is like it.
type ErrorPage struct {
	soft  bool
	print uint64
	words int
}

// ErrorPageOf is the error page of a host by what it answered with 200 at an address that nobody can have (see Nonsense):
// its HTML, or its text alone if that is what Like is asked about too.
func ErrorPageOf(at *url.URL, said []byte) ErrorPage {
	print, words := Fingerprint(without(said, at))
	return ErrorPage{true, print, words}
}

// Like tells whether what stands at an address is the error page: its own address left out, it says the same but for a
// word or two.
func (e ErrorPage) Like(at *url.URL, said []byte) bool {
	if !e.soft {
		return false
	}
	print, words := Fingerprint(without(said, at))
	few := words < fewWords && e.words < fewWords
	return few && print == e.print || !few && Distance(print, e.print) <= softBits
}

// Nonsense is an address at the host of another one that nobody can have. It is the same whenever it is asked for.
func Nonsense(at *url.URL) *url.URL {
	return &url.URL{Scheme: at.Scheme, Host: at.Host, Path: "/" + nonsenseFor(at.Host)}
}

// IsHTML tells whether a header is of a page.
func IsHTML(h http.Header) bool {
	return strings.Contains(strings.ToLower(h.Get("Content-Type")), "html")
}

// without is a page without its own address, which error pages like to repeat.
func without(body []byte, at *url.URL) []byte {
	for _, own := range []string{at.String(), at.RequestURI(), at.Path, strings.TrimPrefix(at.Path, "/")} {
		if len(own) > 1 {
			body = bytes.ReplaceAll(body, []byte(own), nil)
		}
	}
	return body
}

// nonsenseFor is a name that no page of a host has. It is the same whenever it is asked for, and without digits: many
// hosts go by the number that an address ends in, whatever stands before it.
func nonsenseFor(host string) string {
	h := fnv.New64a()
	io.WriteString(h, host)
	letters := func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r - '0' + 'g'
		}
		return r
	}
	return "nothing-here-" + strings.Map(letters, fmt.Sprintf("%016x", h.Sum64()))
}

// ErrorPages knows the error pages of hosts that say "not found" with status 200. It may be used by many goroutines at
// once.
type ErrorPages struct {
	mu    sync.Mutex
	after int                             // pages of a host that are taken at their word
	hosts *recent.Map[string, *errorHost] // by origin
}

// errorHost is what is known of a host that has answered with pages.
type errorHost struct {
	pages int // that it has answered with
	asked bool
	left  bool          // whoever asked could reach nobody
	known chan struct{} // closed when its error page is known, or is not to be had
	error ErrorPage
}

// NewErrorPages makes a memory that knows no host. A host is to be asked for nonsense after so many pages, which are taken
// at their word; so many hosts are remembered.
func NewErrorPages(after, remember int) *ErrorPages {
	return &ErrorPages{after: after, hosts: recent.New[string, *errorHost](remember)}
}

// Expect is told of addresses that will be asked for: a host with as many as are taken at their word is asked before the first.
func (e *ErrorPages) Expect(addresses []string) *ErrorPages {
	e.mu.Lock()
	defer e.mu.Unlock()
	many := map[string]int{}
	for _, address := range addresses {
		scheme, _, _ := strings.Cut(address, "://")
		many[strings.ToLower(scheme)+"://"+page.Host(address)]++ // the origin
	}
	for at, n := range many {
		if n >= e.after {
			e.host(at).pages = n
		}
	}
	return e
}

// Page notes a page of a host, and answers with the host's error page as far as it is known.
func (e *ErrorPages) Page(origin string) ErrorPage {
	e.mu.Lock()
	defer e.mu.Unlock()
	h := e.host(origin)
	h.pages++
	return h.error
}

func (e *ErrorPages) host(origin string) *errorHost {
	return e.hosts.Update(origin, func(h *errorHost, known bool) *errorHost {
		if !known {
			h = &errorHost{known: make(chan struct{})}
		}
		return h
	})
}

// Question is what a host is to be asked once, to know its error page.
type Question struct {
	At    *url.URL // which nobody can have
	pages *ErrorPages
	host  *errorHost
}

// Begin answers the question for the host of an address, if it is to be asked now: whoever gets it asks, and calls Learn.
// Nobody else gets it after that.
func (e *ErrorPages) Begin(origin string, at *url.URL) *Question {
	e.mu.Lock()
	defer e.mu.Unlock()
	h, known := e.hosts.Get(origin)
	if !known || h.asked || h.pages < e.after {
		return nil
	}
	h.asked = true
	return &Question{Nonsense(at), e, h}
}

// Learn keeps what the host says, once; the zero value says that it has no such page, or that nobody could ask.
func (q *Question) Learn(is ErrorPage) {
	q.pages.mu.Lock()
	defer q.pages.mu.Unlock()
	q.host.error = is
	close(q.host.known)
}

// Leave lets the question be asked once more, of whom it says nothing that nobody could be reached. Whoever waits waits no longer.
func (q *Question) Leave() {
	q.pages.mu.Lock()
	defer q.pages.mu.Unlock()
	close(q.host.known)
	if !q.host.left {
		q.host.left, q.host.asked, q.host.known = true, false, make(chan struct{})
	}
}

// Wait answers with the error page of a host; if it is being asked, when the answer is there.
func (e *ErrorPages) Wait(origin string) ErrorPage {
	e.mu.Lock()
	h := e.host(origin)
	asked, known := h.asked, h.known
	e.mu.Unlock()
	if asked {
		<-known
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return h.error
}
