package winnow

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"

	"github.com/thresher-crawler/thresher/focus/extract"
	"github.com/thresher-crawler/thresher/focus/opinion"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// sheaf are the pages of some folders, each once.
type sheaf struct {
	material
	folders  []string
	values   extract.Rules // that are wanted of pages
	opinion  map[uint64]opinion.Opinion
	digest   []string         // by page
	passages [][]uint64       // by page, as far as they were asked for; see junk.Passages
	titles   [][]uint64       // of pages that stand in a line of a page, as far as its passages were asked for
	bare     []string         // what pages say that have hardly more than titles of others, which are no part of it; nothing of others
	lines    map[int]string   // of pages that may be lists, as far as they were asked for
	leads    map[int]bool     // whether these lead on, as far as they were read; see leadsOn
	headed   map[int][]uint32 // addresses to which headings of these lead, by number
	soon     []bool           // pages that may come to be kept: what is asked of their texts is read with that of the others
	at       map[uint64]int   // by number
	own      map[uint64]bool  // their addresses; none where nobody asks
	least    float64          // relevance of a page that the first look kept; 1 where there is none
	rest     []Page           // pages of the harvest that cannot be looked at again, for want of room; their words and links are not known
}

// gather reads the pages of folders, without their texts and links.
func gather(folders []string, o *Options) (*sheaf, error) {
	s := &sheaf{folders: folders, at: map[uint64]int{}, least: 1}
	s.texts = s.readTexts
	for _, folder := range folders {
		if err := s.gatherRest(folder); err != nil {
			return nil, err
		}
	}
	for _, folder := range folders {
		for seen, err := range sink.LookRecords(folder) {
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
			s.pages = append(s.pages, Page{ID: r.ID, URL: r.FinalURL, Keys: seen.Keys, Title: r.Title, Relevance: r.Relevance, Raw: r.Raw, Near: seen.Near, Copied: seen.Copied})
			s.digest = append(s.digest, r.Digest)
		}
	}
	if len(s.pages) == 0 {
		return nil, unlooked(folders, o.off)
	}
	s.passages, s.titles, s.bare = make([][]uint64, len(s.pages)), make([][]uint64, len(s.pages)), make([]string, len(s.pages))
	s.numberless()
	o.Labels = s.spelt(o.Labels)
	s.rest = slices.DeleteFunc(s.rest, func(p Page) bool { return s.looked(p.ID, p.Keys) })
	return s, nil
}

// linked gathers pages with those of their links that lead to another one.
func linked(folders []string, o *Options) (*sheaf, error) {
	s, err := gather(folders, o)
	if err == nil {
		err = s.link()
	}
	return s, err
}

// link reads those links of the pages that lead to another one.
func (s *sheaf) link() error {
	s.links, s.keys, s.wordings = make([][]link, len(s.pages)), map[uint64]uint32{}, lexicon{}
	for i := range s.pages {
		for _, k := range s.pages[i].Keys {
			s.know(k)
		}
	}
	for i := range s.rest {
		for _, k := range s.rest[i].Keys {
			s.know(k)
		}
	}
	err := s.readAgain(sink.LooksBriefly, func(i int, seen *sink.Seen) error {
		s.links[i] = s.among(seen.Links)
		return nil
	})
	s.wordings.of = nil // no more are numbered
	return err
}

// readTexts reads the texts of all pages again.
func (s *sheaf) readTexts(take func(i int, text string) error) error {
	return s.readAgain(sink.LookTexts, func(i int, seen *sink.Seen) error { return take(i, seen.Record.Text) })
}

// readAgain reads the pages again. One that came meanwhile is none of them.
func (s *sheaf) readAgain(read func(folder string) iter.Seq2[*sink.Seen, error], take func(i int, seen *sink.Seen) error) error {
	taken := make([]bool, len(s.pages))
	for _, folder := range s.folders {
		for seen, err := range read(folder) {
			if err != nil {
				return err
			}
			i, there := s.at[seen.Record.ID]
			if !there || taken[i] {
				continue
			}
			taken[i] = true
			if err := take(i, seen); err != nil {
				return err
			}
		}
	}
	return nil
}

// numberless remembers the addresses of all pages where the harvest has pages of which the number is not known.
func (s *sheaf) numberless() {
	if !slices.ContainsFunc(s.rest, func(p Page) bool { return p.ID == 0 }) {
		return
	}
	s.own = map[uint64]bool{}
	for i := range s.pages {
		for _, k := range s.pages[i].Keys {
			s.own[k] = true
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
	return len(addresses) == 0 || slices.ContainsFunc(addresses, func(k uint64) bool { return s.own[k] })
}

// gatherRest finds the pages of a folder's harvest: those that cannot be looked at again are the rest.
func (s *sheaf) gatherRest(folder string) error {
	if names, err := sink.HarvestFiles(folder); err != nil || len(names) == 0 {
		return err
	}
	for r, err := range sink.Harvest(folder) {
		if err != nil {
			return err
		}
		s.rest = append(s.rest, Page{ID: r.ID, Keys: keysOf(r), Relevance: r.Relevance})
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
