package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/serve"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// teaching does for the page of labels what winnow, train judge and suggest do.
type teaching struct {
	cmd      *cobra.Command
	mu       sync.Mutex // one at a time: each is work
	proposed map[string]*proposal
}

// proposal is what was suggested for a run when its files were as the stamp says.
type proposal struct {
	*suggesting
	stamp string
}

func (t *teaching) winnow(dir string) (kept int, err error) {
	t.mu.Lock()
	r, err := winnow.Run(dir, run.Folders(dir), winnow.Cut{})
	t.mu.Unlock() // a cluster may take its time
	if err != nil {
		return 0, err
	}
	sayUntold(t.cmd.ErrOrStderr(), &r)
	if err := sendAgain(t.cmd, dir, run.Folders(dir)); err != nil {
		fmt.Fprintf(t.cmd.ErrOrStderr(), "%s: the second look was taken, and not sent: %v\n", dir, err)
		return r.Kept, serve.Unsent{Cause: err}
	}
	return r.Kept, nil
}

// train trains a judge on the labels of a run, and writes it beside them.
func (t *teaching) train(dir string) (f1 float64, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	labels, err := study.ReadLabels(filepath.Join(dir, "labels.tsv"))
	if err != nil {
		return 0, fmt.Errorf("there are no labels yet: %w", err)
	}
	archive, err := winnow.Open(dir, run.Folders(dir))
	if err != nil {
		return 0, err
	}
	var labelled []string
	for _, l := range labels {
		labelled = append(labelled, l.Address)
	}
	pages, err := archive.Specimens(labelled)
	if err != nil {
		return 0, err
	}
	corpus := study.CorpusOf(labels, pages)
	spec := topic.Defaults()
	spec.Content = "main_text"
	model, _, err := topic.Train(study.Docs(corpus.Relevant), study.Docs(corpus.Other), topic.TrainOptions{Spec: spec, Kind: "best", Folds: 10, Hosts: corpus.Hosts()})
	if err != nil {
		return 0, err
	}
	return model.F1, model.Save(filepath.Join(dir, "judge.model"))
}

func (t *teaching) suggest(dir string) ([]serve.Suggestion, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s, err := t.of(dir)
	if err != nil {
		return nil, err
	}
	return s.Suggestions, nil
}

// of are the suggestions for a run, made once for as long as nobody takes one and its files are what they were.
func (t *teaching) of(dir string) (*suggesting, error) {
	stamp := stampOf(dir)
	if p := t.proposed[dir]; p != nil && p.stamp == stamp {
		return p.suggesting, nil
	}
	s := &suggesting{Run: dir, File: crawledWith(dir), errs: t.cmd.ErrOrStderr()}
	if s.File == "" {
		return nil, fmt.Errorf("%s does not say which crawl file it was crawled with, or the file is gone: thresher suggest --file FILE", dir)
	}
	if err := s.propose(run.Folders(dir), 0); err != nil {
		return nil, err
	}
	t.proposed[dir] = &proposal{s, stamp}
	return s, nil
}

// stampOf is another one when the crawl file, the labels, or the pages of a run are others.
func stampOf(dir string) string {
	names := []string{crawledWith(dir), filepath.Join(dir, "labels.tsv")}
	for _, folder := range run.Folders(dir) {
		names = append(names, sink.LookFiles(folder)...)
	}
	var b strings.Builder
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			fmt.Fprintln(&b, name, info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}

// take writes a term that was suggested into the crawl file of a run, with this weight.
func (t *teaching) take(dir, term string, weight float64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	s, err := t.of(dir)
	if err != nil {
		return err
	}
	for i := range s.Suggestions {
		if one := &s.Suggestions[i]; one.Term == term {
			if one.Was == 0 && weight == 0 {
				return fmt.Errorf("nothing is changed: %q is no word of the topic yet, and a weight of 0 takes words out; give it another weight", term)
			}
			delete(t.proposed, dir) // others may be better beside it
			s.add, s.drop = []crawlfile.TermConfig(nil), nil
			s.accept(one, weight)
			return s.write()
		}
	}
	return fmt.Errorf("%q is not suggested for %s any more", term, dir)
}
