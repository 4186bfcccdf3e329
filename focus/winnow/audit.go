package winnow

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/audit"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// FileAudit is the list of labels that an audit of a run collects. It is none of those that a second look learns from.
const FileAudit = "audit.tsv"

// Audit is an audit of the harvest of a run.
type Audit struct {
	*audit.Audit
	about   map[string]About // by address
	dir     string
	folders []string
	harvest string
}

// About is what is known of a page that is asked about.
type About struct{ Title, Text string }

// shownText is how much of a text is held of each page.
const shownText = 1200

// OpenAudit draws lots for the pages of a run that were fetched and that nothing but the judge kept out, or could have: what robots.txt,
// a page's own words or a copy of another page keeps out of a harvest is neither missed nor asked about. all tells that every page can
// be shown; where it cannot, those of the clearly foreign ones are drawn first of which the text was kept.
func OpenAudit(dir string, folders []string, seed uint64, all bool) (*Audit, error) {
	o, err := optionsOf(dir, folders)
	if err != nil {
		return nil, err
	}
	a := &Audit{dir: dir, folders: folders, about: map[string]About{}}
	looked, err := a.numbers(&o)
	if err != nil {
		return nil, err
	}
	kept, err := keptOf(folders)
	if err != nil {
		return nil, err
	}
	a.harvest = fingerprint(kept)
	pages, err := a.population(looked, kept, &o, all)
	if err != nil {
		return nil, err
	}
	a.Audit = audit.New(pages, o.Threshold, o.Labels, seed)
	return a, nil
}

// judged is a page as the second look has it.
type judged struct {
	url    string
	number float64
}

// numbers are what the second look says of pages that it can look at, as if nobody had labelled them. Where there is nothing to look
// at the first look's number stands for it.
func (a *Audit) numbers(o *Options) (map[uint64]judged, error) {
	looked := map[uint64]judged{}
	if !slices.ContainsFunc(a.folders, sink.HasLooks) {
		return looked, nil
	}
	s, err := linked(slices.DeleteFunc(slices.Clone(a.folders), func(folder string) bool { return !sink.HasLooks(folder) }), o)
	if err != nil {
		return nil, err
	}
	s.settle(o)
	r, err := s.look(o)
	if err != nil {
		return nil, err
	}
	for i := range s.pages {
		p := &s.pages[i]
		looked[p.ID] = judged{p.URL, r.unsaid[i]}
		a.about[p.URL] = About{Title: p.Title}
	}
	return looked, s.readTexts(func(i int, text string) error {
		p := &s.pages[i]
		a.about[p.URL] = About{p.Title, strings.Clone(page.Cut(text, shownText))}
		return nil
	})
}

// keptOf are the numbers of the pages that are kept of a run, in their order.
func keptOf(folders []string) (map[uint64]bool, error) {
	kept := map[uint64]bool{}
	for _, folder := range folders {
		if names, err := sink.HarvestFiles(folder); !sink.HasKept(folder) && (err != nil || len(names) == 0) {
			continue
		}
		for record, err := range sink.Kept(folder) {
			if err != nil {
				return nil, err
			}
			kept[record.ID] = true
		}
	}
	return kept, nil
}

// population are the pages that can be asked about, those that rounds have found among them: in what these have asked for pages have
// no numbers.
func (a *Audit) population(looked map[uint64]judged, kept map[uint64]bool, o *Options, all bool) ([]audit.Page, error) {
	ran, err := run.OpenAll(a.dir)
	if err != nil {
		return nil, err
	}
	later, err := a.later(looked)
	if err != nil {
		return nil, err
	}
	lists, err := listsOf(a.folders)
	if err != nil {
		return nil, err
	}
	var pages []audit.Page
	there := map[string]bool{}
	err = ran.Asked(func(d *run.Decision) bool {
		if !d.Open() {
			return true
		}
		id := cmp.Or(d.ID, later[d.URL])
		j, ok := looked[id]
		if !ok {
			j = judged{d.URL, d.Relevance}
		}
		if there[j.url] || lists[id] {
			return true
		}
		there[j.url] = true
		if _, ok := a.about[j.url]; !ok {
			a.about[j.url] = About{Title: d.Title}
		}
		pages = append(pages, audit.Page{URL: j.url, Number: j.number, Kept: kept[id], Foreign: sink.Foreign(d.Relevance, o.Threshold), First: !all && sink.Sampled(j.url)})
		return true
	})
	return pages, err
}

// listsOf are the numbers of the pages that the last second look left out as lists of others: like copies they are neither missed nor
// asked about.
func listsOf(folders []string) (map[uint64]bool, error) {
	lists := map[uint64]bool{}
	for _, folder := range folders {
		f, err := run.ReadFigures(folder)
		if err != nil {
			return nil, err
		}
		if f.Look == nil {
			continue
		}
		for _, id := range f.Look.Lists {
			lists[id] = true
		}
	}
	return lists, nil
}

// later are the numbers of pages by address, as far as they are looked at or kept.
func (a *Audit) later(looked map[uint64]judged) (map[string]uint64, error) {
	ids := map[string]uint64{}
	for id, j := range looked {
		ids[j.url] = id
	}
	for _, folder := range a.folders {
		if !sink.Revised(folder) {
			continue
		}
		for record, err := range sink.KeptBriefly(folder) {
			if err != nil {
				return nil, err
			}
			ids[record.URL] = record.ID
		}
	}
	return ids, nil
}

// About is what is known of a page: of one that was clearly foreign it may be no more than its title.
func (a *Audit) About(url string) About { return a.about[url] }

// Tell writes the figures of the audit into the run folder and its reports, and answers them. Where those of more answers on the same
// harvest stand there, they stay. Where nobody has said anything of any page, nothing is written.
func (a *Audit) Tell() (audit.Figures, error) {
	figures := a.Figures()
	if figures.Asked+figures.Known == 0 {
		return figures, nil
	}
	return figures, tell(a.dir, a.folders, func(_ string, f *run.Figures) error {
		if f.Audit != nil && f.Audited == a.harvest && f.Audit.Asked > figures.Asked {
			return nil
		}
		f.Audit, f.Audited = &figures, a.harvest
		f.Reckon()
		return nil
	})
}

// List is where the answers of an audit stand.
func (a *Audit) List(named string) string { return cmp.Or(named, filepath.Join(a.dir, FileAudit)) }
