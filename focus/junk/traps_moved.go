package junk

import (
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
)

// A host whose addresses all lead on to the same ones by https, or with www before its name, costs each of its pages a visit more, where
// those who link to it have not heard of that. After a dozen redirects that say nothing else there is no need to ask for the next.
const leastMoved = 12 // redirects and, where they lead, pages; perMoved for each page that the host answered with itself

// origin is what of an address comes before its path.
func origin(address string) (scheme, host, rest string) {
	scheme, rest, _ = strings.Cut(address, "://")
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		return scheme, rest[:i], rest[i:]
	}
	return scheme, rest, ""
}

// elsewhere is an address as hosts lead on to it: by the other scheme, with www or without, or both.
func elsewhere(address string) (others [3]string, ok bool) {
	scheme, host, rest := origin(address)
	flipped, known := map[string]string{"http": "https", "https": "http"}[scheme]
	if !known || host == "" || strings.ContainsAny(host, ":@") {
		return others, false
	}
	www, bare := strings.CutPrefix(host, "www.")
	if !bare {
		www = "www." + host
	}
	return [3]string{flipped + "://" + host + rest, scheme + "://" + www + rest, flipped + "://" + www + rest}, true
}

// stays is of the pages that a host has answered with itself, leads of its addresses that led on to the same ones of another.
func stays(address string) kind {
	scheme, host, _ := origin(address)
	return kindOf("stays", scheme, host)
}

func leads(address, to string) kind {
	scheme, host, _ := origin(address)
	other, there, _ := origin(to)
	return kindOf("leads", scheme, host, other, there)
}

// led counts a redirect to the same address elsewhere; of any other it answers false. Where it was known before nobody has asked.
func (w *TrapWatch) led(address, to string) bool {
	others, _ := elsewhere(address)
	for _, other := range others {
		if other == "" || other != to {
			continue
		}
		if !w.sure(address, to) {
			w.count(leads(address, to))
			w.count(kindOf("leads", page.Host(address)))
		}
		return true
	}
	return false
}

// sure tells that a host leads nearly all such addresses there, and that pages are there.
func (w *TrapWatch) sure(address, to string) bool {
	n := w.met(leads(address, to))
	return n >= leastMoved && n > perMoved*w.met(stays(address)) && w.met(stays(to)) >= leastMoved
}

// LeadsTo is where the host of an address would lead it, by what it did with others; empty where it is not known to. It is sure if it
// has led on nearly all of them.
func (w *TrapWatch) LeadsTo(address string) (to string, sure bool) {
	if w == nil {
		return "", false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.met(kindOf("leads", page.Host(address))) == 0 {
		return "", false
	}
	others, _ := elsewhere(address)
	best := 0
	for _, other := range others {
		if n := w.met(leads(address, other)); n > best {
			to, best, sure = other, n, w.sure(address, other)
		}
	}
	if sure {
		w.use(leads(address, to))
	}
	return to, sure
}
