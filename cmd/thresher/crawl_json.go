package main

import (
	"io"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// event is one page of a crawl, as --json prints it.
type event struct {
	Event     string   `json:"event"` // page
	Time      string   `json:"time"`
	ID        uint64   `json:"id"`
	URL       string   `json:"url"`
	Status    int      `json:"status"`
	Unchanged bool     `json:"unchanged,omitempty"` // its host says so: what follows is what the run has of it
	Kept      bool     `json:"kept"`
	Reason    string   `json:"reason,omitempty"` // why it was not kept
	Relevance *float64 `json:"relevance"`        // null where nothing was judged
	Score     float32  `json:"score"`
	Title     string   `json:"title,omitempty"`
}

func eventOf(v *focus.Visit) event {
	e := event{Event: "page", Time: v.Time.UTC().Format(time.RFC3339Nano), ID: v.Item.ID, URL: v.Item.URL, Status: v.Status,
		Kept: v.Kept, Reason: string(v.Refused)}
	if len(v.Item.Numbers) > 0 {
		e.Score = v.Item.Numbers[0]
	}
	if v.Page != nil {
		relevance := v.Judgement.Relevance
		e.Relevance, e.Title = &relevance, v.Page.Title
	}
	return e
}

// eventOf is the event of a page of this crawl. A page that is as it was when it was visited last was not sent, and not judged.
func (f *crawlFlags) eventOf(v *focus.Visit) event {
	e := eventOf(v)
	if f.round == nil {
		return e
	}
	if was := f.round.AsItWas(v); was != nil {
		e.Unchanged, e.Kept, e.Reason, e.Title, e.Relevance = true, was.Kept, string(was.Refused), was.Title, nil
		if was.Kept {
			e.Relevance = &was.Relevance
		}
	}
	return e
}

// jsonSummary is how a crawl ended, as --json prints it.
type jsonSummary struct {
	Event    string         `json:"event"` // summary
	Name     string         `json:"name"`
	Strategy string         `json:"strategy"`
	Folder   string         `json:"folder,omitempty"`
	Reason   string         `json:"reason"`
	Finished bool           `json:"finished"`
	Pages    int            `json:"pages"`
	Relevant int            `json:"relevant"`
	Kept     int            `json:"kept"`
	Failed   int            `json:"failed"`
	Bytes    int64          `json:"bytes"`
	Spared   int            `json:"spared,omitempty"`       // pages that had not changed since fetch.since
	Unsent   int64          `json:"spared_bytes,omitempty"` // of their bodies
	Waiting  int            `json:"waiting"`
	Harvest  float64        `json:"harvest"`
	Seconds  float64        `json:"seconds"` // by the crawl's own clock
	Refused  map[string]int `json:"refused"`
	Dropped  map[string]int `json:"dropped"`
	Warnings []string       `json:"warnings,omitempty"` // what a person should know before relying on the judge or the recorded web
	Second   *winnowed      `json:"second_look,omitempty"`
	Words    []string       `json:"suggested,omitempty"` // that would tell the topic better
	Timings  *jsonTimings   `json:"timings,omitempty"`
	Compared *jsonSummary   `json:"compared,omitempty"`
}

func printJSONSummary(w io.Writer, s *jsonSummary, other *focus.Report, again *winnow.Report) error {
	if again != nil {
		s.Second = winnowedOf(s.Folder, again)
	}
	if other != nil {
		s.Compared = summaryOf(*other)
		s.Compared.Folder = ""
	}
	return jsonTo(w).Encode(s)
}

func summaryOf(r focus.Report) *jsonSummary {
	c := &r.Counts
	return &jsonSummary{Event: "summary", Name: r.Name, Strategy: r.Strategy, Folder: r.Folder, Reason: r.Reason,
		Finished: r.Finished, Pages: c.Pages, Relevant: c.Relevant, Kept: c.Kept, Failed: c.Failed, Bytes: c.Bytes, Spared: c.Spared, Unsent: c.SparedBytes,
		Waiting: r.Waiting, Harvest: c.Harvest(), Seconds: c.Now.Sub(c.Started).Seconds(),
		Refused: words(c.Refused), Dropped: words(c.Dropped), Warnings: r.Notes}
}

func words(t admit.Tally) map[string]int {
	m := make(map[string]int, len(t))
	for reason, n := range t {
		m[string(reason)] = n
	}
	return m
}
