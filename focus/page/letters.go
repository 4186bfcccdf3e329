package page

import (
	"regexp"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// lettersOf are the letters in which the links of a page ask that was in a charset; nil is UTF-8, which is also what pages in UTF-16
// and in what browsers do not read ask in. What is said to be GB18030 is nearly always GBK, which has no more than two bytes for a letter.
func lettersOf(charset string) encoding.Encoding {
	if charset == "" || charset == "utf-8" {
		return nil
	}
	letters, err := htmlindex.Get(charset)
	if err != nil {
		return nil
	}
	switch name, _ := htmlindex.Name(letters); name {
	case "utf-8", "utf-16le", "utf-16be", "replacement", "x-user-defined":
		return nil
	case "gb18030":
		return simplifiedchinese.GBK
	}
	return letters
}

// inLetters is what stands in a link with its query as a browser would ask it: the host of a page in another charset than UTF-8 may
// understand nothing else. The path stays in UTF-8. A letter that the charset does not have is asked as HTML writes it by its number.
func inLetters(ref string, letters encoding.Encoding) string {
	whole, _, _ := strings.Cut(ref, "#")
	path, query, asks := strings.Cut(whole, "?")
	if letters == nil || !asks || !beyondASCII.MatchString(query) {
		return ref
	}
	return path + "?" + beyondASCII.ReplaceAllStringFunc(query, func(words string) string {
		asked, err := encoding.HTMLEscapeUnsupported(letters.NewEncoder()).String(words)
		if err != nil {
			return words
		}
		var b strings.Builder
		for i := range len(asked) {
			if c := asked[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"#%&';<>", c) >= 0 {
				writeEscaped(&b, c)
			} else {
				b.WriteByte(c)
			}
		}
		return b.String()
	})
}

var beyondASCII = regexp.MustCompile(`[^\x00-\x7f]+`)
