package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// termWatch counts on how many of the pages that were judged each term of the topic stands. A term that stands on none finds
// nothing, and one that stands on all of them tells no page from another.
type termWatch struct {
	terms  []string
	stated *topic.Topic // of these terms alone; nil where nothing is counted

	mu      sync.Mutex
	pages   int
	on      map[string]int
	earlier func(count func(has []string)) // the pages that were judged before the watch began; nil where there are none, or they are counted
}

// enoughPages is how many pages must have been judged before anything is said of a term.
const enoughPages = 50

// mostTold is how many terms a page can be told to have: of one that has as many, the others are not known.
const mostTold = 24

func newTermWatch(config focus.Config) *termWatch {
	w := &termWatch{on: map[string]int{}}
	strategy, err := config.LoadStrategy(config.Factors)
	if err != nil || !topic.TraitsOf(string(config.Judged(strategy).Topic.Judge)).Terms {
		return w // other words count too
	}
	spec := config.Spec()
	stated, err := topic.New(topic.Spec{Language: spec.Language, Terms: spec.Terms, UserDict: spec.UserDict})
	if err != nil {
		return w // the crawl says why
	}
	for _, t := range stated.Terms() { // of several terms of one stem, the first
		w.terms = append(w.terms, t.Term)
	}
	w.stated = stated
	return w
}

// goesOn tells the watch that a run goes on in which so many pages were fetched before. They are read once it matters: of the pages that a
// run comes to at its end few have much of the topic, and what they lack may stand on hundreds of those before.
func (w *termWatch) goesOn(dir string, fetched int) {
	w.earlier = func(count func(has []string)) {
		// A log that cannot be read is told of elsewhere, and what is said here is no more than a remark.
		_ = run.ReadLog(filepath.Join(dir, run.FileLog), func(d *run.Decision) bool {
			if d.Judged() {
				count(d.Words)
			}
			if d.Fetched() {
				fetched--
			}
			return fetched > 0
		}, run.Visits...)
	}
}

// see takes a page that was judged.
func (w *termWatch) see(doc *text.Doc, said topic.Judgement) {
	if doc == nil {
		return
	}
	var has []string
	for _, t := range said.Terms {
		has = append(has, t.Term)
	}
	w.count(has)
}

// read takes a page of which there is only the text.
func (w *termWatch) read(title, body string) {
	if w.stated != nil {
		doc := study.MainText("", title, body).Doc
		w.see(doc, w.stated.Judge(doc))
	}
}

// count takes the terms that a page was told to have.
func (w *termWatch) count(has []string) {
	if len(w.terms) == 0 || len(has) >= mostTold {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pages++
	for _, t := range has {
		w.on[t]++
	}
}

// idle are the terms that stand on no page, and those that stand on every page, of so many.
func (w *termWatch) idle() (nowhere, everywhere []string, pages int) {
	nowhere, everywhere, pages = w.idleSo()
	if len(nowhere)+len(everywhere) > 0 && w.countEarlier() {
		return w.idleSo()
	}
	return nowhere, everywhere, pages
}

// countEarlier counts the pages from before the watch, once; it tells whether there was anything to count.
func (w *termWatch) countEarlier() bool {
	w.mu.Lock()
	earlier := w.earlier
	w.earlier = nil
	w.mu.Unlock()
	if earlier != nil {
		earlier(w.count)
	}
	return earlier != nil
}

// idleSo is idle by the pages that are counted so far.
func (w *termWatch) idleSo() (nowhere, everywhere []string, pages int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.pages < enoughPages {
		return nil, nil, w.pages
	}
	for _, t := range w.terms {
		switch w.on[t] {
		case 0:
			nowhere = append(nowhere, t)
		case w.pages:
			everywhere = append(everywhere, t)
		}
	}
	return nowhere, everywhere, w.pages
}

// notes are sentences about terms that do no work, with what to do.
func (w *termWatch) notes() (notes []string) {
	nowhere, everywhere, pages := w.idle()
	if len(nowhere) > 0 {
		notes = append(notes, fmt.Sprintf("of %d pages none has %s: write it as pages write it, or take it out", pages, quoted(nowhere)))
	}
	if len(everywhere) > 0 {
		notes = append(notes, fmt.Sprintf("all %d pages have %s, which tells none of them from the others: add words that only pages of the topic have", pages, quoted(everywhere)))
	}
	return notes
}

// short is what fits into a line of progress.
func (w *termWatch) short() (parts []string) {
	nowhere, everywhere, _ := w.idle()
	if len(nowhere) > 0 {
		parts = append(parts, "no page has "+quoted(nowhere))
	}
	if len(everywhere) > 0 {
		parts = append(parts, "every page has "+quoted(everywhere))
	}
	return parts
}

// enoughWords is how many words a topic needs for one of them, named in passing, not to make a page relevant; poorJudge is
// what is said of fewer.
const (
	enoughWords = 3
	poorJudge   = "few words make a poor judge: give a handful that only pages of the topic have"
)

// wantsWords tells of a topic that is told by its terms alone, and by few.
func wantsWords(config *focus.Config) bool {
	strategy, err := config.LoadStrategy(config.Factors)
	if err != nil {
		return false
	}
	told := config.Judged(strategy).Topic
	return toldByFew(string(told.Judge), len(told.Examples) > 0 || told.Corpus.Relevant != "", config.Spec())
}

// toldByFew tells of a topic that this judge is told by few words, and by no pages.
func toldByFew(judge string, byPages bool, spec topic.Spec) bool {
	if !topic.TraitsOf(judge).Terms || byPages || len(spec.Terms) == 0 && spec.About == "" {
		return false
	}
	stated, err := topic.New(topic.Spec{Language: spec.Language, Terms: spec.Terms, About: spec.About, UserDict: spec.UserDict})
	if err != nil {
		return false // the crawl says why
	}
	return len(slices.DeleteFunc(stated.Terms(), func(t topic.Term) bool { return t.Weight < 0 })) < enoughWords
}

// quoted are a few words in quotation marks.
func quoted(words []string) string {
	const most = 3
	var list []string
	for _, word := range words[:min(len(words), most)] {
		list = append(list, "“"+clip(word, 30)+"”")
	}
	if more := len(words) - most; more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	return strings.Join(list, ", ")
}
