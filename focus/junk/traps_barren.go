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

// barren is a kind of addresses that may bring nothing: of a program or a folder with the same parameters, or that differ in their numbers.
type barren struct {
	name                string
	bare, borne, denied kind // visits that brought nothing, and that did, and addresses that were refused since
}

// barren is the kind of an address; that of one of a kind of its own has no name.
func (a *parts) barren(keys []string) barren {
	name := Mask(a.path)
	switch {
	case len(keys) > 0:
		name = a.program() + "?" + strings.Join(keys, "&")
	case !strings.Contains(name, "#"):
		return barren{}
	}
	return barren{name, kindOf("bare", name, a.host), kindOf("borne", name, a.host), kindOf("bare refused", name, a.host)}
}

// Visited tells the watch of a visit whether it brought something, a page or a link to one that was not known.
func (w *TrapWatch) Visited(address string, brought bool) {
	a, ok := w.parts(address)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.brought(&a, brought)
	all, likewise := stays(address)
	w.count(all)
	w.count(likewise)
}

func (w *TrapWatch) brought(a *parts, something bool) {
	if b := a.barren(queryKeys(a.query)); b.name != "" && something {
		w.count(b.borne)
	} else if b.name != "" {
		w.count(b.bare)
	}
}

// Led is Visited of an address that led on to another. That each address of a host leads to the same on another, or with another ending,
// says nothing of the kind.
func (w *TrapWatch) Led(address, to string, brought bool) {
	a, ok := w.parts(address)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if b, there := cut(to); !w.led(address, to) && there && (Mask(a.path) != Mask(b.path) || !slices.Equal(queryKeys(a.query), queryKeys(b.query))) {
		w.brought(&a, brought)
	}
}

// inBarren says that an address is of a kind that brings nothing.
func (w *TrapWatch) inBarren(a *parts, keys []string) string {
	b := a.barren(keys)
	if bare := w.met(b.bare); b.name == "" || bare < leastBarren || bare <= perMoved*w.met(b.borne) || w.inDoubt(a, b.denied) {
		return ""
	}
	w.use(b.bare)
	return fmt.Sprintf("the pages of %s bring nothing", b.name)
}
