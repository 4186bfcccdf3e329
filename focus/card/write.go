package card

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/audit"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// How much of a long list a card shows.
const (
	shownHosts = 30
	shownTerms = 60
)

// Markdown is the card as a file.
func (c *Card) Markdown() []byte {
	w := &writer{}
	c.head(w)
	w.line("# %s", text(c.Config.Name))
	w.line("")
	if about := text(c.Config.Topic.About); about != "" {
		w.line("%s", about)
		w.line("")
	}
	when := ""
	if !c.First.IsZero() {
		when = fmt.Sprintf(" from %s to %s (UTC)", c.First.UTC().Format(time.DateOnly), c.Last.UTC().Format(time.DateOnly))
	}
	w.line("%s on one topic, from %s, gathered%s by a focused crawl.", run.Several(c.Pages, "web page"), run.Several(len(c.Hosts), "host"), when)
	if c.Gone > 0 {
		w.line("%d of them had gone from the web when they were asked for again (field `gone`).", c.Gone)
	}
	c.topic(w)
	c.judged(w)
	c.found(w)
	c.fields(w)
	w.list("Hosts", c.Hosts, shownHosts)
	c.rights(w)
	c.again(w)
	return []byte(w.String())
}

// head is what hubs read.
func (c *Card) head(w *writer) {
	w.line("---")
	w.line("pretty_name: %s", strconv.Quote(text(c.Config.Name)))
	if len(c.Languages) > 0 {
		w.line("language:")
		for _, l := range c.Languages {
			w.line("- %s", text(l.Name))
		}
	}
	w.line("license: other")
	w.line("license_name: the-pages-own")
	w.line("size_categories:")
	w.line("- %s", size(c.Pages))
	w.line("tags:")
	w.line("- web-pages")
	w.line("- focused-crawl")
	w.line("---")
	w.line("")
}

// size is the range of a number of pages, as hubs call it.
func size(n int) string {
	for _, s := range []struct {
		below int
		name  string
	}{{1e3, "n<1K"}, {1e4, "1K<n<10K"}, {1e5, "10K<n<100K"}, {1e6, "100K<n<1M"}, {1e7, "1M<n<10M"}} {
		if n < s.below {
			return s.name
		}
	}
	return "n>10M"
}

// topic says what the pages are about, as the crawl was told.
func (c *Card) topic(w *writer) {
	w.head("Topic")
	var terms []string
	for _, t := range c.Config.Topic.Terms[:min(shownTerms, len(c.Config.Topic.Terms))] {
		terms = append(terms, fmt.Sprintf("%s (%v)", text(t.Term), t.Weight))
	}
	if len(terms) > 0 {
		w.line("Words and phrases, with their weights: %s.", strings.Join(terms, ", "))
	}
	if more := len(c.Config.Topic.Terms) - shownTerms; more > 0 {
		w.line("And %d more.", more)
	}
	if n := len(c.Config.Topic.Examples); n > 0 {
		w.line("It was shown %s.", run.Several(n, "example page"))
	}
	for _, l := range c.Languages {
		w.line("- %s: %s", text(l.Name), run.Several(l.Times, "page"))
	}
}

// judged says how pages were judged, and how well as far as anybody knows.
func (c *Card) judged(w *writer) {
	w.head("How pages were judged")
	first, now := c.Config.Topic.Threshold, c.Config.Topic.Threshold
	if l := c.Figures.Look; l != nil {
		now = l.From // it may have been cut otherwise since
	}
	look := "That number decided alone."
	switch {
	case c.Again && now != first:
		look = fmt.Sprintf("When the crawl was over a second look, which had learned from all its pages what the sure ones have in common, decided anew: its number is `second`, and from %.3g on a page is here.", now)
	case c.Again:
		look = "When the crawl was over a second look, which had learned from all its pages what the sure ones have in common, decided anew; its number is `second`."
	default:
		first = now
	}
	w.line("Each page has a relevance from 0 to 1 by the judge `%s`; from %.3g on a page belongs to the topic. %s", text(string(c.Config.Topic.Judge)), first, look)
	w.line("Of %s that were fetched and judged %d are here.", run.Several(c.Judged, "page"), c.Pages)
	w.line("")
	a := c.Figures.Audit
	if a == nil {
		w.line("Nobody has looked at a sample of them, so how many are right is not known (`thresher label --audit 60` asks, and says).")
		c.remains(w)
		return
	}
	w.line("Somebody looked at %s drawn by lot. By that, with 95 %% intervals:", run.Several(a.Asked, "page"))
	w.line("")
	w.estimates()
	w.estimate("precision: pages here that are of the topic", a.Precision, "%.2f")
	w.estimate("recall: pages of the topic that were fetched, and are here", a.Recall, "%.2f")
	w.estimate(missed, &a.Missed, "%.0f")
	c.remains(w)
}

const missed = "pages of the topic that were fetched, and are not here"

// remains says how much of the topic is not here, as far as the crawl can tell.
func (c *Card) remains(w *writer) {
	r := c.Figures.Remains
	if r == nil || r.Missed == nil {
		return
	}
	if audited := c.Figures.Audit != nil; !audited || r.Waiting != nil || r.Left != nil { // or an audit has said it all
		w.line("")
		w.line("By the second look and the course of the crawl, with 95 %% intervals:")
		w.line("")
		w.estimates()
		if !audited {
			w.estimate(missed, r.Missed, "%.0f")
		}
		w.estimate("pages of the topic among the links that were not followed", r.Waiting, "%.0f")
		w.estimate("pages of the topic that are left on the web, those among them", r.Left, "%.0f")
	}
	if r.Silent != "" {
		w.line("")
		w.line("More of what is not here is not known: %s.", r.Silent)
	}
}

// estimates begins a table of estimates.
func (w *writer) estimates() {
	w.line("| figure | estimate | from | to |")
	w.line("|---|---|---|---|")
}

func (w *writer) estimate(name string, i *audit.Interval, form string) {
	if i != nil {
		w.line("| %s | "+form+" | "+form+" | "+form+" |", name, i.Estimate, i.Low, i.High)
	}
}

// found says how pages were found.
func (c *Card) found(w *writer) {
	w.head("How pages were found")
	w.line("From %s, by the strategy `%s`: links that promise most of the topic were followed first. What was never linked from there, or promised too little within the budget, is not here.", run.Several(len(c.Config.Seeds), "start page"), text(c.strategy()))
}

// fields says what a record has, and which values of its own.
func (c *Card) fields(w *writer) {
	w.head("What a page's record says")
	w.line("%s", strings.TrimSpace(c.Fields))
	if len(c.Config.Extract) == 0 {
		return
	}
	w.line("")
	w.line("Values that pages were asked for, under `data`, each where the page says it:")
	w.line("")
	for _, name := range c.Config.Extract.Names() {
		var kinds []string
		for _, rule := range c.Config.Extract[name] {
			kinds = append(kinds, cmp.Or(rule.As, "text"))
		}
		slices.Sort(kinds)
		w.line("- `%s`: %s", text(name), strings.Join(slices.Compact(kinds), ", "))
	}
}

// rights says what sites and authors say.
func (c *Card) rights(w *writer) {
	w.head("What sites and authors say")
	if len(c.Obeyed) > 0 {
		w.line("Obeyed, and so not asked for, not followed or not kept:")
		w.line("")
		w.counts(c.Obeyed, len(c.Obeyed))
		w.line("")
	}
	if len(c.Said) > 0 {
		w.line("Said by pages that are here (field `opt_outs` of each record):")
		w.line("")
		w.counts(c.Said, len(c.Said))
		w.line("")
	}
	if len(c.Obeyed)+len(c.Said) == 0 {
		w.line("No robots.txt and no page reserved anything that was met.")
		w.line("")
	}
	w.line("The pages belong to their authors: each record says where it is from (`final_url`). Whoever publishes them needs the rights to.")
}

// again says how to make the data set again.
func (c *Card) again(w *writer) {
	w.head("How to make it again")
	w.line("With thresher %s and the crawl file of the run, `%s`:", text(c.Version), text(c.File))
	w.line("")
	w.line("    thresher crawl %s", text(c.File))
	w.line("")
	w.line("The web changes, and so will the pages.")
}

// writer is a card under way.
type writer struct{ strings.Builder }

func (w *writer) line(form string, values ...any) {
	fmt.Fprintf(w, form+"\n", values...) // into memory: cannot fail
}

func (w *writer) head(title string) {
	w.line("")
	w.line("## %s", title)
	w.line("")
}

func (w *writer) list(title string, all []Count, most int) {
	w.head(title)
	w.counts(all, most)
}

func (w *writer) counts(all []Count, most int) {
	for _, c := range all[:min(most, len(all))] {
		w.line("- %s: %d", text(c.Name), c.Times)
	}
	if more := len(all) - most; more > 0 {
		w.line("- and %d more", more)
	}
}

// marks are what means something in Markdown, and stands for itself in what a file or the web says.
var marks = strings.NewReplacer("\\", "\\\\", "`", "'", "<", "&lt;", "*", "\\*", "[", "\\[", "]", "\\]", "|", "\\|", "#", "\\#")

// text is what a file or the web says, in one line that means nothing else.
func text(s string) string { return marks.Replace(strings.Join(strings.Fields(sink.Plain(s)), " ")) }
