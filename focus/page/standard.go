package page

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Errors of addresses that the standard calls none.
var (
	errRelative = errors.New("want an address that begins with http:// or https://, or the address of a page it stands on")
	errNoHost   = errors.New("no host")
	errHost     = errors.New("the host is no name and no number that a network knows")
	errPort     = errors.New("want a port of 0 to 65535")
)

// standardAddress reads an address as browsers do (url.spec.whatwg.org), as far as it is one of http or https. One that is
// relative is resolved against base, where there is one. It is for whatever the quick way does not know.
func standardAddress(written string, base *address) (address, error) {
	ref := strings.TrimFunc(written, func(r rune) bool { return r <= ' ' })
	ref = breaks.Replace(ref)
	ref, _, _ = strings.Cut(ref, "#")
	scheme, rest, absolute := cutScheme(ref)
	switch {
	case absolute && scheme != "http" && scheme != "https":
		return address{}, errScheme
	case absolute && (base == nil || scheme != base.scheme || strings.HasPrefix(rest, "//")):
		return fromAuthority(scheme, rest)
	case base == nil:
		return address{}, errRelative
	case !absolute:
		rest = ref
	}
	rest, query, asks := strings.Cut(rest, "?")
	switch {
	case rest == "" && !asks:
		return *base, nil
	case rest == "":
		return assembled(base.scheme, base.host, base.path, query, true), nil
	case !isSlash(rest[0]):
		return assembled(base.scheme, base.host, base.path[:strings.LastIndexByte(base.path, '/')+1]+rest, query, asks), nil
	case len(rest) > 1 && isSlash(rest[1]):
		if asks {
			rest += "?" + query
		}
		return fromAuthority(base.scheme, rest)
	}
	return assembled(base.scheme, base.host, rest, query, asks), nil
}

// breaks is what may stand anywhere in an address and is no part of it.
var breaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")

func isSlash(c byte) bool { return c == '/' || c == '\\' }

// cutScheme parts a scheme from what follows it.
func cutScheme(ref string) (scheme, rest string, ok bool) {
	scheme, rest, ok = strings.Cut(ref, ":")
	if !ok || !isScheme(scheme) {
		return "", "", false
	}
	return strings.ToLower(scheme), rest, true
}

// fromAuthority reads what stands behind a scheme: host and port, then path and query. A name and a password before the host
// are left out, and it makes no difference how many slashes there are.
func fromAuthority(scheme, rest string) (address, error) {
	rest = strings.TrimLeft(rest, "/\\")
	end := len(rest)
	if i := strings.IndexAny(rest, "/\\?"); i >= 0 {
		end = i
	}
	host, tail := rest[:end], rest[end:]
	host = host[strings.LastIndexByte(host, '@')+1:]
	port, colon, inside := "", false, false
	for i := range len(host) {
		switch {
		case host[i] == '[':
			inside = true
		case host[i] == ']':
			inside = false
		}
		if host[i] == ':' && !inside {
			host, port, colon = host[:i], host[i+1:], true
			break
		}
	}
	host, err := standardHost(host)
	if err != nil {
		return address{}, err
	}
	if rootless(host) == "" {
		return address{}, errNoHost
	}
	if colon {
		if port, err = standardPort(port, scheme); err != nil {
			return address{}, err
		}
	}
	path, query, asks := strings.Cut(tail, "?")
	return assembled(scheme, host+port, path, query, asks), nil
}

// standardPort is a port with its colon, or nothing if it is the scheme's own or none at all.
func standardPort(port, scheme string) (string, error) {
	if strings.Trim(port, "0123456789") != "" {
		return "", errPort
	}
	if port == "" {
		return "", nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return "", errPort
	}
	if scheme == "http" && n == 80 || scheme == "https" && n == 443 {
		return "", nil
	}
	return ":" + strconv.FormatUint(n, 10), nil
}

// assembled is an address of its parts; path and query may still be as written.
func assembled(scheme, host, path, query string, asks bool) address {
	if path == "" || !isSlash(path[0]) {
		path = "/" + path
	}
	a := address{scheme: scheme, host: host, path: percents(escaped(strings.ReplaceAll(path, "\\", "/"), "\"#<>?`{}")), query: escaped(query, "\"#<>'")}
	if dotted(a.path) {
		a.path = undot(a.path)
	}
	a.whole = scheme + "://" + host + a.path
	if asks {
		a.whole += "?" + a.query
	}
	return a
}

// escaped is a text in which control characters, spaces, everything beyond ASCII, and what else is named stand as %XX. What was
// escaped before stays as it is.
func escaped(s, named string) string {
	var b strings.Builder
	b.Grow(3 * len(s))
	for _, r := range s {
		if r > ' ' && r < 0x7f && !strings.ContainsRune(named, r) {
			b.WriteByte(byte(r))
			continue
		}
		var letters [utf8.UTFMax]byte
		for _, c := range letters[:utf8.EncodeRune(letters[:], r)] {
			writeEscaped(&b, c)
		}
	}
	return b.String()
}

func writeEscaped(b *strings.Builder, c byte) {
	b.WriteByte('%')
	b.WriteByte("0123456789ABCDEF"[c>>4])
	b.WriteByte("0123456789ABCDEF"[c&15])
}

// international turns names of hosts in any script into those that the DNS knows. It is stricter than browsers in one thing, as
// Colly's parser is: of ASCII, a name with letters beyond it may have letters, digits and hyphens alone, so that
// http://旅_游.example/ is refused where http://a_b.example/ is not. Where Colly's parser is no browser, of brackets within
// brackets and of a sign before a number, this one is: the first are refused, and with the other a host is a name.
var international = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.VerifyDNSLength(false), idna.StrictDomainName(true),
	idna.ValidateLabels(true), idna.CheckHyphens(false), idna.CheckJoiners(true), idna.Transitional(false))

// standardHost is a host as the network knows it: a name in lower case and ASCII, or the number of an address.
func standardHost(written string) (string, error) {
	if written == "" {
		return "", errNoHost
	}
	if inner, ok := strings.CutPrefix(written, "["); ok {
		inner, closed := strings.CutSuffix(inner, "]")
		return standardIPv6(inner, closed)
	}
	name := unescapedBytes(written)
	if !utf8.ValidString(name) {
		return "", errHost
	}
	host, err := international.ToASCII(name)
	if host == "" || err != nil && !plainName(name) {
		return "", errHost
	}
	if strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("#/:<>?@[\\]^|%", r) }) {
		return "", errHost
	}
	if endsInNumber(host) {
		return standardIPv4(host)
	}
	return host, nil
}

// plainName tells of a name that what is wrong with it by the rules for names in other scripts is nothing to the standard.
func plainName(name string) bool {
	for _, r := range name {
		if r >= utf8.RuneSelf && r != '≠' && r != '≮' && r != '≯' {
			return false
		}
	}
	for label := range strings.SplitSeq(strings.ToLower(name), ".") {
		if strings.HasPrefix(label, "xn--") {
			return false
		}
	}
	return true
}

// unescapedBytes is what a text stands for; a % that begins no two digits stands for itself.
func unescapedBytes(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if plain, err := url.PathUnescape(s[i : i+3]); err == nil {
				b.WriteString(plain)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// endsInNumber tells of a host that it is meant as the number of an address.
func endsInNumber(host string) bool {
	host = strings.TrimSuffix(host, ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last != "" && strings.Trim(last, "0123456789") == "" {
		return true
	}
	_, ok := numberOf(last)
	return ok
}

// numberOf is a part of an IPv4 address, which may be octal or hexadecimal. What is too large is told as the largest there is.
func numberOf(part string) (uint64, bool) {
	digits, base := part, 10
	switch {
	case len(part) >= 2 && strings.EqualFold(part[:2], "0x"):
		digits, base = part[2:], 16
	case len(part) >= 2 && part[0] == '0':
		digits, base = part[1:], 8
	}
	if digits == "" {
		return 0, part != ""
	}
	if digits[0] == '+' || digits[0] == '-' {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, base, 64)
	return n, err == nil || errors.Is(err, strconv.ErrRange)
}

// standardIPv4 is the usual form of an IPv4 address, of which the last number may stand for several.
func standardIPv4(host string) (string, error) {
	parts := strings.Split(strings.TrimSuffix(host, "."), ".")
	if len(parts) > 4 {
		return "", errHost
	}
	sum := uint64(0)
	for i, part := range parts {
		n, ok := numberOf(part)
		most := uint64(255)
		if i == len(parts)-1 {
			most = 1<<(8*(5-len(parts))) - 1
		}
		if !ok || n > most {
			return "", errHost
		}
		if i < len(parts)-1 {
			n <<= 8 * (3 - i)
		}
		sum += n
	}
	return netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, uint32(sum)))).String(), nil
}

// standardIPv6 is the shortest form of an IPv6 address, in brackets.
func standardIPv6(written string, closed bool) (string, error) {
	a, err := netip.ParseAddr(written)
	if !closed || err != nil || !a.Is6() || a.Zone() != "" {
		return "", errHost
	}
	if a.Is4In6() { // it has no dots in a browser
		b := a.As16()
		return "[::ffff:" + strconv.FormatUint(uint64(binary.BigEndian.Uint16(b[12:])), 16) + ":" + strconv.FormatUint(uint64(binary.BigEndian.Uint16(b[14:])), 16) + "]", nil
	}
	return "[" + a.String() + "]", nil
}
