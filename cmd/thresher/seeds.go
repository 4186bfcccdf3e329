package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/ground"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/seek"
	"github.com/thresher-crawler/thresher/focus/shell"
)

const seedsExample = "thresher seeds solar.yaml --engine searxng=https://search.example.org"

// seedsFlags bound a search for start pages, and say what becomes of what it finds.
type seedsFlags struct {
	overrides
	engines []string
	options seek.Options
	begin   string
	trial   string
	page    string
	top     int
	yes     bool
	json    bool
	quiet   bool
}

func seedsCommand() *cobra.Command {
	f := seedsFlags{options: seek.Defaults()}
	cmd := &cobra.Command{
		Use:   "seeds FILE | --try-engine ENGINE --page FILE",
		Short: "Find start pages for a topic, and write them into its crawl file",
		Long: `Seeds looks for start pages. It asks search engines for the topic's words (and then for the words of the best pages
found), and reads the directories that the crawl file names, the links of its example pages, the feeds and sitemaps of the
sites found, and the sites that were fruitful in earlier runs. The pages are judged by the topic and reduced to sites, each
sub-domain being one; each site is proposed with its evidence and a confidence, which becomes its weight in sites:. Comments
and formatting of the crawl file are preserved.

On a terminal you are asked about every proposal: y takes it, n skips it, e edits it first, a takes it and all that follow,
q quits. Elsewhere use --yes, which takes the best proposals with a confidence of at least 0.5 (what a site of which nothing
is known begins with), or --json, which prints all of them and writes nothing.

Engines are named in the crawl file (engines:) or with --engine: searxng=ADDRESS of a SearXNG instance that answers
in JSON; the address of an OpenSearch description; the path of a description of your own; or the name of a built-in
one (` + strings.Join(seek.Builtin(), ", ") + `). Result pages are made for people: robots.txt is
asked there as everywhere, and mostly says no. --try-engine tries a description on a saved page of results (from a browser,
for instance): it prints what it finds there, and fetches nothing. An engine that is busy and says when to come again
(Retry-After) is asked again then, which is said; five minutes of that in all, and it is left.

A crawl starts at the front page of a site where that is relevant; with --begin results it starts at the relevant pages
that the engines returned.`,
		Example: `  ` + seedsExample + `
  thresher seeds solar.yaml --from runs/solar --yes --top 5
  thresher seeds solar.yaml --engine my-engine.yaml --json > proposals.json
  thresher seeds --try-engine my-engine.yaml --page results.html`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.trial != "" && len(args) == 0 {
				return nil
			}
			return oneFile(seedsExample)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.trial != "" || f.page != "" {
				return tryEngine(cmd.OutOrStdout(), args, &f)
			}
			return seeds(cmd, args[0], &f)
		},
	}
	f.overrides.register(cmd.Flags())
	for _, none := range []string{"store", "budget", "strategy"} {
		hide(cmd.Flags(), none)
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.engines, "engine", nil, "a search `ENGINE` in addition to those of the crawl file; may be repeated")
	flags.StringArrayVar(&f.options.From, "from", nil, "propose sites of the earlier run in `DIR` again; may be repeated")
	flags.IntVar(&f.options.Queries, "queries", f.options.Queries, "how many questions each search engine is asked")
	flags.IntVar(&f.options.Results, "results", f.options.Results, "how many results of a question count")
	flags.IntVar(&f.options.Pages, "pages", f.options.Pages, "how many pages are fetched and judged")
	flags.StringVar(&f.begin, "begin", "site", "where a site is entered: at its front page (site) or at the `results` of the engines")
	flags.StringVar(&f.trial, "try-engine", "", "try the description of an `ENGINE` on the page given with --page")
	flags.StringVar(&f.page, "page", "", "a page of results that was saved as `FILE`")
	flags.IntVar(&f.top, "top", 10, "how many sites are proposed at most; 0: all")
	flags.BoolVar(&f.yes, "yes", false, "take the proposals without asking")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
	jsonFlag(flags, &f.json)
	return cmd
}

func seeds(cmd *cobra.Command, file string, f *seedsFlags) error {
	if err := onlyOne(cmd.Flags(), seedsExample+" --json", "yes", "json"); err != nil {
		return err
	}
	terminal, asking := cmd.InOrStdin().(*os.File)
	asking = asking && term.IsTerminal(int(terminal.Fd())) && !f.yes && !f.json
	f.options.AtResults = f.begin == "results"
	switch {
	case f.begin != "site" && f.begin != "results":
		return usageError{fmt.Sprintf("--begin is %q, want site or results", f.begin), seedsExample + " --begin results"}
	case f.options.Queries < 1 || f.options.Results < 1 || f.options.Pages < 1 || f.top < 0:
		return usageError{"--queries, --results and --pages are numbers of at least 1, and --top is not below 0", seedsExample + " --queries 8"}
	case !asking && !f.yes && !f.json:
		return usageError{"seeds asks which proposals to take, and this is no terminal; say --yes to take the best, or --json to print them",
			"thresher seeds " + shell.Word(file) + " --yes --top 10"}
	}
	report, err := findSeeds(cmd, file, f)
	if err != nil {
		return err
	}
	if f.json {
		return jsonTo(cmd.OutOrStdout()).Encode(report)
	}
	if len(report.Proposals) == 0 {
		return fmt.Errorf("no start pages were found (pages read: %d; sites without a relevant one: %d): give other terms, more engines or directories, or a lower topic.threshold", report.Pages, report.Doubtful)
	}
	var taken []seek.Proposal
	if asking {
		a := &chooser{out: cmd.OutOrStdout(), keys: keysOf(terminal), lines: newEditor(terminal, cmd.OutOrStdout())}
		if taken, err = a.choose(report.Proposals); err != nil {
			return err
		}
	} else {
		taken = believed(report.Proposals)
		for i := range taken {
			printProposal(cmd.OutOrStdout(), i+1, len(taken), &taken[i])
		}
	}
	return takeSeeds(cmd.OutOrStdout(), file, taken)
}

// tryEngine prints what the description of an engine finds on a page of results that was saved.
func tryEngine(out io.Writer, args []string, f *seedsFlags) error {
	if len(args) > 0 || f.trial == "" || f.page == "" {
		return usageError{"--try-engine and --page go together, without a crawl file", "thresher seeds --try-engine my-engine.yaml --page results.html"}
	}
	trial, err := seek.Try(f.trial, f.page)
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, new(seek.NoEngine)) {
		return misuse(err)
	}
	if err != nil {
		return err
	}
	if f.json {
		return jsonTo(out).Encode(trial)
	}
	for i, r := range trial.Results {
		fmt.Fprintf(out, "%d. %s\n   %s\n", i+1, clip(r.Title, 160), clip(r.URL, 200))
		if r.Text != "" {
			fmt.Fprintf(out, "   %s\n", clip(r.Text, 200))
		}
	}
	if len(trial.Results) == 0 {
		fmt.Fprintf(out, "%s says that it found nothing for its question\n", trial.Page)
		return nil
	}
	fmt.Fprintf(out, "results that %s finds in %s: %d\n", trial.Engine, trial.Page, len(trial.Results))
	return nil
}

// findSeeds searches, and answers the best proposals.
func findSeeds(cmd *cobra.Command, file string, f *seedsFlags) (seek.Report, error) {
	config, err := focus.Load(file, f.list(cmd.Flags())...)
	if err != nil {
		return seek.Report{}, err
	}
	config.Engines = append(config.Engines, f.engines...)
	if !f.quiet {
		f.options.Say = func(format string, args ...any) { fmt.Fprintf(cmd.ErrOrStderr(), format+"\n", args...) }
	}
	quietServers(cmd.ErrOrStderr())
	search, err := seek.New(config, f.options, ground.Options{})
	if errors.Is(err, seek.ErrNoSource) {
		return seek.Report{}, usageError{err.Error() + ": name a search engine, or directories or examples in " + file + ", or an earlier run with --from", strings.Replace(seedsExample, "solar.yaml", shell.Word(file), 1)}
	}
	if err != nil {
		return seek.Report{}, err
	}
	ctx, release := interruptible(cmd.Context(), cmd.ErrOrStderr())
	defer release()
	report, err := search.Run(ctx)
	if errors.Is(err, context.Canceled) {
		return report, errors.New("stopped; nothing was written")
	}
	if err == nil && f.quiet && !f.json {
		for _, said := range report.Troubles {
			fmt.Fprintln(cmd.ErrOrStderr(), said)
		}
	}
	if f.top > 0 {
		report.Proposals = report.Proposals[:min(f.top, len(report.Proposals))]
	}
	return report, err
}

// believed are the proposals of which more is hoped than of a site that nobody has heard of.
func believed(list []seek.Proposal) []seek.Proposal {
	for i := range list {
		if list[i].Confidence < seek.Strange {
			return list[:i]
		}
	}
	return list
}

// takeSeeds writes proposals into a crawl file.
func takeSeeds(out io.Writer, file string, taken []seek.Proposal) error {
	var pages []string
	var sites []crawlfile.SiteConfig
	for i := range taken {
		pages = append(pages, taken[i].Seeds...)
		sites = append(sites, taken[i].Row())
	}
	if len(taken) == 0 {
		fmt.Fprintf(out, "nothing was taken; %s is unchanged\n", file)
		return nil
	}
	seeds, rows, err := crawlfile.Amend(file, pages, sites)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s and %s added\n  next: thresher crawl %s\n", file, run.Several(seeds, "start page"), run.Several(rows, "site"), shell.Word(file))
	return nil
}

// shownEvidence is how many reasons a proposal is shown with.
const shownEvidence = 3

func printProposal(out io.Writer, number, of int, p *seek.Proposal) {
	fmt.Fprintf(out, "%d of %d  %s  confidence %.2f, %d of %s relevant\n", number, of, p.Site, p.Confidence, p.Relevant, plural(p.Pages))
	for _, s := range p.Seeds {
		fmt.Fprintf(out, "  begin at %s\n", clip(s, 200))
	}
	for i, e := range p.Evidence {
		if i == shownEvidence {
			fmt.Fprintf(out, "    and %d more\n", len(p.Evidence)-i)
			break
		}
		fmt.Fprintf(out, "    %s\n", clip(e.String(), 160))
	}
}

// chooser asks a person about proposals.
type chooser struct {
	out   io.Writer
	keys  keys
	lines asker
}

// choose answers the proposals that a person takes. Ctrl-C takes none.
func (c *chooser) choose(list []seek.Proposal) ([]seek.Proposal, error) {
	var taken []seek.Proposal
	for i := range list {
		p := &list[i]
		printProposal(c.out, i+1, len(list), p)
		key, err := c.key()
		if err != nil {
			return nil, err
		}
		switch key {
		case 'e':
			if err := c.edit(p); err != nil {
				return nil, err
			}
			taken = append(taken, *p)
		case 'y':
			taken = append(taken, *p)
		case 'a':
			fmt.Fprintf(c.out, "taken, with the %d that follow\n", len(list)-i-1)
			return append(taken, list[i:]...), nil
		case 'q':
			return taken, nil
		}
	}
	return taken, nil
}

// key waits for one of the answers.
func (c *chooser) key() (byte, error) {
	said := map[byte]string{'y': "taken", 'n': "not taken", 'e': "change it", 'a': "", 'q': "the end"}
	for {
		key, err := c.keys.ask(c.out, "take it? y/n/e/a/q ")
		switch {
		case err == io.EOF || err == nil && key == 4: // Ctrl-D
			key = 'q'
		case err == nil && key == 3: // Ctrl-C
			fmt.Fprintln(c.out)
			return 0, errCancelled
		case err != nil:
			return 0, fmt.Errorf("read the answer: %w", err)
		}
		if word, ok := said[key]; ok {
			if word != "" {
				fmt.Fprintln(c.out, word)
			}
			return key, nil
		}
		fmt.Fprintln(c.out, "? y: take it, n: skip it, e: change it first, a: take it and all that follow, q: quit")
	}
}

// edit lets a person change the pages and the weight of a proposal.
func (c *chooser) edit(p *seek.Proposal) error {
	for {
		line, err := c.lines.ask("start pages: ", strings.Join(p.Seeds, " "))
		if err != nil {
			return err
		}
		if wrong := notAddresses(strings.Fields(line)); wrong != "" {
			fmt.Fprintf(c.out, "%s is no address; want whole ones, with spaces between them\n", wrong)
			continue
		}
		p.Seeds = strings.Fields(line)
		break
	}
	for {
		line, err := c.lines.ask("weight (0 to 1): ", fmt.Sprintf("%.2f", p.Confidence))
		if err != nil {
			return err
		}
		if weight, err := strconv.ParseFloat(line, 64); err == nil && 0 <= weight && weight <= 1 {
			p.Confidence = weight
			return nil
		}
		fmt.Fprintln(c.out, "want a number from 0 to 1")
	}
}

// notAddresses answers the first of some words that is no address; none at all is one too.
func notAddresses(list []string) string {
	if len(list) == 0 {
		return "nothing"
	}
	for _, s := range list {
		if !isWebAddress(s) {
			return s
		}
	}
	return ""
}

func isWebAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}
