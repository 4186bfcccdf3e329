package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/suggest"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// retoldMost is how many pages of a run are judged again at most: it must not take long, and more would not tell more.
const retoldMost = 2000

// cutOfRun shows the threshold of a crawl file by the pages that the run in its folder keeps for a second look, with the numbers that
// they have by the file as it is: where its terms are others by now, they are judged again. It is nil where there are none, or they are
// of another web than the file names; and says why where the file judges in a way that their texts alone cannot show.
func cutOfRun(config *focus.Config, strategy *rank.Strategy) (c *shownCut, why string) {
	now := config.Judged(strategy)
	if now.Topic.Threshold == 0 || !sink.HasLooks(config.Store) { // a trained judge has a threshold of its own
		return nil, ""
	}
	opened, err := run.OpenAll(config.Store)
	if err != nil {
		return nil, ""
	}
	was, err := opened.Config()
	if web, _ := filepath.Abs(now.Web); err != nil || now.Web != "" && web != was.Web {
		return nil, ""
	}
	terms := newTermWatch(*config)
	var pages []winnow.Page
	if otherwise := judgesOtherwise(opened, &was, &now); otherwise != "" {
		why = otherwise
	} else if slices.Equal(was.Topic.Terms, now.Topic.Terms) && was.Topic.About == now.Topic.About {
		pages = lookedAt(config.Store, terms)
	} else if pages, err = lookedAtAgain(config.Store, &was, &now, terms); err != nil {
		why = err.Error()
	}
	if len(pages) == 0 {
		return nil, why
	}
	c = &shownCut{Threshold: now.Topic.Threshold, Of: len(pages), From: config.Store, Notes: terms.notes()}
	for i := range pages {
		c.Pages = append(c.Pages, judgedPage{Relevance: pages[i].Relevance, Title: pages[i].Title, URL: pages[i].URL})
	}
	c.Pages = nearCut(c.Pages, c.Threshold, cutShown)
	return c, ""
}

// judgesOtherwise says what of a crawl file makes other verdicts than its run has, but for terms and threshold; with other terms judge
// bm25 alone can say from a text what it would find.
func judgesOtherwise(opened *run.Run, was, now *crawlfile.Config) string {
	judges := func(key string) bool {
		return strings.HasPrefix(key, "topic.") || strings.HasPrefix(key, "text.") || strings.HasPrefix(key, "reading.")
	}
	but := slices.DeleteFunc(crawlfile.Settable(), judges)
	but = append(but, "topic.threshold", "topic.find")
	if now.Topic.Judge == topic.DefaultJudge {
		but = append(but, "topic.terms", "topic.about")
	}
	if said := run.Differences(run.FileCrawl, was.YAML(), now.YAML(), but); len(said) > 0 {
		return strings.Join(said, "; ")
	}
	if opened.Standing.Model != run.DigestOf(now.Topic.Model) {
		return "the file of topic.model is not what it was"
	}
	return ""
}

// lookedAt are the pages that a run keeps for a second look, with what the first one found; as far as they can be read.
func lookedAt(dir string, terms *termWatch) (pages []winnow.Page) {
	for seen, err := range sink.ReadLooks(dir) {
		if err != nil {
			break
		}
		r := seen.Record
		pages = append(pages, winnow.Page{URL: r.FinalURL, Title: r.Title, Relevance: r.Relevance})
		var has []string
		for _, t := range r.Terms {
			has = append(has, t.Term)
		}
		terms.count(has)
	}
	return pages
}

// lookedAtAgain are pages that a run keeps for a second look, as they are judged by other terms. Of very many every second, fourth or
// eighth is taken.
func lookedAtAgain(dir string, was, now *crawlfile.Config, terms *termWatch) (pages []winnow.Page, err error) {
	every, n := 1, 0
	for seen, err := range sink.ReadLooks(dir) {
		if err != nil {
			break
		}
		if n++; (n-1)%every > 0 {
			continue
		}
		r := seen.Record
		pages = append(pages, winnow.Page{URL: r.FinalURL, Title: r.Title, Text: r.Text, Relevance: r.Relevance, Raw: r.Raw})
		if len(pages) == retoldMost {
			for i := range pages[:retoldMost/2] {
				pages[i] = pages[2*i]
			}
			pages, every = pages[:retoldMost/2], 2*every
		}
	}
	if pages, err = suggest.Retold(pages, nil, toldByConfig(was), toldByConfig(now)); err != nil {
		return nil, err
	}
	for i := range pages {
		terms.read(pages[i].Title, pages[i].Text)
	}
	return pages, nil
}
