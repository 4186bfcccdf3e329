package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// measureFlags say who judges a run again.
type measureFlags struct {
	run             runFlag
	judge, labels   string
	queries         string
	weights         string
	relevant, pages string
	window          int
	shared, json    bool
	html            string
}

const measureExample = "thresher measure --run runs/quickstart --labels testdata/webs/quickstart/labels.tsv --relevant ^tea"

func measureCommand() *cobra.Command {
	var f measureFlags
	cmd := &cobra.Command{
		Use:   "measure --judge MODEL | --labels TSV | --queries TSV",
		Short: "Judge the pages of a finished crawl again, independently, or its search",
		Long: `Measure goes through what a crawl fetched, in the order it was fetched, and compares an independent judge with the crawl's
own: harvest and drift over windows of pages, and how far the two agree. Start pages are left out; redirects, errors and
failures count as fetched and not relevant.

With --labels every visited address is judged that has a line in the file (address, tab, labels); --relevant is a
regular expression for the labels that count. Precision, recall of what was fetched and F1 are told of what the first look
kept, and of what thresher winnow keeps; and F1 of all labelled pages after 5, 10, 20 and 50 % of as many were fetched, where a
page that was not fetched by then is missed. Beside them stands what could be kept at the most: F1 of a judge that learned from the
labels of four fifths of the pages, on the rest, where the run keeps pages for a second look. Addresses without a line are in no figure, and are counted apart: unless the
labelled pages are all of them or a fair sample, the figures are not fair either.

With --judge (a model that thresher train judge has made) pages are judged by their text, and so must be there. A run
over a recorded web, or one that thresher record has made, has them all. Any other run folder has only what the crawl
kept: then the judge says which of the kept pages are relevant (precision), and the harvest given for it counts every
page that was not kept as not relevant, which makes it the lowest it can be. Recall cannot be measured on a live web.

The judge must be independent. A model that was the crawl's own judge, was trained on the same material as that, or learned
from pages or hosts that the crawl fetched, is refused unless --shared-judge is given; then the notes say so.

With --queries, the search over the harvest is measured: each line of the file is a query, tab, the addresses
that answer it with spaces between them, tab, their grade (1 where none is given). It prints the mean reciprocal rank of
the first graded page, the share of graded pages among the first ten, and nDCG at ten.`,
		Example: `  ` + measureExample + `
  thresher measure --run runs/tea --judge models/tea.judge --html again.html
  ` + queriesExample,
		Args: noArguments(measureExample),
		RunE: func(cmd *cobra.Command, _ []string) error { return runMeasure(cmd, &f) },
	}
	flags := cmd.Flags()
	f.run.register(flags)
	flags.StringVar(&f.judge, "judge", "", "the `model` of a judge that was trained on other pages")
	flags.StringVar(&f.labels, "labels", "", "a `file` of labels: address, tab, labels")
	flags.StringVar(&f.relevant, "relevant", "^relevant(\t|$)", "with --labels: a regular `expression` for labels that count as relevant")
	flags.StringVar(&f.pages, "pages", "", "with --judge: a recorded web `DIR` that holds the fetched pages (default: what the run knows of)")
	flags.IntVar(&f.window, "window", 100, "pages of a window")
	flags.BoolVar(&f.shared, "shared-judge", false, "let the judge be the crawl's own, or know its pages")
	flags.StringVar(&f.queries, "queries", "", "a `file` of queries for the search: query, tab, addresses, tab, grade")
	flags.StringVar(&f.weights, "weights", "", "with --queries: a `file` of weights (see thresher help search)")
	jsonFlag(flags, &f.json)
	flags.StringVar(&f.html, "html", "", "write a report for people into this `file`")
	writes(flags, "html")
	return cmd
}

// remeasured is what --json prints.
type remeasured struct {
	Run         string            `json:"run"`
	Judge       string            `json:"judge"`   // who judged again
	Fetched     int               `json:"fetched"` // visits that cost a request, start pages left out
	Failed      int               `json:"failed"`  // of them without a page: redirects, errors, failures
	Unknown     int               `json:"unknown"` // of them that the judge could not see: in none of its figures
	Assumed     int               `json:"assumed"` // of them that the judge could not see and that count as not relevant, as they were not kept
	Window      int               `json:"window"`
	Own         measure.Figures   `json:"own"`         // by the crawl's own judge
	Independent measure.Figures   `json:"independent"` // by the other
	Agreement   measure.Agreement `json:"agreement"`   // over the pages that both have seen
	Kept        *keptFigures      `json:"kept"`        // what the first look kept, by the other judge
	Second      *keptFigures      `json:"second_look,omitempty"`
	Ceiling     *float64          `json:"ceiling,omitempty"` // with labels: F1 of a judge that learned from those of four fifths of the pages, on the rest
	Windows     []window          `json:"windows"`
	Notes       []string          `json:"notes"`

	review  measure.Review
	chinese bool // its readers are
}

// keptFigures are how rightly pages were kept, of those that were fetched and that the other judge has seen.
type keptFigures struct {
	Pages     int     `json:"pages"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`

	Reach map[string]float64 `json:"f1_of_reach,omitempty"` // with labels: F1 of all labelled pages, after so many percent of them were fetched
}

// figuresOf reads off the pages in the order in which they were fetched what was kept of them.
func figuresOf(fetched measure.Sequence, took []bool) *keptFigures {
	f := fetched.Kept(took, len(took))
	k := &keptFigures{Pages: f.Kept, Precision: f.Precision(), Recall: f.Recall(), F1: f.F1()}
	if fetched.Reach > 0 {
		k.Reach = fetched.F1OfReach(took)
	}
	return k
}

// reach tells how F1 of all that can be reached grew.
func (k *keptFigures) reach() string {
	if k.Reach == nil {
		return ""
	}
	var parts []string
	for _, share := range measure.Shares {
		parts = append(parts, fmt.Sprintf("%.3f at %d %%", k.Reach[strconv.Itoa(share)], share))
	}
	return "; of all labelled pages F1 " + strings.Join(parts, ", ")
}

// window is how both judges see the last pages before a place; null where one has no opinion.
type window struct {
	Page        int      `json:"page"`
	Own         *float64 `json:"own"`
	Independent *float64 `json:"independent"`
}

func runMeasure(cmd *cobra.Command, f *measureFlags) error {
	switch {
	case f.queries != "" && f.judge+f.labels != "":
		return usageError{"measure takes --queries, or --judge or --labels: one of them", queriesExample}
	case f.weights != "" && f.queries == "":
		return usageError{"--weights belongs to --queries", queriesExample + " --weights weights.yaml"}
	case f.queries != "":
		return measureQueries(cmd, f)
	case (f.judge == "") == (f.labels == ""):
		return usageError{"measure needs --judge MODEL, --labels TSV or --queries TSV, one of them", measureExample}
	case f.window < 1:
		return usageError{fmt.Sprintf("--window is %d, want at least 1", f.window), measureExample + " --window 500"}
	}
	ran, err := f.run.open()
	if err != nil {
		return err
	}
	second, err := f.second(ran)
	if err != nil {
		return err
	}
	defer second.close()
	m := &remeasured{Run: ran.Dir, Judge: second.name, Window: f.window, Notes: []string{}}
	if err := m.again(ran, second); err != nil {
		return err
	}
	if f.html != "" {
		if err := toFile(f.html, m.html); err != nil {
			return err
		}
	}
	if f.json {
		return jsonTo(cmd.OutOrStdout()).Encode(m)
	}
	return m.text(cmd.OutOrStdout())
}

var errNothingFetched = errors.New("the run has fetched nothing but its start pages")

// again goes through what was fetched, in order. Start pages are left out, those that lie behind a redirect too.
func (m *remeasured) again(ran *run.Run, s *second) error {
	config, err := ran.Config()
	if err != nil {
		return err
	}
	m.chinese = config.Chinese()
	folders := append([]string{ran.Dir}, ran.Parts...)
	again, err := keptAgain(folders)
	if err != nil {
		return err
	}
	truth := map[uint64]bool{} // by the other judge, of pages that both could see
	var fetched measure.Sequence
	var first, second []bool // kept by the first look, and by the second
	r, seen := &m.review, measure.Review{}
	err = ran.Log(func(d *run.Decision) bool {
		if !d.Fetched() {
			return true
		}
		if d.Via == 0 || strings.Trim(d.Hops, "R") == "" { // no order brought the crawl there
			s.leaveOut(d.URL)
			return true
		}
		own, other := measure.Irrelevant, measure.Irrelevant
		if d.Relevance != d.Relevance { // no page was judged
			m.Failed++
		} else {
			own = measure.Say(d.Decision == "keep" || d.Reason.Kind() != admit.RefusedWeak && d.Relevance >= config.Topic.Threshold)
			other = s.say(d.URL)
		}
		seen.Other = append(seen.Other, other)
		switch {
		case other != measure.Unknown:
		case s.keptOnly && d.Decision != "keep":
			m.Assumed++
			other = measure.Irrelevant
		default:
			m.Unknown++
		}
		if other != measure.Unknown {
			_, kept := again[d.ID]
			first, second = append(first, d.Decision == "keep"), append(second, kept)
			fetched.Relevant = append(fetched.Relevant, other == measure.Relevant)
			truth[d.ID] = other == measure.Relevant
		}
		r.Own, r.Other = append(r.Own, own), append(r.Other, other)
		return true
	}, run.Visits...)
	if err != nil {
		return err
	}
	if m.Fetched = len(r.Own); m.Fetched == 0 {
		return errNothingFetched
	}
	fetched.Total, fetched.Reach = s.relevant, s.labelled
	m.Kept = figuresOf(fetched, first)
	if again != nil {
		m.Second = figuresOf(fetched, second)
	}
	if s.labelled > 0 {
		if m.Ceiling, err = ceilingOf(ran.Dir, folders, truth); err != nil {
			return err
		}
	}
	strange, err := s.strange()
	if err != nil {
		return err
	}
	if strange != "" {
		m.Notes = append(m.Notes, "not independent: "+strange)
	}
	seen.Own = r.Own
	m.Own, m.Independent, m.Agreement = r.Figures(r.Own, m.Window), r.Figures(r.Other, m.Window), seen.Agreement()
	m.Notes = append(m.Notes, s.notes...)
	if m.Unknown > 0 {
		m.Notes = append(m.Notes, fmt.Sprintf("the judge could not see %d of %s: they are in none of its figures", m.Unknown, plural(m.Fetched)))
	}
	if m.Independent.Judged == m.Failed+m.Assumed {
		return fmt.Errorf("%s knows none of the %d pages that were fetched", s.name, m.Fetched-m.Failed)
	}
	for _, w := range r.Windows(m.Window, shownWindows) {
		m.Windows = append(m.Windows, window{w.Page, known(w.Own), known(w.Other)})
	}
	return nil
}

// ceilingOf is F1 of what could be kept at the most; nil where there are too few labels, or no pages to look at again.
func ceilingOf(dir string, folders []string, truth map[uint64]bool) (*float64, error) {
	folders = slices.DeleteFunc(slices.Clone(folders), func(folder string) bool { return !sink.HasLooks(folder) })
	if len(folders) == 0 {
		return nil, nil
	}
	f1, ok, err := winnow.Ceiling(dir, folders, truth)
	if err != nil || !ok {
		return nil, err
	}
	return &f1, nil
}

// shownWindows is at how many places the text and the JSON tell windows.
const shownWindows = 10

// known is a figure, or nothing where JSON has none: for NaN, and for what is infinite, as in runs of factors of a program's own.
func known(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// figures are those of the two judges.
func (m *remeasured) figures() *measure.Table {
	t := &measure.Table{Head: []string{"judge", "judged", "relevant", "harvest", "drift", fmt.Sprintf("harvest of the last %d", m.Window), "drift grew by"}}
	row := func(judge string, f *measure.Figures) {
		t.Rows = append(t.Rows, []string{judge, fmt.Sprint(f.Judged), fmt.Sprint(f.Relevant), fmt.Sprintf("%.3f", f.Harvest),
			fmt.Sprintf("%.3f", f.Drift), fmt.Sprintf("%.3f", f.Recent), fmt.Sprintf("%+.3f", f.Slope)})
	}
	row("the crawl's own", &m.Own)
	row("independent", &m.Independent)
	return t
}

// text writes the figures for a terminal.
func (m *remeasured) text(w io.Writer) error {
	fmt.Fprintf(w, "%s, judged again by %s: %s fetched, %d of them no page\n\n", m.Run, m.Judge, plural(m.Fetched), m.Failed)
	if err := m.figures().Text(w); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nof what the crawl found relevant, %.1f %% is so to the other judge too%s\n\n", 100*m.Agreement.Precision, m.kappa())
	fmt.Fprintf(w, "kept: %s\n", m.Kept.words(m.Assumed > 0))
	if m.Second != nil {
		fmt.Fprintf(w, "after the second look: %s\n", m.Second.words(m.Assumed > 0))
	}
	if m.Ceiling != nil {
		fmt.Fprintf(w, "at the most: F1 %.3f, by a judge that learned from the labels of four fifths of the pages, on the rest\n", *m.Ceiling)
	}
	fmt.Fprintln(w)
	harvest, drift := m.review.Charts(m.Window, 64, "the crawl's own judge", "independent judge")
	for _, chart := range []*measure.Chart{harvest, drift} {
		if err := chart.Text(w, 64, 10); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	for _, n := range m.Notes {
		fmt.Fprintf(w, "note: %s\n", n)
	}
	return nil
}

// words tell what was kept. Where the judge has seen nothing but what was kept, nobody knows what was missed.
func (k *keptFigures) words(blind bool) string {
	if blind {
		return fmt.Sprintf("%s, %.1f %% of them rightly", plural(k.Pages), 100*k.Precision)
	}
	return fmt.Sprintf("%s, precision %.3f, recall of what was fetched %.3f, F1 %.3f%s", plural(k.Pages), k.Precision, k.Recall, k.F1, k.reach())
}

// kappa is the agreement beyond chance, where the judge has seen what the crawl did not keep.
func (m *remeasured) kappa() string {
	if m.Assumed > 0 {
		return ""
	}
	return fmt.Sprintf("; Cohen's kappa of the two is %.3f", m.Agreement.Kappa)
}

// html writes the figures as a page for people.
func (m *remeasured) html(w io.Writer) error {
	harvest, drift := m.review.Charts(m.Window, 200, "the crawl's own judge", "independent judge")
	a := m.Agreement
	both := &measure.Table{Head: []string{"seen by both", "relevant to the other", "not relevant to it"}, Rows: [][]string{
		{"relevant to the crawl", fmt.Sprint(a.Both), fmt.Sprint(a.OwnOnly)}, {"not relevant to it", fmt.Sprint(a.OtherOnly), fmt.Sprint(a.Neither)}}}
	report := measure.Report{Title: m.title(), Facts: []measure.Fact{
		{Name: "judge", Value: m.Judge}, {Name: "pages fetched", Value: fmt.Sprint(m.Fetched)}, {Name: "of them no page", Value: fmt.Sprint(m.Failed)},
		{Name: "precision of the crawl", Value: fmt.Sprintf("%.1f %%", 100*a.Precision)},
	}, Sections: []measure.Section{
		{Title: "Harvest", Chart: harvest, Table: m.figures()}, {Title: "Drift", Chart: drift}, {Title: "Agreement", Table: both},
	}}
	if len(m.Notes) > 0 {
		notes := &measure.Table{Head: []string{"to know"}}
		for _, n := range m.Notes {
			notes.Rows = append(notes.Rows, []string{n})
		}
		report.Sections = append(report.Sections, measure.Section{Title: "Notes", Table: notes})
	}
	if m.chinese {
		report.In("zh", measureChinese)
	}
	return report.HTML(w)
}

func (m *remeasured) title() string {
	if m.chinese {
		return m.Run + "：重新判定"
	}
	return m.Run + ", judged again"
}
