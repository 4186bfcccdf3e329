package winnow

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// optionsOf is what a run says of how its pages were looked at first.
func optionsOf(dir string, folders []string) (Options, error) {
	opened, err := run.OpenAll(dir)
	if err != nil {
		return Options{}, err
	}
	config, err := opened.Config()
	if err != nil {
		return Options{}, err
	}
	o := Options{All: config.SecondLook == "all", Threshold: config.Topic.Threshold, UserDict: config.Text.UserDict, Limit: int(config.Text.Limit), Labels: map[string]bool{}, Examples: config.Topic.Examples, values: config.Extract}
	if o.Threshold == 0 {
		if m, err := topic.LoadModel(config.Topic.Model); err == nil {
			o.Threshold = m.Threshold
		}
	}
	for _, folder := range append([]string{dir}, folders...) {
		if err := readLabels(filepath.Join(folder, "labels.tsv"), o.Labels); err != nil {
			return o, err
		}
	}
	return o, nil
}

// readLabels reads what thresher label has written: address, tab, relevant or other. Of an address that stands there twice the first
// line counts, as for whoever else reads it.
func readLabels(path string, into map[string]bool) error {
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("labels: %w", err)
	}
	for line := range strings.Lines(string(raw)) {
		address, said, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		if _, twice := into[address]; twice {
			continue
		}
		switch said, _, _ = strings.Cut(said, "\t"); said {
		case "relevant":
			into[address] = true
		case "other":
			into[address] = false
		}
	}
	return nil
}
