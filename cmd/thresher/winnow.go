package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/audit"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/watch"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// winnowFlags say what is kept after a second look.
type winnowFlags struct {
	run   runFlag
	cut   winnow.Cut
	model modelFlags
	json  bool
}

const winnowExample = "thresher winnow --run runs/quickstart"

func winnowCommand() *cobra.Command {
	var f winnowFlags
	cmd := &cobra.Command{
		Use:   "winnow",
		Short: "Look again at the pages of a finished crawl, and decide anew what is kept",
		Long: `Winnow looks again at all pages of a run, now that everything that was crawled is known: what the pages that surely belong
to the topic say, and those that surely do not, what links call a page, where it stands and in which lists. Pages that the
first look missed are taken in, and strays are dropped. A crawl does this when it ends; winnow does it again, without
fetching anything, after you have given labels (thresher label) or when you want another cut.

All that is kept is then in kept.jsonl, with both numbers (relevance, second); list, export, index, search, serve and label
read it where there is one. The harvest and its WARC files stay as they are. If what was learned does not hold on pages it
was not learned from, nothing changes, and winnow says so.

Where the crawl file tells the topic otherwise by now (thresher suggest), it says how many of these pages the new terms would
take in and put out.

A language model can be asked about the pages of which the second look is not sure (--judge with an address, and --model). Its word
decides about the page, which says so in its record, and nothing else hangs on it. See 'thresher help kept'.

The pages come from look.jsonl, which a crawl writes beside its harvest (second_look: likely, all or off in the crawl file).`,
		Example: `  ` + winnowExample + `
  thresher winnow --threshold 0.4
  thresher winnow --precision 0.9
  thresher winnow --top 500
  thresher winnow --judge models/tea.judge
  thresher winnow --judge http://127.0.0.1:11434/v1 --model qwen3`,
		Args: noArguments(winnowExample),
		RunE: func(cmd *cobra.Command, _ []string) error { return runWinnow(cmd, &f) },
	}
	flags := cmd.Flags()
	f.run.register(flags)
	flags.Float64Var(&f.cut.Threshold, "threshold", 0, "keep pages whose second look gives at least this `relevance` (default: the threshold of the run)")
	flags.Float64Var(&f.cut.Precision, "precision", 0, "keep as many pages as possible while this `share` of them is right, by the labels of the run")
	flags.IntVar(&f.cut.Top, "top", 0, "keep the best `N` pages")
	flags.StringVar(&f.cut.Model, "judge", "", "use the trained judge in this `file` for the second look, or ask the model at this address about pages that are not sure")
	f.model.register(flags)
	jsonFlag(flags, &f.json)
	return cmd
}

// winnowed is what --json prints.
type winnowed struct {
	Run       string         `json:"run"`
	Pages     int            `json:"pages"` // that were looked at again
	Kept      int            `json:"kept"`
	In        int            `json:"in"`
	Out       int            `json:"out"`
	Lists     int            `json:"lists"`                    // left out, because kept pages say what they say
	Labels    int            `json:"labels"`                   // that were learned from
	Unknown   int            `json:"unknown_labels,omitempty"` // of pages that were not looked at again
	From      float64        `json:"from"`                     // the relevance from which a page is kept
	Agreement *float64       `json:"agreement"`                // null where nothing was learned
	Refused   string         `json:"refused,omitempty"`
	Spared    bool           `json:"spared,omitempty"` // fewer than half as many as the first look kept would have been left
	Notes     []string       `json:"notes,omitempty"`  // what a trained judge has to say of itself
	Remains   *audit.Remains `json:"remains"`          // how much of the topic is not kept, as far as that can be known
	Heard     *modelSaid     `json:"heard,omitempty"`  // what a model said
	Retold    *retold        `json:"retold,omitempty"` // what the terms of the crawl file would change, where they are others by now
}

func winnowedOf(dir string, r *winnow.Report) *winnowed {
	from, _ := r.From()
	return &winnowed{Run: dir, Pages: r.Pages, Kept: r.Kept, From: from, In: r.In, Out: r.Out, Lists: r.Lists, Labels: r.Labels, Unknown: r.Unknown, Agreement: known(r.Agreement), Refused: r.Refused, Spared: r.Spared, Notes: r.Notes, Remains: r.Remains}
}

func runWinnow(cmd *cobra.Command, f *winnowFlags) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	dir, folders, err := f.run.folders(cmd)
	if err != nil {
		return err
	}
	if head, _, err := watch.Head(dir); err == nil && head.State.Live() {
		return fmt.Errorf("%s: the crawl goes on: it takes its second look when it ends (thresher stop --run %[1]s)", dir)
	}
	if err := f.model.prepare(cmd, dir, &f.cut); err != nil {
		return err
	}
	defer boundMemory(focus.Config{})()
	defer leaving(cmd, dir+": its kept.jsonl is whole, be it as it was before; thresher winnow --run "+shell.Word(dir)+" looks again")()
	done := whileLooked(cmd.ErrOrStderr(), dir)
	r, err := winnow.Run(dir, folders, f.cut)
	done()
	if err != nil {
		return err
	}
	sayUntold(cmd.ErrOrStderr(), &r)
	for _, note := range r.Notes {
		fmt.Fprintf(cmd.ErrOrStderr(), "WARNING: %s: %s\n", f.cut.Model, note)
	}
	words := retoldOf(dir, &r.Archive)
	if f.json {
		told := winnowedOf(dir, &r)
		told.Heard, told.Retold = modelSaidOf(r.Heard), words
		err = jsonTo(cmd.OutOrStdout()).Encode(told)
	} else {
		modelSaidOf(r.Heard).print(cmd.OutOrStdout())
		printWinnowed(cmd.OutOrStdout(), &r)
		printRemains(cmd.OutOrStdout(), r.Remains)
		words.print(cmd.OutOrStdout())
	}
	return errors.Join(err, sendAgain(cmd, dir, folders))
}

// sayUntold says why the figures of a run do not tell of the look that stands in kept.jsonl.
func sayUntold(w io.Writer, r *winnow.Report) {
	if r.Untold != nil {
		fmt.Fprintf(w, "WARNING: the pages are kept, but report.html does not tell of it: %v\n", r.Untold)
	}
}

// sendAgain brings the clusters of a run to what it keeps now.
func sendAgain(cmd *cobra.Command, dir string, folders []string) error {
	config, err := run.ConfigOf(dir)
	if err != nil {
		return err
	}
	return run.Send(folders, &config, false, toStderr(cmd))
}

// check refuses cuts that are none, and more than one.
func (f *winnowFlags) check(cmd *cobra.Command) error {
	if err := f.model.check(cmd, f.cut.Model); err != nil {
		return err
	}
	if err := onlyOne(cmd.Flags(), winnowExample+" --top 500", "threshold", "precision", "top"); err != nil {
		return err
	}
	switch {
	case cmd.Flags().Changed("threshold") && !(0 < f.cut.Threshold && f.cut.Threshold <= 1):
		return usageError{fmt.Sprintf("--threshold is %v, want more than 0 and at most 1", f.cut.Threshold), winnowExample + " --threshold 0.4"}
	case cmd.Flags().Changed("precision") && !(0 < f.cut.Precision && f.cut.Precision <= 1):
		return usageError{fmt.Sprintf("--precision is %v, want more than 0 and at most 1", f.cut.Precision), winnowExample + " --precision 0.9"}
	case cmd.Flags().Changed("top") && f.cut.Top < 1:
		return usageError{fmt.Sprintf("--top is %d, want at least 1", f.cut.Top), winnowExample + " --top 500"}
	}
	return nil
}

// printWinnowed says what a second look came to.
func printWinnowed(w io.Writer, r *winnow.Report) {
	if r.Refused != "" {
		printStands(w, r)
	} else {
		fmt.Fprintf(w, "second look: of %s %d came in and %d went out; %s kept, in kept.jsonl%s\n", plural(r.Pages), r.In, r.Out, plural(r.Kept), listsLeft(r))
	}
	if r.Spared && r.Chosen == nil {
		fmt.Fprintln(w, "  by what it learned fewer than half as many pages as the first look kept would be left, and the best of that number are kept: with labels (thresher label) it learns better")
	}
	from, nearest := r.From()
	switch {
	case r.Kept == 0 && nearest < from:
		fmt.Fprintf(w, "  no page has as much as the %.3g that it takes; the nearest has %.3g: --threshold takes less, and --top N the best\n", from, nearest)
	case r.Chosen != nil && r.Chosen.Precision > 0:
		fmt.Fprintf(w, "  by the labels a page is kept from %.3g on\n", from)
	}
	if r.Unknown == 0 {
		return
	}
	more := ""
	if !r.Archive.Options.All {
		more = " (second_look: all keeps every page that is judged)"
	}
	fmt.Fprintf(w, "  of %s in labels.tsv %d count: the others are of pages that were not looked at again%s\n", run.Several(r.Labels+r.Unknown, "label"), r.Labels, more)
}

// listsLeft says how many lists of kept pages are left out; nothing where there is none.
func listsLeft(r *winnow.Report) string {
	if r.Lists == 0 {
		return ""
	}
	return fmt.Sprintf(", and %d left out as lists of others", r.Lists)
}

// printStands says why the first look stands.
func printStands(w io.Writer, r *winnow.Report) {
	what := "the first one stands"
	if r.In+r.Out > 0 { // a label, a cut or a model decided
		what = fmt.Sprintf("the first one stands but for %s that came in and %d that went out", plural(r.In), r.Out)
	}
	fmt.Fprintf(w, "second look: %s, for %s\n", what, r.Refused)
	if r.Kept > 0 {
		fmt.Fprintf(w, "  %s kept, in kept.jsonl%s\n", plural(r.Kept), listsLeft(r))
	}
}

// shownFinds is how many of the best pages a summary shows.
const shownFinds = 5

// bestAgain are the best finds by the second look.
func bestAgain(r *winnow.Report) []ledger.Find {
	var finds []ledger.Find
	for _, t := range r.Best(shownFinds) {
		f := ledger.Find{URL: t.URL, Title: t.Title, Relevance: t.First}
		if r.Refused == "" {
			f.Second = t.Second
		}
		finds = append(finds, f)
	}
	return finds
}

// whileLooked says that a second look goes on, where it is not done before long.
func whileLooked(say io.Writer, dir string) (done func()) {
	return whileSlow(say, dir+": its pages are looked at again, which takes minutes where they are many")
}

// lookAgain looks again at a crawl that is over, where it kept pages for that. nil is no second look.
func (f *crawlFlags) lookAgain(cmd *cobra.Command, config focus.Config, report focus.Report, cut winnow.Cut) (*winnow.Report, error) {
	if report.Folder == "" || !report.Finished || config.SecondLook == "off" {
		return nil, nil
	}
	say := cmd.ErrOrStderr()
	if f.quiet {
		say = io.Discard
	}
	defer whileLooked(say, report.Folder)()
	r, err := winnow.Run(report.Folder, []string{report.Folder}, cut)
	if none := (winnow.Unlooked{}); errors.As(err, &none) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &r, nil
}

// look takes the second look at a crawl that is over, and brings clusters to what is kept then, for which the crawl may have waited in
// vain. nil is no second look.
func (f *crawlFlags) look(cmd *cobra.Command, config *focus.Config, report focus.Report, waited bool) (*winnow.Report, error) {
	looked, err := f.lookAgain(cmd, *config, report, winnow.Cut{})
	if _, ok := strict.Problems(err); ok { // mistakes of labels.tsv, which by themselves say nothing of the crawl
		err = errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	if err != nil {
		return nil, fmt.Errorf("the second look: %w; the crawl is whole, and 'thresher winnow --run %s' looks again", err, shell.Word(report.Folder))
	}
	if looked == nil {
		return nil, nil
	}
	sayUntold(cmd.ErrOrStderr(), looked)
	if f.follow != nil {
		config.Sinks = f.follow.Counts().Sinks // also those that were added meanwhile
	}
	return looked, run.Send(looked.Folders, config, waited, toStderr(cmd))
}

// lookLate takes the second look at a run that came to its end, and was stopped before that look was whole. It is nil where nothing was
// left to look at.
func (f *crawlFlags) lookLate(cmd *cobra.Command, config *focus.Config, finished *run.FinishedError) (*winnow.Report, error) {
	if config.SecondLook == "off" || !winnow.Due(finished.Dir) {
		return nil, nil
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "the run in %s is finished (%s), but not its second look, which is taken now\n", finished.Dir, finished.Over)
	return f.look(cmd, config, focus.Report{Folder: finished.Dir, Finished: true}, false)
}

// lookByLastCut looks again at a run that was visited again, by the cut that somebody has asked winnow for before.
func (f *crawlFlags) lookByLastCut(cmd *cobra.Command, config focus.Config, report focus.Report) (*winnow.Report, *run.Cut, error) {
	last := winnow.LastCut(report.Folder)
	looked, err := f.lookAgain(cmd, config, report, winnow.CutOf(last))
	if err != nil && last != nil {
		err = fmt.Errorf("the second look by the cut of the last winnow (%s): %w; 'thresher winnow --run %s' takes that of the run", last.Flags(), err, shell.Word(report.Folder))
	}
	return looked, last, err
}

// printLastCut says that what is kept after a round was decided as somebody had asked winnow to before it.
func printLastCut(w io.Writer, dir string, c *run.Cut) {
	if c == nil {
		return
	}
	if flags := c.Flags(); flags != "" {
		fmt.Fprintf(w, "  by the cut of the last winnow (%s): 'thresher winnow --run %s' takes that of the run\n", flags, shell.Word(dir))
	}
	if c.Asked {
		fmt.Fprintln(w, "  the model that winnow has asked is not asked by a round: what it took in or put out is decided without it")
	}
}

// printLooked says what the second look at the end of a crawl came to, where there was one.
func printLooked(w io.Writer, looked *winnow.Report) {
	if looked != nil {
		printWinnowed(w, looked)
		printRemains(w, looked.Remains)
	}
}

// keptAgain are the pages that are kept of a run, by number, with what the second look says of them, where there was one; nil
// where there was none, and no page was visited again.
func keptAgain(folders []string) (map[uint64]sink.Again, error) {
	if !slices.ContainsFunc(folders, sink.Revised) {
		return nil, nil
	}
	kept := map[uint64]sink.Again{}
	err := eachKept(folders, func(r *sink.Record) { kept[r.ID] = r.Again })
	return kept, err
}

// eachKept visits the records of what is kept in the folders of a run, without their texts; a machine may have kept nothing.
func eachKept(folders []string, visit func(*sink.Record)) error {
	for _, folder := range folders {
		if names, err := sink.HarvestFiles(folder); !sink.HasKept(folder) && (err != nil || len(names) == 0) {
			continue
		}
		for r, err := range sink.KeptBriefly(folder) {
			if err != nil {
				return err
			}
			visit(r)
		}
	}
	return nil
}
