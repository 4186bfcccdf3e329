package seek

import (
	"cmp"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// queries builds questions from the topic's words: the heaviest alone, then with each other. One word alone means too
// much, and many together are found nowhere.
type queries struct {
	terms []string // the heaviest first
	asked map[string]bool
	used  map[string]bool // words that stood in a question, as they are compared
}

func newQueries(terms []topic.Term) *queries {
	terms = slices.Clone(terms)
	slices.SortStableFunc(terms, func(a, b topic.Term) int { return cmp.Compare(b.Weight, a.Weight) })
	q := &queries{asked: map[string]bool{}, used: map[string]bool{}}
	for _, t := range terms {
		q.terms = append(q.terms, t.Term)
	}
	return q
}

// first are the first questions, at most n: pairs of the heaviest words before words alone that are lighter.
func (q *queries) first(n int) []string {
	var list []string
	add := func(words ...string) {
		if len(list) < n {
			if asked := q.take(words...); asked != "" {
				list = append(list, asked)
			}
		}
	}
	t := q.terms
	for i := range t {
		switch i {
		case 0:
			add(t[0])
		case 1:
			add(t[0], t[1])
		default:
			add(t[0], t[i])
			add(t[i-1], t[i])
		}
	}
	for i := 1; i < len(t); i++ {
		add(t[i])
	}
	return list
}

// with is a question of the heaviest word and a new one; empty if it was asked or the word has been used.
func (q *queries) with(word string) string {
	if q.used[key(word)] || len(q.terms) == 0 {
		return ""
	}
	return q.take(q.terms[0], word)
}

// take puts a question together; empty if it was asked before.
func (q *queries) take(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		q.used[key(w)] = true
		if quoted[i] = w; len(words) > 1 && strings.Contains(w, " ") {
			quoted[i] = `"` + w + `"`
		}
	}
	asked := strings.Join(quoted, " ")
	if q.asked[asked] {
		return ""
	}
	q.asked[asked] = true
	return asked
}

func key(word string) string { return text.Stem(text.Fold(word)) }

// feedbackPages is from how many of the best pages the next words are taken; the classical feedback takes about as many.
const feedbackPages = 20

// better is the next question by relevance feedback: the heaviest word, and the word that parts the pages that were
// judged best from the rest. It is empty where those pages have no new word in common.
func (q *queries) better(pages []*find) string {
	var relevant, other []*text.Doc
	ranked := slices.Clone(pages)
	slices.SortStableFunc(ranked, func(a, b *find) int { return cmp.Compare(b.relevance, a.relevance) })
	for _, f := range ranked {
		switch {
		case f.doc == nil:
		case f.relevant && len(relevant) < feedbackPages:
			relevant = append(relevant, f.doc)
		case !f.relevant:
			other = append(other, f.doc)
		}
	}
	if len(relevant) < 2 {
		return ""
	}
	spec := topic.Spec{Relevant: relevant}
	if len(other) >= 3 {
		spec.Other = other
	}
	words, err := topic.Propose(spec, 40)
	if err != nil {
		return ""
	}
	for _, w := range words {
		if asked := q.with(w.Term); asked != "" {
			return asked
		}
	}
	return ""
}
