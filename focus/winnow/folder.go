package winnow

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// Cut says which pages of a run are kept after the second look. One of them at most is given; none is the threshold of the run.
type Cut struct {
	Threshold float64
	Precision float64 // by the labels of the run
	Top       int
	Model     string // a trained judge, in a file, in the place of the second look
}

// Report is what the second look at a run came to.
type Report struct {
	Result
	Pages   int // pages that were looked at
	Kept    int // pages that stand in kept.jsonl; none where the first look stands
	Labels  int // labels that were learned from
	Folders []string
}

// Unlooked tells of a run that has no pages for a second look.
type Unlooked struct{ Dir string }

func (e Unlooked) Error() string {
	return fmt.Sprintf("winnow: %s keeps no pages for a second look: it was crawled with second_look: off, or by an older version", e.Dir)
}

// Run looks again at the pages of a run, in the folder of the run or in those of the machines that share it, and writes
// kept.jsonl into each. What was there before stays until the new one is whole.
func Run(dir string, folders []string, cut Cut) (Report, error) {
	o, err := optionsOf(dir, folders)
	if err != nil {
		return Report{}, err
	}
	r := Report{Folders: folders, Labels: len(o.Labels)}
	s, err := gather(folders)
	if err != nil {
		return r, err
	}
	r.Pages = len(s.pages)
	if cut.Model != "" {
		err = r.judge(s.pages, cut.Model)
	} else {
		r.Result, err = Look(s.pages, o)
	}
	if err == nil {
		err = r.cut(s, cut, &o)
	}
	if err != nil {
		return r, err
	}
	for _, folder := range folders {
		if cut == (Cut{}) && r.Refused != "" && len(o.Labels) == 0 { // the harvest is what is kept
			if err := os.Remove(filepath.Join(folder, sink.FileKept)); err != nil && !errors.Is(err, os.ErrNotExist) {
				return r, fmt.Errorf("winnow: %w", err)
			}
			continue
		}
		n, err := r.write(folder, s)
		if err != nil {
			return r, err
		}
		r.Kept += n
	}
	return r, nil
}

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
	o := Options{Threshold: config.Topic.Threshold, UserDict: config.Text.UserDict, Limit: int(config.Text.Limit), Labels: map[string]bool{}}
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

// readLabels reads what thresher label has written: address, tab, relevant or other.
func readLabels(path string, into map[string]bool) error {
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("winnow: labels: %w", err)
	}
	for line := range strings.Lines(string(raw)) {
		address, said, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		switch said, _, _ = strings.Cut(said, "\t"); said {
		case "relevant":
			into[address] = true
		case "other":
			into[address] = false
		}
	}
	return nil
}

// sheaf are the pages of some folders, each once.
type sheaf struct {
	pages  []Page
	digest []string       // by page
	at     map[uint64]int // by number
}

func gather(folders []string) (*sheaf, error) {
	s := &sheaf{at: map[uint64]int{}}
	for _, folder := range folders {
		for seen, err := range sink.ReadLooks(folder) {
			if err != nil {
				return nil, err
			}
			r := seen.Record
			if _, twice := s.at[r.ID]; twice {
				continue
			}
			s.at[r.ID] = len(s.pages)
			s.pages = append(s.pages, Page{ID: r.ID, URL: r.FinalURL, Keys: seen.Keys, Title: r.Title, Text: r.Text, Relevance: r.Relevance, Links: seen.Links})
			s.digest = append(s.digest, r.Digest)
		}
	}
	if len(s.pages) == 0 {
		return nil, Unlooked{strings.Join(folders, ", ")}
	}
	return s, nil
}

// judge judges pages by a trained judge alone.
func (r *Report) judge(pages []Page, model string) error {
	t, err := topic.New(topic.Spec{Judge: "classifier", Model: model})
	if err != nil {
		return err
	}
	r.Verdicts = make([]Verdict, len(pages))
	r.unsaid = make([]float64, len(pages))
	each(len(pages), func(i int) {
		p := &pages[i]
		j := t.Judge(&text.Doc{Segments: []text.Segment{{Text: p.Title, Position: titlePosition}, {Text: p.Text}}})
		r.Verdicts[i] = Verdict{ID: p.ID, First: p.Relevance, Second: j.Relevance, Kept: j.Relevant}
		r.unsaid[i] = j.Relevance
	})
	return nil
}

// titlePosition is the position of titles, as package page numbers them.
const titlePosition = 6

// cut decides what is kept otherwise than by the threshold of the run, and leaves out what repeats a page that is kept.
func (r *Report) cut(s *sheaf, c Cut, o *Options) error {
	for i := range r.Verdicts {
		r.Verdicts[i].Before = r.Verdicts[i].First >= o.Threshold
	}
	if c.Precision > 0 {
		at, err := r.ThresholdFor(c.Precision, s.pages, o.Labels)
		if err != nil {
			return err
		}
		c.Threshold = at
	}
	switch {
	case c.Top > 0:
		r.Top(c.Top)
	case c.Threshold > 0:
		r.Result.Cut(c.Threshold, s.pages, o.Labels)
	}
	there := map[string]bool{}
	for i, v := range r.Verdicts {
		if v.Kept && v.Before {
			there[s.digest[i]] = true
		}
	}
	for i := range r.Verdicts {
		if v := &r.Verdicts[i]; v.Kept && !v.Before {
			v.Kept = !there[s.digest[i]]
			there[s.digest[i]] = true
		}
	}
	r.count()
	return nil
}

// write writes what is kept of a folder, whole, and answers how many pages that is. What was kept at first and could not be
// looked at again stays.
func (r *Report) write(folder string, s *sheaf) (n int, err error) {
	path := filepath.Join(folder, sink.FileKept)
	file, err := os.CreateTemp(folder, whole.Beside+"*")
	if err != nil {
		return 0, fmt.Errorf("winnow: %w", err)
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
			err = fmt.Errorf("winnow: %s: %w", path, err)
		}
	}()
	out := bufio.NewWriterSize(file, 256<<10)
	encoder, err := sink.NewEncoder(out, "jsonl", nil)
	if err != nil {
		return 0, err
	}
	there := map[uint64]bool{}
	put := func(record *sink.Record) error {
		if there[record.ID] {
			return nil
		}
		there[record.ID] = true
		n++
		return encoder.Encode(record)
	}
	for seen, err := range sink.ReadLooks(folder) {
		if err != nil {
			return n, err
		}
		if v := r.Verdicts[s.at[seen.Record.ID]]; v.Kept {
			seen.Record.Second = v.Second
			if err := put(seen.Record); err != nil {
				return n, err
			}
		}
	}
	if names, err := sink.HarvestFiles(folder); err == nil && len(names) > 0 {
		for record, err := range sink.Harvest(folder) {
			if err != nil {
				return n, err
			}
			if _, looked := s.at[record.ID]; !looked {
				if err := put(record); err != nil {
					return n, err
				}
			}
		}
	}
	if err = out.Flush(); err == nil {
		err = file.Sync()
	}
	if err == nil {
		err = file.Close()
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	return n, err
}
