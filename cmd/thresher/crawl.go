package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/again"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/watch"
)

// crawlFlags are the flags of crawl that change the crawl file.
type crawlFlags struct {
	overrides
	fresh   bool
	again   bool
	compare string
	json    bool
	quiet   bool
	profile string
	timings bool
	follow  *crawlfile.Watch // nil where the crawl file is not followed
	round   *again.Round     // of the pages that are visited again; nil where none is
}

func crawlCommand() *cobra.Command {
	var f crawlFlags
	cmd := &cobra.Command{
		Use:   "crawl FILE",
		Short: "Harvest the pages of a topic",
		Long: `Crawl harvests the pages of the topic that a crawl file describes, and writes what it finds into a run folder
(runs/NAME, or the one given with --store). An interrupted run is continued, however it was interrupted: no page is lost,
none is kept twice. Budget, manners and sinks may have changed since, start pages may have been added and the scope may have
become wider; another topic, scope or strategy is another crawl. A finished run is continued when its budget is raised.

While it runs, crawl follows its file: a new budget, a new pace, start pages that were added and a wider scope count within
seconds. What cannot change is refused by its key, and nothing of that change counts (thresher help runs).

With --again the pages of a finished run are visited again, those first that are likeliest to have changed, as many as there is
budget for; what is new on them comes before that, and records say when a page was seen and when it changed (thresher help again).

Ctrl-C finishes what is in flight, saves, and prints the summary; a second Ctrl-C stops at once.`,
		Example: `  thresher crawl configs/quickstart.yaml
  thresher crawl solar.yaml --budget 500 --store runs/try
  thresher crawl configs/quickstart.yaml --compare breadth
  thresher crawl solar.yaml --again --budget 200`,
		Args: oneFile("thresher crawl configs/quickstart.yaml"),
		RunE: func(cmd *cobra.Command, args []string) error {
			end, err := profiled(f.profile)
			if err != nil {
				return err
			}
			return errors.Join(crawl(cmd, args[0], &f), end())
		},
	}
	f.overrides.register(cmd.Flags())
	cmd.Flags().BoolVar(&f.fresh, "fresh", false, "start over: delete what the run folder holds")
	cmd.Flags().BoolVar(&f.again, "again", false, "visit the pages of the finished run again")
	cmd.Flags().StringVar(&f.compare, "compare", "", "crawl again with another `strategy` and show both (over a recorded web)")
	cmd.Flags().BoolVar(&f.json, "json", false, "one JSON object a line on stdout: an event for each page, and the summary")
	cmd.Flags().BoolVar(&f.quiet, "quiet", false, "no progress on stderr; only what holds the crawl up")
	cmd.Flags().StringVar(&f.profile, "profile", "", "write a CPU profile of the crawl into this `file`, for go tool pprof")
	writes(cmd.Flags(), "profile")
	cmd.Flags().BoolVar(&f.timings, "timings", false, "tell where the time of the pages went, and what limits the crawl")
	return cmd
}

// options are what the flags say that is no matter of the crawl file.
func (f *crawlFlags) options() []focus.Option {
	if f.fresh {
		return []focus.Option{focus.Fresh()}
	}
	return nil
}

// crawl runs the crawl of a file, and a second one where the two are to be compared.
func crawl(cmd *cobra.Command, file string, f *crawlFlags) error {
	if err := f.check(file); err != nil {
		return err
	}
	given := f.list(cmd.Flags())
	config, err := focus.Load(file, given...)
	if err != nil {
		return err
	}
	if f.compare != "" && config.Web == "" {
		return usageError{"--compare visits every page twice, so it works over a recorded web only",
			"thresher crawl configs/quickstart.yaml --compare " + shell.Word(f.compare)}
	}
	rival, err := f.rival(file, given)
	if err != nil {
		return err
	}
	if f.compare != "" {
		defer os.RemoveAll(rival.Store)
	}
	ctx, release := interruptible(cmd.Context(), cmd.ErrOrStderr())
	defer release()
	if f.again {
		return crawlAgain(ctx, cmd, config, f)
	}
	f.follow = crawlfile.NewWatch(config, given...)
	began := time.Now()
	report, err := runCrawl(ctx, cmd, config, f, f.options()...)
	took := duration(report.Counts.Now.Sub(report.Counts.Started))
	if config.Web != "" {
		took = bothTimes(report.Counts.Now.Sub(report.Counts.Started), time.Since(began))
	}
	var finished *run.FinishedError
	if errors.As(err, &finished) && f.compare == "" {
		return tellFinished(cmd, config, f, finished)
	}
	if !sink.OnlyUnsent(err) { // else all but that is done
		return err
	}
	left, err := err, error(nil)
	var other *focus.Report
	if f.compare != "" && ctx.Err() == nil {
		if other, err = runOther(ctx, cmd, rival, f); err != nil {
			return err
		}
		if err := keepCompared(report.Folder, other); err != nil {
			return err
		}
	}
	looked, sent := f.look(cmd, &config, report, left != nil)
	if left = errors.Join(left, sent); looked != nil { // it says anew what is kept
		left = sent
	}
	words := betterWords(&config, looked)
	if f.json {
		s := summaryOf(report)
		if s.Words = words; f.timings {
			s.Timings = timingsOf(report.Times, config.Web != "")
		}
		err = printJSONSummary(cmd.OutOrStdout(), s, other, looked)
	} else {
		if looked != nil {
			report.Counts.Best = bestAgain(looked)
		}
		printSummary(cmd.OutOrStdout(), report, took, other)
		printArchive(cmd.OutOrStdout(), report)
		printLooked(cmd.OutOrStdout(), looked)
		f.printGoesOn(cmd, &config, report)
		if looked != nil {
			printBetterWords(cmd.OutOrStdout(), words, report.Folder)
		}
		if f.timings {
			printTimings(cmd.OutOrStdout(), report.Times, config.Web != "")
		}
	}
	return errors.Join(err, left, fruitless(report))
}

// printGoesOn says of a crawl that was stopped how it goes on. The demonstration, which stands below no other command, starts afresh.
func (f *crawlFlags) printGoesOn(cmd *cobra.Command, config *focus.Config, r focus.Report) {
	if r.Finished || !cmd.HasParent() {
		return
	}
	without, later := "", ""
	if f.fresh {
		without = " without --fresh"
	}
	if config.SecondLook != "off" {
		later = "; the second look is taken when it ends, or now by 'thresher winnow --run " + shell.Word(r.Folder) + "'"
	}
	fmt.Fprintf(cmd.OutOrStdout(), "the same command%s goes on where it is%s\n", without, later)
}

// finishedEvent is what --json prints of a run that had come to its end before.
type finishedEvent struct {
	Event  string    `json:"event"`
	Name   string    `json:"name"`
	Folder string    `json:"folder"`
	Reason string    `json:"reason"`
	Second *winnowed `json:"second_look,omitempty"` // where it was taken only now
}

// tellFinished says of a run that had come to its end before what can be done with it, takes the second look that it may lack, and
// sends what a cluster has not got yet.
func tellFinished(cmd *cobra.Command, config focus.Config, f *crawlFlags, finished *run.FinishedError) error {
	looked, left := f.lookLate(cmd, &config, finished)
	if looked == nil {
		left = errors.Join(left, run.Send([]string{finished.Dir}, &config, false, toStderr(cmd)))
	}
	err := errors.Join(left, finishedFruitless(finished.Dir))
	if f.json {
		return errors.Join(err, jsonTo(cmd.OutOrStdout()).Encode(finishedEvent{"finished", config.Name, finished.Dir, finished.Over, secondOf(finished.Dir, looked)}))
	}
	printLooked(cmd.OutOrStdout(), looked)
	if looked == nil && sink.OnlyUnsent(err) {
		fmt.Fprintf(cmd.ErrOrStderr(), "nothing to do: the run in %s is finished (%s); %s to go on, --again to visit its pages again, --fresh to start over, --store DIR for another folder\n",
			finished.Dir, finished.Over, furtherAfter(finished.Over, config.File))
	}
	return err
}

// furtherAfter is what lets a crawl go on that ended for a reason.
func furtherAfter(reason, file string) string {
	switch key := crawlfile.EndedBy(reason); {
	case reason == run.NothingMore:
		return "add start pages or widen the scope in " + file
	case key == "saturation":
		return "lower budget.saturation in " + file
	case key != "" && key != "pages":
		return "raise budget." + key + " in " + file
	}
	return "give it a larger --budget"
}

// toStderr shows what holds something up.
func toStderr(cmd *cobra.Command) func(line string) {
	return func(line string) { fmt.Fprintln(cmd.ErrOrStderr(), sink.Plain(line)) }
}

// topicIsSeeds is said where nothing but the start pages tells what is looked for.
const topicIsSeeds = "the start pages are the topic"

// runCrawl runs one crawl and shows how it goes.
func runCrawl(ctx context.Context, cmd *cobra.Command, config focus.Config, f *crawlFlags, options ...focus.Option) (focus.Report, error) {
	defer boundMemory(config)()
	quietServers(cmd.ErrOrStderr())
	for _, warning := range []string{cramped(), meagre()} { // at once: later it may be too late
		if warning != "" {
			fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", warning)
		}
	}
	shown := progressOn(cmd.ErrOrStderr())
	shown.quiet = f.quiet
	told := shown.note
	if f.quiet { // who waits in silence must be told for what, too
		told = func(line string) { fmt.Fprintln(cmd.ErrOrStderr(), line) }
	}
	logger := toldBy(told, f.log(config))
	crawler, err := focus.New(ctx, config, append(options, focus.Logger(logger))...)
	if err != nil {
		return focus.Report{}, err
	}
	crawler.Follow(f.follow)
	done, err := f.remember(crawler, &config)
	if err != nil {
		return focus.Report{}, errors.Join(err, crawler.Close())
	}
	warnings := crawler.Warnings()
	for _, p := range append(config.Withheld(), config.DoubtfulTerms()...) {
		warnings = append(warnings, p.String())
	}
	for _, w := range warnings {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", w)
	}
	terms := newTermWatch(config)
	from, goesOn := crawler.Resumed()
	if goesOn {
		terms.goesOn(config.Store, from.Pages)
	}
	if goesOn && !f.quiet && (f.round == nil || f.round.GoesOn()) {
		fmt.Fprintf(cmd.ErrOrStderr(), "resuming %s after %s, %s waiting\n", config.Name, plural(from.Pages), links(from.Waiting))
		if from.Added > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s added to %s since, to be visited first\n", run.Several(from.Added, "start page"), config.File)
		}
	}
	remark := ""
	if s, err := config.LoadStrategy(nil); err == nil && config.TopicIsSeeds(s) && !f.quiet {
		remark = topicIsSeeds
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: nothing else says what it is\n", remark)
	}
	var unread error // why events could not be written
	if f.json {
		events := jsonTo(cmd.OutOrStdout())
		var stop context.CancelFunc
		ctx, stop = context.WithCancel(ctx)
		defer stop()
		crawler.OnDone(func(v *focus.Visit) {
			if err := events.Encode(f.eventOf(v)); err != nil && unread == nil {
				unread = fmt.Errorf("nobody reads the events: %w", err)
				stop()
			}
		})
	}
	crawler.OnDone(func(v *focus.Visit) {
		if logger.Enabled(ctx, slog.LevelDebug) {
			logger.Debug(cameOf(f.eventOf(v)))
		}
	})
	if f.round == nil { // of a round pages are judged that have changed
		crawler.OnDone(func(v *focus.Visit) { terms.see(v.Doc, v.Judgement) })
	}
	stop := shown.follow(crawler, config, f.round != nil, func() []string { return remarks(crawler, remark, terms) })
	report, err := crawler.Run(ctx)
	stop()
	report.Notes = append(report.Notes, slices.Concat(terms.notes(), nothingMore(report, &config))...)
	if wantsWords(&config) {
		report.Notes = append(report.Notes, poorJudge+"; thresher suggest "+shell.Word(config.Store)+" names some by the pages of this crawl")
	}
	return report, errors.Join(err, unread, done())
}

// log is what of a crawl is to be said: what its file says, as it is now where it is followed.
func (f *crawlFlags) log(config focus.Config) slog.Leveler {
	if f.follow != nil {
		return f.follow
	}
	return config.Level()
}

// cameOf says in one line what came of a page, whatever its title is.
func cameOf(e event) string {
	line := func(said string) string { return page.OneLine(sink.Plain(said)) }
	switch {
	case e.Unchanged:
		return e.URL + ": as it was when it was visited last"
	case e.Reason != "":
		return fmt.Sprintf("%s: %s", e.URL, line(e.Reason))
	case e.Relevance == nil:
		return fmt.Sprintf("%s: status %d", e.URL, e.Status)
	case e.Kept:
		return fmt.Sprintf("%s: kept, relevance %.3f: %s", e.URL, *e.Relevance, line(e.Title))
	}
	return fmt.Sprintf("%s: relevance %.3f", e.URL, *e.Relevance)
}

// rival is the crawl with the other strategy that is asked for, if one is, in a folder that is thrown away. It is made before the crawl
// begins: what is wrong with it is not to be told when the crawl is over.
func (f *crawlFlags) rival(file string, given []crawlfile.Override) (config focus.Config, err error) {
	if f.compare == "" {
		return config, nil
	}
	config, err = focus.Load(file, append(slices.Clip(given), crawlfile.Override{Key: "strategy", Value: f.compare, From: "--compare " + f.compare})...)
	if err != nil {
		return config, err
	}
	s, err := config.TrainedStrategy()
	if err == nil {
		_, err = study.Begin(&config, s)
	}
	if err != nil {
		return config, err
	}
	config.Sinks = slices.DeleteFunc(config.Sinks, func(s crawlfile.SinkConfig) bool { return s.To.Follows() }) // nobody wants its pages
	config.Store, err = temporary("compare", "the comparison")
	return config, err
}

// runOther crawls again with another strategy.
func runOther(ctx context.Context, cmd *cobra.Command, config focus.Config, f *crawlFlags) (*focus.Report, error) {
	quiet := *f
	quiet.json, quiet.follow = false, nil
	report, err := runCrawl(ctx, cmd, config, &quiet)
	return &report, err
}

// keepCompared writes what the other strategy found into the run folder: whoever looks at the run sees both.
func keepCompared(folder string, other *focus.Report) error {
	if folder == "" {
		return nil
	}
	c := &other.Counts
	err := run.WriteCompared(folder, &run.Compared{Strategy: other.Strategy, Pages: c.Pages, Relevant: c.Relevant, Kept: c.Kept, Curve: c.Curve})
	if err == nil {
		err = watch.WriteReport(folder) // with both curves
	}
	return err
}
