// Package charset answers one question: in what charset is it written?
//
// Decode makes UTF-8 of the bytes of a page, whatever its server says of them. It is the only package that knows a
// detector of charsets.
package charset

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// charset is an encoding of characters and what it is called.
type charset struct {
	name string
	encoding.Encoding
}

// The charsets the rules below speak of. GB2312, GBK and GB18030 are one: the last holds the others, and pages that
// name the first use all of it.
var (
	utf8Charset = charset{"utf-8", unicode.UTF8}
	utf16LE     = charset{"utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)}
	utf16BE     = charset{"utf-16be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)}
	gb18030     = charset{"gb18030", simplifiedchinese.GB18030}
	hz          = charset{"hz-gb-2312", simplifiedchinese.HZGB2312} // in which the WHATWG reads nothing
	western     = charset{"windows-1252", charmap.Windows1252}
)

// Decode turns a body into UTF-8 and names the charset it was in. contentType is the header, which may be empty or
// wrong. The answer may share memory with body, and is always valid UTF-8.
//
// Bytes are believed before words, since servers and templates err: a byte order mark; zeros on every second byte
// (UTF-16); UTF-8 that is valid and more than ASCII. Then the header, then a meta element or XML declaration in the
// first 4 KiB, each if the bytes can be what it says; then what the bytes look like; at last windows-1252. A header
// or meta that says Latin-1 or windows-1252 counts only after what the bytes look like: every text is valid in them,
// and servers send them unasked.
func Decode(body []byte, contentType string) (utf8Body []byte, name string) {
	if c, mark := byMark(body); mark > 0 {
		return c.decode(body[mark:])
	}
	if c, ok := byZeros(body); ok {
		return c.decode(body)
	}
	if isHZ(body, contentType) {
		return hz.decode(body)
	}
	if utf8.Valid(body) && !escaped(body) && !fewAndShort(body) {
		return body, utf8Charset.name
	}
	declared := []string{headerLabel(contentType), metaLabel(body)}
	if isDamaged(body, declared) {
		return utf8Charset.decode(body)
	}
	return choose(body, declared).decode(body)
}

func (c charset) decode(body []byte) ([]byte, string) {
	if c.name == utf8Charset.name {
		if utf8.Valid(body) {
			return body, c.name
		}
		return bytes.ToValidUTF8(body, []byte("\uFFFD")), c.name
	}
	out, err := c.NewDecoder().Bytes(body)
	if err != nil { // decoders replace what they cannot read; they do not fail
		return bytes.ToValidUTF8(body, []byte("\uFFFD")), c.name
	}
	return out, c.name
}

// choose takes the first charset that is declared and can be what the bytes are in, or else the likeliest.
func choose(body []byte, declared []string) charset {
	sample := sampleOf(body)
	fallback := western
	for _, label := range declared {
		c, ok := byLabel(label)
		switch {
		case !ok:
		case c.name == western.name:
		case c.name == utf8Charset.name:
			fallback = c // Decode has seen that it is not; but if it is like nothing else either, so be it
		case c.fits(sample):
			return c
		}
	}
	if c, ok := guess(sample); ok {
		return c
	}
	for _, label := range declared {
		if c, ok := byLabel(label); ok && c.name == western.name {
			return c
		}
	}
	return fallback
}

// byLabel is the charset of a label as pages write them: the WHATWG's labels and a few more.
func byLabel(label string) (charset, bool) {
	label = strings.ToLower(strings.TrimSpace(label))
	if other, ok := otherLabels[label]; ok {
		label = other
	}
	e, err := htmlindex.Get(label)
	if err != nil {
		return charset{}, false
	}
	name, err := htmlindex.Name(e)
	switch {
	case err != nil, name == "replacement", name == "x-user-defined":
		return charset{}, false
	case name == "gbk", name == gb18030.name:
		return gb18030, true
	}
	return charset{name, e}, true
}

func isUTF8(label string) bool {
	c, ok := byLabel(label)
	return ok && c.name == utf8Charset.name
}

// otherLabels are labels the WHATWG does not list, which detectors and careless templates write.
var otherLabels = map[string]string{
	"gb-18030": "gb18030", "gb-2312": "gb18030", "cp936": "gb18030", "ms936": "gb18030", "windows-936": "gb18030",
	"cp950": "big5", "ms950": "big5", "windows-950": "big5", "cp932": "shift_jis", "sjis-win": "shift_jis",
	"cp949": "euc-kr", "ms949": "euc-kr", "uhc": "euc-kr", "utf8mb4": "utf-8", "utf_8": "utf-8", "utf-8-sig": "utf-8",
	"iso-8859-1-windows-3.1-latin-1": "windows-1252", "latin-1": "windows-1252",
}

// byMark tells a charset by the byte order mark, and how long that is.
func byMark(body []byte) (charset, int) {
	switch {
	case bytes.HasPrefix(body, []byte("\xEF\xBB\xBF")):
		return utf8Charset, 3
	case bytes.HasPrefix(body, []byte("\xFF\xFE")):
		return utf16LE, 2
	case bytes.HasPrefix(body, []byte("\xFE\xFF")):
		return utf16BE, 2
	}
	return charset{}, 0
}

// byZeros tells UTF-16 without a mark: of markup every second byte is zero, and nothing else has zeros so.
func byZeros(body []byte) (charset, bool) {
	body = body[:min(len(body), 4096)]
	var zeros [2]int
	for i, b := range body {
		if b == 0 {
			zeros[i%2]++
		}
	}
	half := len(body) / 2
	switch {
	case half < 4:
	case zeros[1]*5 > half && zeros[0]*50 < half:
		return utf16LE, true
	case zeros[0]*5 > half && zeros[1]*50 < half:
		return utf16BE, true
	}
	return charset{}, false
}

// escaped says whether a body may be in a charset that has no bytes beyond ASCII, but escapes: ISO-2022-JP.
func escaped(body []byte) bool { return bytes.Contains(body, []byte("\x1b$")) }

// isHZ says whether a body is in HZ, which has no bytes beyond ASCII: it is declared so, and has Chinese between ~{ and ~}.
func isHZ(body []byte, contentType string) bool {
	if !bytes.Contains(body, []byte("~{")) || slices.ContainsFunc(body, func(b byte) bool { return b >= utf8.RuneSelf }) {
		return false
	}
	return slices.ContainsFunc([]string{headerLabel(contentType), metaLabel(body)}, func(label string) bool {
		label = strings.ToLower(strings.TrimSpace(label))
		return label == hz.name || label == "hz"
	})
}

// fewAndShort says whether all of valid UTF-8 that is beyond ASCII are up to eight characters of two bytes. Some short
// texts in GBK, 联通 is the famous one, are valid UTF-8 too, but all their characters are such.
func fewAndShort(body []byte) bool {
	characters := 0
	for i := 0; i < len(body); {
		if body[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, n := utf8.DecodeRune(body[i:])
		if characters++; n > 2 || characters > 8 {
			return false
		}
		i += n
	}
	return characters > 0
}

// isDamaged says whether a body is UTF-8 but for a few bytes, as where a page was cut or a comment was pasted into it,
// or is UTF-8 that only by chance might be something else. Where a page says that it is UTF-8, more of it may be
// wrong: text in another charset has more wrong bytes than right characters.
func isDamaged(body []byte, declared []string) bool {
	if escaped(body) {
		return false
	}
	good, bad := 0, 0
	for i := 0; i < len(body); {
		if body[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(body[i:])
		if r != utf8.RuneError || n > 1 {
			good++
		} else if utf8.FullRune(body[i:]) { // else it is the end of a page that was cut
			bad++
		}
		i += n
	}
	if bad == 0 && fewAndShort(body) && isElse(body, declared) {
		return false
	}
	return good > 50*bad || good > 2*bad && slices.ContainsFunc(declared, isUTF8)
}

// isElse says whether a body is declared to be in a charset, and looks like it.
func isElse(body []byte, declared []string) bool {
	for _, label := range declared {
		if c, ok := byLabel(label); ok {
			return c.name != utf8Charset.name && c.name != western.name && c.likeness(sampleOf(body)) >= likely
		}
	}
	return false
}
