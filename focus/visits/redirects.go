package visits

import (
	"strconv"
	"strings"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/page"
)

// sentOn makes of an identity one that no address has: it is what an address is known by to which a redirect of itself, or of
// another form of itself, has led (a session in the path, a dot behind the host). The frontier knows the plain identity as that of the
// form that was visited, and would take it for done.
const sentOn = "#"

// Way is how an item was come by.
type Way interface {
	Redirects() int               // so many led to it, one after the other
	FoundOn() (up, redirects int) // so many hops up is the page that it was found on, and so many redirects led to that
}

// LeadsBack tells whether a redirect of an item leads back to where it came by, over redirects in a row. One that leads on to
// another form of the same address gets an identity of its own, by which it is visited once; so does one that leads back, where cookies
// are kept: a host that has set one may want to see it. It is visited once more if the crawl was interrupted before, because cookies
// do not outlive a session. finder may be nil.
func LeadsBack(finder frontier.Finder, item frontier.Item, by Way, cookies bool, l *page.Link) bool {
	if up, redirects := by.FoundOn(); cookies && (toWall(finder, item, l) || GoesBack(finder, item, up, redirects, l)) {
		return false
	}
	to, ok := ledger.Request(l.URL)
	own := l.URL + sentOn
	for range by.Redirects() + 1 {
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

// toWall lets a wall be visited once more to which a page leads that was gone through before this session: its cookie was lost with
// that. Each page that stands before it has a visit of it of its own, from which it is asked for again (fromWall).
func toWall(finder frontier.Finder, asked frontier.Item, l *page.Link) bool {
	now := session(finder)
	if now == "" || strings.HasSuffix(asked.Identity, now) {
		return false
	}
	wall := finder.Find(l.Identity)
	if wall == 0 || !foundBefore(finder, wall) {
		return false
	}
	item, _ := finder.Get(wall)
	if item.Via == 0 {
		return false
	}
	if first, _ := finder.Get(item.Via); finder.Find(first.URL+sentOn) == 0 { // it was asked for again, behind the wall
		return false
	}
	l.Identity = l.URL + sentOn + strconv.FormatUint(asked.ID, 36) + now
	return true
}

// fromWall has a link that leads to what is known already lead to the page that this visit of a wall is for.
func fromWall(finder frontier.Finder, wall frontier.Item, l *page.Link) bool {
	whose := wallFor(wall)
	if whose == "" || session(finder) == "" || finder.Find(l.Identity) == 0 {
		return false
	}
	asked, _ := finder.Get(wall.Via)
	if whose != strconv.FormatUint(asked.ID, 36) {
		return false
	}
	to := page.LinkTo(asked.URL)
	l.URL, l.Host, l.Identity = to.URL, to.Host, asked.URL+session(finder)
	return true
}

// wallFor is whose a visit of a wall is that is made once more; empty for every other item.
func wallFor(item frontier.Item) string {
	own, ok := strings.CutPrefix(item.Identity, item.URL+sentOn)
	whose, session, again := strings.Cut(own, sentOn)
	if !ok || !again || session == "" {
		return ""
	}
	return whose
}

// session ends the identities of what is asked for again because a crawl goes on; empty where it has just begun.
func session(finder frontier.Finder) string {
	kept, ok := finder.(frontier.Keeper)
	if !ok || kept.Restored().Items == 0 {
		return ""
	}
	return sentOn + strconv.Itoa(kept.Restored().Items)
}

// GoesBack tells whether a link leads back to where a redirect led from to the page that it stands on. It gets an identity of its own then,
// by which it is visited once: the wall that stands there may have set a cookie, or the link sets it ("I agree"), and the host wants to see it.
// The page is so many hops above the item, and so many redirects in a row have led to it. finder may be nil.
func GoesBack(finder frontier.Finder, item frontier.Item, up, redirects int, l *page.Link) bool {
	if fromWall(finder, item, l) {
		return true
	}
	to, ok := ledger.Request(l.URL)
	wall := item.URL
	for n := range up + redirects {
		if !ok || redirects == 0 || item.Via == 0 || finder == nil {
			return false
		}
		if item, _ = finder.Get(item.Via); n < up {
			wall = item.URL
		} else if from, known := ledger.Request(item.URL); known && from == to && pathOf(item.URL) != pathOf(wall) {
			l.Identity = l.URL + sentOn
			return true
		}
	}
	return false
}

// pathOf is what of an address differs between a page and a wall before it, and not where a host leads to https, to www or to a slash.
func pathOf(address string) string {
	_, address, _ = strings.Cut(address, "://")
	_, path, _ := strings.Cut(address, "/")
	return strings.TrimSuffix(path, "/")
}

// foundBefore tells of an item that it was found before this session of the crawl.
func foundBefore(finder frontier.Finder, id uint64) bool {
	kept, ok := finder.(frontier.Keeper)
	return ok && id <= uint64(kept.Restored().Items)
}

// LedBy are the addresses that led to an item one after the other, the last one first. finder may be nil.
func LedBy(finder frontier.Finder, item frontier.Item, by Way) (addresses []string) {
	for range by.Redirects() {
		if item.Via == 0 || finder == nil {
			break
		}
		item, _ = finder.Get(item.Via)
		addresses = append(addresses, item.URL)
	}
	return addresses
}
