package page

import (
	"net/url"
	"strings"

	"golang.org/x/text/encoding"
)

// resolver turns the addresses written on a page into absolute ones.
type resolver struct {
	base address
	ok   bool // the base is an address relative ones can be resolved against
	host bool // its host is in normal form by the rules for plain bytes
	root string
	dir  string // root and path up to the last '/'

	letters encoding.Encoding // in which queries are asked; nil is UTF-8
}

// Resolve is the address of what a page refers to, absolute and written as those of its links are, with the fragment that ref names. base is
// what the page's base element says; ok is false for what is no address of a page.
func Resolve(page, base, ref string) (to string, ok bool) {
	r := newResolver(page, base, nil)
	a, ok := r.resolve(ref)
	if _, fragment, _ := strings.Cut(ref, "#"); ok && fragment != "" {
		if u, err := url.Parse("#" + fragment); err == nil {
			return a.whole + u.String(), true
		}
	}
	return a.whole, ok
}

// newResolver resolves against base, the address of the page itself where the page names no other.
func newResolver(page, base string, letters encoding.Encoding) resolver {
	r := resolver{letters: letters}
	own, err := parseAddress(page)
	r.set(own, err == nil)
	if base = strings.TrimSpace(base); base != "" {
		if a, ok := r.resolve(base); ok {
			r.set(a, true)
		}
	}
	return r
}

func (r *resolver) set(base address, ok bool) {
	r.base, r.ok = base, ok
	if ok {
		r.root = base.scheme + "://" + base.host
		r.dir = r.root + base.path[:strings.LastIndexByte(base.path, '/')+1]
		_, same, plain := plainHost(base.host, base.scheme)
		r.host = same && plain
	}
}

// resolve answers false for what is no address of a page: other schemes, and nonsense.
func (r *resolver) resolve(ref string) (address, bool) {
	ref = strings.Trim(ref, " \t\r\n\f")
	if plain(ref) {
		if a, known, ok := r.quick(ref); known {
			return a, ok
		}
	}
	return r.careful(ref)
}

// quick resolves a reference of plain bytes; it does not know about those that need the WHATWG's rules.
func (r *resolver) quick(ref string) (a address, known, ok bool) {
	i := 0
	for i < len(ref) && ref[i] != ':' && ref[i] != '/' && ref[i] != '?' && ref[i] != '#' {
		i++
	}
	switch {
	case i < len(ref) && ref[i] == ':':
		scheme := ref[:i]
		if !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
			return a, isScheme(scheme), false
		}
		a, ok = split(ref)
		return a, ok, ok
	case !r.ok:
		return a, true, false
	case ref == "" || ref[0] == '#':
		return r.base, true, true
	case strings.HasPrefix(ref, "//"):
		a, ok = split(r.base.scheme + ":" + ref)
		return a, ok, ok
	case ref[0] == '/':
		ref = r.root + withoutFragment(ref)
	case ref[0] == '?':
		ref = r.root + r.base.path + withoutFragment(ref)
	default:
		ref = r.dir + withoutFragment(ref)
	}
	if r.host {
		a = address{scheme: r.base.scheme, host: r.base.host}
		a.below(ref, len(r.root), true)
		return a, true, true
	}
	a, ok = split(ref)
	return a, ok, ok
}

// isScheme says whether s has the form of a scheme's name.
func isScheme(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && (i == 0 || !isWord(c) && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	return s != ""
}

// careful resolves by the WHATWG's rules.
func (r *resolver) careful(ref string) (address, bool) {
	var base *address
	if r.ok {
		base = &r.base
	}
	a, err := standardAddress(inLetters(ref, r.letters), base)
	return a, err == nil
}
