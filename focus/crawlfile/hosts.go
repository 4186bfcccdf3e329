package crawlfile

import (
	"fmt"
	"net"
	"net/netip"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
)

// couldBeHost tells of a pattern that a host fits it: with a letter for each *, or a number.
func couldBeHost(pattern string) bool {
	return page.IsHost(strings.ReplaceAll(pattern, "*", "x")) || page.IsHost(strings.ReplaceAll(pattern, "*", "1"))
}

// hosts checks what is known of sites, and who advertises: what is no host is never met.
func (k *checker) hosts() {
	for i, s := range k.c.Sites {
		if host, _, _ := strings.Cut(s.Site, "/"); !page.IsHost(host) {
			k.Wrong(fmt.Sprintf("sites[%d].site", i), "is %q, want a host such as www.example.org, or a host and its first directory", s.Site)
		}
	}
	for i, a := range k.c.Reading.Advertisers {
		if !page.IsHost(a) {
			k.Wrong(fmt.Sprintf("reading.advertisers[%d]", i), "is %q, want a host such as ads.example.org", a)
		}
	}
}

// private checks what may be visited beside the public internet: what is neither a host nor an address nor a network lets nothing through.
func (k *checker) private() {
	for i, written := range k.c.Fetch.Private {
		if !IsPrivate(written) {
			k.Wrong(fmt.Sprintf("fetch.private[%d]", i), "is %q, want %s", written, WantPrivate)
		}
	}
}

// WantPrivate is what may be let through beside the public internet.
const WantPrivate = "a host without a port, an address or a network, such as intranet.example, 10.1.2.3 or 10.1.0.0/16"

// IsPrivate tells whether a text is what WantPrivate says.
func IsPrivate(written string) bool {
	name := strings.TrimSpace(written)
	_, notNetwork := netip.ParsePrefix(name)
	_, notAddress := netip.ParseAddr(strings.Trim(name, "[]"))
	return notNetwork == nil || notAddress == nil || page.IsHost(name) && !strings.ContainsAny(name, "*:")
}

// metrics checks an address to listen at, as far as that can be told without listening.
func (k *checker) metrics() {
	if k.c.Metrics == "" {
		return
	}
	_, port, err := net.SplitHostPort(k.c.Metrics)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		k.Wrong("metrics", "is %q, want a host of this machine and a port, such as 127.0.0.1:9100", k.c.Metrics)
	}
}
