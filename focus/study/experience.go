package study

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// Experience is what the strategy of a crawl has learned that holds on other webs, too.
type Experience struct {
	Crawl    string `json:"crawl"`
	Web      string `json:"web,omitempty"` // the recorded web it was learned on; empty for the live one
	Strategy string `json:"strategy"`
	Pages    int    `json:"pages"`
	Relevant int    `json:"relevant"`
	Sum      string `json:"sum"` // of what was learned, so that damage is noticed

	Learned []byte   `json:"-"`
	Sources []Source `json:"-"` // where: this crawl, and those that it began with
}

// experienceForm is the head of an experience as it is written down.
type experienceForm struct {
	Format int `json:"format"`
	Experience
	From []Source `json:"sources,omitempty"`
}

// experienceFormat changes when the file of an experience is read otherwise. Where none is said it is the first.
const experienceFormat = 1

// ReadExperience reads what a crawl has learned, from its run folder or from a file.
func ReadExperience(path string) (*Experience, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, crawlfile.FileExperience)
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("experience %s: there is none; a crawl writes it at its end if its strategy learns, as apprentice does", path)
	}
	if err != nil {
		return nil, fmt.Errorf("experience: %w", err)
	}
	head, learned, _ := bytes.Cut(text, []byte{'\n'})
	if err := run.OtherFormat(head, experienceFormat); err != nil {
		return nil, fmt.Errorf("experience %s: %w", path, err)
	}
	var form experienceForm
	if err := json.Unmarshal(head, &form); err != nil || form.Sum == "" {
		return nil, fmt.Errorf("%s is no file of an experience, or its first line is damaged; write it again with thresher learn export", path)
	}
	if len(learned) == 0 || form.Sum != sumOf(learned, form.From) {
		return nil, fmt.Errorf("experience %s is damaged, or cut short: its checksum does not match; write it again with thresher learn export", path)
	}
	e := form.Experience
	e.Learned, e.Sources = learned, form.From
	return &e, nil
}

// sumOf is the sum of what was learned, and of where.
func sumOf(learned []byte, sources []Source) string {
	sum := sha256.New()
	sum.Write(learned)
	for _, s := range sources {
		fmt.Fprintf(sum, "%q %q %q %x\n", s.Crawl, s.Web, s.Fingerprint, s.Pages)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// Save writes it into a file.
func (e *Experience) Save(path string) error {
	e.Sum = sumOf(e.Learned, e.Sources)
	head, err := json.Marshal(experienceForm{experienceFormat, *e, e.Sources})
	if err == nil {
		err = whole.Private(path, append(append(head, '\n'), e.Learned...))
	}
	if err != nil {
		return fmt.Errorf("experience: %w", err)
	}
	return nil
}

// Begin reads what a crawl begins with; nil where it begins cold. It must be of use to the strategy.
func Begin(c *crawlfile.Config, strategy *rank.Strategy) (*Experience, error) {
	if c.Learn.From == "" || c.Learn.From == crawlfile.ColdStart {
		return nil, nil
	}
	e, err := ReadExperience(c.Learn.From)
	if err != nil {
		return nil, strict.Err([]strict.Problem{c.At("learn.from", "%v", err)})
	}
	m := rank.NewMemory()
	m.Serve(strategy)
	if err := m.Begin(e.Learned, c.Learn.Trust); err != nil {
		return nil, fmt.Errorf("learn.from %s: %w", c.Learn.From, err)
	}
	return e, nil
}
