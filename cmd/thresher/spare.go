package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/thresher-crawler/thresher/focus/outlet"
	"github.com/thresher-crawler/thresher/focus/run"
)

// This file has what must hold of every flag that names what a command writes. Above all nothing is written over what a run has written,
// which nothing brings back.

// ofRuns are the names of files and folders that a run writes itself, or other commands beside its results.
var ofRuns = append(slices.Clone(run.Results), "pages-*", "*.tsv", "*.log", "*.yaml", "run*.json", "opensearch*", "opinions.jsonl", "state", "staged", "index",
	"control", "experience", "web")

// written is the annotation of a flag that names a file which a command writes, or a folder. Its values are names that may be a run's
// own all the same.
const written = "written"

// writes marks flags that name what a command writes: none of them may name what is a run's own.
func writes(flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		writesBut(flags, name)
	}
}

// writesBut is writes for a flag that may name some of a run's own, such as the labels that stand beside its pages.
func writesBut(flags *pflag.FlagSet, name string, but ...string) {
	if err := flags.SetAnnotation(name, written, but); err != nil {
		panic(err) // there is no such flag
	}
}

// checkWritten refuses a command line that is not written in UTF-8, or names what cannot or must not be written, before anything is done.
func checkWritten(cmd *cobra.Command, _ []string) (err error) {
	if err = checkWords(cmd); err != nil {
		return err
	}
	by := map[string]string{} // files, and the flags that name them
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if but, is := flag.Annotations[written]; is && err == nil && flag.Value.String() != "" {
			file := filepath.Clean(flag.Value.String())
			if info, no := os.Stat(file); by[file] != "" && (no != nil || info.Mode().IsRegular()) {
				err = usageError{fmt.Sprintf("--%s and --%s are to be written into one file, %s; give each its own", by[file], flag.Name, file), firstExample(cmd)}
				return
			}
			by[file] = flag.Name
			if err = hasPlace(cmd, flag.Name, flag.Value.String()); err == nil {
				err = spare(cmd, flag.Name, flag.Value.String(), but...)
			}
		}
	})
	return err
}

// hasPlace refuses the value of a flag that is a folder, where none is wanted, and one whose folder is not there.
func hasPlace(cmd *cobra.Command, flag, value string) error {
	if isFolder(value) && !writesFolder(cmd) {
		return usageError{fmt.Sprintf("--%s %s is a folder, want a file", flag, value), firstExample(cmd)}
	}
	if dir := filepath.Dir(filepath.Clean(value)); !isFolder(dir) {
		return usageError{fmt.Sprintf("--%s %s: there is no folder %s; make it first", flag, value, dir), firstExample(cmd)}
	}
	return nil
}

// writesFolder tells of a command line that what it writes is a folder: an export of Markdown.
func writesFolder(cmd *cobra.Command) bool {
	to := cmd.Flags().Lookup("to")
	return to != nil && outlet.Folder(to.Value.String())
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// spare refuses the value of a flag that is a run's own, whatever way leads there.
func spare(cmd *cobra.Command, flag, value string, but ...string) error {
	path, err := filepath.Abs(value)
	if err != nil {
		return err
	}
	ways := []string{path}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		ways = append(ways, filepath.Join(dir, filepath.Base(path)))
	}
	if there, err := filepath.EvalSymlinks(path); err == nil {
		ways = append(ways, there)
	}
	if like(but, filepath.Base(path)) || !slices.ContainsFunc(ways, isRunsOwn) {
		return nil
	}
	return usageError{fmt.Sprintf("--%s %s is the run's own, and would be written over: name another", flag, value), firstExample(cmd)}
}

// isRunsOwn tells of a path that it is what the run in a folder above it writes itself.
func isRunsOwn(path string) bool {
	for dir := filepath.Dir(path); ; path, dir = dir, filepath.Dir(dir) {
		if like(ofRuns, filepath.Base(path)) && run.Is(dir) {
			return true
		}
		if dir == path {
			return false
		}
	}
}

// like tells whether one of some patterns matches a name.
func like(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { is, err := filepath.Match(p, name); return is && err == nil })
}

// spareHarvest refuses to record into the folder of a run, whose files it would mix with those of the recording. A recording that is
// there is continued.
func spareHarvest(to string) error {
	if _, err := os.Stat(filepath.Join(to, "web.yaml")); err == nil || !run.Is(to) {
		return nil
	}
	return usageError{fmt.Sprintf("--to %s is the folder of a run: name one of the recording's own, such as %s", to, filepath.Join(to, "web")),
		"thresher record configs/quickstart.yaml --to webs/quickstart"}
}
