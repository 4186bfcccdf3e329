package winnow

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/audit"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// Report is what the second look at a run came to.
type Report struct {
	Result
	Pages   int // pages that were looked at
	Kept    int // pages that stand in kept.jsonl
	Labels  int // labels that were learned from
	Unknown int // labels of pages that are not among them, which teach nothing
	Folders []string
	Archive Archive        // what was looked at
	Notes   []string       // what a trained judge has to say of itself
	Heard   *Heard         // what a model said; nil where none was asked
	Remains *audit.Remains // how much of the topic is not kept

	Untold error // why the figures and the report of the run do not say what this look came to, though kept.jsonl does

	Chosen *run.Cut // by which it is decided what is kept; nil where that is the threshold of the run

	told []run.Told // of all pages that were looked at
	from float64    // the relevance from which a page is kept
}

// Archive is what a run keeps for a second look, and how it is looked at.
type Archive struct {
	Pages   []Page
	Options Options
	from    *sheaf // where its texts and links are read again
}

// Open reads what a run keeps for a second look, without texts and links. The folders are those of Run.
func Open(dir string, folders []string) (Archive, error) {
	folders = ownOr(dir, folders)
	o, err := optionsOf(dir, folders)
	if err != nil {
		return Archive{}, err
	}
	s, err := gather(folders, &o)
	if err != nil {
		return Archive{}, err
	}
	s.settle(&o)
	return Archive{s.pages, o, s}, nil
}

// Look looks at the pages again, as they are judged now.
func (a *Archive) Look() (Result, error) {
	if err := a.from.link(); err != nil {
		return Result{}, err
	}
	a.from.pages = a.Pages
	return a.from.look(&a.Options)
}

// Again reads the pages again, with their texts and all of their links, and tells of each which one it is.
func (a *Archive) Again(take func(i int, seen *sink.Seen) error) error {
	return a.from.readAgain(sink.ReadLooks, take)
}

// Texts reads the texts of all pages.
func (a *Archive) Texts(take func(i int, text string) error) error { return a.from.texts(take) }

// Unlooked tells of a run that has no pages for a second look, and why.
type Unlooked struct{ Dir, why string }

func (e Unlooked) Error() string {
	return fmt.Sprintf("%s keeps no pages for a second look: %s", e.Dir, e.why)
}

// unlooked is what a run says of it that was crawled so.
func unlooked(folders []string, off bool) Unlooked {
	why := "its look.jsonl is gone, or an older version crawled it"
	switch {
	case off:
		why = "it was crawled with second_look: off"
	case slices.ContainsFunc(folders, sink.HasLooks):
		why = "none that it fetched is near enough to the topic"
	}
	return Unlooked{strings.Join(folders, ", "), why}
}

// Run looks again at the pages of a run, in the folders of the machines that share it or, where none are named, in its own, and
// writes kept.jsonl into each. What was there before stays until the new one is whole.
func Run(dir string, folders []string, cut Cut) (Report, error) {
	folders = ownOr(dir, folders)
	r, s, err := again(dir, folders, cut)
	if err != nil {
		return r, err
	}
	important := r.importance(s)
	looks := map[string]*run.Look{}
	for _, folder := range folders {
		before := len(r.told)
		n, err := r.write(folder, s, important)
		if err != nil {
			return r, err
		}
		looks[folder] = r.lookOf(r.told[before:], n)
		r.Kept += n
	}
	r.count() // without those that lack a value
	if looks[dir] == nil {
		looks[dir] = r.lookOf(r.told, r.Kept)
	}
	course, err := r.course(dir, s, &cut) // of a log that cannot be read no estimate is made; what is kept stands
	r.Untold = errors.Join(err, tell(dir, folders, func(folder string, f *run.Figures) error {
		f.Look, f.Course = looks[folder], nil
		err := renew(f, folders)
		if folder == dir {
			f.Course = course
		}
		if f.Reckon(); folder == dir {
			r.Remains = f.Remains
		}
		return err
	}))
	return r, nil
}

// again looks again at the pages of a run, and decides what is kept.
func again(dir string, folders []string, cut Cut) (Report, *sheaf, error) {
	o, err := optionsOf(dir, folders)
	if err != nil {
		return Report{}, nil, err
	}
	r := Report{Folders: folders, Chosen: cut.chosen()}
	s, err := linked(folders, &o)
	if err != nil {
		return r, nil, err
	}
	s.settle(&o)
	s.values = o.values
	r.Archive = Archive{s.pages, o, s}
	r.Pages = len(s.pages)
	r.Labels = labelled(s.pages, o.Labels)
	r.Unknown = len(o.Labels) - r.Labels
	if cut.Model != "" {
		err = r.judge(s, cut.Model, &o)
	} else {
		r.Result, err = s.look(&o)
	}
	if err == nil {
		err = r.cut(s, cut, &o)
	}
	return r, s, err
}

// labelled is how many labels are of one of the pages.
func labelled(pages []Page, labels map[string]bool) int {
	of := map[string]bool{}
	for i := range pages {
		if _, ok := labels[pages[i].URL]; ok {
			of[pages[i].URL] = true
		}
	}
	return len(of)
}

// Change is what a second look would change of what is kept now.
type Change struct {
	Labels  int        `json:"labels"` // that it would learn from
	In      []run.Told `json:"in"`
	Out     []run.Told `json:"out"`
	Refused string     `json:"refused,omitempty"` // why the first look would stand
}

// Would tells what Run would take in and put out, and writes nothing. Values that a page must have are not asked for.
func Would(dir string, folders []string) (*Change, error) {
	r, s, err := again(dir, folders, Cut{})
	if err != nil {
		return nil, err
	}
	kept, err := keptOf(folders)
	if err != nil {
		return nil, err
	}
	c := &Change{Labels: r.Labels, In: []run.Told{}, Out: []run.Told{}, Refused: r.Refused}
	for i := range r.Verdicts {
		v, p := &r.Verdicts[i], &s.pages[i]
		t := toldOf(&sink.Record{Title: p.Title, FinalURL: p.URL}, v)
		switch now := kept[v.ID]; {
		case v.Kept && !now:
			c.In = append(c.In, t)
		case now && !v.Kept:
			c.Out = append(c.Out, t)
		}
	}
	return c, nil
}

// importance is what a surfer who prefers the topic makes of each page that is kept, by number, on the links between them.
func (r *Report) importance(s *sheaf) map[uint64]float64 {
	var kept []*Page
	var links [][]link
	var relevance []float32
	for i := range s.pages {
		if v := r.Verdicts[i]; v.Kept {
			kept, links, relevance = append(kept, &s.pages[i]), append(links, s.links[i]), append(relevance, float32(v.Second))
		}
	}
	for i := range s.rest {
		kept, links, relevance = append(kept, &s.rest[i]), append(links, nil), append(relevance, float32(s.rest[i].Relevance))
	}
	at := s.places(len(kept), func(i int) *Page { return kept[i] })
	important := map[uint64]float64{}
	for i, v := range rank.ImportanceAmong(relevance, func(from int) []uint32 {
		var to []uint32
		for _, l := range links[from] {
			if n := at[l.to]; n != nowhere && int(n) != from {
				to = append(to, n)
			}
		}
		slices.Sort(to)
		return slices.Compact(to)
	}) {
		important[kept[i].ID] = v
	}
	delete(important, 0) // which any page may be whose number is not known
	return important
}

// judge judges pages by a trained judge alone. What somebody said of a page stands.
func (r *Report) judge(s *sheaf, model string, o *Options) error {
	t, err := topic.New(topic.Spec{Judge: "classifier", Model: model})
	if err != nil {
		return err
	}
	r.Result, r.from, r.Notes = resultOf(s.pages, o), t.Threshold(), t.Notes()
	err = s.someAtOnce(func(_, i int, said string) {
		r.unsaid[i] = t.Judge(&text.Doc{Segments: []text.Segment{{Text: s.pages[i].Title, Position: titlePosition}, {Text: said}}}).Relevance
		r.even[i] = logit(r.unsaid[i])
	}, func(int, int) {})
	r.Result.Cut(r.from, s.pages, o.Labels)
	return err
}

// titlePosition is the position of titles, as package page numbers them.
const titlePosition = 6

// cut decides what is kept otherwise than by the threshold of the run, and leaves out what repeats a page that is kept.
func (r *Report) cut(s *sheaf, c Cut, o *Options) error {
	if c.Precision > 0 {
		at, err := r.ThresholdFor(c.Precision, s.pages, o.Labels)
		if err != nil {
			return err
		}
		c.Threshold = at
	}
	switch {
	case c.Top > 0:
		return r.best(c.Top, s, o)
	case c.Threshold > 0:
		r.Result.Cut(c.Threshold, s.pages, o.Labels)
		r.from = c.Threshold
	case c.Model == "": // which has its own
		r.from = o.Threshold
	}
	if c.Ask != nil {
		if err := r.hear(s, &c, o); err != nil {
			return err
		}
	}
	return r.leaveCopies(s, o)
}

// least is the least relevance of a page that is kept for its number, and not for its label; 1 where there is none.
func (r *Report) least(pages []Page, labels map[string]bool) float64 {
	least, all := 2.0, 1.0
	for i, v := range r.Verdicts {
		if !v.Kept {
			continue
		}
		if all = min(all, v.Second); !labels[pages[i].URL] {
			least = min(least, v.Second)
		}
	}
	if least > 1 {
		return all // all that is kept is labelled
	}
	return least
}

// write writes what is kept of a folder, whole, and answers how many pages that is. What was kept at first and could not be
// looked at again stays.
func (r *Report) write(folder string, s *sheaf, important map[uint64]float64) (n int, err error) {
	if lock, err := run.Hold(folder); err == nil { // a run that cannot be held, or has no state any more, may be looked at, too
		defer lock.Release()
	}
	err = sink.ReplaceKept(folder, func(put func(*sink.Record) error) error {
		there := map[uint64]bool{}
		once := func(record *sink.Record) error {
			if there[record.ID] {
				return nil
			}
			there[record.ID] = record.ID != 0
			n++
			return put(record)
		}
		if err := r.keepSeen(folder, s, important, once); err != nil || len(s.rest) == 0 {
			return err
		}
		for record, err := range sink.Harvest(folder) {
			if err != nil {
				return err
			}
			if !s.looked(record.ID, keysOf(record)) {
				record.Importance = important[record.ID]
				if err := once(record); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return n, err
}

// keepSeen puts what is kept of the pages of a folder that are looked at again, and notes what was found of each.
func (r *Report) keepSeen(folder string, s *sheaf, important map[uint64]float64, put func(*sink.Record) error) error {
	for seen, err := range sink.ReadLooks(folder) {
		if err != nil {
			return err
		}
		at, looked := s.at[seen.Record.ID]
		if !looked { // a crawl that goes on has fetched it since
			continue
		}
		v := &r.Verdicts[at]
		if v.Kept && !seen.Kept && len(seen.Body) > 0 {
			v.Kept = s.extract(seen)
		}
		seen.Record.Importance = important[seen.Record.ID]
		r.told = append(r.told, toldOf(seen.Record, v))
		if !v.Kept {
			continue
		}
		if r.Refused == "" || !v.Before || v.Second != v.First { // a label or a cut decided otherwise than the first look
			seen.Record.Second = v.Second
		}
		if err := s.opinionOf(seen.Record); err != nil {
			return err
		}
		if err := put(seen.Record); err != nil {
			return err
		}
	}
	return nil
}

// Specimens are those of its pages that have these addresses: their titles and main texts are known.
func (a *Archive) Specimens(addresses []string) (map[string]study.Specimen, error) {
	wanted, all := map[string]bool{}, map[string]study.Specimen{}
	for _, address := range addresses {
		wanted[address] = true
	}
	return all, a.Texts(func(i int, text string) error {
		if p := &a.Pages[i]; wanted[p.URL] {
			all[p.URL] = study.MainText(p.URL, p.Title, text)
		}
		return nil
	})
}
