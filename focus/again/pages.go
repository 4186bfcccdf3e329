package again

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// known is what a run knows of one page that may be visited again. It is a line of visits.jsonl.
type known struct {
	sink.Visited
	URL      string `json:"url"`
	Via      uint64 `json:"via,omitempty"` // the page it was found on
	List     bool   `json:"list,omitempty"`
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"modified,omitempty"`
	Body     string `json:"body,omitempty"`   // digest of the body; empty where nobody knows it
	Says     string `json:"says,omitempty"`   // digest of what it says, of a page that is kept
	Values   string `json:"values,omitempty"` // digest of the values off it
	Looks    []Look `json:"looks,omitempty"`
	Kept     bool   `json:"kept,omitempty"`
	Broken   bool   `json:"broken,omitempty"` // what is known of it is its beginning

	Asked time.Time `json:"asked,omitzero"` // when it was found still gone last

	relevance float64
	first     float64 // relevance by the first look
	title     string  // of a page that is kept
	optOuts   []string
	leads     int // kept pages that were found on it
}

// isDue tells whether a visit is due: always, but to a page that is gone when it has been gone for twice as long as it had been when it was
// asked for last. said is when it changed, as a list says.
func (k *known) isDue(now, said time.Time) bool {
	gone, err := time.Parse(time.RFC3339, k.Gone)
	if k.Gone == "" || err != nil || k.Asked.IsZero() || k.Asked.After(now) || isNewer(said, k.Asked, now) {
		return true
	}
	return now.Sub(gone)+early >= 2*k.Asked.Sub(gone)
}

// early is by how much a visit may come before its time: rounds that come each day do not come at the same minute.
const early = 2 * time.Hour

// mostLooks is how many looks at a page are remembered: what it did years ago says little.
const mostLooks = 50

// links are what is known of addresses beside the pages that are visited again.
type links struct {
	Round   int      `json:"round"`           // the last that was taken in
	Known   []string `json:"known"`           // visited, and of no use
	Waiting []string `json:"waiting"`         // found, and not visited for want of budget or of an answer
	Tried   []string `json:"tried,omitempty"` // of those that wait, once for each time there was no answer

	Absent   map[string]time.Time `json:"absent,omitempty"`   // of the known ones: when a round found last that there is nothing
	Archives int                  `json:"archives,omitempty"` // how many have been written, whether they are there or not
	Told     Told                 `json:"told,omitzero"`      // what that round came to: a process that only ends it has not seen it
}

// memory is all that a run knows that is to be visited again.
type memory struct {
	links
	pages   []*known
	of      map[uint64]*known
	address map[uint64]bool      // keys of the addresses that are no news
	silent  []string             // what the crawl asked for, and never had an answer about
	absent  map[uint64]time.Time // by key of the address, where nothing was but an answer that says so: when that was, the last time
}

// worth is how much it matters that a page is fresh: what it says, or what it leads to.
func (k *known) worth() float64 {
	if k.List {
		return 1
	}
	return max(k.relevance, float64(k.leads)/float64(k.leads+3))
}

// remember reads what a run knows.
func remember(dir string) (*memory, error) {
	m := &memory{of: map[uint64]*known{}, address: map[uint64]bool{}, absent: map[uint64]time.Time{}}
	if err := m.visited(dir); err != nil {
		return nil, err
	}
	fetched, err := readFetched(dir)
	if err != nil {
		return nil, err
	}
	first, err := m.logged(dir)
	if err != nil {
		return nil, err
	}
	for r, err := range sink.Kept(dir) {
		if err != nil {
			return nil, err
		}
		if r.ID == 0 {
			return nil, fmt.Errorf("pages of %s are kept without their id, which the fields of its jsonl sink leave out: nobody can tell whose visit is made again; --fresh with id among the fields begins anew", dir)
		}
		k := m.page(r.ID, r.URL, r.Time)
		k.Kept, k.relevance, k.Says = true, r.Relevant(), saysOf(r)
		k.Values = valuesOf(r)
		k.first, k.title, k.optOuts = r.Relevance, r.Title, r.OptOuts
	}
	for _, k := range slices.Clone(m.pages) {
		via := cmp.Or(k.Via, first[k.ID].Via)
		if k.Via = via; !k.Kept || via == 0 {
			continue
		}
		if hub := m.of[via]; hub == nil && first[via].URL != "" {
			m.page(via, first[via].URL, first[via].Time)
		}
		if hub := m.of[via]; hub != nil {
			hub.leads++
		}
	}
	for id, d := range first {
		if d.Reason == admit.RefusedList {
			m.page(id, d.URL, d.Time).List = true
		}
	}
	for _, k := range m.pages {
		m.address[keyOf(k.URL)] = true
		delete(m.absent, keyOf(k.URL))
		if f, ok := fetched[k.URL]; ok && k.Body == "" && f.Body != "" && page.Arrived(f.Status) {
			k.ETag, k.Modified, k.Body, k.Broken = f.ETag, f.Modified, f.Body, f.Broken
			if at, err := time.Parse(time.RFC1123, f.Modified); err == nil && len(k.Looks) == 0 && f.At.Sub(at) > fastest {
				k.Looks = []Look{{Changed: true, Ago: f.At.Sub(at)}} // it tells how old it was when it was seen first
			}
		}
	}
	slices.SortFunc(m.pages, func(a, b *known) int { return cmp.Compare(a.ID, b.ID) })
	m.leaveSilent()
	return m, nil
}

// page is what is known of a page, or the beginning of it.
func (m *memory) page(id uint64, address string, at time.Time) *known {
	k := m.of[id]
	if k == nil {
		k = &known{URL: address, Visited: sink.Visited{ID: id, Visits: sink.Visits{FirstSeen: at, LastSeen: at, LastChanged: at}}}
		m.of[id] = k
		m.pages = append(m.pages, k)
	}
	return k
}

// visited reads what earlier rounds have left.
func (m *memory) visited(dir string) error {
	err := sink.WholeAgain(dir, sink.FilesAgain...)
	if err == nil {
		err = sink.EachVisited(dir, func(k *known) {
			k.Kept = false // what is kept is said elsewhere
			m.of[k.ID] = k
			m.pages = append(m.pages, k)
		})
	}
	if err != nil {
		return err
	}
	return readJSON(filepath.Join(dir, sink.FolderAgain, fileLinks), &m.links)
}

// logged reads from the log of the first crawl which addresses it has met, and answers the visits that brought something.
func (m *memory) logged(dir string) (map[uint64]run.Decision, error) {
	first, silent := map[uint64]run.Decision{}, map[uint64]string{}
	for _, address := range slices.Concat(m.Known, m.Waiting) {
		m.address[keyOf(address)] = true
	}
	err := run.ReadLog(filepath.Join(dir, run.FileLog), func(d *run.Decision) bool {
		switch {
		case d.Decision == "push" || d.Decision == "refuse":
			m.address[keyOf(d.URL)] = true
		case d.Decision == "drop" && isUnanswered(d):
			silent[d.ID] = d.URL
		case d.Decision == "keep" || d.Decision == "drop":
			delete(silent, d.ID) // an answer came after all
			if isAbsent(d) {
				m.absent[keyOf(d.URL)] = d.Time
			}
			if page.Arrived(d.Status) {
				first[d.ID] = run.Decision{URL: d.URL, Via: d.Via, Time: d.Time, Reason: d.Reason}
			}
		}
		return true
	})
	for address, at := range m.Absent {
		m.absent[keyOf(address)] = at
	}
	m.silent = slices.Sorted(maps.Values(silent))
	return first, err
}

// keyOf is what an address is known by.
func keyOf(address string) uint64 {
	if identity, err := page.Canonical(address); err == nil {
		address = identity
	}
	return sink.Key(address)
}

// readJSON reads a file below sink.FolderAgain.
func readJSON(path string, into any) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return sink.AgainCured(filepath.Dir(filepath.Dir(path)), fmt.Errorf("%s: %w", path, err))
	}
	return nil
}
