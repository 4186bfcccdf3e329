package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/suggest"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// retold is what the terms of a crawl file would change in a run that was crawled with others.
type retold struct {
	File string `json:"file"`
	In   int    `json:"in"`
	Out  int    `json:"out"`
}

// retoldOf judges the pages of a run by its crawl file as it is now; nil where it tells the topic as it did then, or cannot be
// read: thresher check says why.
func retoldOf(dir string, archive *winnow.Archive) *retold {
	r := &retold{File: crawledWith(dir)}
	if r.File == "" {
		return nil
	}
	was, err := toldAsItRan(dir)
	if err != nil {
		return nil
	}
	now, err := toldNow(focus.Load(r.File))
	if err != nil || !tellsOtherwise(&was, &now) || topic.TraitsOf(now.Spec.Judge).Trained {
		return nil
	}
	again, err := suggest.Retold(archive.Pages, archive.Again, was, now)
	if err != nil {
		return nil
	}
	for i := range again {
		before, after := archive.Pages[i].Relevance >= archive.Options.Threshold, again[i].Relevance >= now.Spec.Threshold
		if after && !before {
			r.In++
		}
		if before && !after {
			r.Out++
		}
	}
	return r
}

func (r *retold) print(w io.Writer) {
	if r != nil {
		fmt.Fprintf(w, "by the terms of %s as they are now, the first look would take in %s and put out %s\n", r.File, plural(r.In), plural(r.Out))
	}
}

// What a crawl's summary suggests, and from how many pages: it must not take long.
const (
	bestWords      = 3
	bestWordsPages = 800
)

// betterWords are the words that would tell a topic better, by a crawl that has just ended.
func betterWords(config *focus.Config, again *winnow.Report) (words []string) {
	if again == nil || again.Refused != "" {
		return nil
	}
	strategy, err := config.LoadStrategy(nil)
	if err != nil {
		return nil
	}
	judged := config.Judged(strategy)
	o := toldByConfig(&judged)
	o.Most, o.Pages, o.Untold, o.Again = bestWords, bestWordsPages, true, again.Archive.Again
	r, err := suggest.Propose(suggest.Of(again.Archive.Pages, suggest.Stands(again.Archive.Pages, &again.Archive.Options), &again.Result, &again.Archive.Options), o)
	if err != nil {
		return nil // there is nothing to learn from, as thresher suggest says
	}
	for _, s := range r.Suggestions {
		if s.Why == suggest.Parts {
			words = append(words, s.Term)
		}
	}
	return words
}

// printBetterWords says them.
func printBetterWords(w io.Writer, words []string, run string) {
	if len(words) > 0 {
		fmt.Fprintf(w, "words that would tell the topic better: %s; thresher suggest %s\n", strings.Join(words, ", "), shell.Word(run))
	}
}
