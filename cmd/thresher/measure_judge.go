package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/study"
)

// second is the judge that judges again.
type second struct {
	name     string
	notes    []string
	keptOnly bool // it has seen kept pages only
	labelled int  // addresses that it has an opinion of, 0 where nobody can say,
	relevant int  // and those of them that are relevant
	say      func(address string) measure.Opinion
	strange  func() (note string, err error) // when all was said: may it be believed?
	close    func()
}

// leaveOut takes a start page out of those that can be reached.
func (s *second) leaveOut(address string) {
	if s.labelled == 0 {
		return
	}
	switch s.say(address) {
	case measure.Relevant:
		s.relevant--
		s.labelled--
	case measure.Irrelevant:
		s.labelled--
	}
}

func (f *measureFlags) second(ran *run.Run) (*second, error) {
	if f.labels != "" {
		return f.labelled()
	}
	jury, err := study.NewJury(f.judge)
	if err != nil {
		return nil, misuse(err)
	}
	config, err := ran.Config()
	if err != nil {
		return nil, err
	}
	s := &second{name: f.judge, notes: jury.Notes()}
	why, err := jury.Shares(&config)
	switch {
	case err != nil:
		return nil, err
	case why != "" && !f.shared:
		return nil, notIndependent(f.judge, why)
	case why != "":
		s.notes = append(s.notes, "not independent: "+why)
	}
	a := jury.About()
	s.notes = append(s.notes,
		fmt.Sprintf("the judge (%s) learned from %d relevant and %d other pages; on pages it had not seen macro F1 %.3f, micro F1 %.3f, average precision %.3f", a.Kind, a.Relevant, a.Other, a.MacroF1, a.MicroF1, a.AP),
		jury.Provenance())
	web, kept, err := f.recording(ran, &config)
	if err != nil {
		return nil, err
	}
	if s.keptOnly = kept; kept {
		s.notes = append(s.notes, "only pages that the crawl kept are there: the others count as not relevant, so that the harvest by the judge is the lowest it can be")
	}
	var met study.Encounter
	s.strange = func() (string, error) {
		why := met.Why()
		if why != "" && !f.shared {
			return "", notIndependent(f.judge, why)
		}
		return why, nil
	}
	pages := study.NewPages(web, nil)
	s.close = func() { web.Close() }
	s.say = func(address string) measure.Opinion {
		var p *page.Page
		if recorded, ok := web.Has(address); ok {
			p, _ = pages.Page(recorded)
		}
		jury.Meet(&met, address, p)
		if p == nil {
			return measure.Unknown
		}
		return measure.Say(jury.Relevant(p))
	}
	return s, nil
}

func notIndependent(judge, why string) error {
	return fmt.Errorf("the judge %s is not independent: %s; give another, or allow it with --shared-judge", judge, why)
}

// recording is where the pages of a run are: the web it crawled, the recording it made, or what it kept.
func (f *measureFlags) recording(ran *run.Run, c *crawlfile.Config) (web *replay.Web, keptOnly bool, err error) {
	if f.pages != "" {
		web, err = replay.Open(f.pages)
		return web, false, misuse(err)
	}
	for _, dir := range []string{c.Web, filepath.Join(ran.Dir, "web")} {
		if _, err := os.Stat(dir); dir != "" && err == nil {
			web, err = replay.Open(dir)
			return web, false, err
		}
	}
	if web, err = replay.Open(ran.Dir); err != nil {
		return nil, false, fmt.Errorf("%w; a run keeps its pages with sinks: [warc], and --pages names a web they are recorded in", err)
	}
	return web, true, nil
}

// labelled judges by a file of labels.
func (f *measureFlags) labelled() (*second, error) {
	relevant, err := regexp.Compile(f.relevant)
	if err != nil {
		return nil, usageError{fmt.Sprintf("--relevant %s: is no regular expression: %v", f.relevant, err), measureExample}
	}
	labels, err := labelsByIdentity(f.labels)
	if err != nil {
		return nil, err
	}
	known := 0
	for _, line := range labels {
		if relevant.MatchString(line) {
			known++
		}
	}
	if known == 0 {
		return nil, misuse(fmt.Errorf("none of the %d labels of %s matches %q; say with --relevant which count", len(labels), f.labels, f.relevant))
	}
	return &second{name: f.labels, labelled: len(labels), relevant: known, close: func() {}, strange: func() (string, error) { return "", nil }, say: func(address string) measure.Opinion {
		id, err := page.Canonical(address)
		line, ok := labels[id]
		if err != nil || !ok {
			return measure.Unknown
		}
		return measure.Say(relevant.MatchString(line))
	}}, nil
}

// labelsByIdentity reads the labels of addresses, by their identity. Of an address that stands twice the first line counts.
func labelsByIdentity(file string) (map[string]string, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, misuse(fmt.Errorf("labels: %w", err))
	}
	list, err := strict.Listed(file, raw)
	if err != nil {
		return nil, err
	}
	labels := map[string]string{}
	for number, line := range list {
		address, said, ok := strings.Cut(line, "\t")
		id, err := page.Canonical(address)
		if !ok || err != nil {
			return nil, misuse(fmt.Errorf("%s:%d: %.60q: want an address, a tab and its labels", file, number, line))
		}
		if labels[id] == "" {
			labels[id] = said
		}
	}
	if len(labels) == 0 {
		return nil, misuse(fmt.Errorf("%s has no label, want lines of an address, a tab and its labels", file))
	}
	return labels, nil
}
