package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/ask"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/index"
)

// library is what a program searches that goes on for a while: the runs that were named, and what was found for questions since.
type library struct {
	flags   *collectionFlags
	cmd     *cobra.Command
	askable map[string]string // crawl files or runs that may be asked of, by the name of their collection
	asking  chan struct{}     // one question at a time

	growing sync.Mutex // held while one is opened and taken in: two that are at the same time would get the same name

	making atomic.Pointer[index.Collection] // its index is being made, and nothing is searched

	mu    sync.Mutex  // held while all is read or grows
	all   collections // those that were named come first
	named int         // how many these are
}

// mostOpen is how many collections of answers are kept open; the oldest is let go for one more. It stays in its folder.
const mostOpen = 32

// emptyLibrary is a library before there is a run.
func emptyLibrary(cmd *cobra.Command, f *collectionFlags) *library {
	return &library{flags: f, cmd: cmd, askable: map[string]string{}, asking: make(chan struct{}, 1)}
}

// openLibrary opens the runs that were named, or those of crawl files, and notes of which the web may be asked.
func openLibrary(cmd *cobra.Command, f *collectionFlags, args []string, may func(crawlfile.Config) bool) (*library, error) {
	l := emptyLibrary(cmd, f)
	runs := append([]string(nil), args...)
	for i, of := range args {
		if info, err := os.Stat(of); err == nil && !info.IsDir() {
			config, _, err := askedOf(of)
			if err != nil {
				return nil, err
			}
			runs[i] = config.Store
		}
	}
	all, err := f.open(cmd, runs)
	if err != nil {
		return nil, err
	}
	l.all, l.named = all, len(all)
	for _, c := range all {
		of := c.Dir
		if i := slices.IndexFunc(runs, func(dir string) bool { return sameFile(dir, c.Dir) }); i >= 0 && args[i] != runs[i] {
			of = args[i]
		}
		config, _, err := askedOf(of)
		if err == nil && may(config) && !f.readOnly {
			l.askable[c.Name()] = of
		}
	}
	return l, nil
}

func (l *library) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all.Close()
}

// now are the collections that there are now.
func (l *library) now() collections {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append(collections(nil), l.all...)
}

// mayAsk are the names of the collections that a question may be asked of.
func (l *library) mayAsk() []string { return slices.Sorted(maps.Keys(l.askable)) }

// errAsking says that one question is asked at a time.
var errAsking = errors.New("another question is being asked: wait for its answer")

// ask asks a question of a collection, and takes what is found among those that are searched. The answers lie beside the run.
func (l *library) ask(ctx context.Context, of, question string, pages, seconds int, show func(event string, k ask.Known) error) (answered, *index.Collection, error) {
	if of == "" && len(l.askable) == 1 {
		of = l.mayAsk()[0]
	}
	source := l.askable[of]
	if source == "" {
		return answered{}, nil, fmt.Errorf("collection is %q; one that may be asked is %s", of, strings.Join(l.mayAsk(), ", "))
	}
	dir := ""
	for _, c := range l.now() {
		if c.Name() == of {
			dir = filepath.Dir(filepath.Clean(c.Dir))
			break
		}
	}
	select {
	case l.asking <- struct{}{}:
		defer func() { <-l.asking }()
	default:
		return answered{}, nil, errAsking
	}
	f := askFlags{pages: pages, seconds: seconds, below: dir, quiet: true}
	got, err := f.answer(ctx, l.cmd, source, question, show)
	if err == nil && !hasRun(got.store) {
		err = ctx.Err() // it was given up before it began
	}
	if err != nil {
		return got, nil, err
	}
	c, err := l.add(context.WithoutCancel(ctx), got.store) // who stopped it wants what was found by then
	return got, c, err
}

// begun takes a run that has just begun among the collections, as one that was named: what it keeps is read as it grows.
func (l *library) begun(dir string) error {
	l.growing.Lock()
	defer l.growing.Unlock()
	more, err := l.flags.open(l.cmd, []string{dir}, l.now()...)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all, l.named = slices.Insert(l.all, l.named, more...), l.named+1
	return nil
}

// rest waits until no question is being asked: what was found is saved then. None can be asked afterwards.
func (l *library) rest() { l.asking <- struct{}{} }

// add takes what was found for a question among the collections.
func (l *library) add(ctx context.Context, store string) (*index.Collection, error) {
	l.growing.Lock()
	defer l.growing.Unlock()
	for _, c := range l.now() {
		if filepath.Clean(c.Dir) == filepath.Clean(store) {
			return c, (collections{c}).update(ctx, l.cmd.ErrOrStderr(), false)
		}
	}
	more, err := l.flags.open(l.cmd, []string{store}, l.now()...)
	if err != nil {
		return nil, err
	}
	if err := more.update(ctx, l.cmd.ErrOrStderr(), false); err != nil {
		more.Close()
		return nil, err
	}
	l.mu.Lock()
	var oldest collections
	if len(l.all)-l.named >= mostOpen {
		oldest = collections{l.all[l.named]}
		l.all = slices.Delete(l.all, l.named, l.named+1)
	}
	l.all = append(l.all, more...)
	l.mu.Unlock()
	oldest.Close()
	return more[0], nil
}
