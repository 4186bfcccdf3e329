package junk

import (
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
)

// A host whose addresses all lead on to the same ones by https, with www before its name, or with a slash at their end, costs each of its
// pages a visit more, where those who link to it have not heard of that. After a dozen redirects that say nothing else there is no need
// to ask for the next.
const leastMoved = 12 // redirects and, where they lead, pages; perMoved for each page that the host answered with itself

// origin is what of an address comes before its path.
func origin(address string) (scheme, host, rest string) {
	scheme, rest, _ = strings.Cut(address, "://")
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		return scheme, rest[:i], rest[i:]
	}
	return scheme, rest, ""
}

// ending is how an address ends of which there may be two, with a slash and without: that of no file, which asks for nothing.
func ending(rest string) string {
	switch last := rest[strings.LastIndexByte(rest, '/')+1:]; {
	case len(rest) < 2 || strings.ContainsAny(last, ".?"):
		return ""
	case last == "":
		return "slash"
	}
	return "bare"
}

// elsewhere is an address as hosts lead on to it: by the other scheme, with www or without, or both, and with a slash or without.
func elsewhere(address string) (others [4]string) {
	scheme, host, rest := origin(address)
	flipped, known := map[string]string{"http": "https", "https": "http"}[scheme]
	if !known || host == "" {
		return others
	}
	switch ending(rest) {
	case "slash":
		others[3] = strings.TrimSuffix(address, "/")
	case "bare":
		others[3] = address + "/"
	}
	if strings.ContainsAny(host, ":@") {
		return others
	}
	www, bare := strings.CutPrefix(host, "www.")
	if !bare {
		www = "www." + host
	}
	others[0], others[1], others[2] = flipped+"://"+host+rest, scheme+"://"+www+rest, flipped+"://"+www+rest
	return others
}

// stays are the kinds of the pages that a host has answered with itself: all, and those of such an ending.
func stays(address string) (all, likewise kind) {
	scheme, host, rest := origin(address)
	return kindOf("stays", scheme, host), kindOf("stays", scheme, host, ending(rest))
}

// leads is the kind of addresses of a host that led on to the same ones of another, or with another ending.
func leads(address, to string) kind {
	scheme, host, rest := origin(address)
	other, there, on := origin(to)
	if rest == on {
		return kindOf("leads", scheme, host, other, there)
	}
	return kindOf("leads", scheme, host, ending(on))
}

// moves is the rule by which such addresses of a host are not asked for.
func moves(address string) rule {
	scheme, host, rest := origin(address)
	return ruleOf("moved", scheme, host, ending(rest))
}

// led counts a redirect to the same address elsewhere; of any other it answers false. Where it was known before nobody has asked.
func (w *TrapWatch) led(address, to string) bool {
	switch {
	case !isElsewhere(address, to):
		return false
	case w.sure(address, to):
		w.uphold(moves(address))
	default:
		w.count(leads(address, to))
		w.count(kindOf("leads", page.Host(address)))
	}
	return true
}

// isElsewhere says that an address is another as a host leads it on.
func isElsewhere(address, to string) bool {
	others := elsewhere(address)
	return to != "" && slices.Contains(others[:], to)
}

// sure tells that a host leads nearly all such addresses there, and that pages are there.
func (w *TrapWatch) sure(address, to string) bool {
	n := w.met(leads(address, to))
	here, hereSo := stays(address)
	there, thereSo := stays(to)
	if here == there { // one host, and another ending
		here, there = hereSo, thereSo
	}
	return n >= leastMoved && n > perMoved*w.met(here) && w.met(there) >= leastMoved
}

// LeadsTo is where the host of an address would lead it, by what it did with others; empty where it is not known to.
func (w *TrapWatch) LeadsTo(address string) (to string) {
	if w == nil {
		return ""
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.leadsTo(address)
}

func (w *TrapWatch) leadsTo(address string) (to string) {
	if w.met(kindOf("leads", page.Host(address))) == 0 {
		return ""
	}
	best := 0
	for _, other := range elsewhere(address) {
		if n := w.met(leads(address, other)); n > best {
			to, best = other, n
		}
	}
	return to
}

// SurelyLeadsTo is LeadsTo of a host that has led on nearly all such addresses, for one that is about to be asked for: a few are asked for
// all the same, for sites move by parts.
func (w *TrapWatch) SurelyLeadsTo(address string) (to string) {
	if w == nil {
		return ""
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if to = w.leadsTo(address); to == "" || !w.sure(address, to) {
		return ""
	}
	if w.use(leads(address, to)); !w.refuses(&parts{address: address}, moves(address)) {
		return ""
	}
	return to
}
