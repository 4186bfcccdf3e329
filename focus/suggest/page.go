package suggest

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// Page is a page of a crawl.
type Page struct {
	URL, Title string
	Text       string  // its main text
	Raw        float64 // the number of the topic's judge
	Of         float64 // how surely it is of the topic, from 0 to 1, by all that is known of it
	Stands     float64 // for so many pages: of clearly foreign ones a crawl keeps a sample
	Called     string  // what the links to it say, a line each

	keys []uint64 // of its addresses
}

// Stands are for how many pages of a crawl each stands: of clearly foreign ones it has a sample, and those that are there because their
// site gives much stand for none beside it. The crawl's own judge drew the sample: it is asked before pages are retold.
func Stands(pages []winnow.Page, o *winnow.Options) []float64 {
	stands := make([]float64, len(pages))
	for i := range pages {
		p := &pages[i]
		switch {
		case o.All:
			stands[i] = 1
		case !p.Near || sink.Likely(p.Relevance, o.Threshold, p.URL):
			stands[i] = sink.StandsFor(p.Relevance, o.Threshold)
		}
	}
	return stands
}

// Of are the pages of a crawl, each of which stands for so many, with what the second look says of them.
func Of(pages []winnow.Page, stands []float64, r *winnow.Result, o *winnow.Options) []Page {
	list, called := make([]Page, len(pages)), callings(pages)
	for i := range pages {
		p := &pages[i]
		list[i] = Page{URL: p.URL, Title: p.Title, Text: p.Text, Raw: p.Raw, Stands: stands[i], Called: called[i], Of: r.Chance(i), keys: p.Keys}
		if said, ok := o.Labels[p.URL]; ok {
			list[i].Of = 0
			if said {
				list[i].Of = 1
			}
		}
	}
	return list
}

// site is whose page it is: what the host of an address has registered.
func site(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	if registered, err := publicsuffix.EffectiveTLDPlusOne(u.Hostname()); err == nil {
		return registered
	}
	return u.Hostname()
}

// folder is the address without what stands behind its last slash.
func folder(address string) string {
	address, _, _ = strings.Cut(address, "?")
	return address[:strings.LastIndexByte(address, '/')+1]
}

// doc is a page as a judge reads it.
func (p *Page) doc() *text.Doc {
	return &text.Doc{Segments: []text.Segment{{Text: p.Title, Position: text.Title, Block: -1}, {Text: p.Text}}, Main: []bool{true}}
}

// sample are at most so many of some pages, by number: every one from which it can be learned what is of the topic, and of the
// others those whose address comes first by its key, each standing for more then. The same pages give the same answer.
func sample(pages []Page, most int) (list []int, stands []float64) {
	for side := range 2 {
		var some []int
		for i := range pages {
			if (pages[i].Of >= .5) == (side == 0) {
				some = append(some, i)
			}
		}
		of := len(some)
		if keep := most / 2; of > keep {
			slices.SortFunc(some, func(a, b int) int { return cmp.Or(cmp.Compare(sink.Key(pages[a].URL), sink.Key(pages[b].URL)), a-b) })
			some = some[:keep]
		}
		slices.Sort(some)
		for _, i := range some {
			list, stands = append(list, i), append(stands, pages[i].Stands*float64(of)/float64(len(some)))
		}
	}
	return list, stands
}
