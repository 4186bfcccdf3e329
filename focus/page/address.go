package page

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// address is an address in its parts. All are in normal form but path and query, which are as written.
type address struct {
	scheme string
	host   string // lower case, with the port where it is not the scheme's own
	path   string // begins with '/'
	query  string // without '?'
	whole  string // all of it without fragment, user and password: what is fetched
}

var errScheme = errors.New("want an address that begins with http:// or https://")

// Canonical is an address's identity: what it is known by, never what is fetched. Case, default port, dot segments,
// percent-encoding, international host names, fragment, empty query, tracking parameters, session ids and the order
// of the query's parameters make no difference to it. http and https do. It is its own canonical form.
func Canonical(written string) (string, error) {
	a, err := parseAddress(written)
	if plain, _, _, ok := Login(written); ok && err != nil {
		return Canonical(plain) // the error shows what it is of
	}
	if err != nil {
		return "", fmt.Errorf("canonical %q: %w", written, err)
	}
	return a.identity(), nil
}

// Host is the host whose clock an address obeys: lower case, with the port where it is not the scheme's own. An
// address that cannot be fetched has none.
func Host(written string) string {
	if host, ok := hostOf(written); ok {
		return host
	}
	a, err := parseAddress(written)
	if err != nil {
		return ""
	}
	return rootless(a.host)
}

// hostOf is the host of an address that is written as most are, read without the rest: nothing behind a host makes another of it.
func hostOf(written string) (host string, ok bool) {
	scheme := "https"
	rest, ok := strings.CutPrefix(written, "https://")
	if !ok {
		scheme = "http"
		if rest, ok = strings.CutPrefix(written, "http://"); !ok {
			return "", false
		}
	}
	n := 0
	for n < len(rest) && rest[n] != '/' && rest[n] != '?' && rest[n] != '#' {
		n++
	}
	host, _, ok = plainHost(rest[:n], scheme)
	return rootless(host), ok
}

// Named tells whether a host is one of those that a person has named: a name without a port is the host at any port.
func Named(host string, names []string) bool {
	return slices.Contains(names, host) || slices.Contains(names, Portless(host))
}

// Portless is a host without its port.
func Portless(host string) string {
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		return host[:i]
	}
	return host
}

// rootless is a host without the dot that may end its name and changes nothing.
func rootless(host string) string {
	name := Portless(host)
	port := host[len(name):]
	if !strings.HasSuffix(name, ".") || strings.HasSuffix(name, "..") {
		return host
	}
	if name = name[:len(name)-1]; name == "" {
		return ""
	}
	return name + port
}

// Binary says whether an address ends like a file that holds no page: a picture, a film, an archive. The list of
// endings is data.
func Binary(written string) bool {
	a, err := parseAddress(written)
	if err != nil {
		return false
	}
	return standard().binary(a.path)
}

// Ends says whether the path of an address ends so, in capitals or not.
func Ends(written, ending string) bool {
	a, err := parseAddress(written)
	return err == nil && len(a.path) > len(ending) && strings.EqualFold(a.path[len(a.path)-len(ending):], ending)
}

// parseAddress reads an absolute address: by itself where every byte of it is plain, which nearly all are, by the
// WHATWG's rules otherwise.
func parseAddress(written string) (address, error) {
	if plain(written) {
		if a, ok := split(written); ok {
			return a, nil
		}
	}
	return standardAddress(written, nil)
}

// plain says whether the WHATWG's rules would leave every byte of an address as it is.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if !plainByte[s[i]] {
			return false
		}
	}
	return true
}

var plainByte = func() (ok [256]bool) {
	for c := '!'; c <= '~'; c++ {
		ok[c] = !strings.ContainsRune(`"<>\^`+"`{|}'", c)
	}
	return ok
}()

// split reads an absolute address of plain bytes; it answers false for one that needs the WHATWG's rules after all.
func split(s string) (a address, ok bool) {
	s = withoutFragment(s)
	normal := true
	switch {
	case strings.HasPrefix(s, "http://"):
		a.scheme = s[:4]
	case strings.HasPrefix(s, "https://"):
		a.scheme = s[:5]
	case len(s) > 7 && strings.EqualFold(s[:7], "http://"):
		a.scheme, normal = "http", false
	case len(s) > 8 && strings.EqualFold(s[:8], "https://"):
		a.scheme, normal = "https", false
	default:
		return a, false
	}
	from := len(a.scheme) + 3
	end := from
	for end < len(s) && s[end] != '/' && s[end] != '?' {
		end++
	}
	var same bool
	if a.host, same, ok = plainHost(s[from:end], a.scheme); !ok {
		return a, false
	}
	a.below(s, end, normal && same)
	return a, true
}

// below reads what stands behind the host of an address, from end on; normal says that all before it is in normal form.
func (a *address) below(s string, end int, normal bool) {
	a.path, a.query = s[end:], ""
	search := ""
	if i := strings.IndexByte(a.path, '?'); i >= 0 {
		search = a.path[i:]
		a.path, a.query = a.path[:i], search[1:]
	}
	if escaped := percents(a.path); escaped != a.path {
		a.path, normal = escaped, false
	}
	switch {
	case a.path == "":
		a.path, normal = "/", false
	case dotted(a.path):
		a.path, normal = undot(a.path), false
	}
	a.whole = s
	if !normal {
		a.whole = a.scheme + "://" + a.host + a.path + search
	}
}

// withoutFragment is an address without the place on the page that it names.
func withoutFragment(s string) string {
	if i := strings.IndexByte(s, '#'); i >= 0 {
		return s[:i]
	}
	return s
}

// percents is a path in which a percent sign that escapes nothing is escaped itself, as Colly does: there are names like
// sale-50%-off.html, and no request can be made of one.
func percents(path string) string {
	if strings.IndexByte(path, '%') < 0 {
		return path
	}
	var out strings.Builder
	for i := range len(path) {
		out.WriteByte(path[i])
		if path[i] == '%' && (i+2 >= len(path) || !isHex(path[i+1]) || !isHex(path[i+2])) {
			out.WriteString("25")
		}
	}
	return out.String()
}

// plainHost reads a host name of letters, digits, dots and dashes, with or without a port, and brings it to normal
// form; same says that it was in it. Names that the WHATWG's rules may change otherwise, and numbers, are not ok.
func plainHost(s, scheme string) (host string, same, ok bool) {
	name, port := s, ""
	if i := strings.IndexByte(s, ':'); i >= 0 {
		name, port = s[:i], s[i+1:]
	}
	same = true
	label := 0
	for i := 0; i <= len(name); i++ {
		if i == len(name) || name[i] == '.' {
			if i == label || len(name)-label >= 4 && strings.EqualFold(name[label:label+4], "xn--") {
				return "", false, false
			}
			if i+1 == len(name) && name[label] >= 'A' {
				break
			}
			if i < len(name) {
				label = i + 1
			}
			continue
		}
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '_':
		case 'A' <= c && c <= 'Z':
			same = false
		default:
			return "", false, false
		}
	}
	if name == "" || !isLetter(name[label]) && !fourNumbers(name) {
		return "", false, false
	}
	port, samePort, ok := plainPort(port, scheme, len(name) < len(s))
	if !ok {
		return "", false, false
	}
	if same && samePort {
		return s, true, true
	}
	return strings.ToLower(name) + port, false, true
}

// plainPort is the port with its colon, or nothing if it is the scheme's own.
func plainPort(port, scheme string, colon bool) (with string, same, ok bool) {
	if !colon {
		return "", true, true
	}
	switch {
	case port == "", scheme == "http" && port == "80", scheme == "https" && port == "443":
		return "", false, true
	case len(port) > 5 || port[0] == '0':
		return "", false, false
	}
	_, err := strconv.ParseUint(port, 10, 16)
	return ":" + port, true, err == nil
}

// fourNumbers says whether a name is an IPv4 address as it is usually written.
func fourNumbers(name string) bool {
	a, err := netip.ParseAddr(name)
	return err == nil && a.Is4()
}

// Login parts an address from the name and the password that may stand before its host; ok tells whether there were any. As in
// a browser it makes no difference how many slashes there are.
func Login(address string) (plain, user, password string, ok bool) {
	scheme, rest, found := strings.Cut(address, ":")
	if scheme = strings.ToLower(strings.TrimSpace(scheme)); !found || scheme != "http" && scheme != "https" && !strings.HasPrefix(rest, "//") {
		return address, "", "", false
	}
	begin := len(address) - len(strings.TrimLeft(rest, "/\\"))
	end := len(address)
	if i := strings.IndexAny(address[begin:], "/\\?#"); i >= 0 {
		end = begin + i
	}
	at := strings.LastIndexByte(address[begin:end], '@')
	if at < 0 {
		return address, "", "", false
	}
	user, password, _ = strings.Cut(address[begin:begin+at], ":")
	return address[:begin] + address[begin+at+1:], unescaped(user), unescaped(password), true
}

// unescaped is what a part of an address stands for.
func unescaped(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

// WithoutLogins is a text that shows of names and passwords in addresses only that there are some. A password may have been written with
// what ends a host: what is no port behind a colon is taken for one.
func WithoutLogins(text string) string { return logins.ReplaceAllString(text, "${1}…@") }

var logins = regexp.MustCompile(`(?i)\b(https?:[/\\]*|[a-z0-9+.-]+://)(?:[^\s/\\?#"'<>]*|[^\s/\\?#"'<>:@\[]*:[0-9]*[^0-9\s/\\?#"'<>][^\s"'<>]*)@`)

// Location is where an answer sends us, without its fragment; empty if it says nothing that can be followed.
func Location(from, to string) string {
	if to == "" {
		return ""
	}
	base, err := url.Parse(from)
	if err != nil {
		return ""
	}
	path := strings.IndexAny(to+"?", "?#")
	query, _, _ := strings.Cut(to[path:], "#")
	written := percents(strings.ReplaceAll(to[:path], `\`, "/")) + query // as links are read, by browsers too
	u, err := base.Parse(written)
	if err != nil {
		return ""
	}
	u.Fragment, u.RawFragment, u.User = "", "", nil // whose password it is, it is not ours to send
	to = u.String()
	if u.Host == "" && (u.Scheme == "http" || u.Scheme == "https") { // https:///b.example or http:b, as links are read, too
		by := newResolver(from, "", nil)
		a, ok := by.resolve(written)
		if !ok {
			return ""
		}
		to = a.whole
	}
	if _, err := url.Parse(to); err != nil { // "//::" is read as part of an address, and is none
		return ""
	}
	return asked(to)
}

// asked is an address whose query stands as servers are asked for it: spaces and all beyond ASCII, which may be bytes of any charset,
// as %XX.
func asked(address string) string {
	from := strings.IndexByte(address, '?')
	if from < 0 || plain(address[from:]) {
		return address
	}
	var b strings.Builder
	b.WriteString(address[:from])
	for i := from; i < len(address); i++ {
		if c := address[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>'", c) >= 0 {
			writeEscaped(&b, c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Moved is the link as it would be to another address.
func (l Link) Moved(address string) *Link {
	to := LinkTo(address)
	l.URL, l.Identity, l.Host = to.URL, to.Identity, to.Host
	return &l
}

// LinkTo is a link nobody wrote on a page: all that is known of it is its address. A name and a password in it are left out.
func LinkTo(address string) Link {
	address, _, _, _ = Login(address)
	if u, err := url.Parse(address); err == nil && u.Fragment != "" {
		u.Fragment, u.RawFragment = "", ""
		address = u.String()
	}
	address = asked(address)
	l := Link{URL: address, Identity: address, Host: Host(address)}
	if identity, err := Canonical(address); err == nil {
		l.Identity = identity
	}
	return l
}
