package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/again"
	"github.com/thresher-crawler/thresher/focus/opinion"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/study"
)

// inWords says in one sentence what became of an address: why it was kept or not, which look decided, and how it was found.
func inWords(r *run.Run, y run.Why, later afterwards) string {
	said := ""
	switch y.Fate {
	case run.FateWaiting:
		said = "Not visited yet: it waits in the frontier"
	case run.FateGivenUp:
		said = "Not visited: its selection found others more promising"
	case run.FateElsewhere:
		said = fmt.Sprintf("Visited by a machine elsewhere (%s)", y.Reason.Sentence())
	case run.FateRefused:
		return fmt.Sprintf("Never let in, because %s; %s.", y.Reason.Sentence(), foundLine(y))
	default:
		said = visitLine(r, y, later)
	}
	if said += "; " + foundLine(y) + "."; y.Moved != "" {
		said += " It has moved to " + y.Moved + "."
	}
	return said
}

// afterwards is what later looks at a run say of a page that was visited.
type afterwards struct {
	second       sink.Again
	looked, kept bool
}

// afterVisit is how it ended with an address.
func afterVisit(r *run.Run, y run.Why) (end afterwards) {
	if y.Visit == nil {
		return end
	}
	later, err := keptAgain(append([]string{r.Dir}, r.Parts...))
	end.looked = err == nil && later != nil
	end.second, end.kept = later[y.Visit.ID]
	return end
}

// harvested tells whether a page is kept now.
func (e afterwards) harvested(y run.Why) bool { return e.kept || !e.looked && y.Fate == run.FateKept }

// since says what later looks have changed.
func (e afterwards) since(y run.Why) string {
	switch first := y.Fate == run.FateKept; {
	case first && !e.harvested(y):
		return "; it has left the harvest since"
	case !first && e.harvested(y):
		return "; it has come into the harvest since"
	}
	return ""
}

// visitLine says why a page that was visited is kept or not.
func visitLine(r *run.Run, y run.Why, later afterwards) string {
	v, threshold := y.Visit, math.NaN()
	if config, err := r.Config(); err == nil && config.Topic.Threshold > 0 {
		threshold = config.Topic.Threshold
	}
	takes := takesNow(r.Dir, threshold)
	second, kept, looked := later.second, later.kept, later.looked
	if label, decided := labelLine(r, y, kept, second.Second <= takes); looked && decided {
		return label
	}
	first := y.Fate == run.FateKept
	if looked && !kept && first {
		if out, err := again.TookOut(r.Dir, v.URL); err == nil && out != nil {
			return fmt.Sprintf("Not kept any more, because a visit on %s found that %s; before that it was kept: it %s, %.2f by the first look%s",
				out.Time.Format("2006-01-02"), out.Reason.Sentence(), speaksOf(v), v.Relevance, against(threshold))
		}
	}
	said, heard := modelOn(r, v, kept)
	switch {
	case looked && kept && second.Gone != "":
		return fmt.Sprintf("Gone: a visit on %s did not find it any more, and its record stays: it %s, %.2f by the first look%s",
			dayOf(second.Gone), speaksOf(v), v.Relevance, against(threshold))
	case math.IsNaN(v.Relevance) || !first && y.Reason != admit.RefusedWeak:
		return fmt.Sprintf("Not kept, because %s", reasonLine(y))
	case looked && !kept && isList(r, v.ID):
		return fmt.Sprintf("Not kept in the end, because it says hardly anything of the topic but what kept pages say that it leads to (duplicates: keep keeps such lists): it %s, %.2f by the first look%s",
			speaksOf(v), v.Relevance, against(threshold))
	case heard && looked && kept && !first:
		return fmt.Sprintf("Kept, though the first look had found %.2f%s, because the model %s said that it is of the topic (%s): it %s", v.Relevance, against(threshold), said.Model, said.Reason, speaksOf(v))
	case heard && looked && !kept && first:
		return fmt.Sprintf("Not kept in the end, because the second look or the model %s (%s) took it out, though the first one had found %.2f%s: it %s", said.Model, said.Reason, v.Relevance, against(threshold), speaksOf(v))
	case looked && kept && !first:
		return fmt.Sprintf("Kept, though the first look had found %.2f, because the second one, which knows the whole crawl, gave it %.2f%s: it %s",
			v.Relevance, second.Second, against(takes), speaksOf(v))
	case looked && !kept && first:
		now := ""
		if takes != threshold && !math.IsNaN(takes) {
			now = fmt.Sprintf(" now that it takes %.2f", takes)
		}
		return fmt.Sprintf("Not kept in the end, because the second look, which knows the whole crawl, took it out%s, though the first one had found %.2f%s: it %s",
			now, v.Relevance, against(threshold), speaksOf(v))
	case first && second.Second > 0:
		return fmt.Sprintf("Kept, because it %s: %.2f by the first look and %.2f by the second%s", speaksOf(v), v.Relevance, second.Second, against(takes))
	case first:
		return fmt.Sprintf("Kept, because it %s: %.2f by the first look%s", speaksOf(v), v.Relevance, against(threshold))
	case looked:
		return fmt.Sprintf("Not kept, because it %s: %.2f by the first look%s, and the second did not take it in", speaksOf(v), v.Relevance, against(threshold))
	}
	return fmt.Sprintf("Not kept, because it %s: %.2f by the first look%s", speaksOf(v), v.Relevance, against(threshold))
}

// reasonLine is the reason of a page that was visited and is not kept. Of one that leads on it says where, and why nobody went there.
func reasonLine(y run.Why) string {
	on := y.Onward
	switch {
	case on == nil:
		return y.Reason.Sentence()
	case on.Reason == "":
		return "it leads on to " + page.Readable(on.URL)
	case on.Reason.Kind() == admit.RefusedRedirects && on.URL == y.Visit.URL:
		return "it leads back to itself"
	}
	return fmt.Sprintf("it leads on to %s, which was refused: %s", page.Readable(on.URL), on.Reason.Sentence())
}

// takesNow is the relevance from which the last second look at a run keeps a page: the threshold, unless it was cut otherwise since.
func takesNow(dir string, threshold float64) float64 {
	if f, err := run.ReadFigures(dir); err == nil && f.Look != nil && f.Look.From > 0 {
		return f.Look.From
	}
	return threshold
}

// isList tells whether the last second look has left a page out as a list of kept ones.
func isList(r *run.Run, id uint64) bool {
	return slices.ContainsFunc(append([]string{r.Dir}, r.Parts...), func(dir string) bool {
		f, err := run.ReadFigures(dir)
		return err == nil && f.Look != nil && slices.Contains(f.Look.Lists, id)
	})
}

// labelLine says of a page that a later look has moved that somebody's label did it; decided is false where it did not. Of one that came
// in and is more relevant than it must be the label only agrees with the look.
func labelLine(r *run.Run, y run.Why, kept, barely bool) (said string, decided bool) {
	v, first := y.Visit, y.Fate == run.FateKept
	if !first && !kept || kept && !barely {
		return "", false
	}
	for _, dir := range append([]string{r.Dir}, r.Parts...) {
		path := filepath.Join(dir, "labels.tsv")
		labels, err := study.ReadLabels(path)
		if err != nil { // winnow tells what is wrong with it
			continue
		}
		for _, l := range labels {
			if l.Address != v.URL || l.Relevant != kept {
				continue
			}
			if kept {
				return fmt.Sprintf("Kept, because %s says that it is relevant, though the first look had found %.2f: it %s", path, v.Relevance, speaksOf(v)), true
			}
			return fmt.Sprintf("Not kept in the end, because %s says that it is not relevant, though the first look had found %.2f: it %s", path, v.Relevance, speaksOf(v)), true
		}
	}
	return "", false
}

// modelOn is what a model said of a page, where that goes with what became of it.
func modelOn(r *run.Run, v *run.Decision, kept bool) (said opinion.Opinion, heard bool) {
	for _, dir := range append([]string{r.Dir}, r.Parts...) {
		if said, heard = opinion.Last(filepath.Join(dir, opinion.FileCache), v.URL); heard {
			break
		}
	}
	return said, heard && said.Relevant == kept
}

// dayOf is the day of a time as a record says it.
func dayOf(at string) string { day, _, _ := strings.Cut(at, "T"); return day }

// against names the threshold, where it is known.
func against(threshold float64) string {
	if math.IsNaN(threshold) {
		return ""
	}
	return fmt.Sprintf(", where it takes %.2f", threshold)
}

// speaksOf says which of the topic's words a page has, those that count most first.
func speaksOf(v *run.Decision) string {
	const most = 4
	words := v.Words
	switch {
	case len(words) == 0:
		return "has none of the topic's words"
	case len(words) > most:
		return fmt.Sprintf("speaks of %s and %d more of the topic's words", strings.Join(words[:most], ", "), len(words)-most)
	case len(words) == 1:
		return "speaks of " + words[0]
	}
	return "speaks of " + strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// foundLine says how an address was found.
func foundLine(y run.Why) string {
	n, start := len(y.Trail), "the start page"
	switch {
	case n < 2 && y.Again:
		return "a round of --again came to it"
	case n < 2:
		return "it is a start page"
	case y.Again:
		start = "the page"
	}
	by := "a link"
	if anchor := clip(y.Trail[n-1].Anchor, 40); anchor != "" {
		by = "the link “" + anchor + "”"
	}
	if n == 2 {
		return fmt.Sprintf("it was found by %s on %s %s", by, start, page.Readable(y.Trail[0].URL))
	}
	return fmt.Sprintf("it was found by %s, %d links from %s %s", by, n-1, start, page.Readable(y.Trail[0].URL))
}
