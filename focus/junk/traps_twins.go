package junk

import (
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
)

// Many a site has all its pages twice: by http and by https, with www or m before its name and without, with a slash or the name of a file
// at the end of a path and without, in capitals. Whoever links to it writes now this and now that. Where no redirect says so (traps_moved.go)
// the pages do: these parts of an address are looked at as parameters are that may change nothing, for all of a site.
const (
	twinScheme = "http or https"
	twinHost   = "www or m before the host"
	twinEnd    = "the end of the path"
	twinCase   = "capitals of the path"
)

// base is the host without what tells twins apart.
func (a *parts) base() string { return page.Twinless(a.host) }

// twinned is the kind of addresses of a site that is known to have pages twice.
func (a *parts) twinned() kind { return kindOf("twins", a.base()) }

// twins are the parts of an address in which twins may differ, each as a parameter with its value.
func (a *parts) twins() []parameter {
	scheme, _, _ := strings.Cut(a.address, "://")
	base := a.base()
	stem := stemOf(a.path)
	of := func(key, value string) parameter {
		p := parameterOf(key, value, "", base)
		p.each = key != twinCase // of index.html and index.de.html one may be another page
		return p
	}
	return []parameter{
		of(twinScheme, scheme), of(twinHost, strings.TrimSuffix(a.host, base)),
		of(twinEnd, strings.ToLower(a.path[len(stem):])), of(twinCase, stem),
	}
}

// stemOf is a path without the slash at its end, or the name of the file that a server gives for a folder.
func stemOf(path string) string {
	at := strings.LastIndexByte(path, '/') + 1
	if name := strings.ToLower(path[at:]); strings.HasPrefix(name, "index.") || strings.HasPrefix(name, "default.") {
		path = path[:at]
	}
	return strings.TrimSuffix(path, "/")
}

// origin is where an address is, but for what is left out of it, which it says.
func (a *parts) origin(but []string) string {
	scheme, _, _ := strings.Cut(a.address, "://")
	host := a.host
	if slices.Contains(but, twinScheme) {
		scheme = ""
	}
	if slices.Contains(but, twinHost) {
		host = "*." + a.base()
	}
	return scheme + "://" + host
}

// twinPath is the path of an address, but for what is left out of it, which it says.
func (a *parts) twinPath(but []string) string {
	path := a.path
	if slices.Contains(but, twinEnd) {
		path = stemOf(path) + " "
	}
	if slices.Contains(but, twinCase) {
		path = strings.ToLower(path) + "  "
	}
	return path
}

// saidOfTwins is why an address is refused that has a twin; nothing where it is a parameter that changes nothing.
func saidOfTwins(key string) string {
	switch key {
	case twinScheme, twinHost, twinEnd:
		return "twins: " + key + " changes nothing"
	case twinCase:
		return "twins: " + key + " change nothing"
	}
	return ""
}
