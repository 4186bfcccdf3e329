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
	digest   []string        // by page
	passages [][]uint64      // by page, as far as they were asked for; see junk.Passages
	titles   [][]uint64      // of pages that stand in a line of a page, as far as its passages were asked for
	at       map[uint64]int  // by number
	own      map[uint64]bool // their addresses; none where nobody asks
	least    float64         // relevance of a page that the first look kept; 1 where there is none
	rest     []Page          // pages of the harvest that cannot be looked at again, for want of room; their words and links are not known
}

// gather reads the pages of folders: whole, with their texts and with those of their links that lead to another page, or without.
func gather(folders []string, o *Options, whole bool) (*sheaf, error) {
	s := &sheaf{folders: folders, at: map[uint64]int{}, least: 1}
	s.keys, s.texts = map[uint64]uint32{}, s.readTexts
	for _, folder := range folders {
		if err := sink.LookKeys(folder, s.keys); err != nil {
			return nil, err
		}
		if err := s.gatherRest(folder); err != nil {
			return nil, err
		}
	}
	said, read := map[string]string{}, sink.LooksBriefly
	if whole {
		read = sink.ReadLooks
	}
	for _, folder := range folders {
		for seen, err := range read(folder) {
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
			p := Page{ID: r.ID, URL: r.FinalURL, Keys: seen.Keys, Title: r.Title, Relevance: r.Relevance, Raw: r.Raw, Copied: len(seen.Body) > 0}
			if whole {
				p.Text, p.Links = r.Text, among(seen.Links, s.keys, said)
			} else {
				s.links = append(s.links, s.among(seen.Links))
			}
			s.pages = append(s.pages, p)
			s.digest = append(s.digest, r.Digest)
		}
	}
	s.wordings.of = nil // no more are numbered
	if len(s.pages) == 0 {
		return nil, unlooked(folders, o.off)
	}
	s.passages, s.titles = make([][]uint64, len(s.pages)), make([][]uint64, len(s.pages))
	s.numberless()
	o.Labels = s.spelt(o.Labels)
	s.rest = slices.DeleteFunc(s.rest, func(p Page) bool { return s.looked(p.ID, p.Keys) })
	return s, nil
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

// among are the links that lead to what is known. Of the same words one copy is kept, in said.
func among(links []sink.Pointer, known map[uint64]uint32, said map[string]string) []sink.Pointer {
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
func (s *sheaf) gatherRest(folder string) error {
	if names, err := sink.HarvestFiles(folder); err != nil || len(names) == 0 {
		return err
	}
	for r, err := range sink.Harvest(folder) {
		if err != nil {
			return err
		}
		p := Page{ID: r.ID, Keys: keysOf(r), Relevance: r.Relevance}
		for _, k := range p.Keys {
			s.know(k)
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
