package winnow

import (
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// ownOr are the folders that a run is kept in: its own, where none are named.
func ownOr(dir string, folders []string) []string {
	if len(folders) == 0 {
		return []string{dir}
	}
	return folders
}

// optionsOf is what a run says of how its pages were looked at first.
func optionsOf(dir string, folders []string) (Options, error) {
	config, err := run.ConfigOf(dir)
	if err != nil {
		return Options{}, err
	}
	o := Options{off: config.SecondLook == "off", copies: config.Duplicates == "keep", All: config.SecondLook == "all", Threshold: config.Topic.Threshold, UserDict: config.Text.UserDict, Limit: int(config.Text.Limit), Labels: map[string]bool{}, Examples: config.Topic.Examples, values: config.Extract, spec: config.Spec()}
	if o.own = o.Threshold == 0 && config.Topic.Trained(); o.own {
		if m, err := topic.LoadModel(config.Topic.Model); err == nil {
			o.Threshold, o.own = m.Threshold, false
		}
	}
	for _, folder := range append([]string{dir}, folders...) {
		if err := readLabels(folder, o.Labels); err != nil {
			return o, err
		}
	}
	return o, nil
}

// ofTopic is what tells whether a text is of the topic, by the first look; where that cannot be asked any more all are.
func (o *Options) ofTopic() func(string) bool {
	about := sync.OnceValue(func() *topic.Topic {
		t, err := topic.New(o.spec)
		if err != nil {
			return nil
		}
		return t
	})
	return func(said string) bool {
		t := about()
		return t == nil || t.Judge(study.MainText("", "", said).Doc).Relevance >= o.Threshold
	}
}

// settle finds the threshold of a judge that was trained for the crawl alone, and has told nobody: no page was kept that has less than
// the least relevant of those that were.
func (s *sheaf) settle(o *Options) {
	if o.own {
		o.Threshold = s.least
	}
}

// readLabels reads what thresher label has written in the folder of a run, if it has. Of an address that stands in several
// lists the first counts.
func readLabels(folder string, into map[string]bool) error {
	labels, err := study.ReadLabels(filepath.Join(folder, "labels.tsv"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, l := range labels {
		if _, twice := into[l.Address]; !twice {
			into[l.Address] = l.Relevant
		}
	}
	return err
}
