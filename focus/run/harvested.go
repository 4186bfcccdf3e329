package run

import (
	"cmp"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// harvested is what stands in the harvest of a run, and was not met in its log yet. A record says which page it is by its number or
// by its address; where the crawl file has chosen neither among its fields, nobody can tell.
type harvested struct {
	counts    bool // the run has a harvest, or ought to: what is not in it is not kept
	byID      map[uint64]*sink.Record
	byAddress map[string]*sink.Record
	nameless  int // records that say neither
	unmet     int // pages that were met in the log alone, and may be among those
}

// read reads the harvest. One that is gone is empty where the crawl file asks for it.
func (h *harvested) read(dir string, config *crawlfile.Config) error {
	h.byID, h.byAddress = map[uint64]*sink.Record{}, map[string]*sink.Record{}
	for _, o := range formsOf(config) {
		h.counts = h.counts || o.To == "jsonl"
	}
	if names, err := sink.HarvestFiles(dir); err != nil || len(names) == 0 {
		return err
	}
	h.counts = true
	for r, err := range sink.HarvestOnce(dir) {
		if err != nil {
			return err
		}
		h.add(&sink.Record{ID: r.ID, URL: r.URL, FinalURL: r.FinalURL, Title: r.Title, Relevance: r.Relevance, Status: r.Status, Time: r.Time,
			Imprint: sink.Imprint{Canonical: r.Canonical}})
	}
	return nil
}

// Addressed fills in what a record of chosen fields says of its address in one of them alone.
func Addressed(r *sink.Record) {
	r.URL, r.FinalURL = cmp.Or(r.URL, r.FinalURL), cmp.Or(r.FinalURL, r.URL)
	if r.Host == "" && r.FinalURL != "" {
		r.Host = page.Host(r.FinalURL)
	}
}

func (h *harvested) add(r *sink.Record) {
	switch address := cmp.Or(r.URL, r.FinalURL); {
	case r.ID != 0:
		h.byID[r.ID] = r
	case address != "":
		h.byAddress[address] = r
	default:
		h.nameless++
	}
}

// take is the record of a page that the log has a visit of; nil where there is none.
func (h *harvested) take(d *Decision) *sink.Record {
	r := h.byID[d.ID]
	if delete(h.byID, d.ID); r == nil {
		r = h.byAddress[d.URL]
	}
	delete(h.byAddress, d.URL)
	return r
}

// lacks tells of a page without a record that it is lost. Where it may be one of those that say nothing of it, it is not.
func (h *harvested) lacks() bool {
	if h.counts && h.nameless == 0 {
		return true
	}
	h.unmet++
	return false
}

// missing is how many pages are lost of which nobody can tell which they are.
func (h *harvested) missing() int {
	if !h.counts {
		return 0
	}
	return max(h.unmet-h.nameless, 0)
}
