package main

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/outlet"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// completion answers what may stand in one place of a command line.
type completion = func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective)

// oneOf completes words that are all that may stand there.
func oneOf(words ...string) completion {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// filesOf are the files of some kinds, and folders on the way to them.
func filesOf(endings ...string) completion {
	return cobra.FixedCompletions(endings, cobra.ShellCompDirectiveFilterFileExt)
}

// foldersOnly completes folders.
var foldersOnly = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)

// valuesOf are the values of flags whose words mean one thing in all commands, by command and flag or by the flag alone.
var valuesOf = map[string]completion{
	"begin": oneOf("site", "results"), "start": oneOf("seeds", "examples"), "compare judge": oneOf("own", "same", "labels"),
	"search sort": oneOf("best", "date"), "sort": oneOf("relevance", "importance"), "export to": oneOf(outlet.Forms...),
	"fields": oneOf(sink.Fields()...), "topic": topicsOfWeb, "host": hostsOfRun, "reason": reasonsOfRun, "set": keysAndValues,
	"weights": filesOf("yaml", "yml"), "csv": filesOf("csv"), "html": filesOf("html"), "labels": filesOf("tsv"), "answers": filesOf("tsv"),
	"queries": filesOf("tsv", "txt"), "ca": filesOf("pem", "crt"), "blocks": filesOf("html"), "file": filesOf("yaml", "yml"),
}

// valuesFor is how the values of a flag of a command are completed; nil where nobody knows.
func valuesFor(cmd *cobra.Command, f *pflag.Flag) completion {
	if f.Value.Type() == "bool" {
		return nil
	}
	if own := valuesOf[cmd.Name()+" "+f.Name]; own != nil {
		return own
	}
	return valuesOf[f.Name]
}

// valueOf is the value of a flag, or the first of several; empty where the command has no such flag, or it is not given.
func valueOf(cmd *cobra.Command, flag string) string {
	f := cmd.Flags().Lookup(flag)
	if f == nil {
		return ""
	}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		if all := list.GetSlice(); len(all) > 0 {
			return all[0]
		}
		return ""
	}
	return f.Value.String()
}

// topicsOfWeb are the topics of the recorded web that is named by --web, or by the crawl file.
func topicsOfWeb(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	web := valueOf(cmd, "web")
	if web == "" && len(args) > 0 {
		if c, err := crawlfile.Load(args[0]); err == nil {
			web = c.Web
		}
	}
	var names []string
	about, _ := replay.Describes(web) // of what cannot be read nothing is completed
	for _, t := range about.Topics {
		names = append(names, t.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// mostLooked is how many lines of a log are read for a completion, which somebody waits for.
const mostLooked = 100_000

// ofRun collects something of the decisions of the run that is named by --run, or of the newest.
func ofRun(cmd *cobra.Command, take func(*run.Decision) string) ([]string, cobra.ShellCompDirective) {
	all, lines := map[string]bool{}, 0
	ran := runFlag{folder: valueOf(cmd, "run")}
	if dir, err := ran.dir(); err == nil {
		run.ReadLog(filepath.Join(dir, run.FileLog), func(d *run.Decision) bool { // what cannot be read is not completed
			if word := take(d); word != "" {
				all[word] = true
			}
			lines++
			return lines < mostLooked
		})
	}
	return slices.Sorted(maps.Keys(all)), cobra.ShellCompDirectiveNoFileComp
}

func hostsOfRun(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return ofRun(cmd, func(d *run.Decision) string { return page.Host(d.URL) })
}

func reasonsOfRun(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return ofRun(cmd, func(d *run.Decision) string { return string(d.Reason.Kind()) })
}

// keysAndValues are the keys of the crawl file, each with the = that follows it, and behind that the values of those that have
// a few.
func keysAndValues(_ *cobra.Command, _ []string, begun string) (words []string, _ cobra.ShellCompDirective) {
	key, _, whole := strings.Cut(begun, "=")
	for _, k := range crawlfile.Keys() {
		switch {
		case k.Group || strings.Contains(k.Path, "[]"):
		case !whole:
			words = append(words, k.Path+"=\t"+k.Doc)
		case k.Path != key:
		case k.Type == "true or false":
			words = []string{key + "=true", key + "=false"}
		case strings.Contains(k.Allowed, " | "):
			for _, value := range strings.Split(k.Allowed, " | ") {
				words = append(words, key+"="+value)
			}
		}
	}
	if !whole {
		return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}
