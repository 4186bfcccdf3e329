package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/index"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// collectionFlags are what the commands share that search harvests.
type collectionFlags struct {
	weights  string
	readOnly bool
}

func (f *collectionFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.weights, "weights", "", "a YAML `file` that says how much each thing counts in the order of results (see thresher help search)")
	flags.BoolVar(&f.readOnly, "read-only", false, "search the indexes as they are: write nothing into the run folders, and tell no crawl anything")
}

// read are the weights to rank by.
func (f *collectionFlags) read() (index.Weights, error) {
	if f.weights == "" {
		return index.DefaultWeights(), nil
	}
	weights, err := index.ReadWeights(f.weights)
	return weights, misuse(err)
}

// collections are the harvests of runs, opened: those named, or that of the newest run.
type collections []*index.Collection

func (c collections) Close() {
	for _, one := range c {
		one.Close()
	}
}

// named tells whether one of the collections has a name.
func (c collections) named(name string) bool {
	return slices.ContainsFunc(c, func(one *index.Collection) bool { return one.Name() == name })
}

// open opens the harvests of some runs, each once: who names one twice would search it twice. Each has a name of its own, also beside
// those that are open.
func (f *collectionFlags) open(cmd *cobra.Command, runs []string, beside ...*index.Collection) (collections, error) {
	if len(runs) == 0 {
		runs = []string{""}
	}
	var all collections
	for _, name := range runs {
		ran := runFlag{folder: name, of: cmd.Name()}
		dir, folders, err := ran.folders(cmd)
		if err != nil {
			all.Close()
			return nil, err
		}
		if slices.ContainsFunc(all, func(c *index.Collection) bool { return sameFile(c.Dir, dir) }) {
			continue
		}
		name := run.NameBeside(dir, func(name string) bool { return all.named(name) || collections(beside).named(name) })
		c, err := index.Open(dir, index.Options{Name: name, Folders: folders, Log: linksOf(dir), Redirects: redirectsOf(dir), Reading: readingOf(dir), Kept: keptOf(folders), ReadOnly: f.readOnly})
		if err != nil {
			all.Close()
			return nil, err
		}
		all = append(all, c)
		if keepsNoPage(dir, folders) {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s has no page that could be searched: its crawl has no jsonl sink, and second_look is off; with sinks: [jsonl] and --fresh it has\n", dir)
		}
	}
	return all, nil
}

// keepsNoPage tells of a run that what it keeps stands in no file that is searched, neither now nor when it is over.
func keepsNoPage(dir string, folders []string) bool {
	config, err := run.ConfigOf(dir)
	jsonl := func(s crawlfile.SinkConfig) bool { return s.To == "jsonl" }
	return err == nil && config.SecondLook == "off" && !slices.ContainsFunc(config.Sinks, jsonl) && !slices.ContainsFunc(folders, sink.HasKept)
}

// sameFile tells of two paths that they lead to the same.
func sameFile(a, b string) bool {
	one, errA := os.Stat(a)
	other, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(one, other)
}

// keptOf reads what is kept, as it stands when it is asked: a second look may be taken while a harvest is served.
func keptOf(folders []string) func() (index.Kept, error) {
	return func() (index.Kept, error) {
		for _, folder := range folders {
			if err := run.Settle(folder); err != nil {
				return nil, err
			}
		}
		kept, err := keptAgain(folders)
		if kept == nil || err != nil {
			return nil, err
		}
		return func(id uint64) (float64, bool) {
			again, ok := kept[id]
			return again.Importance, ok && again.Gone == "" // what is gone is not searched
		}, nil
	}
}

// linksOf tells the links that the log of a run has.
func linksOf(dir string) func(visit func(uint64, string, string) bool) error {
	return func(visit func(uint64, string, string) bool) error {
		ran, err := run.OpenAll(dir)
		if err != nil {
			return err
		}
		return ran.Log(func(d *run.Decision) bool { return visit(d.Via, d.URL, d.Anchor) }, "push", "raise")
	}
}

// redirectsOf tells the redirects that the log of a run has. Where it cannot be read the commands say so that answer from it: pages are found
// without.
func redirectsOf(dir string) func(visit func(from, to string)) {
	return func(visit func(from, to string)) {
		if ran, err := run.OpenAll(dir); err == nil {
			_ = ran.Redirects(visit)
		}
	}
}

// readingOf is how a run read its pages; nil where its crawl file cannot be read.
func readingOf(dir string) *page.Options {
	config, err := run.ConfigOf(dir)
	if err != nil {
		return nil
	}
	o, err := config.PageOptions()
	if err != nil {
		return nil
	}
	return &o
}

// made brings collections up to date for a command that does nothing before. A signal ends it, without what is half made.
func (c collections) made(cmd *cobra.Command, say io.Writer, always bool) error {
	ctx, release := interruptible(cmd.Context(), io.Discard)
	defer release()
	err := c.update(ctx, say, always)
	if err != nil && ctx.Err() != nil {
		return errors.New("interrupted: an index is there when it is whole, and what was indexed before stays; thresher index begins again")
	}
	return err
}

// update brings collections up to date, and says what that came to where it is worth saying.
func (c collections) update(ctx context.Context, say io.Writer, always bool) error {
	for _, one := range c {
		done := whileSlow(say, one.Dir+": its pages are being indexed: of a large harvest that takes minutes, and once")
		change, err := one.Update(ctx)
		done()
		if err != nil {
			return err
		}
		if change.Rebuilt != "" {
			fmt.Fprintf(say, "%s: its index was rebuilt: %s\n", one.Dir, change.Rebuilt)
		}
		if change.Unread > 0 {
			fmt.Fprintf(say, "%s: lines of its harvest that cannot be read and were left out: %d; 'thresher repair --run %s' says which\n", one.Dir, change.Unread, shell.Word(one.Dir))
		}
		if always || change.Added+change.Removed > 0 {
			fmt.Fprintf(say, "%s: %s\n", one.Dir, changeWords(&change))
		}
	}
	return nil
}

// slow is how long something takes of which people want to know that it goes on.
var slow = 3 * time.Second

// whileSlow says once what goes on, where it is not done before long.
func whileSlow(say io.Writer, what string) (done func()) {
	over, silent := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(silent)
		select {
		case <-over:
		case <-time.After(slow):
			fmt.Fprintln(say, what)
		}
	}()
	return func() {
		close(over)
		<-silent
	}
}

func changeWords(c *index.Change) string {
	if c.Elsewhere {
		return fmt.Sprintf("%s, as last indexed", plural(c.Pages))
	}
	said := []string{plural(c.Pages)}
	for _, part := range []struct {
		n    int
		what string
	}{{c.Added, "new"}, {c.Again, "with new words of links"}, {c.Removed, "taken out"}} {
		if part.n > 0 {
			said = append(said, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	return strings.Join(said, ", ")
}

// runsAndQuery are the arguments of a command that takes runs and, last, what is asked.
func runsAndQuery(example string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 || strings.TrimSpace(args[len(args)-1]) == "" {
			return usageError{cmd.Name() + " needs a query, in quotation marks where it has spaces", example}
		}
		last := args[len(args)-1]
		if err := inUTF8("the query", last, example); err != nil {
			return err
		}
		if len(args) == 1 && hasRun(last) {
			return usageError{fmt.Sprintf("%s is a run: what is to be looked for in it?", last), example}
		}
		for _, ran := range args[:len(args)-1] {
			if !hasRun(ran) && len(run.Parts(ran)) == 0 && !crawlfile.IsShared(ran) {
				return usageError{fmt.Sprintf("there is no run in %q: all arguments but the last are runs; a query with spaces stands in quotation marks", ran), example}
			}
		}
		return nil
	}
}

// withQuery are the arguments of the program, those of a command that takes a query so that one may begin with a minus, as "-site:a.com tea"
// does: what has one and is no flag stands with all that is none behind --.
func withQuery(root *cobra.Command, args []string) []string {
	if len(args) == 0 || args[0] != "search" && args[0] != "ask" {
		return args
	}
	cmd, _, err := root.Find(args[:1])
	if err != nil {
		return args
	}
	flags, rest, minus := args[:1:1], []string(nil), false
	for i := 1; i < len(args); i++ {
		a := args[i]
		name, isLong := strings.CutPrefix(a, "--")
		single, isShort := strings.CutPrefix(a, "-")
		single, _, _ = strings.Cut(single, "=")
		switch {
		case a == "--":
			rest, i = append(rest, args[i+1:]...), len(args)
		case isLong:
			flags = append(flags, a)
			if f := cmd.Flags().Lookup(name); f != nil && f.NoOptDefVal == "" && i+1 < len(args) { // its value follows it
				i++
				flags = append(flags, args[i])
			}
		case isShort && (single == "h" || cmd.Flags().Lookup(single) != nil): // -json, which is refused
			flags = append(flags, a)
		default:
			rest, minus = append(rest, a), minus || isShort
		}
	}
	if !minus {
		return args
	}
	return slices.Concat(flags, []string{"--"}, rest)
}

func indexCommand() *cobra.Command {
	var f collectionFlags
	var rebuild bool
	cmd := &cobra.Command{
		Use:   "index [RUN...]",
		Short: "Create or update the search index of a harvest",
		Long: `Index brings the index in runs/NAME/index up to date with the harvest beside it. Search and serve do the same when they
begin, so it is only needed to get that done beforehand. The index is derived data: it may be deleted at any time.`,
		Example: "  thresher index runs/quickstart\n  thresher index --rebuild runs/quickstart",
		Args:    namedRuns("thresher index runs/quickstart"),
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := f.open(cmd, args)
			if err != nil {
				return err
			}
			defer all.Close()
			if rebuild {
				for _, c := range all {
					if err := c.Forget(); err != nil {
						return err
					}
				}
			}
			return all.made(cmd, cmd.OutOrStdout(), true)
		},
	}
	cmd.Flags().BoolVar(&rebuild, "rebuild", false, "rebuild it, whatever is there")
	return cmd
}
