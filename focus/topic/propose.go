package topic

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/text"
)

// Propose answers the terms by which a topic could be told that somebody has shown instead: at most so many, the
// strongest first, as a person would write them. A stated term is kept as it is, and a sentence gives its words. Labelled
// pages give the words that part the relevant ones from the others (chi-square); pages of the topic alone give the words
// of their centre, as the adaptive model has it: stop words first, then how often each word comes, every page made one
// long, each as far as it is rare in the language at large. A word that the dictionary does not know (快递|柜) is one where the pages have it so more often than not. Words that are common everywhere are not proposed, but a stated one is kept: see Common.
func Propose(s Spec, most int) ([]Term, error) {
	if err := s.complete(); err != nil {
		return nil, err
	}
	said, err := AboutTerms(&s)
	if err != nil {
		return nil, err
	}
	list := slices.Concat(s.Terms, said)
	found, err := s.telling()
	if err != nil {
		return nil, err
	}
	stated := map[string]bool{}
	for _, t := range list {
		stated[text.Stem(text.Fold(t.Term))] = true
	}
	for _, t := range found {
		if key := text.Stem(text.Fold(t.Term)); len(list) < most && !stated[key] {
			stated[key] = true
			list = append(list, t)
		}
	}
	return list[:min(len(list), most)], nil
}

// candidate is a word that could tell the topic.
type candidate struct {
	word  string
	worth float64
}

// telling are the words of the pages that were shown, the most telling first, weighed from 1 down.
func (s *Spec) telling() ([]Term, error) {
	docs := slices.Concat(s.Examples, s.Relevant)
	if len(docs) == 0 {
		return nil, nil
	}
	cutting := *s
	cutting.Terms, cutting.Judge = nil, Classifier
	cutting.Content, cutting.Positions = "by_kind", nil
	cutting.Speech = map[string]float64{"adverb": 0, "function": 0}
	w, err := newWeigher(&cutting)
	if err != nil {
		return nil, err
	}
	sentences, err := sentenceCutter(s.UserDict)
	if err != nil {
		return nil, err
	}
	cutter, err := text.NewCutter(text.Options{UserDict: s.UserDict, Tags: true, Limit: s.Limit, Terms: slices.Concat(newer, compounds(sentences, docs))})
	if err != nil {
		return nil, err
	}
	var found []candidate
	if len(s.Relevant) > 0 && len(s.Other) > 0 {
		found = parting(w.collect(cutter, docs, s.Other), len(docs))
	} else {
		found = central(w.collect(cutter, docs, nil))
	}
	return written(found, spellings(cutter, docs)), nil
}

// fewest is in how many of so many pages a word must stand to be the topic's and not a page's own.
func fewest(pages int) float64 { return math.Ceil(float64(min(pages, 20)) / 5) }

// central are the words of the centre of some pages, each the more telling the fewer pages have it in the language at large. Words
// that are rarer than most count alike: names are the rarest.
func central(c *corpus) []candidate {
	centre := make([]float64, len(c.words))
	for _, p := range c.pages {
		norm := 0.0
		for _, tf := range p.tf {
			norm += square(tf)
		}
		for k, r := range p.row {
			centre[r] += p.tf[k] / math.Sqrt(norm)
		}
	}
	var found []candidate
	for r := 1; r < len(c.words); r++ {
		if c.df[r] >= fewest(len(c.pages)) {
			found = append(found, candidate{c.words[r], centre[r] * min(rarity(c.words[r]), vagueBelow)})
		}
	}
	return found
}

// parting are the words that the first pages have and the rest has not.
func parting(c *corpus, relevant int) []candidate {
	with := make([]float64, len(c.words))
	for _, p := range c.pages[:relevant] {
		for _, r := range p.row {
			with[r]++
		}
	}
	var found []candidate
	for r := 1; r < len(c.words); r++ {
		t := learn.Table{A: with[r], B: c.df[r] - with[r]}
		t.C, t.D = float64(relevant)-t.A, float64(len(c.pages)-relevant)-t.B
		if t.Positive() && with[r] >= fewest(relevant) {
			found = append(found, candidate{c.words[r], t.Chi2()})
		}
	}
	return found
}

// written are words as a person would write them, the best first. The weight is the square root of what a word is worth
// beside the best, so that the tenth word still counts; it is rounded to what a person would write, too.
func written(found []candidate, spelled map[string]string) []Term {
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(a.word, b.word))
	})
	var list []Term
	most := 0.0
	for _, c := range found {
		word := spelled[c.word]
		if word == "" || utf8.RuneCountInString(word) < 2 || len(word) > 40 || Common(word) {
			continue
		}
		if most = max(most, c.worth); most == 0 {
			break
		}
		weight := math.Round(math.Sqrt(c.worth/most)*20) / 20
		list = append(list, Term{word, max(weight, .05)})
	}
	return list
}

// spellings are, for each word as it is cut, the way in which the pages write it most often.
func spellings(cutter *text.Cutter, docs []*text.Doc) map[string]string {
	times := map[string]map[string]int{}
	for _, d := range docs {
		for _, s := range d.Segments {
			for _, field := range strings.FieldsFunc(s.Text, betweenWords) {
				if cut := cutter.Cut(nil, field); len(cut) == 1 {
					word := cut[0].Term
					if times[word] == nil {
						times[word] = map[string]int{}
					}
					times[word][text.Fold(strings.Trim(field, "-'’&#"))]++
				}
			}
		}
		for _, k := range cutter.Tokens(d) {
			if k.Term > "\u2e80" && times[k.Term] == nil { // Chinese has no stems
				times[k.Term] = map[string]int{k.Term: 1}
			}
		}
	}
	spelled := make(map[string]string, len(times))
	for word, ways := range times {
		best := 0
		for way, n := range ways {
			if n > best || n == best && way < spelled[word] {
				spelled[word], best = way, n
			}
		}
	}
	return spelled
}

// commonWords are the words of common.txt, and their stems.
//
//go:embed common.txt
var commonFile string

var commonWords = readCommon()

func readCommon() map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(commonFile) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, w := range strings.Fields(line) {
			words[text.Stem(text.Fold(w))] = true
		}
	}
	return words
}

// Common tells of a term that stands on pages about anything: a stop word, one with which people ask for pages, or one on
// a list of words that are common on the web. A phrase is common where all its words are of the first two kinds: problem
// set says more than its words.
func Common(term string) bool {
	words := strings.Fields(text.Fold(term))
	for _, w := range words {
		listed := len(words) == 1 && commonWords[text.Stem(w)]
		if !text.IsStop(w) && !slices.Contains(asides, w) && !listed {
			return false
		}
	}
	return len(words) > 0
}
