package winnow

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/thresher-crawler/thresher/focus/extract"
	"github.com/thresher-crawler/thresher/focus/opinion"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// sheaf are the pages of some folders, each once.
type sheaf struct {
	values   extract.Rules // that are wanted of pages
	said     map[uint64]opinion.Opinion
	pages    []Page
	digest   []string        // by page
	passages [][]uint64      // by page, as far as they were asked for; see junk.Passages
	at       map[uint64]int  // by number
	keys     map[uint64]bool // of their addresses; none where nobody asks
	least    float64         // relevance of a page that the first look kept; 1 where there is none
	rest     []Page          // pages of the harvest that cannot be looked at again, for want of room; their words and links are not known
}

// gather reads the pages of folders. Of their links those stay that lead to another page: nothing else of them is ever asked.
func gather(folders []string, o *Options) (*sheaf, error) {
	s, known := &sheaf{at: map[uint64]int{}, least: 1}, map[uint64]struct{}{}
	for _, folder := range folders {
		if err := sink.LookKeys(folder, known); err != nil {
			return nil, err
		}
		if err := s.gatherRest(folder, known); err != nil {
			return nil, err
		}
	}
	said := map[string]string{}
	for _, folder := range folders {
		for seen, err := range sink.ReadLooks(folder) {
			if err != nil {
				return nil, err
			}
			r := seen.Record
			if _, twice := s.at[r.ID]; twice {
				continue
			}
			if s.at[r.ID] = len(s.pages); seen.Kept {
				s.least = min(s.least, r.Relevance)
			}
			s.pages = append(s.pages, Page{ID: r.ID, URL: r.FinalURL, Keys: seen.Keys, Title: r.Title, Text: r.Text, Relevance: r.Relevance, Raw: r.Raw,
				Links: among(seen.Links, known, said), Copied: len(seen.Body) > 0})
			s.digest = append(s.digest, r.Digest)
		}
	}
	if len(s.pages) == 0 {
		return nil, unlooked(folders, o.off)
	}
	s.passages = make([][]uint64, len(s.pages))
	s.numberless()
	o.Labels = s.spelt(o.Labels)
	s.rest = slices.DeleteFunc(s.rest, func(p Page) bool { return s.looked(p.ID, p.Keys) })
	return s, nil
}

// numberless remembers the addresses of all pages where the harvest has pages of which the number is not known.
func (s *sheaf) numberless() {
	if !slices.ContainsFunc(s.rest, func(p Page) bool { return p.ID == 0 }) {
		return
	}
	s.keys = map[uint64]bool{}
	for i := range s.pages {
		for _, k := range s.pages[i].Keys {
			s.keys[k] = true
		}
	}
}

// spelt are labels by the addresses of the pages as they stand here: a person may have written another spelling, or where the page was
// asked for. What is said of the address as it stands counts first.
func (s *sheaf) spelt(labels map[string]bool) map[string]bool {
	strange := maps.Clone(labels)
	for i := range s.pages {
		delete(strange, s.pages[i].URL)
	}
	if len(strange) == 0 {
		return labels
	}
	written := map[uint64]string{}
	for _, address := range slices.Sorted(maps.Keys(strange)) {
		written[keyOf(page.LinkTo(address).URL)] = address
	}
	all := maps.Clone(labels)
	for i := range s.pages {
		p := &s.pages[i]
		for _, k := range p.Keys {
			address, other := written[k]
			if !other {
				continue
			}
			if _, said := all[p.URL]; !said {
				all[p.URL] = labels[address]
			}
			delete(all, address)
		}
	}
	return all
}

// looked tells of a page of a harvest that it is one of those that are looked at again. Where the fields of the harvest leave out the
// number its addresses say so, and one that says neither is taken for one of them: most are.
func (s *sheaf) looked(id uint64, addresses []uint64) bool {
	if id != 0 {
		_, looked := s.at[id]
		return looked
	}
	return len(addresses) == 0 || slices.ContainsFunc(addresses, func(k uint64) bool { return s.keys[k] })
}

// among are the links that lead to what is known. Of the same words one copy is kept, in said.
func among(links []sink.Pointer, known map[uint64]struct{}, said map[string]string) []sink.Pointer {
	stay := links[:0]
	for _, l := range links {
		if _, ok := known[l.To]; !ok {
			continue
		}
		words, ok := said[l.Anchor]
		if !ok {
			words = l.Anchor
			said[words] = words
		}
		l.Anchor = words
		stay = append(stay, l)
	}
	return slices.Clone(stay) // and the others' room is given up
}

// gatherRest finds the pages of a folder's harvest: those that cannot be looked at again are the rest.
func (s *sheaf) gatherRest(folder string, known map[uint64]struct{}) error {
	if names, err := sink.HarvestFiles(folder); err != nil || len(names) == 0 {
		return err
	}
	for r, err := range sink.Harvest(folder) {
		if err != nil {
			return err
		}
		p := Page{ID: r.ID, Keys: keysOf(r), Relevance: r.Relevance}
		for _, k := range p.Keys {
			known[k] = struct{}{}
		}
		s.rest = append(s.rest, p)
	}
	return nil
}

// keysOf are what links call a page by.
func keysOf(r *sink.Record) (keys []uint64) {
	for _, address := range []string{r.FinalURL, r.URL} {
		if address != "" {
			keys = append(keys, keyOf(address))
		}
	}
	return keys
}

// keyOf is what links call an address by.
func keyOf(address string) uint64 {
	if identity, err := page.Canonical(address); err == nil {
		address = identity
	}
	return sink.Key(address)
}

// extract takes the values that the run asks for off a page that is taken in. It tells whether the page has all that it must have.
func (s *sheaf) extract(seen *sink.Seen) bool {
	values, lacks := s.values.Values(seen.Body, seen.Record.FinalURL)
	if seen.Record.Data == nil {
		seen.Record.Data = map[string]json.RawMessage{}
	}
	for name, said := range values {
		if _, own := seen.Record.Data[name]; !own { // what a program has set stays
			seen.Record.Data[name] = said
		}
	}
	return len(lacks) == 0
}
