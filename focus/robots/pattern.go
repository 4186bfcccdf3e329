package robots

import (
	"strconv"
	"strings"
)

// pattern is the path of a rule: pieces of text with anything between them.
type pattern struct {
	first  string   // what a path must begin with
	pieces []string // what must follow, in this order
	ended  bool     // nothing may follow the last piece
	length int      // octets of the normal form: the longest pattern decides
}

// newPattern reads a rule's path, in which '*' is any run of octets and a '$' at the end is the end.
func newPattern(path string) pattern {
	var p pattern
	path, p.ended = strings.CutSuffix(path, "$")
	parts := strings.Split(path, "*")
	query := false
	for i, part := range parts {
		parts[i] = normalOctets(part, &query)
		p.length += len(parts[i])
	}
	p.length += len(parts) - 1
	if p.ended {
		p.length++
	}
	p.first, p.pieces = parts[0], parts[1:]
	return p
}

// matches looks for the pieces from left to right, each as early as it stands: if that fails, nothing fits.
func (p *pattern) matches(path string) bool {
	rest, ok := strings.CutPrefix(path, p.first)
	if !ok {
		return false
	}
	if len(p.pieces) == 0 {
		return !p.ended || rest == ""
	}
	last := len(p.pieces) - 1
	for _, piece := range p.pieces[:last] {
		at := strings.Index(rest, piece)
		if at < 0 {
			return false
		}
		rest = rest[at+len(piece):]
	}
	if p.ended {
		return strings.HasSuffix(rest, p.pieces[last])
	}
	return strings.Contains(rest, p.pieces[last])
}

// normalPath is the form of an address's path and query in which it is compared with patterns.
func normalPath(pathAndQuery string) string {
	pathAndQuery, _, _ = strings.Cut(pathAndQuery, "#")
	query := false
	path := normalOctets(pathAndQuery, &query)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return path
}

// normalOctets gives equal octets one form: those that need no encoding stand as they are, all others as %XX; within
// a query the characters that some encode and some do not (":/?@[]") stand as they are too. What has a meaning in
// patterns, '*' and '$', is always encoded. query tells whether the '?' has been passed, before and after.
func normalOctets(s string, query *bool) string {
	plain := true
	for i := range len(s) {
		if !isPlain(s[i], *query) || s[i] == '?' {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i := 0; i < len(s); i++ {
		c, encoded := s[i], false
		if v, ok := octet(s[i:]); ok {
			c, encoded = v, true
			i += 2
		}
		switch {
		case encoded && isUnreserved(c), encoded && *query && isLoose(c), !encoded && isPlain(c, *query):
			b.WriteByte(c)
		default:
			const hex = "0123456789ABCDEF"
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
		*query = *query || c == '?' && !encoded
	}
	return b.String()
}

// octet reads %XX.
func octet(s string) (byte, bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	v, err := strconv.ParseUint(s[1:3], 16, 8)
	return byte(v), err == nil
}

// isUnreserved: RFC 3986 section 2.3.
func isUnreserved(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
}

// isLoose: delimiters that mean nothing inside a query, so that both ways of writing them mean the same.
func isLoose(c byte) bool { return strings.IndexByte(":/?@[]", c) >= 0 }

// isPlain: what stands for itself when it is not encoded.
func isPlain(c byte, query bool) bool {
	return isUnreserved(c) || strings.IndexByte("!&'()+,;=:@/?", c) >= 0 || query && isLoose(c)
}
