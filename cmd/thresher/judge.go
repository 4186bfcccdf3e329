package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/probe"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// judgeFlags say by what a page is judged, and what is shown of it.
type judgeFlags struct {
	overrides
	address, model, blocks string
	json                   bool
}

func judgeCommand() *cobra.Command {
	var f judgeFlags
	cmd := &cobra.Command{
		Use:   "judge [FILE] URL|PAGE...",
		Short: "Judge pages by the topic of a crawl file, or by a trained judge",
		Long: `Judge says how relevant a page is to the topic of a crawl file, and which words said so. The page is an address (taken
from the recorded web if the crawl has one) or a file. A crawl judges the page in the same way, wherever it comes upon
it; only vsm-restricted and centroid learn from the pages that a crawl has seen. Several pages are shown in order, with
the line between those that are kept and those that are not.

With --model, a judge made by thresher train judge takes the place of the crawl file's, which may then be left out.
With --blocks the page is drawn with its blocks in colours (text, links, navigation, advertisements, related links, main
text) into an HTML file for a browser; that alone needs no crawl file either.`,
		Example: `  thresher judge configs/quickstart.yaml page.html --url https://example.org/page.html
  thresher judge solar.yaml https://example.org/ --json
  thresher judge solar.yaml pages/*.html
  thresher judge --model solar.model page.html
  thresher judge --blocks blocks.html page.html`,
		Args: func(_ *cobra.Command, args []string) error { return f.arguments(args) },
		RunE: func(cmd *cobra.Command, args []string) error { return judge(cmd, args, &f) },
	}
	f.overrides.register(cmd.Flags())
	for _, none := range []string{"store", "budget", "strategy"} {
		hide(cmd.Flags(), none)
	}
	cmd.Flags().StringVar(&f.address, "url", "", "the `address` a file is taken to come from")
	cmd.Flags().StringVar(&f.model, "model", "", "judge by the trained judge in this `file`")
	cmd.Flags().StringVar(&f.blocks, "blocks", "", "draw the page's blocks into this HTML `file`")
	writes(cmd.Flags(), "blocks")
	jsonFlag(cmd.Flags(), &f.json)
	cmd.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault) // a crawl file or a page
	return cmd
}

// split parts the crawl file from the pages. Where something else can take its place, the name says whether there is one.
func (f *judgeFlags) split(args []string) (file string, pages []string) {
	alone := f.model != "" || f.blocks != ""
	if named := strings.HasSuffix(args[0], ".yaml") || strings.HasSuffix(args[0], ".yml"); len(args) == 1 || alone && !named {
		return "", args
	}
	return args[0], args[1:]
}

// arguments are a crawl file and pages; pages alone where the crawl file has nothing to say.
func (f *judgeFlags) arguments(args []string) error {
	const several = "thresher judge configs/quickstart.yaml one.html two.html"
	if len(args) > 0 {
		switch _, pages := f.split(args); {
		case len(pages) > 1 && f.blocks != "":
			return usageError{"--blocks draws one page, not several", "thresher judge --blocks blocks.html page.html"}
		case len(pages) > 1 && f.address != "":
			return usageError{"--url says where one page comes from, not several", several}
		}
	}
	switch {
	case f.address != "" && !isWebAddress(f.address):
		return usageError{notFrom(f.address), "thresher judge configs/quickstart.yaml page.html --url https://example.org/page.html"}
	case len(args) >= 2 || len(args) == 1 && (f.model != "" || f.blocks != ""):
		return nil
	case len(args) == 1:
		return usageError{"judge takes a crawl file and a page; with --model or --blocks the page alone is enough",
			"thresher judge configs/quickstart.yaml " + shell.Word(args[0])}
	}
	return usageError{"judge takes a crawl file and a page, or several pages", "thresher judge configs/quickstart.yaml page.html"}
}

// notFrom says what is wrong with an address that no page can come from: its links would all be left out.
func notFrom(address string) string {
	return fmt.Sprintf("--url is %q, want an address that begins with http:// or https://", address)
}

// hide keeps a flag out of the help where it means nothing.
func hide(flags *pflag.FlagSet, name string) {
	if f := flags.Lookup(name); f != nil {
		f.Hidden = true
	}
}

func judge(cmd *cobra.Command, args []string, f *judgeFlags) error {
	file, pages := f.split(args)
	config, err := f.config(cmd.Flags(), file)
	if err != nil {
		return err
	}
	judged := file != "" || f.model != ""
	if !judged {
		read, err := probe.Read(config, pages[0], f.address)
		if err != nil {
			return ofPage(pages[0], err)
		}
		return f.print(cmd, read, false)
	}
	verdicts, err := probe.Judge(config, f.address, pages...)
	for i := range verdicts {
		verdicts[i].Err = ofPage(pages[i], verdicts[i].Err)
	}
	switch {
	case err != nil:
		return err
	case len(pages) > 1:
		return f.printSeveral(cmd, verdicts)
	case verdicts[0].Err != nil:
		return verdicts[0].Err
	}
	return f.print(cmd, verdicts[0], true)
}

// ofPage is the error of a page that cannot be had. A file was named wrongly; an address may answer the next time.
func ofPage(page string, err error) error {
	if crawlfile.IsAddress(page) {
		return err
	}
	return misuse(err)
}

// print prints what is said of one page.
func (f *judgeFlags) print(cmd *cobra.Command, v probe.Verdict, judged bool) error {
	if err := drawBlocks(v.Page, f.blocks); err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	switch {
	case f.json:
		return jsonTo(out).Encode(verdictOf(v, judged))
	case judged:
		printVerdict(out, v)
	default:
		printFacts(out, verdictOf(v, judged))
	}
	if f.blocks != "" {
		fmt.Fprintf(out, "%s drawn in %s\n", run.Several(len(v.Page.Blocks), "block"), f.blocks)
	}
	return nil
}

// config is the crawl file, or one without a topic, with the judge that is to judge.
func (f *judgeFlags) config(flags *pflag.FlagSet, file string) (focus.Config, error) {
	given := f.list(flags)
	if f.model != "" {
		from := "--model " + f.model
		if _, err := topic.LoadModel(f.model); err != nil {
			want := err.Error()
			return focus.Config{}, strict.Err([]strict.Problem{{File: from, Want: want}})
		}
		given = append(given, crawlfile.Override{Key: "topic.model", Value: f.model, From: from},
			crawlfile.Override{Key: "topic.judge", Value: topic.Classifier, From: from})
	}
	if file != "" {
		return focus.Load(file, given...)
	}
	config := focus.Default()
	return config, config.Override(given...)
}

// drawBlocks draws a page's blocks into a file.
func drawBlocks(p *page.Page, file string) (err error) {
	if file == "" {
		return nil
	}
	if err := toFile(file, p.Draw); err != nil {
		return fmt.Errorf("--blocks: %w", err)
	}
	return nil
}

// verdict is what --json prints. A page that was drawn only has neither relevance nor terms.
type verdict struct {
	URL       string           `json:"url"`
	Title     string           `json:"title"`
	Language  string           `json:"language"`
	Charset   string           `json:"charset,omitempty"`
	Kind      string           `json:"kind"`
	HubRatio  float64          `json:"hub_ratio"`
	Links     int              `json:"links"`
	Relevance *float64         `json:"relevance,omitempty"`
	Raw       *float64         `json:"raw,omitempty"`
	Relevant  *bool            `json:"relevant,omitempty"`
	Terms     []topic.Evidence `json:"terms,omitzero"`
	Refused   string           `json:"refused,omitempty"`  // why a crawl does not judge it: script-only
	Warnings  []string         `json:"warnings,omitempty"` // what a person should know of the judge
}

func verdictOf(v probe.Verdict, judged bool) verdict {
	out := verdict{URL: v.FinalURL, Title: v.Page.Title, Language: v.Doc.Language, Charset: v.Charset, Kind: v.Page.Kind.String(),
		HubRatio: v.Page.HubRatio, Links: len(v.Page.Links), Refused: string(v.Refused), Warnings: v.Notes}
	if !judged {
		return out
	}
	j := &v.Judgement
	out.Relevance, out.Raw, out.Relevant, out.Terms = &j.Relevance, &j.Raw, &j.Relevant, append([]topic.Evidence{}, j.Terms...)
	return out
}

func printVerdict(w io.Writer, v probe.Verdict) {
	if v.Refused != "" {
		fmt.Fprintln(w, "not judged: "+string(v.Refused))
		printFacts(w, verdictOf(v, true))
		printNotes(w, v.Notes)
		return
	}
	word := "not relevant"
	if v.Judgement.Relevant {
		word = "relevant"
	}
	fmt.Fprintf(w, "%s: relevance %.2f (raw %.4f)\n", word, v.Judgement.Relevance, v.Judgement.Raw)
	o := verdictOf(v, true)
	printFacts(w, o)
	printNotes(w, v.Notes)
	if len(o.Terms) == 0 {
		fmt.Fprintln(w, "none of the topic's words occurs in it")
		return
	}
	fmt.Fprintln(w, "\n  what                 times   adds")
	for _, t := range o.Terms {
		pad := max(20-columns(t.Term), 0)
		fmt.Fprintf(w, "  %s%s %5d  %+.4f\n", t.Term, strings.Repeat(" ", pad), t.Count, t.Added)
	}
}

// printFacts says what kind of page it is.
func printFacts(w io.Writer, o verdict) {
	if o.Title != "" {
		fmt.Fprintln(w, clip(o.Title, 100))
	}
	language := ""
	if o.Language != "" {
		language = " in " + o.Language
	}
	fmt.Fprintf(w, "%s page%s, %s, %.0f %% of its text in links\n", o.Kind, language, links(o.Links), 100*o.HubRatio)
}
