package admit

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
)

// Refused is why a link or a page was refused. The empty reason means that it was not.
type Refused string

// The reasons, in the order in which they are asked for. What is said of the robots.txt or the trap stands behind a colon:
// "robots: line 4: Disallow: /private/".
const (
	RefusedScheme    Refused = "scheme"             // neither http nor https
	RefusedMethod    Refused = "method"             // a callback asked for it by another method than GET
	RefusedAddress   Refused = "address"            // not an address at all
	RefusedHost      Refused = "host"               // outside scope.hosts
	RefusedPath      Refused = "path"               // outside scope.paths
	RefusedDepth     Refused = "depth"              // deeper than scope.depth
	RefusedType      Refused = "type"               // an ending that is not a page, or another media type
	RefusedNoFollow  Refused = "nofollow"           // its page asks that none of its links is followed, or not this one
	RefusedTrap      Refused = "trap"               // an address of a kind that has no end, or brings nothing
	RefusedLogout    Refused = "logs out"           // it would end the session that the crawl has cookies of
	RefusedColly     Refused = "collector"          // outside the domains and filters of the program's collector
	RefusedBlock     Refused = "block"              // it stands in a block of links that are not related (strict strategies)
	RefusedTunnel    Refused = "tunnel"             // the trail has been irrelevant for too long
	RefusedHostFull  Refused = "host budget"        // the host has had its pages
	RefusedBlocked   Refused = "blocked"            // somebody has blocked its host while the crawl went on
	RefusedOffer     Refused = "not offered"        // the program that runs the crawl does not offer it
	RefusedRedirect  Refused = "redirect"           // not a page but a way to one, which waits in its place
	RefusedRedirects Refused = "too many redirects" // one after the other
	RefusedDown      Refused = "host down"          // the host has failed too often in a row
	RefusedNamed     Refused = "another name"       // a page that was kept calls itself by this address
	RefusedVisited   Refused = "visited before"     // the storage of the program knows it, of another crawl
	RefusedRobots    Refused = "robots"             // robots.txt forbids it
	RefusedUnasked   Refused = "robots unreachable" // nobody knows whether robots.txt allows it: it could not be had
	RefusedKiller    Refused = "killed the crawl"   // the process died over it three times in a row, the last time with nothing else under way
	RefusedSoft      Refused = "soft 404"           // the page that its host shows where there is nothing, with status 200
	RefusedScript    Refused = "script-only"        // a page that only a script fills: what it says cannot be judged
	RefusedList      Refused = "list"               // a sitemap, a feed or the files of a folder: its links are followed, itself is not kept
	RefusedLanguage  Refused = "language"           // a page in another language
	RefusedNoIndex   Refused = "noindex"            // the page asks not to be kept
	RefusedWeak      Refused = "not relevant"       // below the threshold: fetched, not kept
	RefusedOut       Refused = "taken out"          // kept at first, and taken out by a later look
)

// The kinds of reasons that always carry what somebody said: "veto: too short", "status: 404 Not Found".
const (
	RefusedVeto      Refused = "veto"      // the program that runs the crawl says no
	RefusedStatus    Refused = "status"    // the host answered with an error
	RefusedFailed    Refused = "failed"    // it could not be fetched
	RefusedWall      Refused = "wall"      // a bot wall, a parked domain or a server's own page stands in its place
	RefusedDuplicate Refused = "duplicate" // it says what another page says
	RefusedReserved  Refused = "reserved"  // its author reserves that use of it
	RefusedLacking   Refused = "lacking"   // a value that the crawl file requires stands not on it
	RefusedPaid      Refused = "paid"      // its host wants to be paid for it
	RefusedLicence   Refused = "licence"   // its host asks for a licence
	RefusedPutOff    Refused = "put off"   // no refusal yet: it is asked for again
)

// RefusedMoved is a redirect that was not asked for: where it leads is known.
var RefusedMoved = Refuse(RefusedRedirect, "as all of its host")

// Obeyed are the reasons that sites and authors give.
var Obeyed = []Refused{RefusedRobots, RefusedNoIndex, RefusedNoFollow, RefusedReserved, RefusedPaid, RefusedLicence}

// Unvisited tells whether a link was refused without a visit, at the pop or by Colly.
func (r Refused) Unvisited() bool {
	return r.byRobots() || r.Kind() == RefusedTrap || r == RefusedHostFull || r == RefusedBlocked || r == RefusedDown || r == RefusedAddress || r == RefusedKiller || r == RefusedNamed || r == RefusedMoved || r == RefusedVisited ||
		r == RefusedDepth || r == RefusedColly
}

// Repeats tells of a page that it was refused because it says what another says.
func (r Refused) Repeats() bool { return r.Kind() == RefusedDuplicate }

// Withheld tells of a page that its author keeps it out of every harvest, whatever it speaks of.
func (r Refused) Withheld() bool { return r.Kind() == RefusedNoIndex || r.Kind() == RefusedReserved }

// Finds tells of a page of the topic that it is a find, whatever it was refused for: it says what no other says, and may be kept.
func (r Refused) Finds() bool { return !r.Repeats() && !r.Withheld() }

// ByRobots is what the line of a robots.txt refuses, or "robots.txt: …" where it could not be had.
func ByRobots(line string) Refused {
	if failure, ok := strings.CutPrefix(line, "robots.txt: "); ok {
		return Refuse(RefusedUnasked, failure)
	}
	return Refuse(RefusedRobots, line)
}

func (r Refused) byRobots() bool { return r.Kind() == RefusedRobots || r.Kind() == RefusedUnasked }

// Refuse is a reason that carries what somebody said, in one line.
func Refuse(kind Refused, said string) Refused {
	return kind + Refused(": "+page.Cut(page.OneLine(said), maxSaid))
}

// RefuseSaid is Refuse where somebody said something, and no reason where nobody did.
func RefuseSaid(kind Refused, said string) Refused {
	if said == "" {
		return ""
	}
	return Refuse(kind, said)
}

// Vetoed is what a reason becomes when the program that runs the crawl objects as well. The first reason stands, except that of
// a page that is merely weak: it says both, because a second look may still keep what was refused as weak and for nothing else.
func (r Refused) Vetoed(said string) Refused {
	veto := Refuse(RefusedVeto, said)
	switch r {
	case "":
		return veto
	case RefusedWeak:
		return Refuse(r, string(veto))
	}
	return r
}

// maxSaid is how much of what somebody said a reason carries.
const maxSaid = 200

// Kind is the reason without what somebody said.
func (r Refused) Kind() Refused {
	kind, _, _ := strings.Cut(string(r), ":")
	return Refused(kind)
}

// Said is what somebody said of a reason: the line of a robots.txt, the status of an answer.
func (r Refused) Said() string {
	_, said, _ := strings.Cut(string(r), ":")
	return strings.TrimSpace(said)
}

// Tally counts refusals by reason.
type Tally map[Refused]int

// mostReasons is how many reasons a Tally tells apart: every page may be refused for one of its own, with another address in it.
const mostReasons = 1000

// Count adds one. Where too many reasons are told apart already, a new one counts as one of its kind, and so do the lines of all
// the robots.txt files, and the pages of which others are duplicates.
func (t Tally) Count(r Refused) {
	if _, known := t[r]; !known && len(t) >= mostReasons || r.byRobots() || r.Repeats() {
		r = r.Kind()
	}
	t[r]++
}

// Sorted are the reasons, the commonest first.
func (t Tally) Sorted() []Refused {
	return slices.SortedFunc(maps.Keys(t), func(a, b Refused) int { return cmp.Or(cmp.Compare(t[b], t[a]), cmp.Compare(a, b)) })
}
