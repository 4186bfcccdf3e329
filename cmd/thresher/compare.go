package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/compare"
)

// compareFlags are what the flags of compare say.
type compareFlags struct {
	o         compare.Options
	budget    string
	judge     string
	start     string
	set       []string
	json      bool
	wide      bool
	csv, html string
	fetched   string
}

const compareExample = "thresher compare --web testdata/webs/quickstart --strategy shark,breadth"

func compareCommand() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare --web DIR",
		Short: "Measure strategies on recorded webs, by the labels of the webs",
		Long: `Compare crawls recorded webs with several strategies and measures what each finds, by the labels of the webs and never by
the crawler's own score. Start pages and drawn examples are not counted; only links to pages of the web are offered, unless
--dead-links is given. A page without a label counts as not relevant, or not at all where the web.yaml says 'unlabelled: unknown';
how many these are is told.

focus is the area under the recall curve, on a scale from a random crawl (0) to one that knows the labels of all pages
two links ahead (1); the random crawl is the mean of a hundred. With --budget all of them are measured over as many fetches, and what
would be told of a larger share of the reach is left out; with --dead-links and --as-crawl those two meet the links that leave the web,
too (but wait for no host, and know no robots.txt). The interval is a 95 % bootstrap over the topics; p is how likely a lead over the baseline is by
chance (sign-flip test, corrected for the number of strategies).

What has nothing to do with strategies is left out: links that leave the web, redirects, robots.txt, traps, copies of pages, files
that are no pages, and the time that hosts are given. With --as-crawl nothing is: each crawl is that of 'thresher crawl' over the
web with the topic, page by page, and each fetch counts whatever came of it, up to as many as there are pages that can be reached
(--budget). --fetched FILE lists what was fetched.

Crawls visit one page after the other and wait for no host, so that strategies alone differ. With --manners they visit as a
crawl file has it that says nothing of manners: a second between two pages of a host, many hosts at a time. Other pages come first
then, and it is told how many relevant pages an hour brings.

--set gives a key another value for all strategies; with several values it tries each of them, as a strategy of its own in
the tables: --set topic.threshold=0.2,0.3,0.4. Keys of the strategy are strategy.select,
strategy.full, strategy.admit.tunnel.depth and, in the tree, strategy.rank.PART.KEY: PART is the name of a part or the factor it uses,
KEY its weight or a parameter (strategy.rank.inherited.decay). A strategy without such a part stays as it is. The start
table of sites is a key, too: --set 'sites=[{site: tea.example, weight: 0.9}]'.
With --tune WEB --show WEB the best variant is chosen on the first web and shown on the second, next to the unchanged strategy.

Judges that must be trained (trained, classifier) learn from --train WEB or WEB:TOPIC, never from the topic that is
shown nor from a host it is crawled on; WEB alone means its topic with the same name as the one shown, or as the last word
of that after a slash. Judges without material are skipped, and the report says which. A web without labels is labelled by the model given
with --judge-model, which is refused where all webs have some. It must be independent: a model that learned from pages or hosts of the web, or that is the crawl's
own judge or was trained on the same material, is refused unless --shared-judge is given, and then the report says so.

Ctrl-C ends it: of the topics that were measured until then all is told, and the exit code is 1.

Each page of a web is read once for all strategies, and split into words once for all that split alike. cpu_ms includes the
splitting as if each crawl had done it itself, but not the reading of the pages.

With --json stdout is one object: cells[] (one for each web, topic and strategy; draws averaged) with web, topic,
strategy, reachable, relevant, fetched, auc, focus, recall and harvest (keyed 5, 10, 20, 50: percent of the reach,
as far as the budget goes),
recall_100 (after the first hundred pages), hosts (those of which a relevant page was found, keyed as recall) and relevant_hosts (of how
many), with --manners per_hour (relevant pages per hour of virtual time, keyed the same), kept (pages, precision (null where nothing was kept) and recall of the fetched pages, f1, f1_of_reach at the same shares, and differ: verdicts that are not the
baseline's, null where that was not measured), with --second-look second_look (the same, in and out: pages moved; agreement; stood: crawls whose first look stands;
labelled: the same again with the answers of --labels, whose pages are in no sum; ceiling: F1 of a judge that learned from the labels of four fifths of the pages, on the rest), drift, windowed (harvest of the last 100 pages), r_precision (harvest after as many pages as are relevant), pages_to_50,
pages_to_90 (0: in one of the draws at least it never came to that), oracle, oracle2, random, breadth, cpu_ms, bytes, and curve, optimum and chance (recall at each hundredth of
the reach, of the strategy, the two-step oracle and a random crawl); means[] with strategy, cells, auc, focus, focus_low, focus_high, recall, harvest, worst (the topic
of the least focus), the same of pages, hosts and hours, kept, second_look, left_out
(with --leave-out: terms, focus, median and worst of what is gained or lost without one of a topic's terms), cpu_ms, lead, p, claim; skipped[] with what and reason;
baseline; judge and tuned where there are any.`,
		Example: `  ` + compareExample + `
  thresher compare --web testdata/webs/quickstart --topic tea --examples 5 --draws 3 --html report.html
  thresher compare --web testdata/webs/quickstart --budget 20% --json
  thresher compare --tune testdata/webs/small --show testdata/webs/quickstart --strategy shark --set strategy.rank.inherited.decay=0.3,0.5,0.8`,
		Args: noArguments(compareExample),
		RunE: func(cmd *cobra.Command, _ []string) error { return runCompare(cmd, &f) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.o.Webs, "web", nil, "a recorded web `DIR`; may be repeated")
	flags.StringSliceVar(&f.o.Tune, "tune", nil, "instead of --web: choose the best variant on this web `DIR`; may be repeated")
	flags.StringSliceVar(&f.o.Show, "show", nil, "… and measure it on this web `DIR`; may be repeated")
	flags.StringSliceVar(&f.o.Topics, "topic", nil, "only these topics of the webs")
	flags.StringSliceVar(&f.o.Strategies, "strategy", nil, "strategies: names or paths (default: all built-in ones)")
	flags.StringVar(&f.o.Baseline, "baseline", "", "the strategy that the others are tested against (default: the first)")
	flags.StringVar(&f.budget, "budget", "100%", "pages each crawl may fetch: a number, or a share of those that can be reached")
	flags.IntVar(&f.o.Examples, "examples", 0, "example pages drawn for each topic")
	flags.IntVar(&f.o.Draws, "draws", 1, "how often examples, and everything else that is random, are drawn")
	flags.IntVar(&f.o.Depth, "depth", 0, "links from the start pages; 0: any")
	flags.IntVar(&f.o.Jobs, "jobs", 0, "crawls at the same time; 0: one per processor")
	flags.Uint64Var(&f.o.Seed, "seed", 1, "what everything random is drawn from")
	flags.BoolVar(&f.o.SecondLook, "second-look", false, "also measure what a second look at all fetched pages keeps, and the best that could be reached")
	flags.IntVar(&f.o.Labels, "labels", 0, "with --second-look: measure it once more with the web's labels for the `N` pages that label would ask about")
	flags.BoolVar(&f.o.LeaveOut, "leave-out", false, "try each topic again without each of its terms, and show what is lost")
	flags.BoolVar(&f.o.DeadLinks, "dead-links", false, "also offer links that leave the web; each costs a fetch")
	flags.BoolVar(&f.o.AsCrawl, "as-crawl", false, "crawl exactly as 'crawl --web' does: nothing is left out to be fair")
	flags.BoolVar(&f.o.Manners, "manners", false, "give hosts the time that a crawl file gives them that says nothing of it, and tell relevant pages per hour")
	flags.IntVar(&f.o.Starts, "starts", 0, "draw `N` start pages from the web in the place of the topic's; with --draws, each time others")
	flags.StringVar(&f.start, "start", "seeds", "start at the `seeds` of the topic, or also at the drawn examples (examples)")
	flags.StringVar(&f.judge, "judge", "own", "judge with each strategy's `own` judge, with the same one for all (same), or learn from the web's labels, as from a perfect judge (labels)")
	flags.StringArrayVar(&f.set, "set", nil, "set `KEY=VALUE` for all of them, or try KEY=VALUE,VALUE; may be repeated")
	flags.StringArrayVar(&f.o.Train, "train", nil, "train judges that need it on `WEB[:TOPIC]`; may be repeated")
	flags.StringVar(&f.o.Model, "judge-model", "", "a trained judge, in a `file`, for webs without labels")
	flags.BoolVar(&f.o.Shared, "shared-judge", false, "allow a judge that is the crawls' own, or that has seen their pages")
	jsonFlag(flags, &f.json)
	flags.BoolVar(&f.wide, "wide", false, "all columns of the tables, which take more than 80; --csv, --html and --json have them all, too")
	flags.StringVar(&f.csv, "csv", "", "write the cells as a table into this `file`")
	flags.StringVar(&f.html, "html", "", "write a report for people into this `file`")
	flags.StringVar(&f.fetched, "fetched", "", "write what each crawl fetched, in its order, into this `file`, as a table")
	writes(flags, "csv", "html", "fetched")
	return cmd
}

func runCompare(cmd *cobra.Command, f *compareFlags) error {
	if err := f.complete(); err != nil {
		return err
	}
	for _, path := range []string{f.csv, f.html, f.fetched} {
		if err := writable(path); err != nil {
			return err
		}
	}
	begin := time.Now()
	f.o.Say = func(what string) { fmt.Fprintf(cmd.ErrOrStderr(), "%6.1fs  %s\n", time.Since(begin).Seconds(), what) }
	var visits []compare.Fetch
	if f.fetched != "" {
		f.o.Fetched = func(v compare.Fetch) { visits = append(visits, v) }
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), endings()...)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends it at once
	result, err := compare.Run(ctx, f.o)
	var misuse compare.Misuse
	switch {
	case errors.As(err, &misuse):
		return usageError{misuse.Error(), compareExample}
	case ctx.Err() != nil && err != nil:
		return errors.New("interrupted before anything was measured that could be told")
	case err != nil:
		return err
	}
	if err := f.tell(cmd, result, visits); err != nil || ctx.Err() == nil {
		return err
	}
	return errors.New("interrupted: all is told of the topics that were measured until then; measure the others with --topic")
}

// tell writes what was measured.
func (f *compareFlags) tell(cmd *cobra.Command, result *compare.Result, visits []compare.Fetch) error {
	if f.csv != "" {
		if err := toFile(f.csv, result.CSV); err != nil {
			return err
		}
	}
	if f.html != "" {
		if err := toFile(f.html, result.HTML); err != nil {
			return err
		}
	}
	if f.fetched != "" {
		if err := toFile(f.fetched, func(w io.Writer) error { return compare.WriteFetched(w, visits) }); err != nil {
			return err
		}
	}
	if f.json {
		return jsonTo(cmd.OutOrStdout()).Encode(result)
	}
	return result.Text(listOn(cmd.OutOrStdout(), f.wide), f.wide)
}

// complete reads the flags that are words.
func (f *compareFlags) complete() error {
	if len(f.o.Webs)+len(f.o.Tune)+len(f.o.Show) == 0 {
		return usageError{"compare needs a recorded web", compareExample}
	}
	if len(f.o.Strategies) == 0 {
		config := focus.Default()
		f.o.Strategies = config.Strategies()
	}
	if err := f.readBudget(); err != nil {
		return err
	}
	switch f.judge {
	case "own":
		f.o.OwnJudge = true
	case "same":
	case "labels":
		f.o.OwnJudge, f.o.ByLabels = true, true
	default:
		return usageError{fmt.Sprintf("--judge %s: want own, same or labels", f.judge), compareExample + " --judge same"}
	}
	switch f.start {
	case "seeds":
	case "examples":
		f.o.AtExamples = true
		if f.o.Examples == 0 {
			return usageError{"--start examples needs examples to be drawn", compareExample + " --start examples --examples 10"}
		}
	default:
		return usageError{fmt.Sprintf("--start %s: want seeds or examples", f.start), compareExample + " --start examples --examples 10"}
	}
	for _, pair := range f.set {
		choice, err := compare.ReadChoice(pair)
		if err != nil {
			return usageError{"--set " + err.Error(), compareExample + " --set topic.threshold=0.3,0.4"}
		}
		f.o.Set = append(f.o.Set, choice)
	}
	for flag, n := range map[string]int{"--examples": f.o.Examples, "--depth": f.o.Depth, "--jobs": f.o.Jobs, "--starts": f.o.Starts} {
		if n < 0 {
			return usageError{fmt.Sprintf("%s is %d, want 0 or more", flag, n), compareExample}
		}
	}
	if f.o.Draws < 1 {
		return usageError{fmt.Sprintf("--draws is %d, want at least 1", f.o.Draws), compareExample}
	}
	return nil
}

func (f *compareFlags) readBudget() error {
	wrong := usageError{fmt.Sprintf("--budget %s: want a number of pages, or a share such as 20%%", f.budget), compareExample + " --budget 20%"}
	if share, ok := strings.CutSuffix(f.budget, "%"); ok {
		x, err := strconv.ParseFloat(share, 64)
		if err != nil || !(0 < x && x <= 100) {
			return wrong
		}
		if x < 100 {
			f.o.Share = x / 100
		}
		return nil
	}
	n, err := strconv.Atoi(f.budget)
	if err != nil || n <= 0 {
		return wrong
	}
	f.o.Pages = n
	return nil
}

// writable tells before the work what would be told after it: that a file cannot be written. A file that is there stays as
// it is; no path is no file.
func writable(path string) error {
	if path == "" {
		return nil
	}
	_, before := os.Stat(path)
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	if before != nil {
		defer os.Remove(path)
	}
	return file.Close()
}

// toFile writes a file, or says which could not be written.
func toFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		file.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	return file.Close()
}
