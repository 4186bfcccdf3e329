package page

import "bytes"

// Signs that nobody sees and that are no part of a word: a soft hyphen and a zero-width space say where a line may be broken, a word
// joiner and a mark of the order of bytes where not. Those that join letters (in emoji, in Persian) are seen by what they do.
const (
	softHyphen     = "\u00ad"
	zeroWidthSpace = "\u200b"
	wordJoiner     = "\u2060"
	byteOrder      = "\ufeff"

	noBreak = "\u00a0"
)

// hasUnseen says whether a page has such signs in its bytes, or blanks of a width of their own: most have none, and are not looked through again.
func hasUnseen(body []byte) bool {
	for _, sign := range []string{softHyphen, wordJoiner, byteOrder} {
		if bytes.Contains(body, []byte(sign)) {
			return true
		}
	}
	if !bytes.Contains(body, []byte(zeroWidthSpace[:2])) {
		return false // none of those that begin like it
	}
	for _, sign := range []string{zeroWidthSpace, "\u2002", "\u2003", "\u2009", "\u202f"} {
		if bytes.Contains(body, []byte(sign)) {
			return true
		}
	}
	return false
}

// unseen is the length of the sign that nobody sees at a place of a text, 0 if none stands there. In scripts that write words without
// blanks between them, such as Thai and Khmer, a zero-width space is what parts them, and stays.
func unseen[Text string | []byte](s Text, i int) int {
	switch s[i] {
	case softHyphen[0]:
		if i+1 < len(s) && s[i+1] == softHyphen[1] {
			return len(softHyphen)
		}
	case zeroWidthSpace[0], byteOrder[0]:
		if i+2 >= len(s) {
			return 0
		}
		sign := string(s[i : i+3])
		if sign == zeroWidthSpace && (i < 3 || !unparted(s[i-3])) || sign == wordJoiner || sign == byteOrder {
			return 3
		}
	}
	return 0
}

// unparted says whether a letter that begins with a byte is of Thai, Lao, Burmese, Khmer or another script of their part of the table.
func unparted(c byte) bool { return c == 0xE0 || c == 0xE1 }

// seen is a text without the signs that nobody sees. What sets a Chinese paragraph in, or a thousand apart, is a blank like others.
func seen(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if n := unseen(text, i); n > 0 {
			i += n
			continue
		}
		if text[i] == 0xE2 {
			if n := wideSpace(text[i:]); n > 0 {
				out = append(out, noBreak...)
				i += n
				continue
			}
		}
		out = append(out, text[i])
		i++
	}
	return out
}

// onlySeen is a short text without these signs.
func onlySeen(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= softHyphen[0] && unseen(s, i) > 0 {
			return string(seen([]byte(s)))
		}
	}
	return s
}
