package run

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
)

// SiteRow is one site in the site table of a run: what was believed of it, what was seen of it, and what is to be believed
// of it now.
type SiteRow struct {
	Site       string  `json:"site"`   // the host, sub-domain included
	Weight     float64 `json:"weight"` // (confidence·believed + sum of relevance) / (confidence + pages)
	Share      float64 `json:"share"`  // of its pages that are relevant, with what was believed counted in
	Low        float64 `json:"low"`    // where that share lies, with 95 % confidence
	High       float64 `json:"high"`
	Confidence float64 `json:"-"`     // what was believed before counted as so many pages
	Pages      int     `json:"pages"` // that were judged
	Relevant   int     `json:"relevant"`
	Waiting    int     `json:"waiting"`        // links that wait
	Best       string  `json:"best,omitempty"` // its page that was most relevant; empty where none was
	Relevance  float64 `json:"-"`
}

// What is believed of a site beforehand: of one of which nothing is known, and of one that a person or a search has named.
const (
	strangeWeight, strangeConfidence = 0.5, 2
	namedWeight, namedConfidence     = 0.8, 4
	siteZ                            = 1.96
)

// Sites is the site table of a run, from the heaviest site to the lightest: every site of which a page was judged. What
// was believed beforehand is what the crawl file said, or else what the sources say of start pages and of others.
func (r *Run) Sites() ([]SiteRow, error) {
	config, err := r.Config()
	if err != nil {
		return nil, err
	}
	believed := map[string]crawlfile.SiteConfig{}
	for _, s := range config.Seeds {
		believed[page.Host(s)] = crawlfile.SiteConfig{Weight: namedWeight, Confidence: namedConfidence}
	}
	for _, s := range config.Sites {
		believed[strings.ToLower(s.Site)] = s
	}
	rows, sums := map[string]*SiteRow{}, map[string]float64{}
	waiting, ended := map[uint64]string{}, Ended{}
	err = r.Log(func(d *Decision) bool {
		host := page.Host(d.URL)
		if d.Decision == "push" {
			waiting[d.ID] = host
		}
		if first := ended.Hear(d); first && d.Judged() {
			if rows[host] == nil {
				rows[host] = &SiteRow{Site: host, Relevance: -1}
			}
			rows[host].take(d)
			sums[host] += d.Relevance
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	for id, host := range waiting {
		if _, over := ended[id]; !over && rows[host] != nil {
			rows[host].Waiting++
		}
	}
	return tableOf(rows, sums, believed), nil
}

// take counts a page that was judged.
func (s *SiteRow) take(d *Decision) {
	s.Pages++
	if !d.Relevant() {
		return
	}
	if s.Relevant++; d.Relevance > s.Relevance {
		s.Best, s.Relevance = d.URL, d.Relevance
	}
}

// tableOf works the weights out and puts the rows in order.
func tableOf(rows map[string]*SiteRow, sums map[string]float64, believed map[string]crawlfile.SiteConfig) []SiteRow {
	table := make([]SiteRow, 0, len(rows))
	for host, row := range rows {
		before, ok := believed[host]
		if !ok {
			before = crawlfile.SiteConfig{Weight: strangeWeight, Confidence: strangeConfidence}
		}
		row.Confidence = before.Confidence
		n := before.Confidence + float64(row.Pages)
		row.Weight = (before.Confidence*before.Weight + sums[host]) / n
		relevant := before.Confidence*before.Weight + float64(row.Relevant)
		row.Share = relevant / n
		row.Low, row.High = rank.Wilson(relevant, n, siteZ)
		row.Relevance = max(row.Relevance, 0)
		table = append(table, *row)
	}
	slices.SortFunc(table, func(a, b SiteRow) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Site, b.Site))
	})
	return table
}

// mostSeen is how many pages an earlier crawl's table counts as at most in a later one: sites change, and the pages that
// are left to find are others than those that were found.
const mostSeen = 20

// Before is what a row is to a later crawl: a line of its sites.
func (s *SiteRow) Before() crawlfile.SiteConfig {
	return crawlfile.SiteConfig{Site: s.Site, Weight: math.Round(s.Weight*100) / 100, Confidence: min(s.Confidence+float64(s.Pages), mostSeen)}
}
