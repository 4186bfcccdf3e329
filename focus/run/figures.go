package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/audit"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// FileFigures is the file of a run folder that says what is kept after the second look, and how much of the topic that is.
const FileFigures = "figures.json"

// Figures say what is kept of a run, and how much of the topic that is, as far as anybody knows.
type Figures struct {
	Audit   *audit.Figures `json:"audit"`             // of what is kept now, by somebody's answers; null where nobody was asked
	Audited string         `json:"audited,omitempty"` // the harvest that was audited
	Look    *Look          `json:"second_look,omitempty"`
	Course  *audit.Course  `json:"course,omitempty"`  // what the crawl shows of pages that are not kept
	Remains *audit.Remains `json:"remains,omitempty"` // how many of them are relevant, by that and by the audit
}

// Look is what the second look at a run came to: how much, and the pages that a person wants to see.
type Look struct {
	From  float64  `json:"from"` // the relevance from which a page is kept
	Pages int      `json:"pages"`
	Kept  int      `json:"kept"`
	Best  []Told   `json:"best"`
	Near  []Told   `json:"near_misses"`
	In    []Told   `json:"in"`              // kept, and not by the first look
	Out   []Told   `json:"out"`             // kept by the first look, and not by this one
	Lists []uint64 `json:"lists,omitempty"` // numbers of pages that say what kept pages say that they lead to, and are left out
	Cut   *Cut     `json:"cut,omitempty"`   // that somebody has chosen; nil where it is that of the run
}

// Cut says which pages are kept after the second look: one of the three at most, by the second look or by a trained judge in a file.
type Cut struct {
	Threshold float64 `json:"threshold,omitempty"`
	Precision float64 `json:"precision,omitempty"` // by the labels of the run
	Top       int     `json:"top,omitempty"`
	Judge     string  `json:"judge,omitempty"`
	Asked     bool    `json:"asked,omitempty"` // a model was asked, too
}

// Flags are those of winnow that stand for a cut.
func (c *Cut) Flags() string {
	var flags []string
	if c.Judge != "" {
		flags = append(flags, "--judge "+shell.Word(c.Judge))
	}
	for _, f := range []struct {
		name  string
		value float64
	}{{"threshold", c.Threshold}, {"precision", c.Precision}, {"top", float64(c.Top)}} {
		if f.value > 0 {
			flags = append(flags, fmt.Sprintf("--%s %v", f.name, f.value))
		}
	}
	return strings.Join(flags, " ")
}

// Told is what a person is shown of a page that was looked at again.
type Told struct {
	Title      string  `json:"title"`
	URL        string  `json:"url"`
	First      float64 `json:"first"` // relevance by the first look
	Second     float64 `json:"second"`
	Importance float64 `json:"importance,omitempty"` // of a page that is kept; 1 is the mean
	Before     bool    `json:"before"`               // the first look kept it
	Kept       bool    `json:"kept"`                 // the second keeps it
	List       uint64  `json:"-"`                    // its number, where it is one of Look.Lists
}

// ReadFigures reads what is known of a run: nothing, where nothing was written.
func ReadFigures(dir string) (*Figures, error) {
	f := &Figures{}
	path := filepath.Join(dir, FileFigures)
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return f, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, f)
	}
	if err != nil {
		return &Figures{}, fmt.Errorf("%s: %w; delete it, and winnow and label --audit write it again", path, err)
	}
	return f, nil
}

// Reckon says anew how much of the topic is not kept.
func (f *Figures) Reckon() {
	if f.Remains = nil; f.Course != nil {
		remains := f.Course.Remains(f.Audit)
		f.Remains = &remains
	}
}

// unlook takes out of the figures of a run that goes on what a second look said of it. What cannot be read is left to the next one.
func unlook(dir string) error {
	f, err := ReadFigures(dir)
	if err != nil || f.Look == nil {
		return nil
	}
	f.Look, f.Course, f.Remains = nil, nil, nil
	return f.Write(dir)
}

// Write writes the figures into the folder of a run.
func (f *Figures) Write(dir string) error {
	raw, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return fmt.Errorf("%s: %w", FileFigures, err)
	}
	return whole.Private(filepath.Join(dir, FileFigures), append(raw, '\n'))
}
