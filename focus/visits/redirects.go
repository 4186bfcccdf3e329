package visits

import (
	"strings"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/page"
)

// sentOn makes of an identity one that no address has: it is what an address is known by to which a redirect of itself, or of
// another form of itself, has led (a session in the path, a dot behind the host). The frontier knows the plain identity as that of the
// form that was visited, and would take it for done.
const sentOn = "#"

// LeadsBack tells whether a redirect of an item leads back to where it came by, over so many redirects in a row. One that leads on to
// another form of the same address gets an identity of its own, by which it is visited once; so does one that leads back, where cookies
// are kept: a host that has set one may want to see it. It is visited once more if the crawl was interrupted before, because cookies
// do not outlive a session. finder may be nil.
func LeadsBack(finder frontier.Finder, item frontier.Item, redirects int, cookies bool, l *page.Link) bool {
	to, ok := ledger.Request(l.URL)
	own := l.URL + sentOn
	for range redirects + 1 {
		if at, known := ledger.Request(item.URL); ok && known && at == to {
			again := strings.HasPrefix(item.Identity, own)
			if !cookies || again && !foundBefore(finder, item.ID) {
				return true
			}
			if again {
				own = item.Identity + sentOn
			}
			l.Identity = own
		} else if from, err := page.Canonical(item.URL); err == nil && from == l.Identity {
			l.Identity = own
		}
		if item.Via == 0 || finder == nil {
			break
		}
		item, _ = finder.Get(item.Via)
	}
	return false
}

// foundBefore tells of an item that it was found before this session of the crawl.
func foundBefore(finder frontier.Finder, id uint64) bool {
	kept, ok := finder.(frontier.Keeper)
	return ok && id <= uint64(kept.Restored().Items)
}
