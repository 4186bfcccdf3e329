package main

import (
	"fmt"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/serve"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// teaching does for the page of labels what winnow, train judge and suggest do.
type teaching struct {
	cmd      *cobra.Command
	mu       sync.Mutex // one at a time: each is work
	proposed map[string]*suggesting
}

// teachable are the folders of a run.
func teachable(dir string) []string {
	if parts := run.Parts(dir); len(parts) > 0 {
		return parts
	}
	return []string{dir}
}

func (t *teaching) winnow(dir string) (kept int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r, err := winnow.Run(dir, teachable(dir), winnow.Cut{})
	if err != nil {
		return 0, err
	}
	sayUntold(t.cmd.ErrOrStderr(), &r)
	return r.Kept, sendAgain(t.cmd, dir, teachable(dir))
}

// train trains a judge on the labels of a run, and writes it beside them.
func (t *teaching) train(dir string) (f1 float64, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	labels, err := study.ReadLabels(filepath.Join(dir, "labels.tsv"))
	if err != nil {
		return 0, fmt.Errorf("there are no labels yet: %w", err)
	}
	archive, err := winnow.Open(dir, teachable(dir))
	if err != nil {
		return 0, err
	}
	corpus := study.CorpusOf(labels, archive.Specimens())
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

// of are the suggestions for a run, made once for as long as nobody takes one.
func (t *teaching) of(dir string) (*suggesting, error) {
	if s := t.proposed[dir]; s != nil {
		return s, nil
	}
	s := &suggesting{Run: dir, File: crawledWith(dir), errs: t.cmd.ErrOrStderr()}
	if s.File == "" {
		return nil, fmt.Errorf("%s does not say which crawl file it was crawled with, or the file is gone: thresher suggest --file FILE", dir)
	}
	if err := s.propose(teachable(dir), 0); err != nil {
		return nil, err
	}
	t.proposed[dir] = s
	return s, nil
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
			delete(t.proposed, dir) // others may be better beside it
			s.add, s.drop = []crawlfile.TermConfig(nil), nil
			s.accept(one, weight)
			return s.write()
		}
	}
	return fmt.Errorf("%q is not suggested for %s any more", term, dir)
}
