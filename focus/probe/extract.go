package probe

import (
	"encoding/json"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/ground"
)

// Extracted is what the rules of a crawl file find on a page.
type Extracted struct {
	URL    string
	Values map[string]json.RawMessage
	Lacks  []string // values that it must have, and has not: a crawl does not keep it
	Err    error    // why the page could not be had
}

// Extract takes the values off pages that a crawl file asks for, as its crawl would. A source is what it is to Judge.
func Extract(config crawlfile.Config, address string, sources []string, tell func(Extracted) error) error {
	config.TakeLogins()
	if err := config.Sound(); err != nil {
		return err
	}
	web, err := ground.Open(&config, ground.Options{})
	if err != nil {
		return err
	}
	defer web.Close()
	for _, source := range sources {
		v, body, err := read(&config, web, source, address)
		e := Extracted{URL: v.FinalURL, Err: err}
		if err == nil {
			e.Values, e.Lacks = config.Extract.Values(body, v.FinalURL)
		}
		if err := tell(e); err != nil {
			return err
		}
	}
	return nil
}
