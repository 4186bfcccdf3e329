package index

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/text"
)

// Query is what a person asked, taken apart.
type Query struct {
	Words    []string // wanted, as they were written; a run of Chinese is one
	Phrases  []string // whose words must stand in the page side by side, each in any form
	Not      []string // words and phrases that must not
	Sites    []string // site:, as hosts are compared
	Language []string // lang:
	Years    []string // year:
	Kinds    []string // kind:
	Values   []Wanted // NAME: of what a program has set; words, where no page has a value of the name
	After    int32    // after:, a day as cards have it; pages that state no date do not pass
	Before   int32    // before:
	Order    Order    // best unless something else was asked for
	Notes    []Note   // what could not be understood, and what was made of it
	Like     *Like    // more like a page, instead of words

	written  string               // as a person wrote it, without what nobody sees
	without  [facetCount][]string // -site:, -lang:, -year:, -kind:
	narrowed [facetCount][]string // as Narrow was told

	places []int // of Words: how many words, phrases and values stand before each
	next   int   // the place of what comes next
}

// Note is a word on a query, in English; Format is by what it is known in other languages.
type Note struct {
	Format string
	Args   []any
}

func (n Note) String() string { return fmt.Sprintf(n.Format, n.Args...) }

// Order is an order of results.
type Order string

// The orders there are.
const (
	Best  Order = "best"
	Date  Order = "date"  // that pages state, the latest first
	Found Order = "found" // the time at which pages were fetched, the latest first
)

// Like asks for pages like one.
type Like struct {
	Collection string
	ID         uint64
}

// What a query may cost: longer ones are cut, and that is noted.
const (
	longestQuery = 512 // characters
	mostWords    = 24
)

// only are the labels a query asks for, by facet.
func (q *Query) only() [facetCount][]string {
	return [facetCount][]string{facetSite: q.Sites, facetLanguage: q.Language, facetYear: q.Years, facetKind: q.Kinds}
}

// Empty tells of a query that asks for nothing.
func (q *Query) Empty() bool {
	labels := 0
	for f, only := range q.only() {
		labels += len(only) + len(q.without[f]) + len(q.narrowed[f])
	}
	return len(q.Words)+len(q.Phrases)+len(q.Not)+len(q.Values)+labels == 0 &&
		q.After == 0 && q.Before == 0 && q.Like == nil
}

// Narrow lets only pages pass that have one of some labels of a facet, whatever else the query asks for; no label is none that was chosen.
func (q *Query) Narrow(facet string, labels ...string) {
	to := Query{}
	for _, label := range labels {
		if label != "" {
			to.filter(facet, label, false)
		}
	}
	for f, labels := range to.only() {
		q.narrowed[f] = append(q.narrowed[f], labels...)
	}
}

func (q *Query) note(format string, args ...any) {
	q.Notes = append(q.Notes, Note{format, args})
}

// ParseQuery takes apart what a person wrote: words, "phrases" (also “…”, 「…」 and 『…』), -word and -"phrase", and the
// filters site:, lang:, year:, kind: and NAME: of a value, also with - before them, after: and before:. There is no wrong query:
// what cannot be understood is taken for words, or left out, and noted.
func ParseQuery(s string) *Query {
	q := &Query{Order: Best}
	s = text.Seen(strings.ToValidUTF8(s, " "))
	if utf8.RuneCountInString(s) > longestQuery {
		s = string([]rune(s)[:longestQuery])
		q.note("the query was cut after %d characters", longestQuery)
	}
	q.written = s
	for rest := s; ; {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if rest == "" {
			break
		}
		rest = q.part(rest)
	}
	if n := len(q.Words) + len(q.Phrases) + len(q.Not); n > mostWords {
		q.Words = q.Words[:min(len(q.Words), mostWords)]
		q.Phrases = q.Phrases[:min(len(q.Phrases), mostWords-len(q.Words))]
		q.Not = q.Not[:min(len(q.Not), mostWords-len(q.Words)-len(q.Phrases))]
		q.note("of %d words and phrases the first %d count", n, mostWords)
	}
	if n := len(q.Values); n > mostWords {
		q.Values = q.Values[:mostWords]
		q.note("of %d values the first %d count", n, mostWords)
	}
	return q
}

// quotes are the marks that phrases stand in.
var quotes = map[rune]rune{'"': '"', '“': '”', '「': '」', '『': '』', '＂': '＂'}

// filters are the names of those that are always there, as they may stand at the beginning of a part.
var filters = regexp.MustCompile(`^-?(?i:site|lang|language|year|kind|after|before)$`)

// narrow is a part of a query in which what a Chinese keyboard writes for - and : is that.
func narrow(s string) string {
	if word, ok := strings.CutPrefix(s, "－"); ok {
		s = "-" + word
	}
	if name, value, ok := strings.Cut(s, "："); ok && filters.MatchString(name) {
		s = name + ":" + value
	}
	return s
}

// part takes the first part off a query, and answers the rest.
func (q *Query) part(s string) string {
	s = narrow(s)
	not := false
	if after, ok := strings.CutPrefix(s, "-"); ok && after != "" && !unicode.IsSpace(firstOf(after)) {
		not, s = true, after
	}
	if _, ok := quotes[firstOf(s)]; ok {
		phrase, rest := q.quoted(s)
		q.add(phrase, true, not)
		return rest
	}
	end := strings.IndexFunc(s, func(r rune) bool { _, quote := quotes[r]; return unicode.IsSpace(r) || quote })
	if end < 0 {
		end = len(s)
	}
	word, rest := s[:end], s[end:]
	if addressOf(word) != "" {
		q.add(word, false, not)
		return rest
	}
	name, value, filter := strings.Cut(word, ":")
	filter = filter && name != ""
	_, quoted := quotes[firstOf(rest)]
	if quoted = quoted && filter && value == ""; quoted {
		value, rest = q.quoted(rest)
	}
	take := q.filter
	if not {
		take = q.except
	}
	if filter && take(strings.ToLower(name), value, quoted) {
		return rest
	}
	q.add(word, false, not)
	return rest
}

// quoted takes a phrase off that begins with a quotation mark, and answers it and the rest.
func (q *Query) quoted(s string) (phrase, rest string) {
	mark := firstOf(s)
	end, inside := quotes[mark], s[utf8.RuneLen(mark):]
	phrase, rest, closed := strings.Cut(inside, string(end))
	if !closed && end == '”' {
		phrase, rest, closed = strings.Cut(inside, `"`)
	}
	if !closed {
		q.note("a quotation mark is open: the phrase was taken to the end")
	}
	return strings.TrimSpace(phrase), rest
}

func firstOf(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func (q *Query) add(s string, phrase, not bool) {
	switch {
	case s == "":
	case not && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		q.note("-%s has no words, and was left out", s)
	case not:
		q.Not = append(q.Not, s)
	case phrase:
		q.Phrases = append(q.Phrases, s)
		q.next++
	default:
		q.Words, q.places = append(q.Words, s), append(q.places, q.next)
		q.next++
	}
}

// filter takes a filter; false where there is none of the name, so that it is words.
func (q *Query) filter(name, value string, quoted bool) bool {
	switch name {
	case "site", "lang", "language", "after", "before", "year", "kind":
	default:
		w, ok := wantedOf(name, value, quoted)
		if ok {
			w.place = q.next
			if q.next++; w.Phrase != "" {
				q.next++
			}
			q.Values = append(q.Values, w)
		}
		return ok
	}
	if value == "" {
		q.note("%s: has nothing behind it, and was left out", name)
		return true
	}
	switch name {
	case "site":
		q.Sites = append(q.Sites, siteOf(value))
	case "lang", "language":
		q.Language = append(q.Language, language(value))
	case "year":
		q.Years = append(q.Years, value)
	case "kind":
		q.Kinds = append(q.Kinds, strings.ToLower(value))
	case "after":
		q.After = q.date(name, value)
	case "before":
		q.Before = q.date(name, value)
	}
	return true
}

// except takes a filter that pages must not pass; false where there is none of the name, so that it is words.
func (q *Query) except(name, value string, quoted bool) bool {
	switch name {
	case "site", "lang", "language", "year", "kind":
	case "after", "before":
		q.note("-%s: was left out: dates cannot be excluded", name)
		return true
	default:
		w, ok := wantedOf(name, value, quoted)
		if w.Not = true; ok {
			q.Values = append(q.Values, w)
		}
		return ok
	}
	only := Query{}
	only.filter(name, value, quoted)
	for f, labels := range only.only() {
		q.without[f] = append(q.without[f], labels...)
	}
	q.Notes = append(q.Notes, only.Notes...)
	return true
}

// siteOf is the host that a person means who writes a site or an address.
func siteOf(value string) string {
	if _, after, ok := strings.Cut(value, "://"); ok {
		value = after
	}
	value, _, _ = strings.Cut(value, "/")
	return page.HostPattern(value)
}

func (q *Query) date(name, value string) int32 {
	for _, layout := range []string{"2006-01-02", "2006-1-2", "2006-01", "2006-1", "2006"} {
		if t, err := time.Parse(layout, value); err == nil && days(t) != 0 {
			return days(t)
		}
	}
	q.note("%s:%s was left out: it wants a date such as 2024-05-31, 2024-05 or 2024", name, value)
	return 0
}

// term is a word of a query as the index is asked for it.
type term struct {
	word   string
	said   string // as the query writes it, where that is something else
	form   text.Form
	place  int      // in the query: words side by side have neighbouring ones
	joined bool     // it was written together with the one before, as in 4S店 and user-defined
	exact  string   // it with its accents, where the query has them; word is without
	inside []string // the characters of a compound, by which it is found where it was cut otherwise
	parts  []term   // what stands in for it where no page has it
}

// terms are the words of a text as the index is asked for them: of Chinese the words that do not lie inside others.
func (v *inverter) terms(s string) []term {
	words := v.cutter.Search(nil, s)
	var all []term
	covered := 0
	for i, w := range words {
		switch {
		case w.Form == text.Spaced:
			all = append(all, term{word: w.Term, said: s[w.Start:w.End], form: text.Spaced})
		case w.Form == text.Accented:
			all[len(all)-1].exact = w.Term
		case w.Form == text.Character && w.Start >= covered:
			if over, ok := longest(words, w.Start); ok {
				all = append(all, v.compound(words[i:], over))
				covered = over.End
				continue
			}
			all = append(all, term{word: w.Term, form: text.Character})
		}
	}
	return all
}

// longest is the longest word of several characters that begins at a place.
func longest(words []text.Word, start int) (over text.Word, ok bool) {
	for _, w := range words {
		if w.Form == text.Compound && w.Start == start && w.End > over.End {
			over, ok = w, true
		}
	}
	return over, ok
}

// compound is a word of several characters, with what is inside it. words begin with its first character.
func (v *inverter) compound(words []text.Word, over text.Word) term {
	t := term{word: over.Term, form: text.Compound}
	covered := over.Start
	for i, w := range words {
		if w.Form != text.Character || w.Start < over.Start || w.End > over.End {
			continue
		}
		t.inside = append(t.inside, w.Term)
		if w.Start < covered {
			continue
		}
		var inner text.Word
		for _, p := range words {
			if p.Form == text.Compound && p.Start == w.Start && p.End <= over.End && p.End-p.Start < over.End-over.Start && p.End > covered {
				inner, covered = p, p.End
			}
		}
		if inner.Form == text.Compound {
			part := v.compound(words[i:], inner)
			part.parts = nil // its single characters stand in pages about anything
			t.parts = append(t.parts, part)
		} else {
			t.parts = append(t.parts, term{word: w.Term, form: text.Character})
		}
	}
	return t
}

// phrase are the characters and spaced words of a phrase, in order.
func (v *inverter) phrase(s string) []string {
	var all []string
	for _, w := range v.simple(s) {
		all = append(all, w.Term)
	}
	return all
}

// simple are the characters and spaced words of a text, in order.
func (v *inverter) simple(s string) []text.Word {
	return slices.DeleteFunc(v.cutter.Search(nil, s), func(w text.Word) bool { return w.Place < 0 })
}
