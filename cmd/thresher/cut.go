package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus"
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

// judgedPages are the pages of verdicts, and the errors of those that could not be had.
func judgedPages(verdicts []focus.Verdict) (pages []judgedPage, errs error) {
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
func (f *judgeFlags) printSeveral(cmd *cobra.Command, verdicts []focus.Verdict) error {
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
