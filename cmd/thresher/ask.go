package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/ask"
	"github.com/thresher-crawler/thresher/focus/ground"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/seek"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// askFlags bound what is crawled for a question.
type askFlags struct {
	pages, seconds int
	store          string
	below          string // the folder in which that of a question is made where store names none; empty: runs
	fresh          bool
	quiet, json    bool
}

const askExample = `thresher ask runs/quickstart "who won the regatta?"`

func askCommand() *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:   `ask FILE|RUN "QUESTION"`,
		Short: "Search the web at the moment of the question, from what a run knows",
		Long: `Ask makes a small crawl for a question. The question becomes the topic; it begins at the pages of the run that answer it
best, at the front pages of their sites, and at the links of the run that wait and speak of it. Where a crawl file has no run yet,
start pages are found as 'thresher seeds' finds them, or are those of the file. Manners, scope and web are those of the file. A host
that was blocked in the run, or forgotten, is asked nothing, and is blocked in the folder of the question, too.

What the run knows is printed first, and what is found as soon as it is judged. It stays in a folder of its own (runs/ask-…, or
the one given with --store), which search and serve open as any other; asking the same again goes on there. The run itself is
only read.`,
		Example: "  " + askExample + "\n" + `  thresher ask solar.yaml "balcony power plants" --pages 100 --seconds 120`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError{fmt.Sprintf("ask wants a crawl file or a run, and a question in quotation marks: two arguments, and not %d", len(args)), askExample}
			}
			return inUTF8("the question", args[1], askExample)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return answerBy(cmd, &f, args[0], args[1]) },
	}
	cmd.Flags().IntVar(&f.pages, "pages", 60, "fetch at most `N` pages more")
	cmd.Flags().IntVar(&f.seconds, "seconds", 60, "stop after so many `seconds`")
	cmd.Flags().StringVar(&f.store, "store", "", "keep what is found in this `folder`")
	cmd.Flags().BoolVar(&f.fresh, "fresh", false, "start over: delete what was found for this question before")
	cmd.Flags().BoolVar(&f.quiet, "quiet", false, "say nothing on stderr but what holds it up")
	jsonFlag(cmd.Flags(), &f.json)
	return cmd
}

// answer is a page that answers a question, as --json prints it.
type answer struct {
	Event string `json:"event"` // known: the run has it; found: it was fetched now
	ask.Known
}

func answerBy(cmd *cobra.Command, f *askFlags, of, question string) error {
	switch {
	case f.pages < 1 || f.pages > ask.MostPages:
		return usageError{fmt.Sprintf("--pages is %d, want 1 to %d", f.pages, ask.MostPages), askExample + " --pages 100"}
	case f.seconds < 1 || f.seconds > ask.MostSeconds:
		return usageError{fmt.Sprintf("--seconds is %d, want 1 to %d", f.seconds, ask.MostSeconds), askExample + " --seconds 120"}
	}
	ctx, release := interruptible(cmd.Context(), cmd.ErrOrStderr())
	defer release()
	got, err := f.answer(ctx, cmd, of, question, answersTo(cmd, f))
	if err != nil {
		return err
	}
	if got.over != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "nothing more is to be found: %s\n", got.over)
	}
	if !f.quiet && !f.json {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s fetched in all, %s among those of now; they stay in %s\n", plural(got.fetched), run.Several(got.found, "answer"), got.store)
		fmt.Fprintf(cmd.ErrOrStderr(), "  thresher search %s %s\n", shell.Word(got.store), shell.Word(question))
	}
	return nil
}

// answered is what came of a question.
type answered struct {
	store   string
	fetched int    // pages in all, with those of the same question before
	found   int    // answers among those of now
	over    string // why nothing more is to be found; empty where there may be more
}

// answer looks for the answers to a question, and shows each: what a run knows, then what is found as soon as it is judged.
func (f *askFlags) answer(ctx context.Context, cmd *cobra.Command, of, question string, show func(event string, k ask.Known) error) (got answered, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(f.seconds)*time.Second)
	defer cancel()
	plan, err := planFor(ctx, cmd, f, of, question)
	if err != nil {
		return got, err
	}
	got.store = plan.Config.Store
	for _, k := range plan.Known {
		if err := show("known", k); err != nil {
			return got, err
		}
	}
	found, report, err := f.crawl(ctx, cmd, plan, show)
	var finished *run.FinishedError
	if errors.As(err, &finished) {
		got.over, err = finished.Over, nil
	}
	got.found, got.fetched = found, report.Counts.Pages
	return got, err
}

// answersTo prints answers as they come.
func answersTo(cmd *cobra.Command, f *askFlags) func(event string, k ask.Known) error {
	out := cmd.OutOrStdout()
	if f.json {
		events := jsonTo(out)
		return func(event string, k ask.Known) error { return events.Encode(answer{event, k}) }
	}
	return func(event string, k ask.Known) error {
		mark := " "
		if event == "found" {
			mark = "+"
		}
		_, err := fmt.Fprintf(out, "%s %.2f  %s\n        %s\n", mark, k.Relevance, printable(k.Title), printable(page.Readable(k.URL)))
		return err
	}
}

// planFor plans the crawl for a question, from a run or from a crawl file.
func planFor(ctx context.Context, cmd *cobra.Command, f *askFlags, of, question string) (*ask.Plan, error) {
	if strings.TrimSpace(question) == "" {
		return nil, usageError{"the question has 0 characters: what is looked for?", askExample}
	}
	if _, err := topic.AboutTerms(&topic.Spec{About: question}); err != nil {
		return nil, usageError{fmt.Sprintf("the question %q has no word that says what is looked for: name things", question), askExample}
	}
	config, folders, err := askedOf(of)
	if err != nil {
		return nil, err
	}
	store := f.store
	if store == "" && f.below != "" {
		store = filepath.Join(f.below, filepath.Base(ask.Folder(config.Name, question)))
	}
	plan, err := ask.Make(ctx, config, folders, question, store, f.pages)
	if err != nil {
		return nil, err
	}
	if f.fresh {
		plan.Config.Budget.Pages = f.pages
	}
	if len(folders) == 0 {
		if err := findStart(ctx, cmd, &plan.Config, f); err != nil {
			return nil, err
		}
	}
	if len(plan.Config.Seeds) == 0 {
		return nil, ask.ErrNoStart
	}
	return plan, nil
}

// askedOf is the crawl file that a question is asked of, and the folders of its run, where it has one.
func askedOf(of string) (focus.Config, []string, error) {
	if info, err := os.Stat(of); err == nil && !info.IsDir() {
		config, err := focus.Load(of)
		if err != nil || !hasRun(config.Store) {
			return config, nil, err
		}
		return config, []string{config.Store}, nil
	}
	if !hasRun(of) && len(run.Parts(of)) == 0 {
		return focus.Config{}, nil, usageError{fmt.Sprintf("%s is neither a crawl file nor the folder of a run", of), askExample}
	}
	ran, err := run.OpenAll(of)
	if err != nil {
		return focus.Config{}, nil, err
	}
	config, err := ran.WholeConfig()
	if len(ran.Parts) > 0 {
		return config, ran.Parts, err
	}
	return config, []string{of}, err
}

// findStart looks for start pages by the words of the question. The seeds of the file stand where nothing can be asked.
func findStart(ctx context.Context, cmd *cobra.Command, config *focus.Config, f *askFlags) error {
	file, err := focus.Load(config.File)
	if err != nil {
		return err
	}
	looking := *config
	looking.Engines, looking.Directories = file.Engines, file.Directories
	o := seek.Defaults()
	o.Queries, o.Pages = 2, max(10, f.pages/3)
	if !f.quiet {
		o.Say = func(format string, args ...any) { fmt.Fprintf(cmd.ErrOrStderr(), format+"\n", args...) }
	}
	search, err := seek.New(looking, o, ground.Options{})
	if errors.Is(err, seek.ErrNoSource) {
		return nil
	}
	if err != nil {
		return err
	}
	report, err := search.Run(ctx)
	if err != nil {
		return err
	}
	var seeds []string
	for _, p := range report.Proposals {
		seeds = append(seeds, p.Seeds...)
	}
	if len(seeds) > 0 {
		config.Seeds = seeds[:min(len(seeds), max(4, f.pages/4))]
	}
	return nil
}

// crawl fetches for a question, and shows what is kept as soon as it is.
func (f *askFlags) crawl(ctx context.Context, cmd *cobra.Command, plan *ask.Plan, show func(string, ask.Known) error) (found int, report focus.Report, err error) {
	defer boundMemory(plan.Config)()
	quietServers(cmd.ErrOrStderr())
	options := []focus.Option{focus.Logger(toldBy(toStderr(cmd), slog.LevelInfo))}
	if f.fresh {
		options = append(options, focus.Fresh())
	}
	crawler, err := focus.New(ctx, plan.Config, options...)
	if err != nil {
		return 0, report, err
	}
	if err := plan.KeepOut(); err != nil {
		return 0, report, errors.Join(err, crawler.Close())
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	known := map[string]bool{}
	for _, k := range plan.Known {
		known[k.URL] = true
	}
	var unread error
	crawler.OnDone(func(v *focus.Visit) {
		if !v.Kept || known[v.Item.URL] || unread != nil {
			return
		}
		found++
		if unread = show("found", ask.Known{URL: v.Item.URL, Title: strings.TrimSpace(v.Page.Title), Relevance: v.Judgement.Relevance}); unread != nil {
			stop()
		}
	})
	report, err = crawler.Run(ctx)
	return found, report, errors.Join(err, unread)
}
