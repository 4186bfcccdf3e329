package drawn

import (
	_ "embed" // the words
	"strings"
)

//go:embed words/en.txt
var english string

//go:embed words/zh.txt
var chinese string

// lexicon holds the words of one subject.
type lexicon struct {
	name  string
	words map[string][]string // by kind: nouns, verbs, adjectives, terms, channel, sites …
}

// tongue is a language of a drawn web.
type tongue struct {
	code    string // en or zh
	general *lexicon
	topics  []*lexicon
}

// say chooses between two wordings of the same.
func (t *tongue) say(en, zh string) string {
	if t.code == "zh" {
		return zh
	}
	return en
}

// readWords reads a file of words: [name] opens a lexicon, "kind: a, b, c" adds to it; general is the first.
func readWords(code, text string) *tongue {
	t := &tongue{code: code}
	var open *lexicon
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			open = &lexicon{name: strings.TrimSuffix(name, "]"), words: map[string][]string{}}
			if t.general == nil {
				t.general = open
			} else {
				t.topics = append(t.topics, open)
			}
			continue
		}
		kind, list, ok := strings.Cut(line, ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		between := ", "
		if kind == "channel" {
			between = "; "
		}
		open.words[kind] = strings.Split(list, between)
	}
	return t
}

// voice writes about one subject: a share of its words is the topic's, the others are everybody's.
type voice struct {
	d     *dice
	t     *tongue
	about *lexicon // nil for no topic
	share float64  // of nouns, verbs and adjectives that are the topic's
	stray *lexicon // a topic that a word now and then is borrowed from; nil for none
}

// strayShare is how many words are borrowed from a topic that the page is not about: enough that a word of the topic
// proves nothing by itself.
const strayShare = 0.02

func (v *voice) word(kind string) string {
	from := v.t.general
	switch {
	case v.about != nil && v.d.chance(v.share):
		from = v.about
	case v.stray != nil && v.d.chance(strayShare):
		from = v.stray
	}
	return pick(v.d, from.words[kind])
}

// patterns of a language: {N} noun, {P} nouns, {V} verb, {S} verb with -s, {A} adjective, {L} place, {T} time, {X} person.
type patterns struct{ sentences, titles, pointers []string }

var inEnglish = patterns{
	sentences: []string{
		"The {A} {N} {S} the {N} {L}.", "Most {P} {V} their {P} {T}.", "{T}, a {A} {N} is worth two {P}.",
		"Ask any {N}: {P} {V} {P} and never the other way round.", "There is no {N} without a {N}.", "We {V} the {N} {T} and {V} it again {L}.",
		"{X} told us how the {N} {S} the {A} {N}.", "How do you {V} a {A} {N}?", "If the {N} is {A}, {V} the {N} first.",
		"{L}, the {P} are {A} and the {N} is {A}.", "Nobody has seen a {N} {V} like this {T}.", "{X} and {X} {V} every {N} they meet.",
		"A {N} and a {N} make a {A} {N}.", "Some {V}, some {V}; {X} does both {T}.", "It was {X} who found the {N} {L}.",
		"The {N} of the {N} remains {A}, whatever the {N} says.", "Do not {V} the {N} before you {V} the {N}.", "With {A} {P} and a {A} {N}, {T} is the time to {V}.",
		"Two {P}, one {N} and a {A} {N}: that is all.", "The {P} {V} {L}, while the {N} {S} {L}.",
	},
	titles: []string{
		"{N} and {N}", "How to {V} a {N}", "The {A} {N}", "{P} {L}", "{X}: why I {V} {P}", "{A} {P}, {A} {N}", "A {N} for every {N}", "When {P} {V}",
		"Notes on a {A} {N}", "{P} {T}",
	},
	pointers: []string{"More of this in \x00, which {X} wrote {T}.", "{X} has put it better: \x00.", "Compare \x00 with the {N} {L}.", "On the {A} {N} see \x00.", "The {N} is described in \x00 as well."},
}

var inChinese = patterns{
	sentences: []string{
		"{A}的{N}{V}了{N}。", "{L}，{N}和{N}都很{A}。", "{T}，{X}{V}了一次{N}。", "怎样{V}{N}？先看{N}，再看{N}。", "没有{N}就没有{N}。",
		"如果{N}不够{A}，就要{V}{N}。", "关于{N}的{N}，大家{V}得很多。", "{X}说：{N}比{N}更{A}。", "{T}，{L}的{N}总是{A}的。", "许多人{V}{N}，只有{X}{V}{N}。",
		"{N}、{N}和{N}，缺一样也不行。", "{X}在{L}{V}{N}，{X}在一旁{V}。", "这里的{N}{A}，那里的{N}{A}。", "不要急着{V}，{N}还不{A}。", "从{N}到{N}，路并不远。",
		"{X}第一次{V}{N}，就遇到了{A}的{N}。", "{N}的{N}，{T}最{A}。", "我们{V}{N}，也{V}{N}。",
	},
	titles: []string{
		"{N}与{N}", "怎样{V}{N}", "{A}的{N}", "{L}的{N}", "{X}谈{N}", "{N}里的{N}", "{T}的{N}", "{V}之前，先看{N}", "一个{N}的{N}", "{N}：{A}与{A}",
	},
	pointers: []string{"{T}{X}写过\x00，可以一起看。", "说到{N}，不妨看看\x00。", "{X}说得更好：\x00。", "同样的{N}，\x00里也有。", "有关{A}的{N}，见\x00。"},
}

func (v *voice) patterns() patterns {
	if v.t.code == "zh" {
		return inChinese
	}
	return inEnglish
}

func (v *voice) sentence() string { return v.fill(pick(v.d, v.patterns().sentences)) }
func (v *voice) title() string    { return v.fill(pick(v.d, v.patterns().titles)) }

// pointer is a sentence around a link; the link's place is a NUL.
func (v *voice) pointer() string { return v.fill(pick(v.d, v.patterns().pointers)) }

// paragraph is a few sentences.
func (v *voice) paragraph() string {
	var b strings.Builder
	for i := range v.d.between(3, 6) {
		if i > 0 && v.t.code != "zh" {
			b.WriteByte(' ')
		}
		b.WriteString(v.sentence())
	}
	return b.String()
}

// fill puts words into a pattern, and mends the English around them.
func (v *voice) fill(pattern string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(pattern, "{")
		b.WriteString(before)
		if !ok {
			break
		}
		word := v.slot(rest[0])
		if s := b.String(); v.t.code == "en" && (strings.HasSuffix(s, " a ") || s == "A ") && strings.ContainsRune("aeiou", rune(word[0])) {
			b.Reset()
			b.WriteString(s[:len(s)-1] + "n ")
		}
		b.WriteString(word)
		pattern = rest[2:]
	}
	s := b.String()
	if v.t.code == "en" && s[0] >= 'a' && s[0] <= 'z' {
		s = string(s[0]-'a'+'A') + s[1:]
	}
	return s
}

func (v *voice) slot(kind byte) string {
	switch kind {
	case 'N':
		return v.word("nouns")
	case 'P':
		return plural(v.word("nouns"))
	case 'V':
		return v.word("verbs")
	case 'S':
		return plural(v.word("verbs"))
	case 'A':
		return v.word("adjectives")
	case 'L':
		return pick(v.d, v.t.general.words["places"])
	case 'T':
		return pick(v.d, v.t.general.words["times"])
	default:
		return pick(v.d, v.t.general.words["people"])
	}
}

// plural adds the -s of English nouns and of the third person.
func plural(w string) string {
	last := w[len(w)-1]
	switch {
	case strings.HasSuffix(w, "loaf"):
		return w[:len(w)-1] + "ves"
	case strings.HasSuffix(w, "s"), strings.HasSuffix(w, "x"), strings.HasSuffix(w, "ch"), strings.HasSuffix(w, "sh"):
		return w + "es"
	case last == 'y' && !strings.ContainsRune("aeiou", rune(w[len(w)-2])):
		return w[:len(w)-1] + "ies"
	}
	return w + "s"
}
