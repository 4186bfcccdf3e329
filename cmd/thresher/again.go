package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/again"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// check refuses flags that do not go with --again.
func (f *crawlFlags) check(file string) error {
	example := "thresher crawl " + shell.Word(file) + " --again"
	switch {
	case f.again && f.fresh:
		return usageError{"--again visits the pages of a run again, and --fresh deletes the run: give one of them", example}
	case f.again && f.compare != "":
		return usageError{"--compare works over a recorded web only, and --again does not", example}
	case f.again && f.timings:
		return usageError{"--timings tells of a crawl, and not of a round of --again", example}
	}
	return nil
}

// remember has a crawl note what its next round needs, and the round hear what it is to hear. done is called when it has ended.
func (f *crawlFlags) remember(c *focus.Crawler, config *focus.Config) (done func() error, err error) {
	nothing := func() error { return nil }
	if f.round != nil {
		return nothing, f.round.Watch(c, config.Store)
	}
	if config.Store == "" || config.Web != "" || crawlfile.IsShared(config.Store) {
		return nothing, nil // no round follows
	}
	notes, err := again.Note(config.Store)
	if err != nil {
		return nothing, err
	}
	c.OnDone(notes.Take)
	return notes.Close, nil
}

// crawlAgain visits the pages of a run again. What is kept after that is sent when the folder of the run is free again: whoever sends
// takes it, as a crawl would.
func crawlAgain(ctx context.Context, cmd *cobra.Command, config focus.Config, f *crawlFlags) error {
	round, err := again.Open(config)
	switch {
	case err != nil && (config.Web != "" || crawlfile.IsShared(config.Store)): // no crawl of that kind has rounds
		return misuse(err)
	case err != nil:
		return err
	}
	f.round = round
	told, err := f.goRound(ctx, cmd, config, round)
	if err = errors.Join(err, round.Close()); err != nil || told == nil {
		return err
	}
	return errors.Join(barren(told), run.Send([]string{config.Store}, &config, false, toStderr(cmd)))
}

// barren is the error of a round that has found out nothing, because no page could be had. It is nil for every other round, and for one
// in which nothing else was due than pages that have never answered.
func barren(t *again.Told) error {
	if t.Failed == t.Never || t.Same+t.Changed+t.Gone+t.Still+t.New+t.Weak > 0 {
		return nil
	}
	return fmt.Errorf("nothing was fetched: of %s that were due none could be had; they are due again the next time", plural(t.Failed))
}

// goRound makes a round, and answers what it came to; nil where it has not ended.
func (f *crawlFlags) goRound(ctx context.Context, cmd *cobra.Command, config focus.Config, round *again.Round) (*again.Told, error) {
	lists, ok, err := round.Lists()
	if err != nil {
		return nil, err
	}
	if ok {
		quiet := *f
		quiet.quiet, quiet.json = true, false
		if _, err := runCrawl(ctx, cmd, lists, &quiet, round.Offer()); err != nil {
			return nil, err
		}
		if ctx.Err() != nil || round.Stopped() {
			return nil, f.sayUnfinished(cmd, &config, round, run.StoppedByUser) // and nothing is begun
		}
	}
	visits, err := round.Pages(time.Now())
	if none := (*again.NothingDue)(nil); errors.As(err, &none) {
		return nil, sayNothingDue(cmd.OutOrStdout(), &config, none, f.json)
	}
	if err != nil {
		return nil, err
	}
	report := focus.Report{Name: config.Name, Folder: config.Store, Finished: true}
	if !round.Finished() {
		visited, err := runCrawl(ctx, cmd, visits, f, round.Offer())
		if err != nil {
			return nil, roundError(err, config.Store)
		}
		if !visited.Finished {
			return nil, f.sayUnfinished(cmd, &config, round, visited.Reason)
		}
	}
	told, err := round.TakeIn()
	if err != nil {
		return nil, err
	}
	looked, last, left := f.lookByLastCut(cmd, config, report)
	if left == nil {
		left = round.End(looked != nil)
	}
	if left == nil {
		told.Out, left = round.Out()
	}
	if left != nil {
		left = fmt.Errorf("%w; 'thresher crawl %s --again' ends the round", left, shell.Word(config.File))
	}
	if looked != nil {
		sayUntold(cmd.ErrOrStderr(), looked)
	}
	if f.json { // what was found is taken in, and is told this once, whether the round could be ended or not
		err = jsonTo(cmd.OutOrStdout()).Encode(againEvent{"again", config.Name, config.Store, left == nil, "", told, secondOf(config.Store, looked)})
	} else {
		printAgain(cmd.OutOrStdout(), &config, &told)
		printLooked(cmd.OutOrStdout(), looked)
		printLastCut(cmd.OutOrStdout(), config.Store, last)
	}
	return &told, errors.Join(err, left)
}

// roundError says what helps where the round that is under way cannot be gone on with: of its run nothing is to be started over.
func roundError(err error, dir string) error {
	var another *run.AnotherError
	if !errors.As(err, &another) || another.Dir == dir {
		return err
	}
	return fmt.Errorf("the round under way in %s was begun by another crawl file or another version of thresher: %s; put it back to go on, or delete %s and %s, and a new round begins: nothing of this one counts yet",
		dir, another.Changed, another.Dir, filepath.Join(filepath.Dir(another.Dir), sink.FilePlan))
}

// sayUnfinished says of a round that somebody has stopped that it is to be gone on with.
func (f *crawlFlags) sayUnfinished(cmd *cobra.Command, config *focus.Config, round *again.Round, reason string) error {
	fmt.Fprintf(cmd.ErrOrStderr(), "the round is not finished, and nothing of it counts yet: 'thresher crawl %s --again' goes on with it\n", shell.Word(config.File))
	if !f.json {
		return nil
	}
	return jsonTo(cmd.OutOrStdout()).Encode(againEvent{"again", config.Name, config.Store, false, reason, round.Unfinished(), nil})
}

// secondOf is what a second look came to, for --json.
func secondOf(dir string, looked *winnow.Report) *winnowed {
	if looked == nil {
		return nil
	}
	return winnowedOf(dir, looked)
}

// againEvent is what a round came to, in JSON.
type againEvent struct {
	Event  string `json:"event"`
	Name   string `json:"name"`
	Folder string `json:"folder"`

	Finished bool   `json:"finished"` // else the same command goes on with it
	Reason   string `json:"reason,omitempty"`
	again.Told
	Second *winnowed `json:"second_look,omitempty"`
}

// sayNothingDue says that no round is begun.
func sayNothingDue(w io.Writer, config *focus.Config, none *again.NothingDue, asJSON bool) error {
	if !asJSON {
		_, err := fmt.Fprintf(w, "%s: %v\n", config.Name, none)
		return err
	}
	return jsonTo(w).Encode(againEvent{"again", config.Name, config.Store, true, "", again.Told{Left: none.Pages}, nil})
}

// printAgain says what a round came to.
func printAgain(w io.Writer, config *focus.Config, t *again.Told) {
	fmt.Fprintf(w, "\n%s, round %d: %s visited, %s moved\n", config.Name, t.Round, plural(t.Visited), inBytes(t.Moved))
	for _, part := range []struct {
		n    int
		what string
	}{{t.Same, "as they were"}, {t.Changed, "changed"}, {t.Gone, "gone: they are marked in kept.jsonl and not searched any more"}, {t.Still, "still gone"}, {t.New, "new and kept"}, {t.Weak, "new and not kept"},
		{t.Out, "kept before and not any more: 'thresher why' tells of each what took it out"},
		{t.Failed, "not answered or not asked: they are due again the next time"}, {t.Left, "left for the next round"}} {
		if part.n > 0 {
			fmt.Fprintf(w, "%6d %s\n", part.n, part.what)
		}
	}
	fmt.Fprintf(w, "results in %s\n", config.Store)
}
