package sink

import (
	"strconv"
	"strings"
)

// Steers tells whether a character is an order to a terminal, or turns the direction of the text around it: what a page
// brought along must not do either where its text is shown.
func Steers(r rune) bool {
	return r < ' ' || 0x7f <= r && r <= 0x9f || r == 0x200e || r == 0x200f || r == 0x61c || 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
}

// harmless is a text for a column. A spreadsheet takes what begins like a formula for one, wherever it came from: such a text
// is given an apostrophe, which is how a spreadsheet is told that it is a text. Numbers stay as they are.
func harmless(s string) string {
	if strings.ContainsFunc(s, steersInColumn) {
		s = strings.Map(func(r rune) rune {
			if steersInColumn(r) {
				return ' '
			}
			return r
		}, s)
	}
	first := strings.TrimLeft(s, " \t\n\r\u3000\ufeff")
	if first == "" || !strings.ContainsRune("=+-@\uff1d\uff0b\uff0d\uff20|%", []rune(first)[0]) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}

// steersInColumn leaves lines and tabs, which a column may hold.
func steersInColumn(r rune) bool { return Steers(r) && r != '\n' && r != '\t' }
