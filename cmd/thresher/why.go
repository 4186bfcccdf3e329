package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
)

func whyCommand() *cobra.Command {
	var ran runFlag
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "why URL",
		Short: "Explain how a run reached an address, why it scored as it did, and what became of it",
		Long: `Why answers three questions about an address, from the log of a run: how we got there, why its link was ranked as it
was, and what became of it. It works while the crawl goes on. Of an address that the run has never heard of it exits 1.

With --json fate is what became of the address when it was visited, and in_harvest whether it is kept now, after all later looks.`,
		Example: `  thresher why https://example.org/a.html
  thresher why https://example.org/a.html --run runs/quickstart --json`,
		Args: oneArgument("URL", "thresher why https://example.org/a.html --run runs/quickstart"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if page.Host(args[0]) == "" {
				return usageError{fmt.Sprintf("%q is not an address", args[0]), "thresher why https://example.org/a.html --run runs/quickstart"}
			}
			r, w, err := whyOf(cmd, &ran, args[0])
			if err != nil {
				return err
			}
			if asJSON {
				if err := jsonTo(cmd.OutOrStdout()).Encode(whyObject(r, w)); err != nil {
					return err
				}
			}
			if w.Fate == run.FateUnknown {
				return errUnknown(r, w)
			}
			if !asJSON {
				printWhy(cmd.OutOrStdout(), r, w)
			}
			return nil
		},
	}
	ran.registerShared(cmd.Flags())
	jsonFlag(cmd.Flags(), &asJSON)
	return cmd
}

// whyOf asks a run for an address, and Redis where machines share the crawl and no folder here says anything of it.
func whyOf(cmd *cobra.Command, ran *runFlag, address string) (r *run.Run, w run.Why, err error) {
	if !ran.isShared() {
		if r, err = ran.read(cmd); err == nil {
			w, err = r.Why(address)
		}
		return r, w, err
	}
	s, err := ran.shared(cmd)
	if err != nil {
		return nil, w, err
	}
	defer s.Close()
	if r, err = s.Run(); err != nil {
		return r, w, err
	}
	if w.Fate = run.FateUnknown; len(r.Parts) > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "reading %s\n", strings.Join(r.Parts, ", "))
		w, err = r.Why(address)
	} else {
		fmt.Fprintf(cmd.ErrOrStderr(), "there is nothing below %s here: Redis is asked, which knows what waits and what was visited\n", r.Dir)
	}
	if err == nil && w.Fate == run.FateUnknown {
		w, err = s.Why(cmd.Context(), address)
	}
	return r, w, err
}

// errUnknown: the run has never heard of an address.
func errUnknown(r *run.Run, y run.Why) error {
	unless := ""
	if len(r.Parts) == 0 && r.Standing.Name == "" { // no folder is here that would say what was refused
		unless = ", or it was refused"
	}
	return fmt.Errorf("%s is not known to this run: no page that was fetched links to it%s", y.Address, unless)
}

// printWhy prints three short answers.
func printWhy(w io.Writer, r *run.Run, y run.Why) {
	later := afterVisit(r, y)
	fmt.Fprintf(w, "%s\n\n", inWords(r, y, later))
	fmt.Fprintln(w, "how we got there")
	for i, h := range y.Trail {
		fmt.Fprintf(w, "  %s%s\n", strings.Repeat("  ", min(i, 12)), hopLine(h, i, len(y.Trail), y.Again))
	}
	fmt.Fprintln(w, "\nwhy it ranked so")
	printRank(w, r, y)
	fmt.Fprintf(w, "\nwhat became of it\n  %s%s\n", fateLine(y), later.since(y))
}

func hopLine(h run.Hop, i, of int, again bool) string {
	line := page.Readable(h.URL)
	if h.Anchor != "" {
		line = "“" + clip(h.Anchor, 40) + "” " + line
	}
	var facts []string
	if i == 0 && !again {
		facts = append(facts, "start page")
	}
	if !math.IsNaN(h.Score) {
		facts = append(facts, fmt.Sprintf("score %.3f", h.Score))
	}
	if !math.IsNaN(h.Relevance) && (i < of-1 || i == 0) {
		facts = append(facts, fmt.Sprintf("relevance %.2f", h.Relevance))
	}
	if len(facts) > 0 {
		line += "  (" + strings.Join(facts, ", ") + ")"
	}
	return line
}

func printRank(w io.Writer, r *run.Run, y run.Why) {
	numbers, words := numbersAndWords(y)
	switch {
	case y.Fate == run.FateRefused:
		fmt.Fprintln(w, "  it was not ranked: it was refused before")
	case len(numbers) == 0 && y.Chosen != "": // no page links to it: its selection made it up
	case len(numbers) == 0 && y.Again:
		fmt.Fprintln(w, "  what rounds of --again visit by themselves is not ranked")
	case len(numbers) == 0:
		fmt.Fprintln(w, "  start pages are not ranked: they come first")
	default:
		takeApart(w, r, numbers)
		if len(words) > 0 {
			fmt.Fprintf(w, "  words around the link: %s\n", strings.Join(words, ", "))
		}
	}
	if y.Chosen != "" {
		fmt.Fprintf(w, "  %s\n", y.Chosen)
	}
}

// takeApart takes the score of a link apart.
func takeApart(w io.Writer, r *run.Run, numbers []float32) {
	if r.Strategy == nil {
		fmt.Fprintf(w, "  its score cannot be taken apart: %v\n", r.Unknown)
		return
	}
	for line := range strings.Lines(r.Strategy.Explain(numbers)) {
		fmt.Fprint(w, "  ", line)
	}
}

func numbersAndWords(y run.Why) ([]float32, []string) {
	var words []string
	if y.Link != nil {
		words = y.Link.Words
	}
	if y.Visit != nil {
		return y.Visit.Numbers, words
	}
	if y.Link == nil {
		return nil, nil
	}
	return y.Link.Numbers, words
}

func fateLine(y run.Why) string {
	v := y.Visit
	switch y.Fate {
	case run.FateKept:
		return fmt.Sprintf("kept on %s: relevance %.2f%s", v.Time.Format("2006-01-02 15:04:05"), v.Relevance, termsLine(v))
	case run.FateWaiting:
		if y.Reason != "" {
			return fmt.Sprintf("it waits in the frontier (%s)", y.Reason.Sentence())
		}
		return "it waits in the frontier"
	case run.FateElsewhere:
		return fmt.Sprintf("a machine elsewhere has visited it: %s", y.Reason)
	case run.FateGivenUp:
		return "it was given up without a visit: its selection found others more promising"
	case run.FateRefused:
		return fmt.Sprintf("refused: %s", y.Reason.Sentence())
	}
	line := fmt.Sprintf("not kept: %s", reasonLine(y))
	if !math.IsNaN(v.Relevance) {
		line += fmt.Sprintf("; relevance %.2f%s", v.Relevance, termsLine(v))
	}
	return line
}

func termsLine(v *run.Decision) string {
	if len(v.Words) == 0 {
		return "; none of the topic's words"
	}
	return "; words: " + strings.Join(v.Words, ", ")
}

// whyObject is the answer of why as one JSON object.
func whyObject(r *run.Run, y run.Why) map[string]any {
	o := map[string]any{"url": y.Address, "fate": y.Fate}
	if y.Fate == run.FateUnknown {
		return o
	}
	trail := make([]map[string]any, len(y.Trail))
	for i, h := range y.Trail {
		trail[i] = map[string]any{"url": h.URL, "anchor": h.Anchor, "score": known(h.Score), "relevance": known(h.Relevance)}
	}
	later := afterVisit(r, y)
	o["trail"], o["sentence"] = trail, inWords(r, y, later)
	if y.Reason != "" {
		o["reason"] = y.Reason
	}
	if y.Again {
		o["again"] = true
	}
	numbers, words := numbersAndWords(y)
	if r.Strategy == nil {
		o["score_unknown"], o["words"] = r.Unknown.Error(), words
	} else if nodes := r.Strategy.Nodes(); len(nodes) == len(numbers) {
		tree := make([]map[string]any, len(nodes))
		for i, n := range nodes {
			tree[i] = map[string]any{"name": n.Name, "use": n.Use, "depth": n.Depth, "weight": n.Weight, "value": known(float64(numbers[i]))}
			if n.Over != "" {
				tree[i]["over"] = n.Over
			}
		}
		o["score"], o["words"] = tree, words
	}
	if y.Onward != nil {
		o["leads_to"] = y.Onward.URL
		if y.Onward.Reason != "" {
			o["refused_there"] = y.Onward.Reason
		}
	}
	if y.Moved != "" {
		o["moved_to"] = y.Moved
	}
	if y.Chosen != "" {
		o["chosen"] = y.Chosen
	}
	if y.Visit != nil {
		o["in_harvest"] = later.harvested(y)
		o["status"], o["relevance"], o["terms"] = y.Visit.Status, known(y.Visit.Relevance), append([]string{}, y.Visit.Words...)
	}
	return o
}
