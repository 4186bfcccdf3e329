package drawn

import (
	_ "embed" // the characters
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// written is how the pages of a site are encoded, and who says so.
type written struct {
	enc         encoding.Encoding // nil for UTF-8
	header      string            // charset of the Content-Type header
	meta        string            // charset of the meta element
	traditional bool
}

var charsets = []written{
	0: {header: "utf-8"},
	1: {meta: "utf-8"},
	2: {enc: simplifiedchinese.GBK, header: "gbk"},
	3: {enc: simplifiedchinese.GBK, meta: "gb2312"}, // as pages say that are in GBK
	4: {enc: simplifiedchinese.GBK},
	5: {enc: traditionalchinese.Big5, meta: "big5", traditional: true},
	6: {enc: charmap.Windows1252},
}

// charsetFor deals the charsets out: n is the site's number in its language, nth its number among its like.
func charsetFor(s *site, n, nth int) int {
	if s.t.code == "en" {
		return []int{0, 1, 0, 6, 1}[n%5]
	}
	if s.role == special && s.topic.name == "weiqi" && nth == 0 || s.role == common && nth == 4 {
		return 5
	}
	return []int{0, 2, 3, 4, 1, 3, 2, 4}[n%8]
}

// encode turns a page into the bytes its site sends. What the charset lacks becomes a character reference.
func (c written) encode(page string) ([]byte, error) {
	if c.traditional {
		page = traditional.Replace(page)
	}
	if c.enc == nil {
		return []byte(page), nil
	}
	return encoding.HTMLEscapeUnsupported(c.enc.NewEncoder()).Bytes([]byte(page))
}

//go:embed words/hant.txt
var hant string

// traditional turns the simplified characters of the drawn words into traditional ones.
var traditional = func() *strings.Replacer {
	var pairs []string
	for pair := range strings.FieldsSeq(hant) {
		r := []rune(pair)
		pairs = append(pairs, string(r[0]), string(r[1]))
	}
	return strings.NewReplacer(pairs...)
}()
