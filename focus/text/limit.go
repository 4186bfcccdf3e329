package text

import "unicode/utf8"

// limited says whether text of a position counts against the limit: Body and Emphasis do. All else on a page is
// short, and says most.
func limited(p Position) bool { return p == Body || p == Emphasis }

// within are the texts of a page's segments as far as they are cut. Body text gives its first bytes, the main text's
// before the rest.
func (c *Cutter) within(d *Doc) []string {
	texts := make([]string, len(d.Segments))
	left := c.options.Limit
	for _, main := range []bool{true, false} {
		for i, s := range d.Segments {
			switch {
			case d.isMain(s.Block) != main:
			case left < 0 && c.options.Limit < 0, !limited(s.Position):
				texts[i] = s.Text
			default:
				texts[i] = firstBytes(s.Text, left)
				left -= len(texts[i])
			}
		}
	}
	return texts
}

// isMain says whether a block is main text. Where nobody looked, none is, and the order of the page decides.
func (d *Doc) isMain(block int32) bool {
	return 0 <= block && int(block) < len(d.Main) && d.Main[block]
}

// firstBytes are the first n bytes of s, or a few less: no character and no word of letters is torn.
func firstBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n = len(firstRunes(s, n))
	next, _ := at(s, n)
	for end := n; n-end <= utf8.UTFMax*longestWord; {
		last, size := utf8.DecodeLastRuneInString(s[:end])
		if end == 0 || classOf(last) != word || classOf(next) != word {
			return s[:end]
		}
		end -= size
	}
	return s[:n]
}

// firstRunes are the first n bytes of s, or a few less, so that no character is torn.
func firstRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
