package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/thresher-crawler/thresher/focus/ask"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
)

// This file has the flags and arguments that commands share, so that they mean the same everywhere.

// jsonFlag is --json of the commands that answer a question.
func jsonFlag(flags *pflag.FlagSet, into *bool) {
	flags.BoolVar(into, "json", false, "one JSON object on stdout, all else on stderr")
}

// onlyOne refuses flags of which one alone can be given.
func onlyOne(flags *pflag.FlagSet, example string, names ...string) error {
	var given []string
	for _, name := range names {
		if flags.Changed(name) {
			given = append(given, "--"+name)
		}
	}
	if len(given) > 1 {
		return usageError{strings.Join(given, " and ") + " are given: one of them is enough", example}
	}
	return nil
}

// wideFlag is --wide of the commands that list: on a terminal each row is one line, however long it is.
func wideFlag(flags *pflag.FlagSet, into *bool) {
	flags.BoolVar(into, "wide", false, "one line a row, however wide the terminal is")
}

// listOn is where a list is written to.
func listOn(w io.Writer, wide bool) io.Writer {
	if wide {
		return unfolded(w)
	}
	return w
}

// overrides are the flags that change what a crawl file says.
type overrides struct {
	store, strategy, web, topic, budget string
	set                                 []string
}

func (o *overrides) register(flags *pflag.FlagSet) {
	flags.Var((*folderFlag)(&o.store), "store", "the run folder `DIR`, instead of the crawl file's")
	flags.StringVar(&o.strategy, "strategy", "", "the strategy: a `NAME`, or the path of its file")
	flags.StringVar(&o.web, "web", "", "crawl the recorded web in `DIR` instead of the live one")
	flags.StringVar(&o.topic, "topic", "", "take start pages, terms and language from the topic `NAME` of the recorded web")
	flags.StringVar(&o.budget, "budget", "", "end after `N` pages; 0: no bound")
	flags.StringArrayVar(&o.set, "set", nil, "give any `KEY=VALUE` of the crawl file, such as polite.delay=2s")
}

// list is what the flags that were given change.
func (o *overrides) list(flags *pflag.FlagSet) []crawlfile.Override {
	var list []crawlfile.Override
	for _, pair := range o.set {
		key, value, said := strings.Cut(pair, "=")
		list = append(list, crawlfile.Override{Key: strings.TrimSpace(key), Value: value, From: "--set " + pair, Unsaid: !said})
	}
	for i, value := range [...]string{o.store, o.strategy, o.web, o.topic, o.budget} {
		if f := flagsOfKeys[i]; flags.Changed(f.flag) {
			list = append(list, crawlfile.Override{Key: f.key, Value: value, From: "--" + f.flag + " " + value})
		}
	}
	return list
}

// flagsOfKeys are the keys that have a flag of their own.
var flagsOfKeys = [...]struct{ flag, key string }{{"store", "store"}, {"strategy", "strategy"}, {"web", "web"}, {"topic", "web_topic"}, {"budget", "budget.pages"}}

// meantFlag is how a key is given to a command that was given another program's flag for it; empty where there is none.
func meantFlag(flags *pflag.FlagSet, unknown string) string {
	key := crawlfile.Meant(strings.ReplaceAll(unknown, "-", "_"))
	for _, f := range flagsOfKeys {
		if f.key == key && flags.Lookup(f.flag) != nil {
			return "--" + f.flag
		}
	}
	if key == "" || flags.Lookup("set") == nil {
		return ""
	}
	return "--set " + key + "=…"
}

// folderFlag is a flag that names a folder. An empty one is a mistake, such as a variable of a script that is not set: it does
// not mean the folder that is taken without the flag.
type folderFlag string

func (f *folderFlag) String() string { return string(*f) }
func (f *folderFlag) Type() string   { return "string" }

func (f *folderFlag) Set(to string) error {
	if to == "" {
		return errors.New("it names no folder; name one, or leave the flag out")
	}
	*f = folderFlag(to)
	return nil
}

// runFlag is --run of the commands that read a run.
type runFlag struct {
	folder string
	of     string // the command that it was named to as an argument, and that has no --run
}

// flag is what stands before a folder that was named by the flag.
func (r *runFlag) flag() string {
	if r.of != "" {
		return ""
	}
	return "--run "
}

// register is for commands about the run folder of one process.
func (r *runFlag) register(flags *pflag.FlagSet) {
	flags.Var((*folderFlag)(&r.folder), "run", "the run folder `DIR`; the newest below runs/ where it is not given")
}

// registerShared is for commands that know crawls that machines share, too.
func (r *runFlag) registerShared(flags *pflag.FlagSet) {
	flags.Var((*folderFlag)(&r.folder), "run", "the run folder `DIR` (the newest below runs/ where it is not given), or a shared crawl: redis://HOST:6379/0?crawl=NAME")
}

// isShared tells whether it is a crawl on Redis that was named.
func (r *runFlag) isShared() bool { return crawlfile.IsShared(r.folder) }

// named is the folder that was named, or of the newest run; machines that share a crawl may have their folders below it.
func (r *runFlag) named() (string, error) {
	switch {
	case r.isShared():
		return "", usageError{fmt.Sprintf("%s%s: this is about one run folder: name that of a machine, such as runs/NAME/HOST", r.flag(), r.hidden()), r.example()}
	case strings.Contains(r.folder, "://"):
		return "", usageError{fmt.Sprintf("%s%s: want a folder or redis://…", r.flag(), r.hidden()), r.example()}
	case r.folder != "":
		if err := crawlfile.NoFolder(r.folder); err != nil {
			return "", usageError{r.flag() + err.Error(), r.example()}
		}
		if _, err := run.ReadStanding(r.folder); errors.Is(err, os.ErrNotExist) && len(run.Parts(r.folder)) == 0 {
			return "", usageError{fmt.Sprintf("%s%s: there is no run in this folder", r.flag(), r.folder), r.example()}
		}
		return r.folder, nil
	}
	newest := newestRun("runs")
	if newest == "" {
		return "", usageError{"there is no run below runs/: crawl first, or name a run folder with --run DIR", "thresher crawl configs/quickstart.yaml"}
	}
	return newest, nil
}

// example shows how a run is named, by that of the crawl file that was named in its place.
func (r *runFlag) example() string {
	folder := "runs/quickstart"
	if config, err := crawlfile.Load(r.folder); err == nil && !crawlfile.IsShared(config.Store) {
		folder = shell.Word(config.Store)
	}
	if r.of != "" {
		return "thresher " + r.of + " " + folder
	}
	return "thresher list harvest --run " + folder
}

// hidden is what was named, without a password.
func (r *runFlag) hidden() string { return redis.Hidden(r.folder) }

// dir is the folder of the run that was named, or of the newest.
func (r *runFlag) dir() (string, error) {
	dir, err := r.named()
	if err != nil {
		return "", err
	}
	if parts := run.Parts(dir); len(parts) > 0 && !hasRun(dir) {
		if err := ofOneCrawl(dir, parts); err != nil {
			return "", err
		}
		return "", usageError{fmt.Sprintf("%s holds the folders of machines that share a crawl: name one (%s), or the crawl: redis://…", dir,
			strings.Join(parts, ", ")), "thresher list harvest --run " + shell.Word(parts[0])}
	}
	return dir, nil
}

func hasRun(dir string) bool {
	_, err := run.ReadStanding(dir)
	return !errors.Is(err, os.ErrNotExist)
}

// open opens the run that was named, or the newest.
func (r *runFlag) open() (*run.Run, error) {
	dir, err := r.dir()
	if err != nil {
		return nil, err
	}
	return run.Open(dir)
}

// read opens the run that was named, or the newest, with all that machines have written of it who share it. Of a crawl on
// Redis it is what they have written below runs/ here.
func (r *runFlag) read(cmd *cobra.Command) (*run.Run, error) {
	dir, _, err := r.folders(cmd)
	if err != nil {
		return nil, err
	}
	return run.OpenAll(dir)
}

// folders is the folder that was named, and those of the machines below it: itself where it is that of one run.
func (r *runFlag) folders(cmd *cobra.Command) (dir string, parts []string, err error) {
	if !r.isShared() {
		dir, err = r.named()
	} else {
		dir, err = r.written(cmd)
	}
	if err != nil || hasRun(dir) {
		return dir, []string{dir}, err
	}
	parts = run.Parts(dir)
	if err := ofOneCrawl(dir, parts); err != nil {
		return "", nil, err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "reading %s\n", strings.Join(parts, ", "))
	return dir, parts, nil
}

// ofOneCrawl refuses the run folders below one that are of two crawls, as their names tell.
func ofOneCrawl(dir string, parts []string) error {
	first, name := "", ""
	for _, part := range parts {
		switch ran, err := run.ReadStanding(part); {
		case err != nil || ran.Name == "":
		case name == "":
			first, name = part, ran.Name
		case ran.Name != name:
			return usageError{fmt.Sprintf("%s holds runs of several crawls, as %s and %s, which are not read as one", dir, first, part), "thresher list harvest --run " + shell.Word(first)}
		}
	}
	return nil
}

// written is the folder below which machines have written what they harvested for a crawl on Redis.
func (r *runFlag) written(cmd *cobra.Command) (string, error) {
	s, err := r.shared(cmd)
	if err != nil {
		return "", err
	}
	defer s.Close()
	if len(run.Parts(s.Folder())) == 0 {
		return "", usageError{fmt.Sprintf("no machine has written anything of crawl %s into %s here: each keeps what it harvests below the folder in which it was started; go there, or bring their folders here",
			s.Name, s.Folder()), cmd.CommandPath() + " --run " + shell.Word(s.Folder())}
	}
	return s.Folder(), nil
}

// shared opens the crawl on Redis that was named.
func (r *runFlag) shared(cmd *cobra.Command) (*run.Shared, error) {
	s, err := run.OpenShared(cmd.Context(), r.folder, toldBy(func(said string) { fmt.Fprintln(cmd.ErrOrStderr(), said) }, slog.LevelInfo))
	if errors.As(err, new(*redis.NoCrawlError)) {
		return nil, misuse(err)
	}
	return s, err
}

// newestRun is the run folder below a folder whose run was begun last; empty when there is none. Answers to a question are taken for
// one only where there is nothing else.
func newestRun(below string) string {
	entries, err := os.ReadDir(below)
	if err != nil {
		return ""
	}
	type begun struct {
		dir   string
		when  int64
		asked bool
	}
	var runs []begun
	for _, e := range entries {
		dir := filepath.Join(below, e.Name())
		for _, of := range append(run.Parts(dir), dir) {
			if info, err := os.Stat(filepath.Join(of, "crawl.yaml")); err == nil && e.IsDir() {
				runs = append(runs, begun{dir, info.ModTime().UnixNano(), ask.Is(dir)})
			}
		}
	}
	sort.Slice(runs, func(i, j int) bool {
		if runs[i].asked != runs[j].asked {
			return runs[j].asked
		}
		return runs[i].when > runs[j].when || runs[i].when == runs[j].when && runs[i].dir < runs[j].dir
	})
	if len(runs) == 0 {
		return ""
	}
	return runs[0].dir
}

// oneFile is the argument of a command that takes one crawl file.
func oneFile(example string) cobra.PositionalArgs { return oneArgument("crawl file", example) }

// oneArgument is the argument of a command that takes exactly one.
func oneArgument(what, example string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0 || args[0] == "":
			return usageError{fmt.Sprintf("%s needs one %s", cmd.Name(), what), example}
		case len(args) > 1:
			return usageError{fmt.Sprintf("%s takes one %s, and there are %d: %s", cmd.Name(), what, len(args), strings.Join(args, " ")), example}
		}
		return nil
	}
}

// someArguments are the arguments of a command that takes one or more.
func someArguments(what, example string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 || slices.Contains(args, "") {
			return usageError{fmt.Sprintf("%s needs at least one %s", cmd.Name(), what), example}
		}
		return nil
	}
}

// namedHosts makes hosts of arguments that name them, or addresses on them.
func namedHosts(written []string, example string) (err error) {
	for i := range written {
		if written[i], err = run.HostNamed(written[i]); err != nil {
			return usageError{err.Error(), example}
		}
	}
	return nil
}

// namedRuns are the arguments of a command that takes runs, or none for the newest. As of a folderFlag an empty one does not mean that.
func namedRuns(example string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if slices.Contains(args, "") {
			return usageError{"an argument is empty and names no run; name one, or leave it out", example}
		}
		return nil
	}
}

// over is a command that does nothing but name those below it; does says what there is.
func over(does, example string, below ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return usageError{fmt.Sprintf("%s knows no %q; %s", cmd.Name(), args[0], does), example}
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(below...)
	return cmd
}

// noArguments is for commands that take none. Some take a run by a flag where others take it as an argument.
func noArguments(example string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			if info, err := os.Stat(args[0]); err == nil && info.IsDir() && cmd.Flags().Lookup("run") != nil {
				example = cmd.CommandPath() + " --run " + shell.Word(args[0])
			}
			return usageError{fmt.Sprintf("%s takes no argument, and there is %q", cmd.Name(), args[0]), example}
		}
		return nil
	}
}
