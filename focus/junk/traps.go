package junk

import (
	"cmp"
	"fmt"
	"iter"
	"net/url"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/recent"
)

// TrapWatch tells addresses that a server makes up without end from those that lead to pages. Half of what it knows is
// how one address looks; the other half is how many of a kind it has seen. It may be used by many goroutines at once. A nil watch is told of
// visits, and knows nothing.
type TrapWatch struct {
	now     func() time.Time
	paths   int
	queries int
	hosts   int
	seen    *recent.Map[kind, int] // addresses that have passed
	shelves []shelf                // in the order in which they were begun
	back    []uint64               // what of them is to wait again
	leaving []uint64               // what has had its turn and was refused, until the frontier is told

	compares bool     // it is told of pages of the topic that were compared with others
	repeats  string   // the one that it was told of last, where that repeats another
	copies   bool     // and that is one of another kind of addresses
	copied   parts    // one that was visited and repeats such a page, until it is known whether it leads to what is new
	copiedBy []string // what led to that
	aside    string   // the page of no topic that it was told of last
	plain    bool     // copied is no copy, but such a page

	notes // its mutex also has an address asked about and counted in one go
}

// Bounds of a kind of addresses on one host.
const (
	mostAddress  = 2000 // bytes
	mostSegments = 24
	deepSegments = 12 // a path beyond it is deep; few of those below one part of a site are pages
	mostDeep     = 100
	mostParams   = 20 // addresses that were shared have a dozen
	mostSameKey  = 4  // one facet chosen that often
	mostKeySets  = 40 // combinations of parameters that one path is asked with
	mostSpelling = 3  // ways of writing one address, such as with different session ids
	mostDates    = 400
	farFuture    = 2   // years that a calendar may look ahead
	lastYear     = 100 // years ahead: a larger number is none, but beside a calendar's word
	mostYear     = 9999
	perKept      = 20 // addresses that a page which was kept lets pass beyond the bound of its pattern
)

// TrapConfig tunes a TrapWatch; the zero value is the default. Each page that Kept is told of lets 20 more of its pattern pass, and 20
// more hosts of its site.
type TrapConfig struct {
	Paths    int              // addresses of a host that differ only in the numbers of their paths; 0 means 20,000
	Queries  int              // addresses of one path that differ only in the values of their queries; 0 means 2,000
	Hosts    int              // hosts of one site, its registered name or an address with its ports; 0 means 2,000
	Remember int              // patterns at most; 0 means 500,000
	Now      func() time.Time // the clock, for calendars; nil is the wall's
}

// NewTrapWatch makes a watch that has seen nothing.
func NewTrapWatch(o TrapConfig) *TrapWatch {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &TrapWatch{
		now: o.Now, paths: bound("TrapConfig.Paths", o.Paths, 20_000), queries: bound("TrapConfig.Queries", o.Queries, 2_000),
		hosts: bound("TrapConfig.Hosts", o.Hosts, 2_000),
		seen:  recent.New[kind, int](bound("TrapConfig.Remember", o.Remember, 500_000)),
	}
}

// Check answers why an address looks like a trap, or nothing. One that passes is counted: ask once for each. One that is
// refused is not, and may be asked about again.
func (w *TrapWatch) Check(address string) string {
	l := page.Link{URL: address, Identity: address, Host: page.Host(address)}
	if identity, err := page.Canonical(address); err == nil {
		l.Identity = identity
	}
	return cmp.Or(w.CheckLink(&l), w.CheckWaiting(address, 0))
}

// CheckLink is Check of the address of a link. What a site lists itself, in a sitemap of its own, is not made up without end:
// of such a link only the looks count.
func (w *TrapWatch) CheckLink(l *page.Link) string {
	if len(l.URL) > mostAddress {
		return fmt.Sprintf("address of %d bytes", len(l.URL))
	}
	a, ok := cut(l.URL)
	if !ok {
		return "" // what is no address is somebody else's to refuse
	}
	a.identity, a.host = l.Identity, l.Host
	segments := pathSegments(a.path)
	keys := queryKeys(a.query)
	if reason := shape(segments, keys); reason != "" || l.Listed {
		return reason
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if reason := w.calendar(&a, segments); reason != "" {
		return reason
	}
	if reason := w.budgets(&a, segments, keys); reason != "" {
		if a.waits = true; a.later && w.learned(&a, segments, keys) != "" {
			return ""
		}
		return reason
	}
	for _, k := range a.kinds[:a.of] {
		w.count(k)
	}
	return ""
}

// Kept tells the watch that the page of an address was worth keeping: where such pages are, more of the pattern may pass. Where none are
// compared, it is another page than those before it.
func (w *TrapWatch) Kept(address string) {
	a, ok := w.parts(address)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.compares {
		w.parametersCompared(&a, &parts{})
	}
	w.count(a.pattern(queryKeys(a.query)).kept)
	if site := a.site(); site != a.host {
		w.count(kindOf("hosts kept", site))
	}
}

// parts are those of an address.
type parts struct {
	address, identity, host string
	path, escaped, query    string          // escaped is the path as it is written
	kinds                   [mostKinds]kind // that it is of, each counted where it passes
	of                      int             // so many
	waits                   bool            // it has passed before
	item                    uint64          // by which it waits; 0 where nobody says
	later                   bool            // it is refused, though not before its turn
}

// mostKinds is of how many kinds an address is at most: a date and its calendar, a host and its site, deep, a spelling, in a session, with
// idle parameters, a query and a combination.
const mostKinds = 10

// kind is what some addresses have in common: the hash of its words, which is the same in every process, for counts are saved.
type kind uint64

func kindOf(words ...string) kind {
	hash := pack.FNV()
	for _, word := range words {
		hash = hash.Text(word).Byte(0)
	}
	return kind(hash)
}

// add makes an address one of a kind.
func (a *parts) add(k kind) {
	a.kinds[a.of] = k
	a.of++
}

// parts are those of an address that the watch is told or asked about, where it is one.
func (w *TrapWatch) parts(address string) (a parts, ok bool) {
	if w == nil {
		return a, false
	}
	a, ok = cut(address)
	a.host = page.Host(address)
	return a, ok
}

// cut cuts an address; most are written so that nothing stands for something else.
func cut(address string) (parts, bool) {
	if scheme, rest, _ := strings.Cut(address, "://"); (scheme == "http" || scheme == "https") && plain(rest) {
		from := strings.IndexAny(rest, "/?")
		if from < 0 {
			from = len(rest)
		}
		path, query, _ := strings.Cut(rest[from:], "?")
		return parts{address: address, path: path, escaped: path, query: query}, true
	}
	u, err := url.Parse(address)
	if err != nil {
		return parts{}, false
	}
	return parts{address: address, path: u.Path, escaped: u.EscapedPath(), query: u.RawQuery}, true
}

// plain tells of what follows the scheme that it is what it says, letter by letter.
func plain(rest string) bool {
	for i := range len(rest) {
		if c := rest[i]; !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~/?=&;", c) >= 0) {
			return false
		}
	}
	return true
}

func pathSegments(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
}

// fields are the parameters of a query with their values.
func fields(query string) iter.Seq[string] {
	return strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' })
}

func queryKeys(query string) (keys []string) {
	for part := range fields(query) {
		if key, _, _ := strings.Cut(part, "="); part != "amp" { // left of an &amp; that was written for a &
			keys = append(keys, key)
		}
	}
	return keys
}

// shape looks at one address by itself.
func shape(segments, keys []string) string {
	if len(segments) > mostSegments {
		return fmt.Sprintf("%d path segments", len(segments))
	}
	if s := repeats(segments); s != "" {
		return "repeating segments: " + s
	}
	if len(keys) > mostParams {
		return fmt.Sprintf("facets: %d parameters", len(keys))
	}
	for i, key := range keys {
		same := 1
		for _, other := range keys[:i] {
			if other == key {
				same++
			}
		}
		if same >= mostSameKey {
			return fmt.Sprintf("facets: parameter %q %d times", key, same)
		}
	}
	return ""
}

// repeats finds a run of up to four segments that follows itself twice ("a/b/a/b/a/b"), and segments that occur four
// times anywhere. Numbers repeat in dates, so they may.
func repeats(segments []string) string {
	for period := 1; period <= 4; period++ {
		run := 0 // segments in a row that are equal to the one a period before
		for i := period; i < len(segments); i++ {
			if segments[i] != segments[i-period] {
				run = 0
				continue
			}
			if run++; run >= 2*period && !allNumbers(segments[i-period+1:i+1]) {
				return strings.Join(segments[i-period+1:i+1], "/")
			}
		}
	}
	for i, s := range segments {
		same := 0
		for _, other := range segments[:i] {
			if other == s {
				same++
			}
		}
		if same >= 3 && !allNumbers([]string{s}) {
			return s
		}
	}
	return ""
}

func allNumbers(segments []string) bool {
	for _, s := range segments {
		if strings.Trim(s, "0123456789") != "" {
			return false
		}
	}
	return true
}

// budgets looks at what an address has in common with others of its host that have passed.
func (w *TrapWatch) budgets(a *parts, segments, keys []string) string {
	if reason := w.farm(a); reason != "" {
		return reason
	}
	if len(segments) > deepSegments && w.full(a, mostDeep, kindOf("deep", strings.Join(segments[:3], "/"), a.host)) {
		return fmt.Sprintf("ever-growing paths: more than %d deep ones", mostDeep)
	}
	if a.identity != a.address && w.full(a, mostSpelling, kindOf("spelling", a.identity, a.host)) {
		return "session ids: another way to write " + a.identity
	}
	if reason := w.learned(a, segments, keys); reason != "" {
		return reason
	}
	p, most := a.pattern(keys), w.paths
	if len(keys) > 0 {
		most = w.queries
	}
	if w.full(a, most+perKept*w.met(p.kept), p.passed) { // the reason is the same for all of them: reasons are counted
		return fmt.Sprintf("more than %d of the pattern %s", most, p.name)
	}
	if len(keys) > 0 && w.met(p.passed) == 0 && w.full(a, mostKeySets, kindOf("sets", a.path, a.host)) {
		return fmt.Sprintf("facets: more than %d combinations of parameters", mostKeySets)
	}
	return ""
}

// pattern is that of addresses that differ only in the numbers of their paths, or in the values of their queries.
type pattern struct {
	name         string
	passed, kept kind // addresses of it, and pages
}

func (a *parts) pattern(keys []string) pattern {
	path := Mask(a.escaped)
	if len(keys) == 0 {
		return pattern{path, kindOf("paths", path, a.host), kindOf("kept", path, a.host)}
	}
	set := strings.Join(keys, "&")
	return pattern{path + "?" + set, kindOf("queries", path, set, a.host), kindOf("kept", path, set, a.host)}
}

// full tells whether as many as there may be of a kind have passed. An address that passes is one of them.
func (w *TrapWatch) full(a *parts, most int, k kind) bool {
	a.add(k)
	if w.met(k) < most {
		return false
	}
	w.use(k)
	return true
}

// use keeps a kind from being forgotten: a trap that is asked about is none of the past.
func (w *TrapWatch) use(k kind) {
	if used, mark := uint64(k), usedNext; w.noting {
		w.noted.Fixed64(&mark)
		w.noted.Fixed64(&used)
	}
	w.seen.Get(k)
}

// usedNext stands in a lesson before a kind that was used and not counted.
const usedNext = uint64(0)

// met is how many of a kind have passed.
func (w *TrapWatch) met(k kind) int {
	n, _ := w.seen.Peek(k)
	return n
}

// count adds one to a kind.
func (w *TrapWatch) count(k kind) {
	if counted := uint64(k); w.noting {
		w.noted.Fixed64(&counted)
	}
	w.seen.Update(k, oneMore)
}

func oneMore(n int, _ bool) int { return n + 1 }

// Mask is a path with its numbers masked: what addresses of one pattern have in common.
func Mask(path string) string {
	var b strings.Builder
	number := false
	for i := range len(path) {
		digit := path[i] >= '0' && path[i] <= '9'
		if digit && !number {
			b.WriteByte('#')
		} else if !digit {
			b.WriteByte(path[i])
		}
		number = digit
	}
	return b.String()
}
