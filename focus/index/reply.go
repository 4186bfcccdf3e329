package index

import (
	"encoding/json"
	"time"
)

// Reply is an answer as programs read it: what search --json prints, and the server's API answers.
type Reply struct {
	Total   int                `json:"total"`             // pages that match
	More    bool               `json:"more"`              // there are results behind these
	Partial bool               `json:"partial,omitempty"` // time was up
	Took    float64            `json:"took_ms"`
	Notes   []string           `json:"notes"`
	Meant   string             `json:"did_you_mean,omitempty"` // the query with words that pages have
	Results []Result           `json:"results"`
	Facets  map[string][]Count `json:"facets"`
}

// Result is a hit as programs read it.
type Result struct {
	Collection string                     `json:"collection"`
	ID         uint64                     `json:"id"`
	URL        string                     `json:"url"`
	Title      string                     `json:"title"`
	Snippet    []Piece                    `json:"snippet"`
	Site       string                     `json:"site"`
	Language   string                     `json:"language,omitempty"`
	Kind       string                     `json:"kind,omitempty"`
	Date       string                     `json:"date,omitempty"` // as the page states it
	Found      time.Time                  `json:"found"`
	Relevance  *float64                   `json:"relevance,omitempty"`
	Importance float64                    `json:"importance"` // 1 is the mean
	Inlinks    int                        `json:"inlinks"`
	Data       map[string]json.RawMessage `json:"data,omitempty"` // what a program has set
	Score      float64                    `json:"score"`
	Same       []Other                    `json:"same,omitempty"`
	MoreOfSite int                        `json:"more_of_site,omitempty"`
	Why        []Reason                   `json:"why,omitempty"`
}

// NewReply is an answer as programs read it.
func NewReply(a *Answer) *Reply {
	r := &Reply{Total: a.Total, More: a.More, Partial: a.Partial, Meant: a.Meant, Took: float64(a.Took.Microseconds()) / 1000,
		Notes: []string{}, Results: []Result{}, Facets: map[string][]Count{}}
	for _, note := range a.Notes {
		r.Notes = append(r.Notes, note.String())
	}
	for f, counts := range a.Facets {
		r.Facets[FacetNames[f]] = append([]Count{}, counts...)
	}
	for _, h := range a.Hits {
		r.Results = append(r.Results, newResult(h))
	}
	return r
}

// newResult is a hit as programs read it.
func newResult(h *Hit) Result {
	r := Result{Collection: h.Collection, ID: h.ID, URL: h.URL, Title: h.Title, Snippet: h.Snippet, Site: h.Host, Language: h.Language,
		Kind: h.Kind, Found: h.Found, Importance: h.Importance, Inlinks: h.Inlinks, Data: h.Data, Score: h.Score, Same: h.Same, MoreOfSite: h.OfSite, Why: h.Why}
	if !h.Date.IsZero() {
		r.Date = h.Date.Format(time.DateOnly)
	}
	if h.Relevance == h.Relevance {
		r.Relevance = &h.Relevance
	}
	return r
}
