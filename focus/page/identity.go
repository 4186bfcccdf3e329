package page

import (
	"slices"
	"strings"
)

// identity is the canonical form of an address.
func (a *address) identity() string {
	host := rootless(a.host)
	path, query := a.path, a.query
	if !settled(path) {
		path = settlePath(path)
	}
	if query != "" {
		query = settleQuery(query)
	}
	n := len(a.scheme) + len("://") + len(host) + len(path)
	if query == "" && len(a.whole) == n && path == a.path && host == a.host ||
		query != "" && len(a.whole) == n+1+len(query) && path == a.path && query == a.query && host == a.host {
		return a.whole
	}
	if query != "" {
		query = "?" + query
	}
	return a.scheme + "://" + host + path + query
}

// settled says at a glance whether a path is in canonical form.
func settled(path string) bool {
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '%', c == ';', c == '(', !asIs[c]:
			return false
		}
	}
	return true
}

// asIs are the characters that mean the same in a path and a query whether encoded or not (unreserved), and those that
// may stand there unencoded (delimiters). Only the former are decoded.
var asIs = func() (ok [256]bool) {
	for c := range ok {
		ok[c] = unreserved(byte(c)) || strings.IndexByte("!$&'()*+,;=:@/?[]", byte(c)) >= 0
	}
	return ok
}()

func unreserved(c byte) bool {
	return isWord(c) || c == '-' || c == '.' || c == '_' || c == '~'
}

// settlePath brings percent-encoding to its normal form, takes session ids out and removes the dot segments that may
// have come to light.
func settlePath(path string) string {
	path = settleEncoding(path)
	if strings.IndexByte(path, ';') >= 0 || strings.IndexByte(path, '(') >= 0 {
		path = withoutSession(path)
	}
	if dotted(path) {
		path = undot(path)
	}
	if path == "" {
		return "/"
	}
	return path
}

// withoutSession takes ";jsessionid=…" and the "/(S(…))" of ASP.NET out of a path.
func withoutSession(path string) string {
	var out strings.Builder
	for i, segment := range strings.Split(path, "/") {
		if sessionSegment(segment) {
			continue
		}
		if i > 0 {
			out.WriteByte('/')
		}
		for j, part := range strings.Split(segment, ";") {
			if j > 0 && standard().aside(part) {
				continue
			}
			if j > 0 {
				out.WriteByte(';')
			}
			out.WriteString(part)
		}
	}
	return out.String()
}

func sessionSegment(s string) bool {
	return len(s) > 5 && s[0] == '(' && (s[1] == 'S' || s[1] == 'A' || s[1] == 'F') && s[2] == '(' && strings.HasSuffix(s, "))")
}

// settleQuery sorts a query's parameters by name, leaves out the empty ones and those that only track, and brings
// percent-encoding to its normal form.
func settleQuery(query string) string {
	if strings.IndexByte(query, '&') < 0 && settledQuery(query) {
		if standard().aside(query) {
			return ""
		}
		return query
	}
	if settledQuery(query) && settledParts(query) {
		return query
	}
	parts := make([]string, 0, 8)
	for part := range strings.SplitSeq(query, "&") {
		part = settleEncoding(part)
		if part == "" || part == "=" || standard().aside(part) {
			continue
		}
		parts = append(parts, part)
	}
	byKey := func(a, b string) int {
		keyA, _, _ := strings.Cut(a, "=")
		keyB, _, _ := strings.Cut(b, "=")
		return strings.Compare(keyA, keyB)
	}
	if !slices.IsSortedFunc(parts, byKey) {
		slices.SortStableFunc(parts, byKey)
	}
	return strings.Join(parts, "&")
}

func settledQuery(q string) bool {
	for i := 0; i < len(q); i++ {
		if q[i] == '%' || !asIs[q[i]] {
			return false
		}
	}
	return q != "="
}

// settledParts says whether a query's parameters are all asked for, and in order.
func settledParts(query string) bool {
	before := ""
	for rest, more := query, true; more; {
		var part string
		part, rest, more = strings.Cut(rest, "&")
		key, _, _ := strings.Cut(part, "=")
		if part == "" || part == "=" || key < before || standard().aside(part) {
			return false
		}
		before = key
	}
	return true
}

const hex = "0123456789ABCDEF"

// settleEncoding decodes what needs no encoding, encodes what does, and writes the rest with capitals.
func settleEncoding(s string) string {
	out := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			b := unhex(s[i+1])<<4 | unhex(s[i+2])
			i += 2
			if unreserved(b) {
				out = append(out, b)
				continue
			}
			out = append(out, '%', hex[b>>4], hex[b&15])
			continue
		}
		if asIs[c] {
			out = append(out, c)
			continue
		}
		out = append(out, '%', hex[c>>4], hex[c&15])
	}
	return string(out)
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
