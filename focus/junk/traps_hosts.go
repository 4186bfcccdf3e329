package junk

import (
	"cmp"
	"fmt"
	"net/netip"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
)

// farm says that an address is that of one host more of a site than there may be. Where a name server answers to any name, whoever has a
// site makes up hosts as others make up pages: each has its own robots.txt, its own delay, and none of them has anything in common with
// the others but the site.
func (w *TrapWatch) farm(a *parts) string {
	host := kindOf("host", a.host)
	a.add(host) // each time: what the crawl is in the middle of is not to be forgotten, and to be one host more
	if w.met(host) > 0 {
		return ""
	}
	if site := a.site(); site != a.host && w.full(a, w.hosts+perKept*w.met(kindOf("hosts kept", site)), kindOf("hosts", site)) {
		return fmt.Sprintf("more than %d hosts of %s", w.hosts, site)
	}
	return ""
}

// site is what a host belongs to: the name that somebody has registered, or an address, whatever the port.
func (a *parts) site() string {
	name := page.Portless(a.host)
	if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
		return name
	}
	return cmp.Or(page.Site(name), name)
}
