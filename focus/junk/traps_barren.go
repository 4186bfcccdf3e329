package junk

import (
	"fmt"
	"slices"
	"strings"
)

// A site has addresses of kinds that bring a crawl nothing: the form and the history of each page of a wiki, which ask neither to be found
// nor to be followed, and the numbers of a forum's posts, which lead to their thread. What such addresses are called nobody knows before;
// that a dozen of a kind have brought nothing is found out.
const leastBarren = 12 // visits that brought nothing make a kind of addresses barren, perMoved for each that did

// barren is a kind of addresses that may bring nothing: of a path with the same parameters, of a folder with them, of a path but for its
// numbers, of a folder below the top, or of what ends alike below the same top, as the form for an opinion of each thing that a shop sells.
type barren struct {
	name, host         string
	bare, borne, plain kind // visits that brought nothing, and that did, and pages of no topic which lead to nothing new
}

func (a *parts) barren(name string) barren {
	return barren{name, a.host, kindOf("bare", name, a.host), kindOf("borne", name, a.host), kindOf("plain", name, a.host)}
}

// rule is that by which its addresses are refused. Nearly every link is of a kind, and next to none of one that is.
func (b *barren) rule() rule {
	return ruleOf("bare refused", b.name, b.host).on(b.bare, b.borne, b.plain)
}

// kindsOf are the kinds of an address, that of its path first; one of a kind of its own has none.
func (a *parts) kindsOf(keys []string) (kinds []barren) {
	path, folder := Mask(a.path), a.program()
	if len(keys) == 0 {
		kinds = make([]barren, 0, 2)
		if strings.Contains(path, "#") {
			kinds = append(kinds, a.barren(path))
		}
		if in := strings.TrimSuffix(path, "/"); strings.LastIndexByte(in, '/') > 0 {
			last := strings.LastIndexByte(in, '/')
			kinds = append(kinds, a.barren(in[:last]+"/*"))
			if top := strings.IndexByte(in[1:], '/') + 1; top < last && oneWord(in[last+1:]) {
				kinds = append(kinds, a.barren(in[:top]+"/*"+path[last:]))
			}
		}
		return kinds
	}
	asked := "?" + strings.Join(keys, "&")
	if kinds = []barren{a.barren(path + asked)}; folder != path {
		kinds = append(kinds, a.barren(folder+asked))
	}
	return kinds
}

// oneWord says of the end of a path that it is a word or a number, as a program calls what it does, and no name of a page.
func oneWord(last string) bool {
	return len(last) <= mostWord && strings.IndexFunc(last, func(r rune) bool { return r != '#' && r != '.' && !('a' <= r|0x20 && r|0x20 <= 'z') }) < 0
}

const mostWord = 20 // bytes

// Visited tells the watch of a visit whether it brought something, a page or a link to one that was not known, and which addresses had
// led to it one after the other: what it brought they have brought.
func (w *TrapWatch) Visited(address string, brought bool, ledBy ...string) {
	a, ok := w.parts(address)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.copied, w.plain = parts{}, brought && w.aside == address
	if w.plain || brought && w.copies && w.repeats == address {
		w.copied, w.copiedBy = a, ledBy
	} else {
		w.broughtBy(&a, brought, ledBy)
	}
	w.count(pagesMet)
	all, likewise := stays(address)
	w.count(all)
	w.count(likewise)
}

// Listed tells the watch of the visit of a list, as the feed of a page is, which brings what it leads to that nobody had found.
func (w *TrapWatch) Listed(address, final string) {
	a, ok := w.parts(address)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.repeats, w.copies, w.copied, w.copiedBy, w.plain = final, true, a, nil, false
}

// alike tells whether two addresses are of one kind.
func (a *parts) alike(b *parts) bool {
	return Mask(a.path) == Mask(b.path) && slices.Equal(queryKeys(a.query), queryKeys(b.query))
}

// differs tells of two addresses that one has nothing but parameters that the other lacks: whether these change anything is known of each.
func (a *parts) differs(b *parts) bool {
	own, theirs := slices.Collect(fields(a.query)), slices.Collect(fields(b.query))
	if len(own) < len(theirs) {
		own, theirs = theirs, own
	}
	return a.path == b.path && !slices.ContainsFunc(theirs, func(part string) bool { return !slices.Contains(own, part) })
}

// decided counts the visit of a page that repeats one of another kind of addresses, as the number of a post shows its thread, or is of no
// topic: it has brought something where it leads to what nobody had found. One of no topic that does not says nothing of the kind, but that its
// pages are not all the same.
func (w *TrapWatch) decided(something bool) {
	a := w.copied
	if w.copied = (parts{}); a.address == "" {
		return
	}
	if something || !w.plain {
		w.broughtBy(&a, something, w.copiedBy)
		return
	}
	for _, b := range a.kindsOf(queryKeys(a.query)) {
		w.count(b.plain)
	}
}

// broughtBy counts a visit to which other addresses led. That each of a host leads to the same on another says nothing of the kind.
func (w *TrapWatch) broughtBy(a *parts, something bool, ledBy []string) {
	w.brought(a, something)
	for _, by := range ledBy {
		if b, ok := w.parts(by); ok && !isElsewhere(by, a.address) && !b.alike(a) {
			w.brought(&b, something)
		}
	}
}

// brought counts a visit. Of a folder only the first of each path counts that brought nothing: what is searched says nothing of the news.
func (w *TrapWatch) brought(a *parts, something bool) {
	first := true
	for _, b := range a.kindsOf(queryKeys(a.query)) {
		switch {
		case something:
			w.count(b.borne)
			w.doubt(b.rule(), w.bringsNothing(&b))
		case w.bringsNothing(&b):
			w.uphold(b.rule())
		case first:
			w.count(b.bare)
		}
		first = first && w.met(b.bare) == 1
	}
}

// Led is Visited of an address that led on to another, of which the visit will tell. What was known brought nothing, nor has what is of a kind
// that does not, nor where its own address is asked, as a form to log in has it to lead back by. That each address of a host leads to the same
// on another, or with another ending, says nothing of the kind.
func (w *TrapWatch) Led(address, to string, brought bool) {
	a, ok := w.parts(address)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	b, there := w.parts(to)
	if w.led(address, to) || !there || a.alike(&b) {
		return
	}
	if !brought || passesOn(b.query, itselfIn(a.path, a.query)) || slices.ContainsFunc(b.kindsOf(queryKeys(b.query)), func(k barren) bool { return w.bringsNothing(&k) }) {
		w.brought(&a, false)
	}
}

func (w *TrapWatch) bringsNothing(b *barren) bool {
	bare := w.met(b.bare)
	return bare >= leastBarren && bare > perMoved*w.met(b.borne) && bare > w.met(b.plain)
}

// inBarren says that an address is of a kind that brings nothing.
func (w *TrapWatch) inBarren(a *parts, keys []string) string {
	for _, b := range a.kindsOf(keys) {
		if !w.bringsNothing(&b) {
			continue
		}
		if w.use(b.bare); !w.refuses(a, b.rule()) {
			return ""
		}
		return fmt.Sprintf("the pages of %s bring nothing", b.name)
	}
	return ""
}
