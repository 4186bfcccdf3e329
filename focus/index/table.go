package index

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	bleveindex "github.com/blevesearch/bleve_index_api"

	"github.com/thresher-crawler/thresher/focus/page"
)

// table holds the cards of a generation as a search asks for them: by bleve's numbers, with what is counted in facets as
// small numbers.
type table struct {
	cards  []card
	byDoc  []int32 // card of each of bleve's documents; -1 where it is none
	names  known
	labels [facetCount][]string // what stands in facets
	facet  [facetCount][]uint32 // by card: index into labels
	total  [fieldCount]float64  // words of all pages
	front  []float32            // by card: how near it is to the front page of its site
	most   float64              // the highest importance
	values map[string]string    // the names of values that pages have; each by itself, so that all share one string
}

// Facets are what answers are counted by.
const (
	facetSite = iota
	facetLanguage
	facetYear
	facetKind
	facetCount
)

// FacetNames are the names of the facets, as they stand in filters and in JSON.
var FacetNames = [facetCount]string{"site", "lang", "year", "kind"}

func newTable(cards []card, reader bleveindex.IndexReader) (*table, error) {
	t := &table{cards: cards, names: knownOf(cards), values: map[string]string{}, front: make([]float32, len(cards))}
	var numbers [facetCount]map[string]uint32
	for f := range numbers {
		numbers[f] = map[string]uint32{}
		t.facet[f] = make([]uint32, len(cards))
	}
	for i := range cards {
		c := &cards[i]
		for f, label := range labelsOf(c) {
			n, ok := numbers[f][label]
			if !ok {
				n = uint32(len(t.labels[f]))
				numbers[f][label] = n
				t.labels[f] = append(t.labels[f], label)
			}
			t.facet[f][i] = n
		}
		for v := range c.Values {
			name := c.Values[v].Name
			if _, known := t.values[name]; !known {
				t.values[name] = name
			}
			c.Values[v].Name = t.values[name]
		}
		for f, n := range c.Lengths {
			t.total[f] += float64(n)
		}
		t.most = max(t.most, float64(c.Importance))
		t.front[i] = frontOf(c.URL)
	}
	return t, t.number(reader)
}

// frontOf is how near an address is to the front page of its site: 1 there, a half one folder or file below it, and so on. Who asks
// for a subject wants the page by which something is entered more often than one inside of it (Craswell, Robertson, Zaragoza and Taylor
// 2005, after the home page finding of TREC).
func frontOf(address string) float32 {
	_, path, _ := strings.Cut(address, "://")
	path, _, _ = strings.Cut(path, "?")
	return 1 / float32(1+strings.Count(strings.TrimRight(path, "/"), "/"))
}

// labelsOf are what a page is counted under.
func labelsOf(c *card) [facetCount]string {
	year := ""
	if c.Date != 0 {
		year = strconv.Itoa(day(c.Date).Year())
	}
	return [facetCount]string{c.Host, c.Language, year, c.Kind}
}

// number learns which of bleve's documents is which page.
func (t *table) number(reader bleveindex.IndexReader) error {
	all, err := reader.DocIDReaderAll()
	if err != nil {
		return err
	}
	defer all.Close()
	count := 0
	for {
		id, err := all.Next()
		if err != nil {
			return err
		}
		if id == nil {
			break
		}
		key, err := reader.ExternalID(id)
		if err != nil {
			return err
		}
		item, err := strconv.ParseUint(key, 10, 64)
		if err != nil {
			return fmt.Errorf("it holds a page called %q", key)
		}
		card, ok := t.names.byID[item]
		if !ok {
			return fmt.Errorf("it holds a page %d of which nothing is known", item)
		}
		doc := int(id.Value())
		for len(t.byDoc) <= doc {
			t.byDoc = append(t.byDoc, -1)
		}
		t.byDoc[doc] = int32(card)
		count++
	}
	if count != len(t.cards) {
		return fmt.Errorf("it holds %d pages, want %d", count, len(t.cards))
	}
	return nil
}

// card is the page of one of bleve's documents; -1 where it is none.
func (t *table) card(doc uint64) int {
	if doc >= uint64(len(t.byDoc)) {
		return -1
	}
	return int(t.byDoc[doc])
}

// filter tells which pages pass what a query asks for besides words. nil lets all pass.
func (t *table) filter(q *Query, values []Wanted) func(card int) bool {
	var allowed [facetCount][]bool
	any := false
	for f, wanted := range q.only() {
		without := q.without[f]
		if len(wanted)+len(q.narrowed[f])+len(without) == 0 {
			continue
		}
		any = true
		allowed[f] = make([]bool, len(t.labels[f]))
		for i, label := range t.labels[f] {
			allowed[f][i] = among(f, label, wanted) && among(f, label, q.narrowed[f]) && !labelled(f, label, without)
		}
	}
	if !any && q.After == 0 && q.Before == 0 && len(values) == 0 {
		return nil
	}
	return func(i int) bool {
		for f := range allowed {
			if allowed[f] != nil && !allowed[f][t.facet[f][i]] {
				return false
			}
		}
		for v := range values {
			if !values[v].in(t.cards[i].Values) {
				return false
			}
		}
		date := t.cards[i].Date
		return (q.After == 0 || date >= q.After) && (q.Before == 0 || date != 0 && date < q.Before)
	}
}

// among tells whether a label of a facet is one of those that are wanted, or any is.
func among(f int, label string, wanted []string) bool {
	return len(wanted) == 0 || labelled(f, label, wanted)
}

// labelled tells of a label of a facet that it is one of some, or below one.
func labelled(f int, label string, of []string) bool {
	return slices.ContainsFunc(of, func(w string) bool { return label == w || f == facetSite && withinSite(label, w) })
}

// has tells whether some page has a label of a facet.
func (t *table) has(f int, label string) bool {
	return slices.ContainsFunc(t.labels[f], func(l string) bool { return labelled(f, l, []string{label}) })
}

// withinSite tells whether a host is a site, or below it; at any port, where the site names none. An address of numbers is below nothing.
func withinSite(host, site string) bool {
	site = strings.TrimPrefix(site, "*.")
	if page.Portless(site) == site {
		host = page.Portless(host)
	}
	if host == site || !strings.HasSuffix(host, "."+site) {
		return host == site
	}
	_, err := netip.ParseAddr(page.Portless(host))
	return err != nil
}
