package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/probe"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// judgedPage is a page with its relevance, as it stands in a list of several.
type judgedPage struct {
	Relevance float64 `json:"relevance"`
	Title     string  `json:"title,omitempty"`
	URL       string  `json:"url"`
	Refused   string  `json:"refused,omitempty"`
}

// printCut shows pages, the most relevant first, with the line between those that are kept and those that are not. Each line
// begins with the same words.
func printCut(w io.Writer, begin string, pages []judgedPage, threshold float64) {
	slices.SortStableFunc(pages, func(a, b judgedPage) int { return cmp.Compare(b.Relevance, a.Relevance) })
	drawn := false
	line := func() {
		fmt.Fprintf(w, "%s%5.2f  -- threshold: what is above is kept, what is below is not --\n", begin, threshold)
		drawn = true
	}
	for _, p := range pages {
		if !drawn && (p.Relevance < threshold || p.Refused != "") {
			line()
		}
		said := p.URL
		if p.Title != "" {
			said = clip(p.Title, 60) + "  " + p.URL
		}
		if p.Refused != "" {
			said += "  (" + p.Refused + ")"
		}
		fmt.Fprintf(w, "%s%5.2f  %s\n", begin, p.Relevance, said)
	}
	if !drawn {
		line()
	}
}

// nearCut are the pages next to a threshold, so many on each side.
func nearCut(pages []judgedPage, threshold float64, each int) []judgedPage {
	slices.SortStableFunc(pages, func(a, b judgedPage) int { return cmp.Compare(b.Relevance, a.Relevance) })
	at := slices.IndexFunc(pages, func(p judgedPage) bool { return p.Relevance < threshold })
	if at < 0 {
		at = len(pages)
	}
	return pages[max(at-each, 0):min(at+each, len(pages))]
}

// shownCut is what a threshold means: pages next to it.
type shownCut struct {
	Threshold float64      `json:"threshold"`
	Of        int          `json:"of"`   // so many pages were looked at
	From      string       `json:"from"` // where they are from
	Pages     []judgedPage `json:"pages"`
	Notes     []string     `json:"notes,omitempty"` // terms that do no work
}

// cutPages is how many pages of a recorded web are judged to show what a threshold means, and cutShown how many are shown on
// each side of it.
const (
	cutPages = 200
	cutShown = 3
)

// cutOf shows the threshold of a crawl file by the pages of its run, of its recorded web, or by its own example and labelled pages;
// nil where there are none, or they cannot be judged: the crawl says why. To check a file nothing is fetched.
func cutOf(config *focus.Config, strategy *rank.Strategy) *shownCut {
	c, why := cutOfRun(config, strategy)
	if c == nil && config.Topic.Corpus.Relevant != "" && config.Web == "" {
		c = cutOfLabelled(config, strategy)
	} else if c == nil {
		c = cutOfSources(config, strategy)
	}
	if c == nil && why != "" {
		c = &shownCut{Threshold: config.Judged(strategy).Topic.Threshold, From: config.Store, Pages: []judgedPage{}, Notes: []string{
			"the pages of " + config.Store + " were judged otherwise (" + why + "): another crawl, or thresher judge with some pages, shows it"}}
	}
	return c
}

// cutOfSources shows the threshold by pages of the recorded web, or by the example files.
func cutOfSources(config *focus.Config, strategy *rank.Strategy) *shownCut {
	sources, from := cutSources(config)
	asks := config.Web == "" && (config.TopicIsSeeds(strategy) || slices.ContainsFunc(config.Topic.Examples, crawlfile.IsAddress))
	if asks || len(sources) == 0 {
		return nil
	}
	verdicts, err := probe.Judge(*config, "", sources...)
	if err != nil {
		return nil
	}
	c := &shownCut{Threshold: verdicts[0].Threshold, From: from}
	terms := newTermWatch(*config)
	for _, v := range verdicts {
		if v.Err == nil && v.Refused == "" {
			terms.see(v.Doc, v.Judgement)
		}
	}
	pages, _ := judgedPages(verdicts) // some addresses of a web are no pages
	if len(pages) == 0 {
		return nil
	}
	c.Of, c.Notes, c.Pages = len(pages), terms.notes(), nearCut(pages, c.Threshold, cutShown)
	return c
}

// cutSources are some addresses of the recorded web, or the example files where there is none.
func cutSources(config *focus.Config) (sources []string, from string) {
	if config.Web == "" {
		return slices.DeleteFunc(slices.Clone(config.Topic.Examples), crawlfile.IsAddress), "the example pages"
	}
	library, err := study.OpenLibrary(config.Web)
	if err != nil {
		return nil, ""
	}
	all := library.Addresses()
	library.Close()
	n := min(len(all), cutPages)
	for i := range n {
		sources = append(sources, all[i*len(all)/n])
	}
	return sources, config.Web
}

// cutOfLabelled shows the threshold of a crawl file by its labelled pages, and its example files beside them.
func cutOfLabelled(config *focus.Config, strategy *rank.Strategy) *shownCut {
	var own ownPages
	for _, e := range config.Topic.Examples {
		p, err := study.ReadSpecimen(e)
		if err != nil { // it is an address
			return nil
		}
		own.examples = append(own.examples, p)
	}
	var err error
	if own.labelled, err = study.ReadCorpus(config.Topic.Corpus.Relevant, config.Topic.Corpus.Other); err != nil {
		return nil
	}
	return own.cut(config, strategy)
}

// ownPages are pages that a topic is told by.
type ownPages struct {
	examples []study.Specimen
	labelled study.Corpus
}

// cut shows the threshold of a crawl file by those pages; nil where there are none, or its judge cannot be made of them.
func (o *ownPages) cut(config *focus.Config, strategy *rank.Strategy) *shownCut {
	judged := config.Judged(strategy)
	spec := judged.Spec()
	spec.Examples, spec.Relevant, spec.Other = study.Docs(o.examples), study.Docs(o.labelled.Relevant), nil
	from := "the example pages"
	if topic.TraitsOf(spec.Judge).Trained {
		spec.Other = study.Docs(o.labelled.Other)
	}
	all := slices.Concat(o.examples, o.labelled.Relevant, o.labelled.Other)
	if len(all) > len(o.examples) {
		from = "the labelled pages"
	}
	about, err := topic.New(spec)
	if err != nil || len(all) == 0 {
		return nil
	}
	c := &shownCut{Threshold: about.Threshold(), From: from, Of: len(all)}
	for _, p := range all {
		c.Pages = append(c.Pages, judgedPage{Relevance: about.Judge(p.Doc).Relevance, Title: p.Title, URL: p.Address})
	}
	c.Pages = nearCut(c.Pages, c.Threshold, cutShown)
	return c
}

// print prints it; each line begins with the same words, as comments at the head of a crawl file do.
func (c *shownCut) print(w io.Writer, begin string) {
	switch {
	case c == nil:
		return
	case c.Of == 0:
		fmt.Fprintf(w, "%swhat the threshold of %.2f means is not shown:\n", begin, c.Threshold)
	default:
		fmt.Fprintf(w, "%swhat the threshold of %.2f means, by %s of %s:\n", begin, c.Threshold, plural(c.Of), c.From)
		printCut(w, begin+" ", c.Pages, c.Threshold)
	}
	for _, n := range c.Notes {
		fmt.Fprintf(w, "%s%s\n", begin, n)
	}
}

// judgedPages are the pages of verdicts, and the errors of those that could not be had.
func judgedPages(verdicts []probe.Verdict) (pages []judgedPage, errs error) {
	for _, v := range verdicts {
		if v.Err != nil {
			errs = errors.Join(errs, v.Err)
			continue
		}
		pages = append(pages, judgedPage{v.Judgement.Relevance, v.Page.Title, v.FinalURL, string(v.Refused)})
	}
	return pages, errs
}

// printSeveral prints several pages in order, with the cut.
func (f *judgeFlags) printSeveral(cmd *cobra.Command, verdicts []probe.Verdict) error {
	pages, failed := judgedPages(verdicts)
	threshold := verdicts[0].Threshold
	out := cmd.OutOrStdout()
	if !f.json {
		printCut(out, "", pages, threshold)
		for _, v := range verdicts {
			if v.Err == nil && v.Refused == "" {
				printNotes(out, v.Notes)
				break
			}
		}
		return failed
	}
	objects := []verdict{}
	for _, v := range verdicts {
		if v.Err == nil {
			objects = append(objects, verdictOf(v, true))
		}
	}
	slices.SortStableFunc(objects, func(a, b verdict) int { return cmp.Compare(*b.Relevance, *a.Relevance) })
	return errors.Join(jsonTo(out).Encode(map[string]any{"threshold": threshold, "pages": objects}), failed)
}
