package focus

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
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
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

	learned []byte
	sources []source
}

// experienceForm is the head of an experience as it is written down.
type experienceForm struct {
	Format int `json:"format"`
	Experience
	Sources []source `json:"sources,omitempty"`
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
		return nil, fmt.Errorf("focus: experience %s: there is none; a crawl writes it at its end if its strategy learns, as apprentice does", path)
	}
	if err != nil {
		return nil, fmt.Errorf("focus: experience: %w", err)
	}
	head, learned, _ := bytes.Cut(text, []byte{'\n'})
	if err := run.OtherFormat(head, experienceFormat); err != nil {
		return nil, fmt.Errorf("focus: experience %s: %w", path, err)
	}
	var form experienceForm
	if err := json.Unmarshal(head, &form); err != nil || len(learned) == 0 || form.Sum != sumOf(learned, form.Sources) {
		return nil, fmt.Errorf("focus: experience %s is no such file, or damaged; write it again with thresher learn export", path)
	}
	e := form.Experience
	e.learned, e.sources = learned, form.Sources
	return &e, nil
}

// sumOf is the sum of what was learned, and of where.
func sumOf(learned []byte, sources []source) string {
	sum := sha256.New()
	sum.Write(learned)
	for _, s := range sources {
		fmt.Fprintf(sum, "%q %q %q %x\n", s.Crawl, s.Web, s.Fingerprint, s.Pages)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// Save writes it into a file.
func (e *Experience) Save(path string) error {
	e.Sum = sumOf(e.learned, e.sources)
	head, err := json.Marshal(experienceForm{experienceFormat, *e, e.sources})
	if err == nil {
		err = whole.Write(path, append(append(head, '\n'), e.learned...))
	}
	if err != nil {
		return fmt.Errorf("focus: experience: %w", err)
	}
	return nil
}

// experience reads what the crawl begins with; nil where it begins cold. It must be of use to the strategy.
func (c *Config) experience(strategy *rank.Strategy) (*Experience, error) {
	if c.Learn.From == "" || c.Learn.From == crawlfile.ColdStart {
		return nil, nil
	}
	e, err := ReadExperience(c.Learn.From)
	if err != nil {
		return nil, err
	}
	m := rank.NewMemory()
	m.Serve(strategy)
	if err := m.Begin(e.learned, c.Learn.Trust); err != nil {
		return nil, fmt.Errorf("focus: learn.from %s: %w", c.Learn.From, err)
	}
	return e, nil
}

// warm reads what the crawl begins with, before anything of an earlier run is touched.
func (c *Crawler) warm(strategy *rank.Strategy) (err error) {
	if c.learned, err = c.config.experience(strategy); err != nil || c.learned == nil {
		return err
	}
	if web := c.recorded(); web != nil {
		return c.learned.strangeTo(web, c.config.Learn.From)
	}
	return nil
}

// prepare readies the memory of the strategy: its size, and what it begins with.
func (c *Crawler) prepare(strategy *rank.Strategy) error {
	m := c.steps.memory
	m.Bound(c.config.Learn.Keep)
	m.Serve(strategy)
	if c.learned == nil {
		return nil
	}
	if err := m.Begin(c.learned.learned, c.config.Learn.Trust); err != nil {
		return fmt.Errorf("focus: learn.from %s: %w", c.config.Learn.From, err)
	}
	return nil
}

// webName is the name of the recorded web that is crawled, empty for the live one.
func (c *Crawler) webName() string {
	if web := c.recorded(); web != nil {
		return web.Name()
	}
	return ""
}

// saveExperience writes what the strategy has learned into the run folder, if it has learned anything.
func (c *Crawler) saveExperience(counts *ledger.Counts) error {
	learned := c.steps.memory.Experience()
	if c.folder == nil || learned == nil {
		return nil
	}
	own, err := c.ownSource()
	if err != nil {
		return err
	}
	e := Experience{Crawl: c.config.Name, Web: c.webName(), Strategy: c.steps.strategy.Name, Pages: counts.Pages, Relevant: counts.Relevant, learned: learned, sources: []source{own}}
	if c.learned != nil {
		e.sources = append(e.sources, c.learned.sources...)
	}
	return e.Save(filepath.Join(c.folder.Dir, crawlfile.FileExperience))
}
