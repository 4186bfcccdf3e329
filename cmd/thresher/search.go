package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/index"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// searchFlags say how results are shown.
type searchFlags struct {
	collectionFlags
	top, from         int
	sort              string
	why, facets, json bool
}

const searchExample = `thresher search runs/quickstart "sailing regatta"`

func searchCommand() *cobra.Command {
	var f searchFlags
	cmd := &cobra.Command{
		Use:   `search [RUN...] "QUERY"`,
		Short: "Search a harvest",
		Long: `Search looks through the pages that one run or several have kept (the newest run where none is named), in Chinese and
English. The index beside the harvest is brought up to date first.

A query is words, all of which a page should have; where too few pages have them all, pages with some follow. Besides:
  "a phrase"          its words stand side by side in the page, in any form, stop words and all
  -word  -"a phrase"  does not
  site:example.com    on this site or below it       lang:zh   in this language
  after:2024-05-31    the page states this date or a later one; before:, year:2024
  kind:hub            a page of links; kind:text
  price:>10           a value that was taken from the page, or set by a program; price:5..20, maker:lipton`,
		Example: "  " + searchExample + "\n" + `  thresher search runs/a runs/b '旅游 -广告 after:2024' --sort date
  thresher search 'site:example.com "heat pump"' --why --json`,
		Args: runsAndQuery(searchExample),
		RunE: func(cmd *cobra.Command, args []string) error { return search(cmd, &f, args) },
	}
	f.register(cmd.Flags())
	cmd.Flags().IntVar(&f.top, "top", 10, "show `N` results")
	cmd.Flags().IntVar(&f.from, "from", 0, "leave out the first `N`")
	cmd.Flags().StringVar(&f.sort, "sort", string(index.Best), "best or date: the latest that pages state first")
	cmd.Flags().BoolVar(&f.why, "why", false, "take the score of each result apart")
	cmd.Flags().BoolVar(&f.facets, "facets", false, "count the results by site, language, year and kind")
	jsonFlag(cmd.Flags(), &f.json)
	return cmd
}

func search(cmd *cobra.Command, f *searchFlags, args []string) error {
	switch {
	case f.top < 1 || f.top > 1000:
		return usageError{fmt.Sprintf("--top is %d, want 1 to 1000", f.top), searchExample + " --top 20"}
	case f.from < 0:
		return usageError{fmt.Sprintf("--from is %d, want at least 0", f.from), searchExample + " --from 10"}
	case f.sort != string(index.Best) && f.sort != string(index.Date):
		return usageError{fmt.Sprintf("--sort is %q, want best or date", f.sort), searchExample + " --sort date"}
	}
	weights, err := f.read()
	if err != nil {
		return err
	}
	all, err := f.open(cmd, args[:len(args)-1])
	if err != nil {
		return err
	}
	defer all.Close()
	if err := all.made(cmd, cmd.ErrOrStderr(), false); err != nil {
		return err
	}
	q := index.ParseQuery(args[len(args)-1])
	q.Order = index.Order(f.sort)
	answer, err := index.Search(cmd.Context(), all, q, index.Ask{Offset: f.from, Limit: f.top, Weights: weights, Why: f.why, Time: time.Minute}) // nobody else waits
	if err != nil {
		return err
	}
	if f.json {
		return jsonTo(cmd.OutOrStdout()).Encode(index.NewReply(answer))
	}
	for _, note := range answer.Notes {
		fmt.Fprintln(cmd.ErrOrStderr(), note)
	}
	if answer.Meant != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "did you mean: %s\n", printable(answer.Meant))
	}
	printAnswer(cmd.OutOrStdout(), answer, f, isTerminal(cmd.OutOrStdout()), len(all) > 1)
	shown := len(answer.Hits)
	fmt.Fprintf(cmd.ErrOrStderr(), "%d of %s, %v\n", shown, plural(answer.Total), answer.Took.Round(100*time.Microsecond))
	return nil
}

func isTerminal(w io.Writer) bool {
	return terminalOf(w) != nil && os.Getenv("NO_COLOR") == ""
}

// printAnswer prints results for a person. Words that were asked for are bold on a terminal, and in [brackets] elsewhere. Of
// several runs it is said in which one a page was found.
func printAnswer(w io.Writer, a *index.Answer, f *searchFlags, bright, several bool) {
	begin, end := "[", "]"
	if bright {
		begin, end = "\x1b[1m", "\x1b[0m"
	}
	for i, h := range a.Hits {
		fmt.Fprintf(w, "%d. %s\n   %s\n", f.from+i+1, printable(h.Title), printable(page.Readable(h.URL)))
		var snippet strings.Builder
		for _, p := range h.Snippet {
			if p.Hit {
				snippet.WriteString(begin + printable(p.Text) + end)
			} else {
				snippet.WriteString(printable(p.Text))
			}
		}
		fmt.Fprintf(w, "   %s\n", snippet.String())
		if about := aboutHit(h, several); about != "" {
			fmt.Fprintf(w, "   %s\n", about)
		}
		if len(h.Data) > 0 {
			fmt.Fprintf(w, "   %s\n", printable(dataHit(h)))
		}
		for _, r := range h.Why {
			fmt.Fprintf(w, "   %s%8.4f  %s\n", strings.Repeat("  ", r.Depth), r.Value, printable(r.Name))
		}
		fmt.Fprintln(w)
	}
	if !f.facets {
		return
	}
	for n, counts := range a.Facets {
		if len(counts) == 0 {
			continue
		}
		fmt.Fprintf(w, "%s:", index.FacetNames[n])
		for _, c := range counts {
			fmt.Fprintf(w, "  %s %d", printable(c.Label), c.Pages)
		}
		fmt.Fprintln(w)
	}
}

// aboutHit is what is said of a result besides its words.
func aboutHit(h *index.Hit, several bool) string {
	var said []string
	if several {
		said = append(said, "in "+printable(h.Collection))
	}
	if h.Relevance == h.Relevance {
		said = append(said, fmt.Sprintf("relevance %.2f", h.Relevance))
	}
	if !h.Date.IsZero() {
		said = append(said, h.Date.Format(time.DateOnly))
	}
	if n := len(h.Same); n > 0 {
		said = append(said, fmt.Sprintf("%d nearly the same", n))
	}
	if h.OfSite > 0 {
		said = append(said, fmt.Sprintf("%d more from site:%s", h.OfSite, h.Host))
	}
	return strings.Join(said, " · ")
}

// dataHit are the values that a program has set on a result; long ones are cut.
func dataHit(h *index.Hit) string {
	var said []string
	for _, name := range slices.Sorted(maps.Keys(h.Data)) {
		value := []rune(string(h.Data[name]))
		if len(value) > 80 {
			value = append(value[:79], '…')
		}
		said = append(said, name+" "+string(value))
	}
	return strings.Join(said, " · ")
}

// printable is text from the web without what a terminal would obey.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if sink.Steers(r) {
			return ' '
		}
		return r
	}, s)
}
