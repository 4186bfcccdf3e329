package extensions

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/recent"
)

// Validators remembers how servers name the state of their pages: ETag and Last-Modified. It may be used by many
// goroutines at once.
type Validators struct {
	known *recent.Map[string, validator]
}

// validator is the name of a page's state.
type validator struct {
	URL      string `json:"url"`
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"modified,omitempty"`
}

// NewValidators is an empty memory, of so many pages at most; 0 means 500,000.
func NewValidators(remember int) *Validators {
	return &Validators{recent.New[string, validator](setting("NewValidators", remember, 500_000))}
}

// Load adds what an earlier crawl has saved.
func (v *Validators) Load(r io.Reader) error {
	d := json.NewDecoder(r)
	for n := 1; ; n++ {
		var one validator
		if err := d.Decode(&one); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("load validators: line %d: %w", n, err)
		}
		v.known.Put(one.URL, one)
	}
}

// Save writes a line of JSON for each page.
func (v *Validators) Save(w io.Writer) error {
	e := json.NewEncoder(w)
	for _, one := range v.known.Values() {
		if err := e.Encode(one); err != nil {
			return fmt.Errorf("save validators: %w", err)
		}
	}
	return nil
}

// Conditional asks for pages that were there before only if they have changed. A page that has not answers 304, which
// Colly calls an error with the text "Not Modified": nothing was downloaded, and no callback but OnError is called,
// unless ParseHTTPErrorResponse is set. NotModified tells it from other errors.
//
// A page whose body was cut is not remembered: the next crawl fetches it whole.
func Conditional(c *colly.Collector, v *Validators) {
	c.OnRequest(func(r *colly.Request) {
		known, ok := v.known.Get(addressOf(r.URL))
		if !ok || r.Method != http.MethodGet {
			return
		}
		set(r.Headers, "If-None-Match", known.ETag)
		set(r.Headers, "If-Modified-Since", known.Modified)
	})
	c.OnScraped(func(r *colly.Response) {
		h := *r.Headers
		one := validator{addressOf(r.Request.URL), h.Get("ETag"), h.Get("Last-Modified")}
		if r.StatusCode == http.StatusOK && h.Get(CutHeader) == "" && one.ETag+one.Modified != "" {
			v.known.Put(one.URL, one)
		}
	})
}

func set(h *http.Header, name, value string) {
	if value != "" && h.Get(name) == "" {
		h.Set(name, value)
	}
}

// NotModified tells whether a response, in OnError or OnResponse, says that the page is as it was.
func NotModified(r *colly.Response) bool { return r.StatusCode == http.StatusNotModified }
