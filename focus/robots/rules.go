package robots

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// ErrRefused: the robots.txt lets nobody in.
var ErrRefused = errors.New("refused by robots.txt")

// Rules is what a robots.txt says to one crawler. It may be used by many goroutines at once.
type Rules struct {
	rules    []rule // the one that decides comes first
	delay    time.Duration
	sitemaps []string
	said     []said
	asked    bool   // for its tdmrep.json, too, which stands among what is said
	failed   int    // how often that gave no answer
	refused  string // why everything is refused
	allowed  string // why everything is allowed
	life     time.Duration
}

// rule is one Allow or Disallow line.
type rule struct {
	pattern pattern
	allow   bool
	line    string
}

// Allowed tells whether a path with its query may be fetched, and which line decided. No line decides where none
// matches: then the path is allowed.
func (r *Rules) Allowed(pathAndQuery string) (bool, string) {
	path := normalPath(pathAndQuery)
	switch {
	case path == "/robots.txt":
		return true, ""
	case r.refused != "":
		return false, r.refused
	case r.allowed != "":
		return true, r.allowed
	}
	for i := range r.rules {
		if r.rules[i].pattern.matches(path) {
			return r.rules[i].allow, r.rules[i].line
		}
	}
	return true, ""
}

// MostDelay bounds what a robots.txt may ask for: a host that wants more is visited once in that time, and it is said.
const MostDelay = time.Hour

// Delay is the Crawl-delay, 0 where there is none.
func (r *Rules) Delay() time.Duration { return r.delay }

// Sitemaps are the addresses of its Sitemap lines; one that names no host is on that of the robots.txt.
func (r *Rules) Sitemaps(origin string) []string {
	whole := make([]string, len(r.sitemaps))
	for i, written := range r.sitemaps {
		if scheme, _, _ := strings.Cut(written, ":"); strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https") {
			whole[i] = written
		} else {
			whole[i] = cmp.Or(page.Location(origin+"/robots.txt", written), written)
		}
	}
	return whole
}

// FirstSitemaps are the first of them that are not withheld, so many at most. Of those after them nobody is asked, for whom it may count.
func (r *Rules) FirstSitemaps(origin string, most int, withheld func(address string) bool) (first []string) {
	for _, address := range r.Sitemaps(origin) {
		if len(first) == most {
			break
		}
		if !withheld(address) {
			first = append(first, address)
		}
	}
	return first
}

// Unreachable tells that nobody knows what the robots.txt says: everything is refused, and it is to be asked for
// again when Life is over.
func (r *Rules) Unreachable() bool { return r.refused != "" }

// Life is how long the rules may be used before the robots.txt is asked for again.
func (r *Rules) Life() time.Duration { return r.life }

// How long an answer holds. RFC 9309 allows a day. A host that could not answer gets a while to recover.
const (
	life  = 24 * time.Hour
	again = 10 * time.Minute
	most  = 500 << 10 // bytes that are read of a robots.txt, as RFC 9309 asks
)

// For reads the answer to a request for a robots.txt as RFC 9309 does. 2xx is parsed. 4xx says that there is
// none: everything is allowed, and so it is after more redirects than were followed (3xx). 5xx, 429 and every failure
// say that nobody knows: everything is refused, and it is asked for again later.
func For(status int, body []byte, err error, token string) *Rules {
	switch {
	case err != nil:
		return &Rules{refused: "robots.txt: " + why(err), life: again}
	case status >= 200 && status < 300:
		return Parse(body, token)
	case status >= 300 && status < 500 && status != http.StatusTooManyRequests:
		return &Rules{allowed: fmt.Sprintf("robots.txt: status %d", status), life: life}
	}
	return &Rules{refused: fmt.Sprintf("robots.txt: status %d", status), life: again}
}

// why is how a failure is called everywhere. It may quote the server, whose every byte would be
// kept with the rules.
func why(err error) string {
	return strings.ToValidUTF8(page.Cut(page.OneLine(wire.Failure(err)), lineKept), "\ufffd")
}

// Token is the product token of a User-Agent: the name a robots.txt calls the crawler by. Behind
// "Mozilla/5.0 (compatible; …" it is the name that follows. What can stand in no request has none.
func Token(userAgent string) string {
	if !httpguts.ValidHeaderFieldValue(userAgent) {
		return ""
	}
	if _, after, ok := strings.Cut(userAgent, "compatible;"); ok && strings.HasPrefix(userAgent, "Mozilla/") {
		userAgent = strings.TrimSpace(after)
	}
	return nameIn(userAgent)
}

// nameIn is the start of a text that is a product token: letters, '-' and '_'.
func nameIn(s string) string {
	for i := range len(s) {
		if c := s[i]; c|0x20 < 'a' || c|0x20 > 'z' {
			if c != '-' && c != '_' {
				return s[:i]
			}
		}
	}
	return s
}
