package topic

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/thresher-crawler/thresher/focus/text"
)

// Doubt is what of one term is not as whoever wrote it may think.
type Doubt struct {
	At       int    // its number in the list
	Unsought bool   // it is never looked for
	Why      string // begins with the term
}

// manyParts is how many parts a Chinese phrase has that may be a list.
const manyParts = 3

// Doubts are what a person should know of terms before relying on them, in their order: a term that is never looked for, one that
// is another but for its marks, or another form of it with another weight, a list of words with blanks or commas between them, which is one
// phrase here, a pattern, which is none here, a single letter, and the first in a script of which no forms are known.
func Doubts(terms []Term) (doubts []Doubt) {
	keys := keysOf(terms)
	firsts := map[string]int{}
	unformed := false
	for i, t := range terms {
		first, said := firsts[keys[i]]
		if !said {
			first = i
			firsts[keys[i]] = i
		}
		listed := slices.DeleteFunc(strings.FieldsFunc(t.Term, isWideComma), func(s string) bool { return strings.TrimSpace(s) == "" })
		switch parts, rs := strings.Fields(t.Term), []rune(t.Term); {
		case keys[i] == "" && strings.ContainsFunc(t.Term, isSaid):
			doubts = append(doubts, Doubt{i, true, fmt.Sprintf("%s is a stop word, and is not looked for by itself; write a phrase that pages of the topic have it in, or take it out", t.Term)})
		case keys[i] == "":
			doubts = append(doubts, Doubt{i, true, fmt.Sprintf("%s has neither letters nor digits, and is not looked for; take it out", t.Term)})
		case first < i && letters(terms[first].Term) == letters(t.Term):
			doubts = append(doubts, Doubt{i, false, fmt.Sprintf("%s is looked for as %s is, and is the same term; take one of the two out", t.Term, terms[first].Term)})
		case first < i && terms[first].Weight != t.Weight:
			doubts = append(doubts, Doubt{i, false, fmt.Sprintf("%s is found where %s is, as another form of it, and of their weights the larger counts, %v; take one of the two out", t.Term, terms[first].Term, max(terms[first].Weight, t.Weight))})
		case t.Weight == 1 && weighs(t.Term) != nil: // one that has another is not meant to have two
			w := weighs(t.Term)
			doubts = append(doubts, Doubt{i, false, fmt.Sprintf("%s is looked for as it stands; if %s is its weight, write {term: %s, weight: %s}", t.Term, w[2], w[1], w[2])})
		case len(listed) > 1:
			doubts = append(doubts, Doubt{i, false, fmt.Sprintf("%s is one phrase, since a wide comma parts no list; if these are terms, part them by ordinary commas: %s", t.Term, strings.Join(listed, ", "))})
		case isListed(t.Term):
			doubts = append(doubts, Doubt{i, false, fmt.Sprintf("%s is one phrase, found where these words follow each other; if they are terms, give each a place of its own: [%[1]s]", t.Term)})
		case len(parts) >= manyParts && !slices.ContainsFunc(parts, func(p string) bool { return !text.HasChinese(p) }):
			doubts = append(doubts, Doubt{i, false, fmt.Sprintf("%s is one phrase, found where these words follow each other; if they are terms, part them: %s", t.Term, strings.Join(parts, ","))})
		case patterned.MatchString(t.Term):
			doubts = append(doubts, Doubt{i, false, fmt.Sprintf("%s is no pattern, and is looked for without its signs; write words, each as a term of its own (an English one is found in all its forms)", t.Term)})
		case len(rs) == 1 && t.Weight > 0 && !text.HasChinese(t.Term) && !unicode.Is(unicode.Hangul, rs[0]):
			doubts = append(doubts, Doubt{i, false, fmt.Sprintf("%s is found wherever it stands alone, on pages about anything; write what it is a part of, such as vitamin C", t.Term)})
		case !unformed && isUnformed(t.Term):
			unformed = true
			doubts = append(doubts, Doubt{i, false, fmt.Sprintf("%s is found as it is written and in no other form, such as with an ending, a particle or an article joined to it; add the forms that pages have as terms", t.Term)})
		}
	}
	return doubts
}

// weighted is a term with a weight behind it, as init takes one.
var weighted = regexp.MustCompile(`^(.*\pL) ?[:：] ?(-?(?:10|\d)(?:\.\d+)?)$`)

// isListed tells a list of words with commas between them. Two names with a comma are one, such as Paris, Texas.
func isListed(term string) bool {
	first, rest, ok := strings.Cut(term, ", ")
	return ok && rest != "" && !(properName.MatchString(first) && properName.MatchString(rest) && !strings.Contains(rest, ", "))
}

var properName = regexp.MustCompile(`^\p{Lu}`)

// patterned is a term that was meant as a pattern. A* and C* are names.
var patterned = regexp.MustCompile(`[\pL\pN]{2}\*|\*\pL|\.[*+]|\\[bdswBDSW]|\pL\|\pL|^\^|^/.*/$`)

// isUnformed tells a term in letters of which no forms are known: Korean joins particles to a word, Arabic an article, and Russian
// declines it.
func isUnformed(term string) bool {
	letters := 0
	for _, r := range term {
		if unicode.Is(unicode.Hangul, r) { // a syllable may be a word
			letters++
		}
		if unicode.In(r, unicode.Hangul, unicode.Arabic, unicode.Hebrew, unicode.Cyrillic, unicode.Greek, unicode.Devanagari) {
			letters++
		}
	}
	return letters > 1
}

// manyWords is how many words of Latin letters tell a language: fewer may be names.
const manyWords = 5

// isEnglish are words that no other language has that is written in Latin letters: a sentence full of foreign names is English by them.
var isEnglish = regexp.MustCompile(`(?i)(?:^|\s)(?:and|the|about|with|from)\s`)

// named are names in Latin letters, with what stands between their parts as in van der Rohe: they may be of any language.
var named = regexp.MustCompile(`\p{Lu}[\p{Latin}'’.-]*(?:\s+(?:\p{Ll}{1,5}\s+){0,2}(?:\p{Ll}{1,5}['’])?\p{Lu}[\p{Latin}'’.-]*)*`)

// inEither tells a text in English or Chinese.
func inEither(sought string) bool {
	return slices.Contains([]string{"en", "zh"}, text.Detect(sought, ""))
}

// Foreign is what a person should know of a sentence that seems to be in neither English nor Chinese; empty of any other.
func Foreign(about string) string {
	sought := text.Seen(soughtIn(about))
	latin := !strings.ContainsFunc(sought, func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) })
	if text.Detect(sought, "") == text.Undetermined || inEither(sought) || inEither(named.ReplaceAllString(sought, " ")) ||
		latin && (len(strings.Fields(sought)) < manyWords || isEnglish.MatchString(sought)) {
		return ""
	}
	return "seems to be in neither English nor Chinese, and of another language the small words are terms, too; write the words of the topic as terms instead"
}

// weighs parts a term that seems to have its weight in it; nil where it has none.
func weighs(term string) []string { return weighted.FindStringSubmatch(strings.TrimSpace(term)) }

// isSaid tells a letter or a digit.
func isSaid(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// isWideComma tells the signs by which Chinese lists words.
func isWideComma(r rune) bool { return strings.ContainsRune("，、；", r) }

// letters are a term without its marks and blanks.
func letters(term string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text.Fold(term))
}

// keysOf are the terms as pages are cut. A user dictionary changes nothing of them.
func keysOf(terms []Term) []string {
	var words []string
	for _, t := range terms {
		words = append(words, t.Term)
	}
	cutter, _ := text.NewCutter(text.Options{Terms: words}) // which only a user dictionary can fail
	return cutter.Keys()
}
