package warc

import (
	"bufio"
	"fmt"
	"net/http"
	"net/textproto"
	"strings"
)

// maxHeader is how long the header of a record may be. Real ones take about 500 bytes.
const maxHeader = 1 << 20

// header reads the version line and the fields. Folded lines, which WARC 1.0 allows, are joined.
func (r *Reader) header() (http.Header, error) {
	left := maxHeader
	line, err := r.line(&left)
	if err != nil {
		return nil, err
	}
	if !isVersion(line) {
		return nil, malformed(fmt.Sprintf("a record starts with %.20q, want WARC/1.0 or WARC/1.1", line))
	}
	h := http.Header{}
	key := ""
	for {
		line, err := r.line(&left)
		if err != nil {
			return nil, err
		}
		if line == "" {
			return h, nil
		}
		if (line[0] == ' ' || line[0] == '\t') && key != "" {
			v := h[key]
			v[len(v)-1] += " " + strings.TrimSpace(line)
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, malformed(fmt.Sprintf("field line %.40q has no colon", line))
		}
		key = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))
		h[key] = append(h[key], strings.TrimSpace(value))
	}
}

func isVersion(line string) bool {
	return strings.HasPrefix(line, "WARC/1.") || strings.HasPrefix(line, "WARC/0.1")
}

// line reads one line without its end, taking its length from left.
func (r *Reader) line(left *int) (string, error) {
	var b []byte
	for {
		part, err := r.text.ReadSlice('\n')
		if *left -= len(part); *left < 0 {
			return "", malformed(fmt.Sprintf("a header of more than %d bytes", maxHeader))
		}
		b = append(b, part...)
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil {
			return "", noEOF(err)
		}
		return strings.TrimRight(string(b), "\r\n"), nil
	}
}
