package ledger

import (
	"hash/fnv"
	"net/url"
	"strings"
	"time"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/robots"
)

// collyURL reads addresses as Colly does.
var collyURL = whatwg.NewParser(whatwg.WithPercentEncodeSinglePercentSign())

// Request is the number under which Colly asks its storage for a GET of an address.
func Request(address string) (uint64, bool) {
	u, err := asked(address)
	if err != nil {
		return 0, false
	}
	return RequestOf(u)
}

// asked is what Colly asks for at an address: /private at /a/%2e%2e/private.
func asked(address string) (*url.URL, error) {
	parsed, err := collyURL.Parse(address)
	if err != nil {
		return nil, err
	}
	return url.Parse(parsed.Href(false))
}

// movesUp says of an address that it may have parts which Colly does not ask for: of links these have been taken out before they wait.
func movesUp(address string) bool {
	return strings.Contains(address, "/.") || strings.Contains(address, "%2") || strings.Contains(address, `\`)
}

// Name lets addresses count as finished because a page that was kept calls itself so.
func (l *Ledger) Name(identities []string) {
	for _, name := range identities {
		l.Record(&Finished{Request: named(name)})
	}
}

// IsNamed tells whether a page that was kept calls itself by an address.
func (l *Ledger) IsNamed(identity string) bool { return l.IsFinished(named(identity)) }

// named is a number of an address under which no request is asked for.
func named(identity string) uint64 {
	h := fnv.New64a()
	h.Write([]byte("named " + identity))
	return h.Sum64()
}

// RequestOf is Request of an address as Colly's requests have it.
func RequestOf(u *url.URL) (uint64, bool) {
	parsed, err := collyURL.Parse(u.String())
	if err != nil {
		return 0, false
	}
	h := fnv.New64a()
	h.Write([]byte(parsed.String()))
	return h.Sum64(), true
}

// MayVisit says why an address may not be fetched by its host's robots.txt, or what must be fetched first to know that. What is known at a
// pop must not depend on which worker was faster: it is asked where one is decided after the other.
func (l *Ledger) MayVisit(address string, now time.Time) (refused admit.Refused, asks string) {
	if l.Robots == nil {
		return "", ""
	}
	rules, asks := l.Robots.Known(robots.Origin(address), now)
	if asks != "" {
		return "", asks
	}
	read := url.Parse
	if movesUp(address) {
		read = asked
	}
	u, err := read(address)
	if err != nil {
		return admit.RefusedAddress, ""
	}
	if allowed, line := rules.Allowed(u.RequestURI()); !allowed {
		return admit.ByRobots(line), ""
	}
	return "", ""
}
