package winnow

import (
	"encoding/json"
	"strings"

	"github.com/thresher-crawler/thresher/focus/extract"
	"github.com/thresher-crawler/thresher/focus/opinion"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// sheaf are the pages of some folders, each once.
type sheaf struct {
	values extract.Rules // that are wanted of pages
	said   map[uint64]opinion.Opinion
	pages  []Page
	digest []string       // by page
	at     map[uint64]int // by number
	rest   []Page         // pages of the harvest that cannot be looked at again, for want of room; their words and links are not known
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
			s.pages = append(s.pages, Page{ID: r.ID, URL: r.FinalURL, Keys: seen.Keys, Title: r.Title, Text: r.Text, Relevance: r.Relevance, Raw: r.Raw, Links: seen.Links,
				Copied: len(seen.Body) > 0})
			s.digest = append(s.digest, r.Digest)
		}
	}
	for _, folder := range folders {
		if err := s.gatherRest(folder); err != nil {
			return nil, err
		}
	}
	if len(s.pages) == 0 {
		return nil, Unlooked{strings.Join(folders, ", ")}
	}
	return s, nil
}

// gatherRest finds the pages of a folder's harvest that are not among those to look at.
func (s *sheaf) gatherRest(folder string) error {
	if names, err := sink.HarvestFiles(folder); err != nil || len(names) == 0 {
		return err
	}
	for r, err := range sink.Harvest(folder) {
		if err != nil {
			return err
		}
		if _, looked := s.at[r.ID]; !looked {
			s.rest = append(s.rest, Page{ID: r.ID, Keys: []uint64{keyOf(r.FinalURL), keyOf(r.URL)}, Relevance: r.Relevance})
		}
	}
	return nil
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
