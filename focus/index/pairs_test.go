package index

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// TestPagingShowsEachOnce holds that whoever goes through all results, part by part, sees each page once, and in the order of a
// single answer: also where words that stand side by side change it, and where pages of two harvests are worth the same.
func TestPagingShowsEachOnce(t *testing.T) {
	var from []*Collection
	const each = looked - 40
	for n := range 2 {
		h := newHarvest(t, "jsonl")
		for i := range each {
			title := "Tea that is green"
			if i%4 == 0 { // side by side, and of less worth by its words alone
				title = "Green tea, and what else can be said"
			}
			h.keep(fmt.Sprintf("http://a%d.example.com/", i), article(title, "A page."), func(r *sink.Record) { r.Digest = fmt.Sprint(n, i) })
		}
		c, _ := opened(t, h.dir)
		from = append(from, c)
	}
	weights := DefaultWeights()
	weights.PerSite = 0
	ask := func(offset, limit int) (all []string) {
		a, err := Search(context.Background(), from, ParseQuery("green tea"), Ask{Offset: offset, Limit: limit, Weights: weights})
		if err != nil || a.Total != 2*each {
			t.Fatalf("%v, %d pages", err, a.Total)
		}
		for _, h := range a.Hits {
			all = append(all, fmt.Sprintf("%d of %p", h.ID, h.card.place.c))
		}
		return all
	}
	seen := map[string]bool{}
	var parts []string
	for offset := 0; offset < 2*each; offset += 16 {
		parts = append(parts, ask(offset, 16)...)
	}
	for _, page := range parts {
		if seen[page] {
			t.Errorf("page %s is shown twice", page)
		}
		seen[page] = true
	}
	if len(seen) != 2*each {
		t.Errorf("%d pages are shown, want %d", len(seen), 2*each)
	}
	if whole := ask(0, 2*each); !slices.Equal(whole, parts) {
		t.Error("another order in one answer than in many parts")
	}
}

// TestPairsAreNeighbours holds that two words count as side by side where they are so in the query: with nothing between them
// that no page has, that is a phrase, or that only looks like a value.
func TestPairsAreNeighbours(t *testing.T) {
	h := newHarvest(t, "jsonl")
	h.keep("http://a.example.com/1", article("Green tea at 10:30 daily", "Open hours of the garden."))
	h.keep("http://a.example.com/2", article("Another page", "Green tea at 10:30 daily, in open hours of the garden."))
	c, _ := opened(t, h.dir)
	for query, want := range map[string][]string{
		"green tea":                        {"“green tea”"},
		"green nowhere tea":                nil,
		`green "open hours" tea`:           nil,
		"green site:a.example.com tea":     {"“green tea”"},
		"green tea -coffee":                {"“green tea”"},
		"tea at 10:30 daily":               {"“30 daili”", "“at 10”", "“tea at”", "“10 30”"},
		"green 10:30 tea":                  {"“10 30”"},
		`green hours:"of the garden" tea`:  nil,
		"nowhere green tea nowhere at 10":  {"“green tea”", "“at 10”"},
		"green tea daily":                  {"“green tea”"},
		"green tea elsewhere:nowhere at":   {"“green tea”"},
		"daily green tea, nowhere 10 30 :": {"“green tea”", "“10 30”"},
	} {
		a := asked(t, c, query)
		var got []string
		for _, hit := range a.Hits {
			for _, r := range hit.Why {
				if hit.ID == 1 && r.Depth == 2 && r.Value > 0 && len(strings.Fields(r.Name)) == 2 && r.Name != "“open hours”" {
					got = append(got, r.Name)
				}
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v count as side by side, want %v", query, got, want)
		}
	}
}

// crowded is a harvest of more pages than are put in order at once: the best are of one site, twenty others have one each.
func crowded(t *testing.T) *Collection {
	h := newHarvest(t, "jsonl")
	for i := range 1040 {
		address, words := fmt.Sprintf("http://a.example.com/%d", i), strings.Repeat("Tea. ", 9)
		if i%52 == 51 { // each worse than all of the first
			address, words = fmt.Sprintf("http://b%d.example.com/far/below/the/front/%d", i, i), "A word on tea among many others of which none is asked for here."
		}
		r := recordOf(uint64(i+1), address, []byte(article("Garden", fmt.Sprintf("%s Number %d.", words, i*7919))))
		r.Digest, r.Text = fmt.Sprint(i), fmt.Sprintf("%s%d", words, i)
		noError(t, h.sinks[0].Write(r))
	}
	noError(t, h.sinks[0].Sync())
	c, _ := opened(t, h.dir)
	return c
}

// late is out of time once all that match are put in order.
type late struct {
	context.Context
	s    *seeker
	gone bool // it came to that
}

func (l *late) Err() error {
	if l.s.best.most <= 1000 {
		return nil
	}
	l.gone = true
	return context.DeadlineExceeded
}

// TestTimeIsUpBehindTheFirstThousand holds that what was found first is the answer where the others could not be put in order in time,
// and that these are not looked at where no site may show more.
func TestTimeIsUpBehindTheFirstThousand(t *testing.T) {
	c := crowded(t)
	for _, a := range []struct {
		query               string
		order               Order
		limit, pages, shown int
		again               bool
	}{
		{"tea", Best, 10, 1040, DefaultWeights().PerSite, true},
		{"tea", Found, 100, 1040, DefaultWeights().PerSite + 20, false}, // all sites are among the first thousand
		{"tea -word", Best, 10, 1020, 10, false},                        // a word stands on those of the other sites: one is left, and shows all
	} {
		s := &seeker{ask: &Ask{Limit: a.limit, Weights: DefaultWeights()}, q: ParseQuery(a.query), answer: &Answer{}}
		s.q.Order = a.order
		noError(t, s.hold([]*Collection{c}))
		ctx := &late{Context: t.Context(), s: s}
		err := s.deep(ctx, 1000)
		if failed := s.present(); failed != nil {
			t.Error(failed)
		}
		s.release()
		folded := 0
		for _, hit := range s.answer.Hits {
			folded += hit.OfSite
		}
		if a.order == Found && folded != a.pages-a.shown { // of all that match, not of those that were put in order
			t.Errorf("%s, %s: %d pages are folded away, want %d", a.query, a.order, folded, a.pages-a.shown)
		}
		if is := s.answer; ctx.gone != a.again || a.again != errors.Is(err, context.DeadlineExceeded) || is.Total != a.pages ||
			len(is.Hits) != a.shown || is.Facets[facetSite][0].Pages != 1020 || len(s.terms) == 0 {
			t.Errorf("%s, %s: %v, out of time %v, %d pages, %d shown, sites %v, terms %v", a.query, a.order, err, ctx.gone, is.Total, len(is.Hits), is.Facets[facetSite], s.terms)
		}
	}
}

// TestBeyondAllPages holds that whoever leaves out more pages than there can be is shown none.
func TestBeyondAllPages(t *testing.T) {
	c, _ := opened(t, small(t).dir)
	a, err := Search(t.Context(), []*Collection{c}, ParseQuery("tea"), Ask{Offset: math.MaxInt, Limit: 10, Weights: DefaultWeights()})
	if err != nil || len(a.Hits) > 0 || a.More || a.Total == 0 {
		t.Errorf("%+v %v", a, err)
	}
}

// TestPagingReachesTheLast holds that paging goes on where more pages match than are put in order at once, and the best of them are
// of one site, of which few are shown.
func TestPagingReachesTheLast(t *testing.T) {
	c := crowded(t)
	hosts, pages := map[string]bool{}, 0
	for more, offset := true, 0; more; offset += 5 {
		a, err := Search(t.Context(), []*Collection{c}, ParseQuery("tea"), Ask{Offset: offset, Limit: 5, Weights: DefaultWeights()})
		if err != nil || a.Total != 1040 || len(a.Notes) > 0 || len(a.Hits) == 0 {
			t.Fatalf("from %d on: %+v %v", offset, a, err)
		}
		for _, hit := range a.Hits {
			hosts[hit.Host], pages = true, pages+1
		}
		if n := a.Facets[facetSite][0].Pages; n != 1020 {
			t.Errorf("from %d on: %d pages of the first site are counted", offset, n)
		}
		more = a.More
	}
	if pages != DefaultWeights().PerSite+20 || len(hosts) != 21 {
		t.Errorf("%d pages of %d sites are shown", pages, len(hosts))
	}
}

// TestHeadingsHavePlaces holds that words side by side count in a heading, too, and that it is found as a phrase; and so is a title
// element of which the page's title is another.
func TestHeadingsHavePlaces(t *testing.T) {
	h := newHarvest(t)
	for i, heading := range []string{"Tea that is always green", "Green tea that is always"} {
		h.keep(fmt.Sprintf("http://a%d.example.com/", i), fmt.Sprintf("<title>Kettles: the great test</title><h1>%s</h1><p>Nothing much is said on this page number %d.", heading, i))
	}
	c, _ := opened(t, h.dir)
	if got := found(asked(t, c, "green tea")); got != "2 1" {
		t.Errorf("%s, want 2 1", got)
	}
	if got := found(asked(t, c, `"tea that is always green"`)); got != "1" {
		t.Errorf("%s, want 1", got)
	}
	if got := found(asked(t, c, `"kettles: the great test"`)); got != "1 2" {
		t.Errorf("%s, want both pages by their title elements", got)
	}
}

// TestWrittenTogether holds that a page which has two words as they were written together comes before one with both apart, and that
// words with a space between them, and those of a run of Chinese, are only words.
func TestWrittenTogether(t *testing.T) {
	h := newHarvest(t, "jsonl")
	apart := h.keep("http://a.test/1", article("One", "A user of it has defined a user type, and defined a user. 这家店卖4S手机，店里还有4S。"))
	joined := h.keep("http://b.test/2", article("Two", "It has user-defined types, among much else that is said on this longer page. 汽车4S店在这里，还有很多别的东西可以说。"))
	c, _ := opened(t, h.dir)
	for query, first := range map[string]uint64{"user-defined": joined, "4S店": joined, "user defined": apart, "4S 店": apart} {
		if a := asked(t, c, query); len(a.Hits) != 2 || a.Hits[0].ID != first {
			t.Errorf("%s: %s, want %d first", query, found(a), first)
		}
	}
}
