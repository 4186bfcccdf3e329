package pdf

import (
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// cmap says how the bytes of a string are cut into codes, and what each code means: a number of the font, or letters.
type cmap struct {
	spaces  []span           // of codes; none cut by twos
	numbers []span           // codes that stand for numbers which run on
	letters map[int64]string // by code
	runs    []span           // codes that stand for letters which run on
	charset *charset         // that the codes are of; nil where they are of none
}

// span are codes from one to another, and what the first of them stands for.
type span struct {
	from, to int64
	length   int
	means    int64
}

// mostSpans is how many spans, or letters, a map may have.
const mostSpans = 1 << 17

// readCMap reads a map from the bytes of its file.
func readCMap(b []byte) *cmap {
	m := &cmap{letters: map[int64]string{}}
	l := &lexer{b: b}
	var before []object
	for {
		o, ok := l.next(false, 0)
		if !ok {
			return m
		}
		word, isOperator := o.(operator)
		if !isOperator {
			if before = append(before, o); len(before) > 4096 {
				before = before[2048:]
			}
			continue
		}
		switch {
		case strings.HasPrefix(string(word), "begin"):
		case word == "endcodespacerange":
			eachOf(before, 2, func(o []object) {
				if from, length, ok := code(o[0]); ok {
					to, _, _ := code(o[1])
					m.spaces = more(m.spaces, span{from, to, length, 0})
				}
			})
		case word == "endbfchar":
			eachOf(before, 2, func(o []object) { m.letter(o[0], o[1]) })
		case word == "endbfrange":
			eachOf(before, 3, func(o []object) { m.letterRun(o[0], o[1], o[2]) })
		case word == "endcidchar":
			eachOf(before, 2, func(o []object) {
				if from, length, ok := code(o[0]); ok {
					m.numbers = more(m.numbers, span{from, from, length, int64(whole(o[1]))})
				}
			})
		case word == "endcidrange":
			eachOf(before, 3, func(o []object) {
				if from, length, ok := code(o[0]); ok {
					to, _, _ := code(o[1])
					m.numbers = more(m.numbers, span{from, to, length, int64(whole(o[2]))})
				}
			})
		case word == "usecmap" && len(before) > 0:
			if other, ok := before[len(before)-1].(name); ok {
				m.charset = charsetOf(other)
			}
		}
		before = before[:0]
	}
}

func more(spans []span, s span) []span {
	if len(spans) >= mostSpans {
		return spans
	}
	return append(spans, s)
}

func eachOf(all []object, n int, visit func([]object)) {
	for ; len(all) >= n; all = all[n:] {
		visit(all[:n])
	}
}

// code is a string as a number, and how many bytes it has.
func code(o object) (n int64, length int, ok bool) {
	s, ok := o.(str)
	if !ok || len(s) == 0 || len(s) > 4 {
		return 0, 0, false
	}
	for _, c := range []byte(s) {
		n = n<<8 | int64(c)
	}
	return n, len(s), true
}

// wide are the letters of a string in UTF-16.
func wide(s str) string {
	units := make([]uint16, 0, len(s)/2)
	for ; len(s) >= 2; s = s[2:] {
		units = append(units, uint16(s[0])<<8|uint16(s[1]))
	}
	return string(utf16.Decode(units))
}

func (m *cmap) letter(from, to object) {
	n, _, ok := code(from)
	s, isText := to.(str)
	if !ok || !isText || len(m.letters) >= mostSpans || len(s) > 64 {
		return
	}
	if len(s) == 1 { // against the rules, and meant so
		s = "\x00" + s
	}
	m.letters[n] = wide(s)
}

func (m *cmap) letterRun(from, to, means object) {
	first, length, ok := code(from)
	last, _, lasts := code(to)
	if !ok || !lasts {
		return
	}
	switch means := means.(type) {
	case array:
		for i, o := range means {
			if n := first + int64(i); n <= last {
				m.letter(str([]byte{byte(n >> 8), byte(n)}), o)
			}
		}
	case str:
		runes := []rune(wide(means))
		if len(means) == 1 {
			runes = []rune{rune(means[0])}
		}
		if len(runes) == 1 {
			m.runs = more(m.runs, span{first, last, length, int64(runes[0])})
			return
		}
		for n := first; n <= min(last, first+255) && len(runes) > 0; n++ { // the last of several letters runs on
			m.letters[n] = string(runes)
			runes[len(runes)-1]++
		}
	}
}

// text is what a code means, and whether the map says so.
func (m *cmap) text(n int64) (string, bool) {
	if s, ok := m.letters[n]; ok {
		return s, true
	}
	for _, r := range m.runs {
		if r.from <= n && n <= r.to {
			return string(rune(r.means + n - r.from)), true
		}
	}
	return "", false
}

// cut takes the first code off a string.
func (m *cmap) cut(s str) (n int64, length int) {
	if m.charset != nil {
		length = m.charset.length(s)
	} else {
		length = m.lengthOf(s)
	}
	length = max(1, min(length, len(s)))
	for _, c := range []byte(s[:length]) {
		n = n<<8 | int64(c)
	}
	return n, length
}

func (m *cmap) lengthOf(s str) int {
	n := int64(0)
	for length := 1; length <= min(4, len(s)); length++ {
		n = n<<8 | int64(s[length-1])
		for _, space := range m.spaces {
			if space.length == length && space.holds(n) {
				return length
			}
		}
	}
	if len(m.spaces) > 0 && m.spaces[0].length == 1 {
		return 1
	}
	return 2
}

// holds tells whether every byte of a code is within those of the ends.
func (s *span) holds(n int64) bool {
	for shift := range s.length {
		c, from, to := n>>(8*shift)&0xff, s.from>>(8*shift)&0xff, s.to>>(8*shift)&0xff
		if c < from || c > to {
			return false
		}
	}
	return true
}

// number is the number that the font has for a code.
func (m *cmap) number(n int64, length int) int64 {
	for _, s := range m.numbers {
		if s.length == length && s.from <= n && n <= s.to {
			return s.means + n - s.from
		}
	}
	return n
}

// charset is how codes are made of bytes, and letters of codes.
type charset struct {
	length func(s str) int
	text   func(s str) string
}

// byLead has codes of two bytes where the first is high.
func byLead(high func(c byte) bool, of encoding.Encoding) *charset {
	return &charset{
		length: func(s str) int {
			if high(s[0]) {
				return 2
			}
			return 1
		},
		text: func(s str) string { return decoded(of, s) },
	}
}

func decoded(of encoding.Encoding, s str) string {
	t, err := of.NewDecoder().String(string(s))
	if err != nil || strings.ContainsRune(t, '\ufffd') {
		return ""
	}
	return t
}

var (
	inUTF16 = &charset{
		length: func(s str) int {
			if s[0] >= 0xd8 && s[0] < 0xdc {
				return 4
			}
			return 2
		},
		text: wide,
	}
	inGBK   = byLead(func(c byte) bool { return c > 0x80 && c < 0xff }, simplifiedchinese.GBK)
	inBig5  = byLead(func(c byte) bool { return c > 0x80 && c < 0xff }, traditionalchinese.Big5)
	inKSC   = byLead(func(c byte) bool { return c > 0x80 && c < 0xff }, korean.EUCKR)
	inEUCJP = byLead(func(c byte) bool { return c > 0xa0 || c == 0x8e }, japanese.EUCJP)
	inSJIS  = byLead(func(c byte) bool { return c > 0x80 && c < 0xa0 || c >= 0xe0 && c < 0xfd }, japanese.ShiftJIS)
	in18030 = &charset{
		length: func(s str) int {
			switch {
			case s[0] <= 0x80:
				return 1
			case len(s) > 1 && s[1] >= '0' && s[1] <= '9':
				return 4
			}
			return 2
		},
		text: func(s str) string { return decoded(simplifiedchinese.GB18030, s) },
	}
	inJIS = &charset{ // seven bits of what EUC-JP has with eight
		length: func(str) int { return 2 },
		text: func(s str) string {
			b := []byte(s)
			for i := range b {
				b[i] |= 0x80
			}
			return decoded(japanese.EUCJP, str(b))
		},
	}
)

// charsetOf is the charset that a predefined map is made of; nil where it is of none that is known here.
func charsetOf(predefined name) *charset {
	kind := strings.TrimSuffix(strings.TrimSuffix(string(predefined), "-V"), "-H")
	if strings.HasPrefix(kind, "Uni") && (strings.Contains(kind, "UCS2") || strings.Contains(kind, "UTF16")) {
		return inUTF16
	}
	switch kind {
	case "GBK-EUC", "GBKp-EUC", "GB-EUC", "GBpc-EUC":
		return inGBK
	case "GBK2K":
		return in18030
	case "B5pc", "HKscs-B5", "ETen-B5", "ETenms-B5":
		return inBig5
	case "83pv-RKSJ", "90ms-RKSJ", "90msp-RKSJ", "90pv-RKSJ", "Add-RKSJ", "Ext-RKSJ":
		return inSJIS
	case "EUC":
		return inEUCJP
	case "H", "V":
		return inJIS
	case "KSC-EUC", "KSCms-UHC", "KSCms-UHC-HW", "KSCpc-EUC":
		return inKSC
	}
	return nil
}
