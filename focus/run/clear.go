package run

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// Results are patterns of the files that a run writes into its folder.
var Results = []string{FileCrawl, FileStrategy, FileLog, "harvest*.jsonl", "harvest*.csv", "pages-*.warc.gz", "look*.jsonl", "kept.jsonl", FileMeter, FileReport, FileFigures, fileCompared, "fetched.jsonl", sink.FolderAgain}

// records are the patterns of those among them that hold pages, and that a crawl goes on with.
var records = []string{"harvest*.jsonl", "harvest*.csv", "pages-*.warc.gz", "look*.jsonl"}

// results are the paths of a run's files that fit a pattern. What fits one of files with numbers and is none of them is somebody's own.
func results(dir, pattern string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(crawlfile.GlobEscape(dir), pattern))
	if filepath.Dir(pattern) == "." && strings.Contains(pattern, "*") {
		paths = slices.DeleteFunc(paths, func(path string) bool { return !sink.OfSeries(filepath.Base(path)) })
	}
	return paths, err
}

// foreign refuses a folder that is not a run's, and holds files where a run would write its own.
func foreign(dir string) error {
	if _, err := ReadStanding(dir); !errors.Is(err, os.ErrNotExist) {
		return nil // a run, sound or damaged
	}
	for _, pattern := range Results {
		names, err := results(dir, pattern)
		if err != nil {
			return fmt.Errorf("run folder %s: %w", dir, err)
		}
		for _, name := range names {
			if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
				return fmt.Errorf("run folder %s is not the folder of a run, and holds %s; give another with --store DIR", dir, filepath.Base(name))
			}
		}
	}
	return nil
}

// clear removes what a run wrote, and nothing else.
func (f *Folder) clear() error {
	if f.holdsOwnFile() {
		return fmt.Errorf("run folder %s holds the crawl file itself, %s, which starting over would write over: copy it to another folder and crawl that, or give another folder with --store DIR", f.Dir, FileCrawl)
	}
	if err := f.remove(filepath.Join(FileState, "*"), FileState+".new"); err != nil {
		return err
	}
	return f.ClearResults()
}

// ClearMachines removes what other machines, or other processes of this one, wrote of a crawl that starts over, as far as it lies beside
// this folder: whoever reads all of them as one would take the pages of two crawls for each other. What a process holds is left to it.
func (f *Folder) ClearMachines(say func(string)) error {
	for _, dir := range Parts(filepath.Dir(f.Dir)) {
		if dir == f.Dir || !OfMachine(dir) {
			continue
		}
		lock, err := hold(dir)
		if err != nil {
			return err
		}
		if lock == nil {
			say(dir + " is in use, and keeps what it has of the crawl that was: remove it before the harvests are joined")
			continue
		}
		of := Folder{Dir: dir, standing: f.standing, crawl: f.crawl}
		if err := errors.Join(of.clear(), lock.Release()); err != nil {
			return err
		}
	}
	return nil
}

// holdsOwnFile tells that the crawl file that is read stands where a run keeps its copy, and is not what a run has written there: a
// person's.
func (f *Folder) holdsOwnFile() bool {
	path := filepath.Join(f.Dir, FileCrawl)
	file, err := os.Stat(f.standing.File)
	if err != nil {
		return false
	}
	if info, err := os.Stat(path); err != nil || !os.SameFile(file, info) {
		return false
	}
	text, err := os.ReadFile(path)
	if err == nil && bytes.Equal(text, f.crawl) {
		return false
	}
	config, unread := crawlfile.Load(path)
	return err != nil || unread != nil || !bytes.Equal(text, config.YAML())
}

// ClearResults removes what a run wrote for others to read.
func (f *Folder) ClearResults() error { return f.remove(Results...) }

// remove removes what fits some patterns, but for the lock, which this process holds: a file of that name that is made anew could be
// locked by another process at the same time.
func (f *Folder) remove(patterns ...string) error {
	for _, pattern := range patterns {
		names, err := results(f.Dir, pattern)
		if err != nil {
			return fmt.Errorf("clear run folder %s: %w", f.Dir, err)
		}
		for _, name := range names {
			if filepath.Base(name) == FileLock {
				continue
			}
			if err := os.RemoveAll(name); err != nil {
				return fmt.Errorf("clear run folder %s: %w", f.Dir, err)
			}
		}
	}
	return nil
}
