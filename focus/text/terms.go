package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// terms finds the topic's own terms, and names that mix scripts, in text. What has Chinese in it is found character
// by character, all else word by word, by its stems. Of several terms that begin at one place the longest is taken,
// and matches do not overlap.
type terms struct {
	lexicon *lexicon
	keys    []string // by term: what its tokens are called; empty where there is nothing to find
	chars   *charNode
	begins  [1 << 16 / 64]uint64     // the characters that begin something in chars; Chinese ones unfolded, too
	seconds [utf8.RuneSelf][4]uint64 // by folded ASCII character in begins: the slots of what may follow it in chars
	words   *wordNode
	letters [256]bool                // the low bytes of the folded characters that begin something in words
	heads   [utf8.RuneSelf][2]uint64 // by the first of the two letters that a stem in words begins with: the second (see headOf)
	starts  [1 << 16 / 64]uint64     // by the first two bytes of a word as it stands, the second times 256: where something may begin
}

// noTerm marks a name that is kept whole without being a term of the topic.
const noTerm = -1

type wordNode struct {
	next   map[string]*wordNode
	hit    *hit
	dotted *hit // of a name that has a dot before it, as .NET, and is found with that alone
}

// hit is what stands at the end of a path.
type hit struct {
	term  int
	key   string
	chars int  // its length in characters
	loose bool // so short that it may be a chance meeting of two words, and only a cut can tell
}

func newTerms(x *lexicon, list, names []string, keepStops bool) *terms {
	t := &terms{lexicon: x, chars: &charNode{}, words: &wordNode{}}
	for i, s := range list {
		t.keys = append(t.keys, t.add(Fold(s), i, keepStops))
	}
	for _, s := range names {
		t.add(Fold(s), noTerm, true)
	}
	t.pairs()
	for i, to := range simplified {
		if to != 0 && t.begin(rune(to)) {
			t.begins[(firstHan+i)/64] |= 1 << ((firstHan + i) % 64)
		}
	}
	for pair := range 1 << 16 {
		if t.startsAt(string([]byte{byte(pair), byte(pair >> 8)})) {
			t.starts[pair/64] |= 1 << (pair % 64)
		}
	}
	return t
}

// startsAt says whether something may begin with a word that begins with these two bytes. Beyond ASCII nobody knows.
func (t *terms) startsAt(two string) bool {
	if two[0] >= utf8.RuneSelf || two[1] >= utf8.RuneSelf {
		return two[0] >= utf8.RuneSelf || isASCIIAlnum(two[0])
	}
	f := fold(rune(two[0]))
	return isASCIIAlnum(two[0]) && (t.beginAt(two, 0, 1, f) || t.letters[byte(f)] && t.mayBegin(two))
}

// pairs notes what may follow a Latin letter or a digit, which begins many words and few names.
func (t *terms) pairs() {
	for i, first := range t.chars.chars {
		if first >= utf8.RuneSelf {
			break
		}
		for _, second := range t.chars.nodes[i].chars {
			t.seconds[first][slot(second)/64] |= 1 << (slot(second) % 64)
		}
	}
}

// slot is one of 256 for each character: ASCII has its own, all else shares the rest.
func slot(r rune) byte {
	if r < utf8.RuneSelf {
		return byte(r)
	}
	return byte(r) | utf8.RuneSelf
}

// beginAt says whether something in chars may begin with the folded character f, n bytes long at i of s.
func (t *terms) beginAt(s string, i, n int, f rune) bool {
	if !t.begin(f) || f >= utf8.RuneSelf {
		return t.begin(f)
	}
	if i+n < len(s) && s[i+n] < utf8.RuneSelf && lowered[s[i+n]] != 0 {
		b := lowered[s[i+n]]
		return t.seconds[f][b/64]&(1<<(b%64)) != 0
	}
	next, _ := at(s, i+n)
	if next = fold(next); isJoint(next) {
		next = ' '
	}
	return t.seconds[f][slot(next)/64]&(1<<(slot(next)%64)) != 0
}

// add makes a folded term known and answers with its key: empty if there is nothing to find, neither letters nor
// digits, or a stop word alone. A term that is known already gives the key of the first.
func (t *terms) add(s string, term int, keepStops bool) string {
	if strings.ContainsFunc(s, isDense) {
		return t.addChars(s, term, keepStops)
	}
	return t.addWords(s, term, keepStops)
}

// isDense says whether text of the character has no spaces between its words.
func isDense(r rune) bool { c := classOf(r); return c == han || c == dense }

// HasChinese says whether there is a Chinese character in s.
func HasChinese(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return classOf(r) == han })
}

// addWords adds a term of a script that parts words by spaces, stem by stem, and answers its key. A term that begins with a stop word and
// has no other is none, unless it is to be kept.
func (t *terms) addWords(s string, term int, keepStops bool) string {
	var stems []string
	begin := rune(0)
	for i := 0; i < len(s); {
		r, n := at(s, i)
		if classOf(r) != word {
			i += n
			continue
		}
		end := scanWord(s, i)
		e := t.lexicon.word(s[i:end])
		if len(stems) == 0 {
			begin = t.first(r)
			if e.verdict == stop && !keepStops && !hasWord(s[end:]) {
				return ""
			}
		}
		stems = append(stems, e.term)
		i = end
	}
	if len(stems) == 0 {
		return ""
	}
	t.letters[byte(begin)] = true
	if a, b, ok := headOf(stems[0]); ok {
		t.heads[a][b/64] |= 1 << (b % 64)
	} else if begin < utf8.RuneSelf {
		t.heads[begin] = [2]uint64{^uint64(0), ^uint64(0)}
	}
	node := t.words
	for _, w := range stems {
		node = node.child(w)
	}
	key, at := strings.Join(stems, " "), &node.hit
	if i := strings.IndexFunc(s, func(r rune) bool { return classOf(r) == word }); isDotted(s, i) {
		key, at = "."+key, &node.dotted
	}
	if *at == nil {
		*at = &hit{term: term, key: key}
	}
	return (*at).key
}

// isDotted says whether the word at i has a dot of its own before it: one that ends no other word.
func isDotted(s string, i int) bool {
	r, n := utf8.DecodeLastRuneInString(s[:i])
	before, _ := utf8.DecodeLastRuneInString(s[:i-n])
	return fold(r) == '.' && classOf(before) != word && fold(before) != '.'
}

// of is what stands at the end of a path that began at i.
func (n *wordNode) of(s string, i int) *hit {
	if n.dotted != nil && isDotted(s, i) {
		return n.dotted
	}
	return n.hit
}

func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return classOf(r) == word })
}

// headOf is the two letters that a word begins with, folded, if its stem begins with them, too, or is one letter; of a letter that stands
// alone it is that and 0. The stem begins so of all words but those whose second letter is a y, which may stand for an i (dying); a word of
// another kind has no such two.
func headOf(s string) (first, second byte, ok bool) {
	if len(s) < 2 || s[0] >= utf8.RuneSelf || s[1] >= utf8.RuneSelf {
		return 0, 0, false
	}
	first, second = lowered[s[0]], lowered[s[1]]
	alone := second == 0 && marks[s[1]] == 0
	return first, second, 'a' <= first && first <= 'z' && (alone || 'a' <= second && second <= 'z' && second != 'y')
}

// mayBegin says whether a term may begin with the word at the start of s.
func (t *terms) mayBegin(s string) bool {
	a, b, ok := headOf(s)
	return !ok || t.heads[a][b/64]&(1<<(b%64)) != 0
}

func (n *wordNode) child(w string) *wordNode {
	if n.next == nil {
		n.next = map[string]*wordNode{}
	}
	if n.next[w] == nil {
		n.next[w] = &wordNode{}
	}
	return n.next[w]
}

// maxGaps bounds the gaps of a phrase with Chinese in it: each may be there or not, which doubles the paths.
const maxGaps = 5

// addChars adds a term with Chinese in it, character by character, with and without what stands between its parts, which are its words
// and, of a term of the topic, what stands in another script. Two terms that differ in that alone are one.
func (t *terms) addChars(s string, term int, keepStops bool) string {
	s = strings.TrimFunc(s, func(r rune) bool { return classOf(r) == gap }) // 《红楼梦》 is found without its marks
	parts := strings.FieldsFunc(s, isJoint)
	if len(parts) > maxGaps+1 {
		parts = append(parts[:maxGaps:maxGaps], strings.Join(parts[maxGaps:], ""))
	}
	key := strings.Join(parts, " ")
	if !keepStops && stopWords[key] {
		return ""
	}
	h := &hit{term: term, key: key, chars: utf8.RuneCountInString(key)}
	h.loose = h.chars <= 2 && !strings.ContainsFunc(key, func(r rune) bool { return classOf(r) != han })
	if same := t.chars.path(strings.Join(parts, "")).hit; same != nil {
		h = same // another term, without the gaps or with others
	}
	first, _ := utf8.DecodeRuneInString(key)
	t.begins[uint16(first)/64] |= 1 << (uint16(first) % 64)
	if term != noTerm {
		parts = atScripts(parts)
	}
	t.chars.insert(parts, h)
	return h.key
}

// atScripts parts a phrase where Chinese meets another script, too: AI芯片 is written AI 芯片 as often.
func atScripts(parts []string) (all []string) {
	gaps := len(parts) - 1
	for _, part := range parts {
		from, before := 0, rune(0)
		for i, r := range part {
			if i > 0 && isDense(r) != isDense(before) && gaps < maxGaps {
				all = append(all, part[from:i])
				from, gaps = i, gaps+1
			}
			before = r
		}
		all = append(all, part[from:])
	}
	return all
}

// isJoint says whether a character may stand between the words of a phrase.
func isJoint(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\r', '-', '_', '/', '·', '・', '•', '‐', '‑', '–', '\u00A0', '\u3000':
		return true
	}
	return r >= utf8.RuneSelf && unicode.IsSpace(r)
}

// skipJoints is where the joints that begin at i end.
func skipJoints(s string, i int) int {
	for i < len(s) {
		r, n := at(s, i)
		if !isJoint(r) {
			break
		}
		i += n
	}
	return i
}

// passes says whether no term can begin with the word at i, which one look at its first two bytes tells of nearly all words of an
// English text.
func (t *terms) passes(s string, i int) bool {
	if i+1 >= len(s) {
		return false
	}
	pair := uint16(s[i]) | uint16(s[i+1])<<8
	return t.starts[pair/64]>>(pair%64)&1 == 0
}

// next is the first place from i on, where a word begins or none stands, at which a term may begin, or a character that is not ASCII. Words that
// stand before it without a space may be one with what is there: piece is where the first of them begins.
func (t *terms) next(s string, i int) (piece, start int) {
	for start = i; start+1 < len(s); start++ {
		if pair := uint16(s[start]) | uint16(s[start+1])<<8; t.starts[pair/64]>>(pair%64)&1 == 0 {
			continue
		}
		if start == i || s[start] >= utf8.RuneSelf || !isASCIIAlnum(s[start-1]) {
			break
		}
	}
	for piece = start; piece > i && (isASCIIAlnum(s[piece-1]) || marks[s[piece-1]] != 0); {
		piece--
	}
	return piece, start
}

// atWord finds the longest term that begins with the word at i.
func (t *terms) atWord(s string, i int, words *glossary) (best *hit, end int) {
	r, n := at(s, i)
	f := fold(r)
	if t.beginAt(s, i, n, f) {
		best, end, _ = t.atChar(s, i)
	}
	if !t.letters[byte(t.first(f))] || !t.mayBegin(s[i:]) {
		return best, end
	}
	node, from := t.words, i
	for {
		stop := scanWord(s, i)
		node = node.next[words.word(t.lexicon, s[i:stop]).term]
		if node == nil {
			return best, end
		}
		if h := node.of(s, from); h != nil && stop > end {
			best, end = h, stop
		}
		if node.next == nil {
			return best, end
		}
		i = skipJoints(s, pastElision(s, i, stop))
		if r, _ := at(s, i); i == stop || classOf(r) != word {
			return best, end
		}
	}
}

// first is a folded character that begins a word, without its accent where accents make no difference.
func (t *terms) first(f rune) rune {
	if t.lexicon.plain && f >= utf8.RuneSelf {
		f, _ = utf8.DecodeRuneInString(unaccented(string(f)))
	}
	return f
}

// begin says whether something in chars may begin with the folded character f.
func (t *terms) begin(f rune) bool { return t.begins[uint16(f)/64]&(1<<(uint16(f)%64)) != 0 }

// atChar finds the longest term with Chinese in it that begins at i, and a shorter loose one, which counts if the
// longest is loose too and turns out to be no word.
func (t *terms) atChar(s string, i int) (best *hit, end int, short *hit) {
	node := t.chars
	for i < len(s) {
		r, n := at(s, i)
		f := fold(r)
		if isJoint(r) {
			f, n = ' ', skipJoints(s, i)-i
		}
		if node = node.follow(f); node == nil {
			break
		}
		i += n
		if node.hit != nil && endsWord(s, i, r) {
			if best != nil && best.loose {
				short = best
			}
			best, end = node.hit, i
		}
	}
	return best, end, short
}

// endsWord says whether a term whose last character is r may end at i: not inside a Latin word or a number.
func endsWord(s string, i int, r rune) bool {
	if classOf(r) != word {
		return true
	}
	next, _ := at(s, i)
	return classOf(next) != word
}
