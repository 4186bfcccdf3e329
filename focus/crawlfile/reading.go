package crawlfile

import (
	"fmt"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/pdf"
)

// ReadingConfig says how pages are read.
type ReadingConfig struct {
	HubRatio    float64  `yaml:"hub_ratio" doc:"the share of links in a text above which a page is a hub, and a block one of links" check:"(0..1"`
	Segment     string   `yaml:"segment" doc:"cut all pages into blocks, or only pages of text, not hubs" check:"all|topic"`
	Hidden      bool     `yaml:"hidden" doc:"also read what stands in textarea, noframes and template, where portals keep links that a script shows later, and addresses that scripts go to: text/xml, onclick, select, createPageHTML"`
	Plain       bool     `yaml:"plain" doc:"plain text (text/plain) is read, judged and kept like a page; no links are looked for in it"`
	PDF         bool     `yaml:"pdf" doc:"PDF is read, judged and kept like a page, each file in a process of its own; scope.types says whether addresses that end in .pdf are asked for"`
	Special     []string `yaml:"special,omitempty" doc:"more words that announce links to pages on the same subject, such as see also"`
	Stop        []string `yaml:"stop,omitempty" doc:"more words that never stand on such a link, such as home"`
	Advertisers []string `yaml:"advertisers,omitempty" doc:"more hosts that serve advertisements"`
}

func defaultReading() ReadingConfig {
	return ReadingConfig{HubRatio: 0.6, Segment: "all", Hidden: true, Plain: true, PDF: true}
}

// PageOptions are how pages are read, as package page wants it told.
func (c *Config) PageOptions() (page.Options, error) {
	p := c.Reading
	o := page.Options{HubRatio: p.HubRatio, Hidden: p.Hidden, Plain: p.Plain, MaxLinks: c.Fetch.MaxLinks}
	if p.PDF {
		o.PDF = pdf.HTML
	}
	if c.Context == "page" {
		o.Context = page.WholePage
	}
	if p.Segment == "topic" {
		o.Segment = page.TopicPages
	}
	if len(p.Special)+len(p.Stop)+len(p.Advertisers) > 0 {
		lists, err := page.NewLists(page.Words{Special: p.Special, Stop: p.Stop, Advertisers: p.Advertisers})
		if err != nil {
			return o, fmt.Errorf("reading: %w", err)
		}
		o.Lists = lists
	}
	return o, nil
}
