package text

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// class says how text made of a character is turned into words.
type class uint8

const (
	gap   class = iota // between words
	word               // scripts that part words by spaces: the scanner's own
	han                // Chinese: cut by a dictionary
	dense              // other scripts without spaces between words: pairs of characters
)

// classOf is the class of a character that stands at the start of a run.
func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		if isASCIIAlnum(byte(r)) {
			return word
		}
		return gap
	case firstHan <= r && r <= lastHan && r != 0x4DC0, r == '々', r == '〇':
		return han
	case 0x3041 <= r && r <= 0x30FF && r != '・', 0x31F0 <= r && r <= 0x31FF, 0xFF66 <= r && r <= 0xFF9F:
		return dense
	case 0x0E00 <= r && r <= 0x0EFF, 0x1000 <= r && r <= 0x109F, 0x1780 <= r && r <= 0x17FF:
		return dense // Thai, Lao, Burmese, Khmer
	case 0xFF01 <= r && r <= 0xFF5E:
		return classOf(r - 0xFF01 + '!')
	case 0x2010 <= r && r <= 0x205E, 0x3001 <= r && r <= 0x3004, 0x3008 <= r && r <= 0x3020:
		return gap // nearly all punctuation beyond ASCII, which the tables below would find out, too
	case unicode.Is(unicode.Han, r):
		return han
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return word
	}
	return gap
}

func isASCIIAlnum(b byte) bool { return b < utf8.RuneSelf && lowered[b] != 0 }

// lowered is the lower case of each letter and digit of ASCII, and 0 of all else: nearly all of an English text, for which
// scanWord has a short way.
var lowered = func() (t [utf8.RuneSelf]byte) {
	for b := range byte(utf8.RuneSelf) {
		switch {
		case 'a' <= b && b <= 'z', '0' <= b && b <= '9':
			t[b] = b
		case 'A' <= b && b <= 'Z':
			t[b] = b + 'a' - 'A'
		}
	}
	return t
}()

// marks are the marks of ASCII that may stand in a word or end one: of all else a word's end needs no second look. Those that join
// need a letter or a digit behind them.
var marks = [utf8.RuneSelf]uint8{'\'': joinsParts, '.': joinsParts, ',': joinsParts, '-': joinsParts, '&': joinsParts, '+': endsName, '#': endsName}

const (
	joinsParts = 1 + iota
	endsName
)

// mayGoOn says whether a word that stands before the ASCII character at i may go on with it.
func mayGoOn(s string, i int) bool {
	mark := marks[s[i]]
	return mark == endsName || mark == joinsParts && (i+1 == len(s) || s[i+1] >= utf8.RuneSelf || lowered[s[i+1]] != 0)
}

// plainEnd is where the letters and digits of ASCII end that begin at i, which are looked at eight at a time.
func plainEnd(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		if n := plainBytes(eightAt(s, i)); n < 8 {
			return i + n
		}
	}
	for i < len(s) && isASCIIAlnum(s[i]) {
		i++
	}
	return i
}

// eightAt are the eight bytes at i.
func eightAt(s string, i int) uint64 { return binary.LittleEndian.Uint64([]byte(s[i : i+8])) }

const (
	each         = 0x0101010101010101
	high         = 0x80 * each
	smallLetters = 0x20 * each // what makes a letter a small one; every digit has it already
)

// plainBytes is how many of eight bytes are letters and digits of ASCII before one is not. A byte of seven bits that is no less than
// another has a high bit when what is missing from that one to 128 is added.
func plainBytes(eight uint64) int {
	low := eight &^ high
	small := low | smallLetters
	digit := (low + (0x80-'0')*each) &^ (low + (0x80-'9'-1)*each)
	letter := (small + (0x80-'a')*each) &^ (small + (0x80-'z'-1)*each)
	return bits.TrailingZeros64(^((digit|letter)&^eight)&high) / 8
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// at decodes the character of s at i; past the end it is 0. It is what utf8.DecodeRuneInString is, with a short way
// for the three bytes of nearly all Chinese.
func at(s string, i int) (rune, int) {
	if i >= len(s) {
		return 0, 0
	}
	a := s[i]
	if a < utf8.RuneSelf {
		return rune(a), 1
	}
	if 0xE1 <= a && a <= 0xEC && i+2 < len(s) && s[i+1]&0xC0 == 0x80 && s[i+2]&0xC0 == 0x80 {
		return rune(a&0x0F)<<12 | rune(s[i+1]&0x3F)<<6 | rune(s[i+2]&0x3F), 3
	}
	return utf8.DecodeRuneInString(s[i:])
}

// scanWord finds the end of the word that starts at i: letters and digits, and what keeps names whole. Joined are
// an apostrophe between letters (don't), but not behind a word that has lost its end to the next one (l'énergie), a point or comma between digits (3.14), a point between the one or two
// letters of an abbreviation (Ph.D., U.S.), an ampersand likewise (AT&T), a hyphen between one letter and a digit
// (F-16), and what follows a name as a mark of its own (C++, C#).
func scanWord(s string, i int) (end int) {
	for start := i; i < len(s); {
		if s[i] < utf8.RuneSelf {
			if i = plainEnd(s, i); i == len(s) || s[i] < utf8.RuneSelf && !mayGoOn(s, i) {
				return i
			}
		}
		r, n := at(s, i)
		f := fold(r)
		switch {
		case classOf(r) == word, unicode.Is(unicode.M, r) && i > start, joins(s, start, i, f, n):
			i += n
		case i > start && (f == '+' || f == '#'):
			return scanMark(s, start, i, f)
		default:
			return i
		}
	}
	return i
}

// joins says whether the mark f, n bytes long at i, stands inside one word that began at start.
func joins(s string, start, i int, f rune, n int) bool {
	switch f {
	case '\'', '.', ',', '-', '&':
	default:
		return false
	}
	if i == start {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(s[:i])
	next, _ := at(s, i+n)
	last, next = fold(last), fold(next)
	switch f {
	case '\'':
		return unicode.IsLetter(last) && classOf(next) == word && !isDigit(next) && !isElided(s[start:i], s[i+n:])
	case '.', ',':
		return isDigit(last) && isDigit(next) || f == '.' && shortEnd(s[start:i]) && shortStart(s[i+n:])
	case '-':
		return i == start+1 && !isDigit(last) && isDigit(next)
	}
	return shortEnd(s[start:i]) && shortStart(s[i+n:])
}

// elided are the small words of French and Italian that lose their last letter before a vowel. No English word begins so.
var elided = map[string]bool{
	"l": true, "d": true, "jusqu": true, "lorsqu": true, "puisqu": true, "quoiqu": true,
	"un": true, "dell": true, "all": true, "nell": true, "sull": true, "dall": true, "quell": true,
}

// isElided says whether a word that stands before an apostrophe is one of these, and what stands behind it is a word of its own.
func isElided(w, rest string) bool {
	if len(w) > len("puisqu") || !elided[strings.ToLower(w)] {
		return false
	}
	first, n := at(rest, 0)
	second, _ := at(rest, n)
	return unicode.IsLetter(first) && unicode.IsLetter(second)
}

// pastElision is where the word begins that is joined to the one from i to end by an apostrophe, or else end.
func pastElision(s string, i, end int) int {
	if r, n := at(s, end); fold(r) == '\'' && isElided(s[i:end], s[end+n:]) {
		return end + n
	}
	return end
}

// shortEnd says whether what stands behind the last point of w, or all of it, is one or two letters.
func shortEnd(w string) bool {
	w = w[strings.LastIndexByte(w, '.')+1:]
	return len(w) <= 2 && isLetters(w)
}

// shortStart says whether s begins with one or two letters and no more.
func shortStart(s string) bool {
	for n := 1; n <= 2; n++ {
		if r, _ := at(s, n); len(s) >= n && classOf(r) != word {
			return isLetters(s[:n])
		}
	}
	return false
}

func isLetters(s string) bool {
	for i := range len(s) {
		if s[i] < 'A' || 'Z' < s[i] && s[i] < 'a' || 'z' < s[i] {
			return false
		}
	}
	return s != ""
}

// scanMark takes the marks of C++ and C# into the name that stands before them at i, and answers where it ends. The
// sharp belongs to names of one letter only.
func scanMark(s string, start, i int, mark rune) int {
	end := i
	for count := 0; count < 2; count++ {
		r, n := at(s, end)
		if fold(r) != mark {
			break
		}
		end += n
	}
	_, first := at(s, start)
	marks := end - i
	if mark == '#' && start+first != i {
		return i
	}
	if mark == '+' && marks != 2 && marks != 6 { // two half-width or two full-width
		return i
	}
	if r, _ := at(s, end); classOf(r) == word || fold(r) == mark {
		return i
	}
	return end
}

// maxRun is how many bytes of a run are cut at once. No sentence is as long without a comma; hostile pages are, and a
// cut takes a hundred bytes of memory for each of theirs.
const maxRun = 3 << 10

// scanRun finds the end of the run of one class, Chinese or dense, that starts at i, and says whether folding would
// change it. What is beyond maxRun is a run of its own.
func scanRun(s string, i int, c class) (end int, folds bool) {
	for start := i; i < len(s) && i-start < maxRun; {
		if r, ok := hanAt(s, i); ok && c == han {
			folds = folds || simplified[r-firstHan] != 0
			i += 3
			continue
		}
		r, n := at(s, i)
		if classOf(r) != c {
			break
		}
		if fold(r) != r {
			folds = true
		}
		i += n
	}
	return i, folds
}

// hanAt is the character of s at i where it is Chinese and of three bytes, U+4E00 to U+9FFF: nearly
// all of a Chinese text.
func hanAt(s string, i int) (r rune, ok bool) {
	if i+2 >= len(s) || s[i]-0xE4 > 5 || s[i+1]&0xC0 != 0x80 || s[i+2]&0xC0 != 0x80 {
		return 0, false
	}
	r = rune(s[i]&0x0F)<<12 | rune(s[i+1]&0x3F)<<6 | rune(s[i+2]&0x3F)
	return r, r >= 0x4E00
}
