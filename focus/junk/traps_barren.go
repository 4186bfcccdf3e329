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
// numbers, or of a folder below the top.
type barren struct {
	name, host  string
	bare, borne kind // visits that brought nothing, and that did
}

func (a *parts) barren(name string) barren {
	return barren{name, a.host, kindOf("bare", name, a.host), kindOf("borne", name, a.host)}
}

// rule is that by which its addresses are refused. Nearly every link is of a kind, and next to none of one that is.
func (b *barren) rule() rule { return ruleOf("bare refused", b.name, b.host).on(b.bare, b.borne) }

// kindsOf are the kinds of an address, that of its path first; one of a kind of its own has none.
func (a *parts) kindsOf(keys []string) (kinds []barren) {
	path, folder := Mask(a.path), a.program()
	if len(keys) == 0 {
		kinds = make([]barren, 0, 2)
		if strings.Contains(path, "#") {
			kinds = append(kinds, a.barren(path))
		}
		if in := strings.TrimSuffix(path, "/"); strings.LastIndexByte(in, '/') > 0 {
			kinds = append(kinds, a.barren(in[:strings.LastIndexByte(in, '/')]+"/*"))
		}
		return kinds
	}
	asked := "?" + strings.Join(keys, "&")
	if kinds = []barren{a.barren(path + asked)}; folder != path {
		kinds = append(kinds, a.barren(folder+asked))
	}
	return kinds
}

// Visited tells the watch of a visit whether it brought something, a page or a link to one that was not known.
func (w *TrapWatch) Visited(address string, brought bool) {
	a, ok := w.parts(address)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.copied = (parts{}); brought && w.copies && w.repeats == address {
		w.copied = a
	} else {
		w.brought(&a, brought)
	}
	w.count(pagesMet)
	all, likewise := stays(address)
	w.count(all)
	w.count(likewise)
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

// decided counts the visit of a page that repeats one of another kind of addresses, as the number of a post shows its thread: it has brought
// something where it leads to what nobody had found.
func (w *TrapWatch) decided(something bool) {
	if a := w.copied; a.address != "" {
		w.copied = parts{}
		w.brought(&a, something)
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

// Led is Visited of an address that led on to another. That each address of a host leads to the same on another, or with another ending,
// says nothing of the kind. One that leads to where its own address is asked, as a form to log in has it to lead back by, brought nothing yet.
func (w *TrapWatch) Led(address, to string, brought bool) {
	a, ok := w.parts(address)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if b, there := cut(to); !w.led(address, to) && there && !a.alike(&b) {
		w.brought(&a, brought && !passesOn(b.query, itselfIn(a.path, a.query)))
	}
}

func (w *TrapWatch) bringsNothing(b *barren) bool {
	bare := w.met(b.bare)
	return bare >= leastBarren && bare > perMoved*w.met(b.borne)
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
