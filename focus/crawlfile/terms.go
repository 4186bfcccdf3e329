package crawlfile

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// terms finds those that are empty, or stand there twice.
func (k *checker) terms() {
	seen := map[string]int{}
	for i, t := range k.c.Topic.Terms {
		word := strings.ToLower(strings.TrimSpace(t.Term))
		path := fmt.Sprintf("topic.terms[%d]", i)
		if word == "" {
			k.Wrong(path, "has no word")
			continue
		}
		if first, ok := seen[word]; ok {
			k.Wrong(path, "is %q, which is topic.terms[%d] already; keep one of the two", t.Term, first)
			continue
		}
		seen[word] = i
	}
}

// scripts are those that languages are told apart by. Japanese is written with Chinese characters, too.
var scripts = [][]*unicode.RangeTable{{unicode.Latin}, {unicode.Han, unicode.Hiragana, unicode.Katakana}, {unicode.Hangul}, {unicode.Cyrillic},
	{unicode.Arabic}, {unicode.Greek}, {unicode.Hebrew}, {unicode.Thai}, {unicode.Devanagari}}

// manyScripts is in how many scripts the terms of a topic are written that is told in several languages; names in Latin letters stand
// in every one.
const manyScripts = 3

// translated warns of a topic that is told in many languages: a page is in one of them.
func (k *checker) translated() {
	found := 0
	for _, s := range scripts {
		ends := func(t TermConfig) bool {
			last, _ := utf8.DecodeLastRuneInString(t.Term)
			return t.Weight > 0 && unicode.In(last, s...)
		}
		if slices.ContainsFunc(k.c.Topic.Terms, ends) {
			found++
		}
	}
	if found >= manyScripts {
		k.Wrong("topic.terms", "are in %d scripts: a page in one language has the terms of that alone, a small part of the topic; give each language a crawl file of its own, or lower topic.threshold", found)
	}
}

// DoubtfulTerms tell of terms that are not what they seem, such as one that is never looked for, and of a sentence that gives such.
// Those of a recorded web are not the reader's to write: of them only what is never looked for is told.
func (c *Config) DoubtfulTerms() []strict.Problem {
	k := checker{c: c}
	for _, d := range topic.Doubts(c.Spec().Terms) {
		if c.WebTopic != "" && !d.Unsought {
			continue
		}
		k.Wrong(fmt.Sprintf("topic.terms[%d]", d.At), "%s", d.Why)
	}
	if foreign := topic.Foreign(c.Topic.About); foreign != "" {
		k.Wrong("topic.about", "%s", foreign)
	}
	return k.problems
}
