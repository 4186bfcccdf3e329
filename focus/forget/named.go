package forget

import (
	"slices"
	"strings"
)

// placeOf finds the first place in a text, from a byte on, where it names a host: neither one of its sub-domains nor a longer name nor
// another port of it. A host of one word is named in addresses alone: it may be any word elsewhere. It is -1 where there is none.
func placeOf(text, host string, from int) int {
	for {
		i := strings.Index(text[from:], host)
		if i < 0 {
			return -1
		}
		begin, end := from+i, from+i+len(host)
		if beginsName(text[:begin], strings.ContainsAny(host, ".:")) && endsName(text[end:]) {
			return begin
		}
		from = begin + 1
	}
}

func beginsName(before string, dotted bool) bool {
	if !dotted {
		return strings.HasSuffix(before, "//") || strings.HasSuffix(before, "@")
	}
	return before == "" || !ofName(before[len(before)-1]) && before[len(before)-1] != '.'
}

func endsName(after string) bool {
	if after == "" {
		return true
	}
	if after[0] == '.' || after[0] == ':' { // a sentence may end there, or a port or a longer name follow
		rest := after[1:]
		if after[0] == ':' {
			digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
			return digits == "" || digits == "80" || digits == "443"
		}
		return rest == "" || !ofName(rest[0])
	}
	return !ofName(after[0])
}

// ofName tells whether a byte can stand in a part of a host's name. Hosts of other scripts are written in bytes above ASCII.
func ofName(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '-' || b == '_' || b >= 0x80
}

// unnamed is a text with each of the hosts' names replaced by a dash.
func (e *eraser) unnamed(text string) string {
	longest := func(a, b string) int { return len(b) - len(a) } // a name with its port before the name alone
	for _, h := range slices.SortedFunc(slices.Values(e.hosts), longest) {
		for at := placeOf(text, h, 0); at >= 0; at = placeOf(text, h, at+1) {
			text = text[:at] + "-" + text[at+len(h):]
		}
	}
	return text
}

// names tells whether a text names one of the hosts, at whatever place.
func (e *eraser) names(text string) bool {
	text = strings.ToLower(text)
	for _, h := range e.hosts {
		if placeOf(text, h, 0) >= 0 {
			return true
		}
	}
	return false
}
