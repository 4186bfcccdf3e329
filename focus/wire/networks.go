package wire

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
)

// Errors of PrivateNetworks.
var (
	// ErrPrivate: the address is not one of the public internet.
	ErrPrivate = errors.New("not a public address")
	// ErrScheme: the address is neither http nor https.
	ErrScheme = errors.New("neither http nor https")
)

type networks struct {
	names    []string
	prefixes []netip.Prefix
}

// PrivateNetworksConfig tunes PrivateNetworks; the zero value is the default.
type PrivateNetworksConfig struct {
	// Allow is let through all the same: a host ("intranet.example"), an address ("10.1.2.3") or a network ("10.1.0.0/16").
	Allow []string
}

func (n *networks) allow(h string) {
	if p, err := netip.ParsePrefix(h); err == nil {
		n.prefixes = append(n.prefixes, p.Masked())
		return
	}
	if a, err := netip.ParseAddr(strings.Trim(h, "[]")); err == nil {
		a = a.Unmap()
		n.prefixes = append(n.prefixes, netip.PrefixFrom(a, a.BitLen()))
		return
	}
	if h == "" || strings.ContainsAny(h, "/ ") {
		panic(fmt.Sprintf("wire.PrivateNetworksConfig.Allow is %q: want a host, an address or a network such as 10.0.0.0/8", h))
	}
	n.names = append(n.names, page.HostPattern(strings.TrimSuffix(h, ".")))
}

// Refuses tells of a host, by its name alone, that nothing of it will be fetched: a number that is not public, or this machine.
func (o PrivateNetworksConfig) Refuses(host string) bool {
	n := o.networks()
	host = strings.Trim(strings.ToLower(strings.TrimSuffix(host, ".")), "[]")
	if ip, err := netip.ParseAddr(host); err == nil {
		return n.refuse(host, ip) != nil
	}
	local := host == "localhost" || strings.HasSuffix(host, ".localhost")
	return local && !n.allows(host, netip.AddrFrom4([4]byte{127, 0, 0, 1}))
}

func (o PrivateNetworksConfig) networks() *networks {
	n := &networks{}
	for _, h := range o.Allow {
		n.allow(strings.TrimSpace(h))
	}
	return n
}

// PrivateNetworks is the layer that keeps a crawl on the public internet. Loopback, private, link-local, carrier,
// multicast, reserved and cloud-metadata addresses are refused when they are dialled: after the name was resolved,
// after every redirect, for each address of a host, also where an IPv6 address wraps an IPv4 one. Schemes other than
// http and https are refused before that. TLS is verified as the standard library does it.
//
// Through a proxy only the proxy is dialled: with the layer Proxies what is looked at is the host that the request is for, and the proxy
// may stand anywhere; without it the proxy's address must be allowed, and what it may reach is its own affair.
func PrivateNetworks(o PrivateNetworksConfig) Layer {
	n := o.networks()
	return Layer{
		name:   "PrivateNetworks",
		place:  AtNetworks,
		ground: func(g *ground) { g.refuse, g.named = n.refuse, n.named },
		wrap: trips(func(next http.RoundTripper, r *http.Request) (*http.Response, error) {
			if err := n.check(r); err != nil {
				return nil, err
			}
			return next.RoundTrip(r)
		}),
	}
}

// check looks at what can be seen before dialling: the scheme, and a host written as an address.
func (n *networks) check(r *http.Request) error {
	if r.URL.Scheme != "http" && r.URL.Scheme != "https" {
		return fmt.Errorf("%q: %w", r.URL.Redacted(), ErrScheme)
	}
	host := r.URL.Hostname()
	if ip, err := netip.ParseAddr(host); err == nil {
		return n.refuse(host, ip)
	}
	return nil
}

// refuse answers why an address of a host must not be connected to, or nil. It is asked with the address that is about to be dialled,
// and not with a name: a name that was looked at before could be at another address by then (DNS rebinding).
func (n *networks) refuse(host string, ip netip.Addr) error {
	ip = ip.Unmap().WithZone("")
	kind := private(ip)
	if kind == "" || n.allows(host, ip) {
		return nil
	}
	return fmt.Errorf("%q is at %s, which is %s: %w (to allow %q lets it through)", host, ip, kind, ErrPrivate, host)
}

func (n *networks) allows(host string, ip netip.Addr) bool {
	for _, p := range n.prefixes {
		if p.Contains(ip) {
			return true
		}
	}
	return n.named(host)
}

// named tells of a host that is let through by its name, wherever it is.
func (n *networks) named(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return slices.Contains(n.names, host)
}

// reserved are the IPv4 networks that are not the public internet (IANA special-purpose registry), and the metadata
// services that stand on public addresses.
var reserved = []struct {
	prefix netip.Prefix
	kind   string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "this network"},
	{netip.MustParsePrefix("10.0.0.0/8"), "private"},
	{netip.MustParsePrefix("100.64.0.0/10"), "carrier-grade NAT"},
	{netip.MustParsePrefix("127.0.0.0/8"), "loopback"},
	{netip.MustParsePrefix("168.63.129.16/32"), "cloud metadata"},
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local"},
	{netip.MustParsePrefix("172.16.0.0/12"), "private"},
	{netip.MustParsePrefix("192.0.0.0/24"), "reserved"},
	{netip.MustParsePrefix("192.0.2.0/24"), "for documentation"},
	{netip.MustParsePrefix("192.88.99.0/24"), "a 6to4 relay"},
	{netip.MustParsePrefix("192.168.0.0/16"), "private"},
	{netip.MustParsePrefix("198.18.0.0/15"), "for benchmarks"},
	{netip.MustParsePrefix("198.51.100.0/24"), "for documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "for documentation"},
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast"},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved"},
}

var (
	global6       = netip.MustParsePrefix("2000::/3")  // all of IPv6 that is given out
	protocols     = netip.MustParsePrefix("2001::/23") // Teredo, benchmarks, ORCHID and other protocols' own
	documentation = netip.MustParsePrefix("2001:db8::/32")
	sixToFour     = netip.MustParsePrefix("2002::/16")
	moreDocs      = netip.MustParsePrefix("3fff::/20")
	nat64         = netip.MustParsePrefix("64:ff9b::/96")
)

// private says what kind of address it is, or nothing when it is public. What is allowed in IPv6 is stated
// positively: only what is given out for the internet.
func private(ip netip.Addr) string {
	if !ip.IsValid() {
		return "no address"
	}
	if ip = ip.Unmap(); ip.Is4() {
		for _, r := range reserved {
			if r.prefix.Contains(ip) {
				return r.kind
			}
		}
		return ""
	}
	b := ip.As16()
	switch {
	case nat64.Contains(ip):
		return private(netip.AddrFrom4([4]byte(b[12:16])))
	case sixToFour.Contains(ip):
		return private(netip.AddrFrom4([4]byte(b[2:6])))
	case ip.IsLoopback():
		return "loopback"
	case ip.IsMulticast():
		return "multicast"
	case ip.IsLinkLocalUnicast():
		return "link-local"
	case ip.IsPrivate():
		return "private"
	case protocols.Contains(ip), documentation.Contains(ip), moreDocs.Contains(ip):
		return "reserved"
	case !global6.Contains(ip):
		return "not given out"
	}
	return ""
}
