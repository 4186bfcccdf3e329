package page

import (
	"bytes"
	"strings"
)

// dotted says whether a path may hold dot segments.
func dotted(path string) bool {
	for i := 1; i < len(path); i++ {
		if path[i-1] == '/' && (path[i] == '.' || path[i] == '%') {
			return true
		}
	}
	return false
}

// undot removes dot segments, also where the dots are written %2e.
func undot(path string) string {
	out := make([]byte, 0, len(path))
	for rest := path; rest != ""; {
		n := strings.IndexByte(rest[1:], '/') + 1
		if n == 0 {
			n = len(rest)
		}
		segment := rest[1:n]
		rest = rest[n:]
		switch dots(segment) {
		case 1:
			if rest == "" {
				out = append(out, '/')
			}
		case 2:
			if i := bytes.LastIndexByte(out, '/'); i >= 0 {
				out = out[:i]
			}
			if rest == "" {
				out = append(out, '/')
			}
		default:
			out = append(append(out, '/'), segment...)
		}
	}
	return string(out)
}

// dots is 1 for ".", 2 for "..", 0 for any other segment.
func dots(segment string) int {
	n := 0
	for segment != "" {
		switch {
		case segment[0] == '.':
			segment = segment[1:]
		case len(segment) >= 3 && segment[0] == '%' && segment[1] == '2' && segment[2]|0x20 == 'e':
			segment = segment[3:]
		default:
			return 0
		}
		if n++; n > 2 {
			return 0
		}
	}
	return n
}
