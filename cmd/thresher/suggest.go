package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/serve"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/suggest"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// suggestFlags say of which run, and what becomes of the answer.
type suggestFlags struct {
	run       runFlag
	file      string
	top       int
	yes, json bool
}

const suggestExample = "thresher suggest runs/quickstart"

func suggestCommand() *cobra.Command {
	var f suggestFlags
	cmd := &cobra.Command{
		Use:   "suggest [RUN]",
		Short: "Say which words would tell the topic better, by the pages of a crawl",
		Long: `Suggest reads the pages that a run keeps for its second look, and says how the terms of its topic could be changed: words
and phrases that stand on the pages that are surely of the topic and hardly ever on others, words that speak against pages
that strayed in, and terms that hurt or say nothing. With each it shows how many verdicts it would move, and pages that it is
about. Nothing is fetched.

It asks of each: y takes it, a number takes it with that weight, n (or Enter) leaves it, q ends. What was taken is written into
the crawl file: its comments stay, what comes of it is checked before it takes the file's place, and a file that somebody has
changed meanwhile is left alone. --yes takes all of them (with --top N, the best N); --json only tells them.

The run is a folder (default: the newest below runs/). The crawl file is the one it was crawled with, or that of --file; where
there is none any more, as after thresher demo, the suggestions are shown and nothing is asked. What the new words change is
then told by thresher winnow, without a fetch; another crawl with them finds more pages.`,
		Example: `  ` + suggestExample + `
  thresher suggest runs/tea --yes --top 3
  thresher suggest runs/tea --file tea.yaml --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError{"suggest takes one run", suggestExample}
			}
			return namedRuns(suggestExample)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if f.run.folder != "" {
					return usageError{"the run is given twice, by --run and without", suggestExample}
				}
				f.run = runFlag{folder: args[0], of: cmd.Name()}
			}
			return runSuggest(cmd, &f)
		},
	}
	flags := cmd.Flags()
	f.run.register(flags)
	flags.StringVar(&f.file, "file", "", "the crawl `FILE` that is changed (default: the one the run was crawled with)")
	flags.IntVar(&f.top, "top", 0, "make at most `N` suggestions (default: as many as the topic has room for)")
	flags.BoolVar(&f.yes, "yes", false, "take every suggestion, without asking")
	jsonFlag(flags, &f.json)
	cmd.ValidArgsFunction = foldersOnly
	return cmd
}

func runSuggest(cmd *cobra.Command, f *suggestFlags) error {
	if cmd.Flags().Changed("top") && f.top < 1 {
		return usageError{fmt.Sprintf("--top is %d, want at least 1", f.top), suggestExample + " --top 3"}
	}
	dir, folders, err := f.run.folders(cmd)
	if err != nil {
		return err
	}
	defer leaving(cmd, "the crawl file is as it was; thresher suggest "+shell.Word(dir)+" begins anew")()
	defer boundMemory(focus.Config{})()
	s := &suggesting{Run: dir, File: cmp.Or(f.file, crawledWith(dir)), out: cmd.OutOrStdout(), errs: cmd.ErrOrStderr(), in: linesOf(cmd.InOrStdin(), cmd.OutOrStdout())}
	if s.File == "" && f.yes {
		return usageError{dir + " does not say which crawl file it was crawled with: name the one to change with --file", suggestExample + " --file tea.yaml"}
	}
	if err := s.propose(folders, f.top); err != nil {
		return err
	}
	if f.json {
		return s.encode(f.yes)
	}
	return s.offer(f.yes)
}

// propose looks for suggestions, so many at most, by the pages of the folders of the run.
func (s *suggesting) propose(folders []string, most int) error {
	read := whileSlow(s.errs, s.Run+": its pages are read, which takes a while where they are many")
	archive, err := winnow.Open(s.Run, folders)
	read()
	if err != nil {
		return err
	}
	stands := suggest.Stands(archive.Pages, &archive.Options)
	told, err := toldAsItRan(s.Run)
	if err != nil {
		return err
	}
	if s.File != "" {
		if s.read, err = crawlfile.ReadText(s.File); err != nil {
			return crawlfile.Unreadable(s.File, err)
		}
		told, err = s.asTheFileIs(&archive, told)
	}
	if err != nil {
		return err
	}
	told.Most, told.Again = most, archive.Again
	defer whileLooked(s.errs, s.Run)()
	looked, err := archive.Look()
	if err != nil {
		return err
	}
	r, err := suggest.Propose(suggest.Of(archive.Pages, stands, &looked, &archive.Options), told)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Run, err)
	}
	s.take(r)
	return nil
}

// crawledWith is the crawl file of a run; empty where it does not say, or the file is not there any more.
func crawledWith(dir string) string {
	ran, _, err := run.StandingOf(dir)
	if err != nil || ran.File == "" {
		return ""
	}
	if _, err := os.Stat(ran.File); err != nil {
		return ""
	}
	return shortest(ran.File)
}

// shortest is a path as somebody would write it here.
func shortest(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	if short, err := filepath.Rel(here, path); err == nil && len(short) < len(path) {
		return short
	}
	return path
}

// toldAsItRan is how the topic of a run was told.
func toldAsItRan(dir string) (suggest.Options, error) {
	config, err := run.ConfigOf(dir)
	if err != nil {
		return suggest.Options{}, err
	}
	return toldByConfig(&config), nil
}

func toldByConfig(c *crawlfile.Config) suggest.Options {
	return suggest.Options{Spec: c.Spec(), Examples: len(c.Topic.Examples) > 0 || c.Topic.Corpus.Relevant != ""}
}

// toldNow is how a crawl file as it was read tells its topic.
func toldNow(config crawlfile.Config, err error) (suggest.Options, error) {
	if err != nil {
		return suggest.Options{}, err
	}
	strategy, err := config.LoadStrategy(nil)
	if err != nil {
		return suggest.Options{}, err
	}
	config = config.Judged(strategy)
	return toldByConfig(&config), nil
}

// tellsOtherwise tells whether another telling of a topic gives other verdicts.
func tellsOtherwise(was, now *suggest.Options) bool {
	return !slices.Equal(was.Spec.Terms, now.Spec.Terms) || was.Spec.About != now.Spec.About || was.Spec.Threshold != now.Spec.Threshold
}

// suggesting is what is suggested, and what becomes of it. Its JSON is what --json prints.
type suggesting struct {
	Run         string      `json:"run"`
	File        string      `json:"file,omitempty"`
	Sure        int         `json:"sure"`    // pages that words were taken from,
	Foreign     int         `json:"foreign"` // and those that they were held against
	Suggestions []suggested `json:"suggestions"`
	Written     bool        `json:"written"` // they stand in the file

	read []byte // the file as it was
	out  io.Writer
	errs io.Writer
	in   asker
	add  []crawlfile.TermConfig
	drop []string
}

// suggested is one suggestion.
type suggested = serve.Suggestion

// asTheFileIs judges the pages by the terms that the file has now, if those are others than the run was crawled with.
func (s *suggesting) asTheFileIs(archive *winnow.Archive, ran suggest.Options) (suggest.Options, error) {
	now, err := toldNow(crawlfile.Read(s.File, s.read))
	if err != nil || !tellsOtherwise(&ran, &now) {
		return now, err
	}
	fmt.Fprintf(s.errs, "%s tells the topic otherwise than when %s was crawled: its pages are judged again by it\n", s.File, s.Run)
	archive.Options.Threshold = now.Spec.Threshold
	archive.Pages, err = suggest.Retold(archive.Pages, archive.Again, ran, now)
	return now, err
}

// take makes suggestions ready to be shown. No text of a page steers a terminal.
func (s *suggesting) take(r *suggest.Result) {
	s.Sure, s.Foreign, s.Suggestions = r.Sure, r.Foreign, []suggested{}
	for _, one := range r.Suggestions {
		titles := []string{}
		for _, t := range one.Titles {
			titles = append(titles, clip(shown(t), 90))
		}
		s.Suggestions = append(s.Suggestions, suggested{Term: one.Term, Weight: round(one.Weight), Was: one.Was, Why: string(one.Why), Sure: one.Sure, Foreign: one.Foreign, In: one.In, Out: one.Out, Titles: titles})
	}
}

func (s *suggesting) encode(yes bool) error {
	if yes {
		for i := range s.Suggestions {
			s.accept(&s.Suggestions[i], s.Suggestions[i].Weight)
		}
		if err := s.write(); err != nil {
			return err
		}
	}
	return jsonTo(s.out).Encode(s)
}

// offer shows each suggestion, asks, and writes what was taken.
func (s *suggesting) offer(yes bool) error {
	if len(s.Suggestions) == 0 {
		_, err := fmt.Fprintf(s.out, "nothing to suggest: of %d sure and %d foreign pages no word parts them that %s has not\n", s.Sure, s.Foreign, cmp.Or(s.File, "the topic"))
		return err
	}
	fmt.Fprintf(s.out, "by %s of %s that are surely of the topic, and %d that are surely not:\n", plural(s.Sure), s.Run, s.Foreign)
	asks := !yes && s.File != "" // else there is nothing to write an answer into
	for i := range s.Suggestions {
		one := &s.Suggestions[i]
		printSuggested(s.out, one)
		switch {
		case yes:
			s.accept(one, one.Weight)
		case asks:
			var err error
			if asks, err = s.ask(one); err != nil {
				return err
			}
		}
	}
	if s.File == "" {
		_, err := fmt.Fprintf(s.out, "\n%s does not say which crawl file it was crawled with, or the file is gone: --file FILE asks, and writes what you take into it\n", s.Run)
		return err
	}
	if len(s.add)+len(s.drop) == 0 {
		_, err := fmt.Fprintf(s.out, "\n%s stays as it is\n", s.File)
		return err
	}
	if err := s.write(); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "\n%s: %d added, %d taken out\n  what they change, without a fetch: thresher winnow --run %s\n  to find more pages by them: thresher crawl %s --fresh\n", s.File, len(s.add), len(s.drop), shell.Word(s.Run), shell.Word(s.File))
	return nil
}

// printSuggested shows a suggestion.
func printSuggested(w io.Writer, one *suggested) {
	sign, what := "+", fmt.Sprintf("weight %g", one.Weight)
	said := fmt.Sprintf("on %.0f %% of the sure pages and %.0f %% of the foreign ones", 100*one.Sure, 100*one.Foreign)
	switch one.Why {
	case string(suggest.Hurts):
		sign, what, said = "-", "take it out", "it stands on foreign pages more often than on those of the topic"
	case string(suggest.Nowhere):
		sign, what, said = "-", "take it out", "it stands on no page"
	case string(suggest.Strays):
		said = "it stands on pages that strayed in, " + said
	}
	fmt.Fprintf(w, "\n%s %s   %s\n    %s; alone it would bring in %s and put out %s\n", sign, one.Term, what, said, plural(one.In), plural(one.Out))
	for _, t := range one.Titles {
		fmt.Fprintf(w, "      %s\n", t)
	}
}

// ask takes one answer; more is false when nothing else is to be asked.
func (s *suggesting) ask(one *suggested) (more bool, err error) {
	for {
		said, err := s.in.ask("  take it? y/n/weight/q ", "")
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return false, err
		}
		switch said = strings.ToLower(said); said {
		case "y", "yes", "是":
			s.accept(one, one.Weight)
			return true, nil
		case "", "n", "no", "否":
			return true, nil
		case "q":
			return false, nil
		default:
			weight, err := strconv.ParseFloat(said, 64)
			if err == nil && weight != 0 && -1000 <= weight && weight <= 1000 {
				s.accept(one, weight)
				return true, nil
			}
			fmt.Fprintln(s.out, "  y: take it, n: leave it, a number from -1000 to 1000 and not 0: take it with that weight, q: no more")
		}
	}
}

// accept takes a suggestion, with a weight.
func (s *suggesting) accept(one *suggested, weight float64) {
	if one.Was != 0 {
		s.drop = append(s.drop, one.Term)
	}
	if weight != 0 {
		s.add = append(s.add, crawlfile.TermConfig{Term: one.Term, Weight: weight})
	}
}

// write writes what was taken into the file.
func (s *suggesting) write() error {
	if len(s.add)+len(s.drop) == 0 {
		return nil
	}
	err := crawlfile.Retell(s.File, s.read, s.add, s.drop)
	s.Written = err == nil
	return err
}
