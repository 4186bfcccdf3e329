package junk

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/page"
)

// Shown tells the watch what a page shows that is compared with no other, as it is not of the topic: the form by which one logs in shows
// the same to whoever comes from any page. What a page shows without a question tells nothing, and is not asked for.
func (w *TrapWatch) Shown(address string, shows uint64) {
	a, ok := w.parts(address)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.aside = address; shows == 0 {
		return
	}
	idle := w.idleKeys(&a)
	w.repeats, w.copies = "", false
	var met []kind
	for _, p := range a.parameters() {
		rest, _ := a.page(append(idle, p.key)...)
		shown := kindOf("shown", strconv.FormatUint(shows, 16), strconv.FormatUint(uint64(rest), 16))
		if w.met(shown) > 0 {
			w.repeats = address
		}
		said := map[bool]string{true: strconv.FormatUint(shows, 16)}[w.met(shown) > 0]
		w.parameterTold(p, rest, said != "", said)
		met = append(met, rest, shown)
	}
	w.countOnce(met)
}

// leastShown is how many bytes a page says outside of its links that can be told from others by what it says.
const leastShown = 20

// ShownBy is all that a page says and where it leads, in any order, as one number; 0 of one that was asked nothing, or says nothing. Links
// that pass on what it was asked, or its own address, are left out, and of those that ask the same for other values it counts what they
// say and not what they ask: each way to sort a table leads to all others, with itself behind them. Where it stands itself among the
// links, beside others that ask the same for other values, as an answer to a text does among all answers, each page has all of these.
func ShownBy(p *page.Page) uint64 {
	where, query, _ := strings.Cut(p.URL, "?")
	asked := values(query)
	if len(asked) == 0 {
		return 0
	}
	own, _ := cut(p.URL)
	itself := itselfIn(own.path, own.query)
	sum, says := uint64(pack.FNV().Text(p.Title)), 0
	for i := range p.Runs {
		if r := &p.Runs[i]; !r.Linked {
			says += len(r.Text)
		}
		sum += uint64(pack.FNV().Text(p.Runs[i].Text).Byte(0))
	}
	if says < leastShown {
		return 0
	}
	among, keys := standsAmong(p), queryKeys(query)
	for i := range p.Links {
		l := &p.Links[i]
		to, asks, _ := strings.Cut(l.URL, "?")
		switch {
		case l.Anchor != "" && slices.Equal(queryKeys(asks), keys):
			sum += uint64(pack.FNV().Text(strings.TrimPrefix(to, where)).Text(l.Anchor).Byte(2))
		case passesOn(asks, itself):
		case among || !slices.ContainsFunc(values(asks), func(value string) bool { return slices.Contains(asked, value) }):
			sum += uint64(pack.FNV().Text(l.URL).Byte(1))
		}
	}
	return max(sum, 1)
}

// itselfIn is an address as it stands in the query of another, but for how the signs are written: from its path on.
func itselfIn(path, query string) string {
	if query != "" {
		path += "?" + query
	}
	return unescaped(path)
}

// passesOn tells of a query that it has an address in it to lead back by.
func passesOn(asks, itself string) bool {
	if len(asks) <= len(itself) || len(itself) < 2 {
		return false
	}
	_, behind, is := strings.Cut(unescaped(asks), itself)
	return is && (behind == "" || behind[0] == '&' || behind[0] == '#')
}

func unescaped(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// standsAmong tells of a page that its links lead to itself and to others whose addresses differ from its own in values alone.
func standsAmong(p *page.Page) bool {
	where, query, _ := strings.Cut(p.URL, "?")
	keys, self, others := queryKeys(query), false, false
	for i := range p.Links {
		to, asks, _ := strings.Cut(p.Links[i].URL, "?")
		self = self || p.Links[i].URL == p.URL
		others = others || to == where && asks != query && slices.Equal(queryKeys(asks), keys)
	}
	return self && others
}

// values are those of the parameters of a query, however their signs are written: a form passes on /a that was asked as %2Fa.
func values(query string) (found []string) {
	for part := range fields(query) {
		if _, value, _ := strings.Cut(part, "="); value != "" {
			found = append(found, unescaped(value))
		}
	}
	return found
}
