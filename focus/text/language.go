package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Undetermined is the language of a text without letters about which nothing is said (BCP 47).
const Undetermined = "und"

// languageBytes is how much of a sample is looked at: a thousand words tell.
const languageBytes = 6 << 10

// Detect tells the language of a page: a BCP 47 primary tag. The script that most of the sample is written in comes
// first, and settles it where only one language is written so. Then counts what <html lang> says, if that language
// is written in the script, and the words do not deny it: templates that say lang="zh" stand over English pages, and the other way
// round; or if a good part of the sample is written in a script of its own. For the rest a detector looks at the letters and the commonest words.
func Detect(sample, declared string) string {
	whole := firstBytes(sample, languageBytes)
	sample = spoken(whole)
	said := primaryTag(declared)
	counts := weigh(sample)
	script := mainScript(counts)
	if script == nil {
		sample, counts = whole, weigh(whole)
		script = mainScript(counts)
	}
	if script == nil {
		if said != "" {
			return said
		}
		return Undetermined
	}
	if script.table == unicode.Latin {
		if other := amongLatin(said, sample, counts); other != nil {
			script = other
		}
	}
	if script.writes(said) && !script.denies(said, sample) {
		return said
	}
	return script.detect(sample)
}

// spoken is a sample without addresses, names of files and what programs are made of: their letters are of no language. One space
// stands for each.
func spoken(sample string) string {
	var b strings.Builder
	from := 0 // what is written before
	for i := 0; i < len(sample); {
		if inPiece[sample[i]] <= ofPieces {
			i++
			continue
		}
		start := i
		for start > from && inPiece[sample[start-1]] != 0 {
			start--
		}
		end, odd := pieceEnd(sample, start)
		if i = end; odd {
			if b.Cap() == 0 {
				b.Grow(len(sample))
			}
			b.WriteString(sample[from:start])
			b.WriteByte(' ')
			from = end
		}
	}
	if from == 0 {
		return sample
	}
	b.WriteString(sample[from:])
	return b.String()
}

// pieceEnd is where the piece that starts at i ends, and whether it is of no language.
func pieceEnd(sample string, i int) (end int, odd bool) {
	colons := false
	for ; i < len(sample) && inPiece[sample[i]] != 0; i++ {
		switch inPiece[sample[i]] {
		case ofPrograms:
			odd = true
		case aColon:
			colons = true
		default:
			odd = odd || colons // one that ends the piece is punctuation
		}
	}
	return i, odd
}

// What an ASCII character is to a piece of a text between two spaces, or other characters that none is made of.
const (
	ofPieces = 1 + iota
	ofPrograms
	aColon
)

var inPiece = func() (table [256]byte) {
	for c := ' ' + 1; c <= unicode.MaxASCII; c++ {
		switch {
		case strings.ContainsRune("/_=<>{}@\\#$", c):
			table[c] = ofPrograms
		case c == ':' || c == ';':
			table[c] = aColon
		default:
			table[c] = ofPieces
		}
	}
	return table
}()

// amongLatin is the script of a text that has more Latin letters than others and is written in another nevertheless: a sixth of it is, and
// either the page says so or its Latin words are no sentences. Technical texts in Chinese name half of what they speak of in English;
// English ones hardly use another script. It is nil for all others.
func amongLatin(said, sample string, counts []int) *script {
	all := 0
	for _, n := range counts {
		all += n
	}
	for i, s := range scripts {
		if i == latinScript || 6*counts[i] < all {
			continue
		}
		votes := map[string]int{}
		if words := countWords(votes, sample); s.writes(said) || 10*mostVotes(votes) < words {
			return s
		}
	}
	return nil
}

func mostVotes(votes map[string]int) (most int) {
	for _, n := range votes {
		most = max(most, n)
	}
	return most
}

const (
	sureBytes = 1 << 10 // of a sample tell whether a declaration is a template's
	sureWords = 30      // as many it must have, and of Chinese as many characters
)

// denies says whether a sample is surely in another language of the script than the one said: templates have lang="en" over
// pages in German. Of its words one in five must be common in the other, half of them at most in the one said; and the detector must
// know this one, since Galician looks like Portuguese to one that does not. Japanese has a kana in every sentence.
func (s *script) denies(said, sample string) bool {
	sample = firstBytes(sample, sureBytes)
	switch {
	case s.table == unicode.Han && said == "ja":
		han := 0
		for _, r := range sample {
			switch {
			case unicode.Is(kana, r):
				return false
			case unicode.Is(unicode.Han, r):
				han++
			}
		}
		return han >= 3*sureWords
	case s.table != unicode.Latin || !slices.Contains(commonWords.languages, said):
		return false
	}
	votes := map[string]int{}
	words := countWords(votes, sample)
	most := mostVotes(votes)
	return words >= sureWords && 5*most >= words && most >= 2*votes[said]
}

// script is a way of writing, and the languages that are written so.
type script struct {
	table     *unicode.RangeTable
	weight    int      // of a character, where a Latin letter weighs 1: how much of a word it is
	languages []string // the first is the likeliest; none means every language of no other script
	letters   map[rune]string
}

// scripts are in the order in which ties are decided. A kana speaks for Japanese even among many Han characters.
var scripts = []*script{
	{table: unicode.Han, weight: 3, languages: []string{"zh", "ja"}},
	{table: unicode.Latin, weight: 1},
	{table: kana, weight: 3, languages: []string{"ja"}},
	{table: unicode.Hangul, weight: 3, languages: []string{"ko"}},
	{table: unicode.Cyrillic, weight: 1, languages: []string{"ru", "uk", "be", "bg", "sr", "mk", "kk", "ky", "mn", "tg", "tt"},
		letters: letters("uk іїєґ", "be ў", "sr ђћљњ", "mk ѓќѕ", "kk әғқңұһ", "bg ѝ")},
	{table: unicode.Arabic, weight: 1, languages: []string{"ar", "fa", "ur", "ps", "ug", "ckb", "sd"},
		letters: letters("fa پچگ", "ur ٹڈڑے", "ps ټډړښ", "ug ۇۈې")},
	{table: unicode.Devanagari, weight: 1, languages: []string{"hi", "mr", "ne", "sa"}, letters: letters("mr ळ")},
	{table: unicode.Thai, weight: 1, languages: []string{"th"}},
	{table: unicode.Greek, weight: 1, languages: []string{"el"}},
	{table: unicode.Hebrew, weight: 1, languages: []string{"he", "yi"}},
	{table: unicode.Armenian, weight: 1, languages: []string{"hy"}},
	{table: unicode.Georgian, weight: 1, languages: []string{"ka"}},
	{table: unicode.Bengali, weight: 1, languages: []string{"bn", "as"}},
	{table: unicode.Tamil, weight: 1, languages: []string{"ta"}},
	{table: unicode.Telugu, weight: 1, languages: []string{"te"}},
	{table: unicode.Khmer, weight: 1, languages: []string{"km"}},
	{table: unicode.Lao, weight: 1, languages: []string{"lo"}},
	{table: unicode.Myanmar, weight: 1, languages: []string{"my"}},
	{table: unicode.Tibetan, weight: 1, languages: []string{"bo"}},
	{table: unicode.Ethiopic, weight: 1, languages: []string{"am", "ti"}},
}

// kana are the syllables of Japanese.
var kana = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x3041, Hi: 0x3096, Stride: 1}, {Lo: 0x30A1, Hi: 0x30FA, Stride: 1}, {Lo: 0xFF66, Hi: 0xFF9D, Stride: 1}}}

// indices of the scripts above that are spoken of by name.
const (
	hanScript = iota
	latinScript
	kanaScript
)

// kanaShare is the share of kana among Han and kana from which a text is Japanese: running Japanese has about a half,
// a Chinese page about Japan a few in a hundred.
const kanaShare = 0.1

// ofLetters is 1 for each letter of ASCII.
var ofLetters = func() (table [utf8.RuneSelf]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		table[c], table[c-'a'+'A'] = 1, 1
	}
	return table
}()

// weigh is how much of a sample is written in each script.
func weigh(sample string) []int {
	counts := make([]int, len(scripts))
	last, plain := latinScript, 0
	for _, r := range sample {
		switch {
		case r < utf8.RuneSelf:
			plain += int(ofLetters[r])
			continue
		case firstHan <= r && r <= lastHan:
			counts[hanScript] += scripts[hanScript].weight
			continue
		case !unicode.IsLetter(r):
			continue
		}
		if !unicode.Is(scripts[last].table, r) {
			for i, s := range scripts {
				if unicode.Is(s.table, r) {
					last = i
					break
				}
			}
		}
		if unicode.Is(scripts[last].table, r) {
			counts[last] += scripts[last].weight
		}
	}
	counts[latinScript] += plain * scripts[latinScript].weight
	if east := counts[hanScript] + counts[kanaScript]; float64(counts[kanaScript]) >= kanaShare*float64(east) {
		counts[hanScript], counts[kanaScript] = 0, east
	}
	return counts
}

// mainScript is the script that most is written in, or nil if there are no letters.
func mainScript(counts []int) *script {
	best := -1
	for i, n := range counts {
		if n > 0 && (best < 0 || n > counts[best]) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	return scripts[best]
}

// writes says whether a language is written in the script.
func (s *script) writes(language string) bool {
	if language == "" {
		return false
	}
	for _, other := range scripts {
		if slices.Contains(other.languages, language) {
			return other == s || s.table == unicode.Latin && language == "sr"
		}
	}
	return s.table == unicode.Latin
}

// primaryTag is the language of a tag as pages write them, or empty if it is none: zh-CN, en_US, and the codes of
// countries that are often written instead.
func primaryTag(declared string) string {
	tag := strings.ToLower(strings.TrimSpace(declared))
	if i := strings.IndexAny(tag, "-_ ,;"); i >= 0 {
		tag = tag[:i]
	}
	switch tag {
	case "cn", "cmn", "yue", "chi", "zho", "chs", "cht":
		return "zh"
	case "jp", "jpn":
		return "ja"
	case "kr", "kor":
		return "ko"
	case "eng":
		return "en"
	case "iw":
		return "he"
	case "nb", "nn":
		return "no"
	case Undetermined, "mul", "zxx":
		return ""
	}
	if len(tag) != 2 && len(tag) != 3 || strings.ContainsFunc(tag, func(r rune) bool { return r < 'a' || 'z' < r }) {
		return ""
	}
	return tag
}
