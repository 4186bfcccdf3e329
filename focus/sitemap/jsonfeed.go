package sitemap

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"regexp"

	"github.com/thresher-crawler/thresher/focus/page"
)

// isJSONFeed tells a JSON Feed by the version that it must name, which stands behind the items where keys are sorted.
var isJSONFeed = regexp.MustCompile(`^(?:\x{FEFF})?\s*\{(?s:.*)"version"\s*:\s*"https?:(?://|\\/\\/)jsonfeed\.org`)

// parseJSONFeed reads a JSON Feed (jsonfeed.org, version 1 or 1.1), found at an address.
func parseJSONFeed(body []byte, at *url.URL) ([]Found, error) {
	var feed struct {
		Items []struct {
			URL       string `json:"url"`
			External  string `json:"external_url"`
			Title     string `json:"title"`
			Summary   string `json:"summary"`
			Text      string `json:"content_text"`
			HTML      string `json:"content_html"`
			Published string `json:"date_published"`
			Modified  string `json:"date_modified"`
		} `json:"items"`
	}
	err := json.Unmarshal(bytes.TrimPrefix(body, []byte("\ufeff")), &feed)
	if err != nil {
		err = fmt.Errorf("feed %q: %w", at, err)
	}
	var found []Found
	for _, item := range feed.Items[:min(len(feed.Items), mostItems)] {
		f := Found{Link: page.Link{Source: page.Feed}, From: at.String(), Priority: float32(math.NaN()), Modified: date(cmp.Or(item.Published, item.Modified))}
		f.Anchor, f.After = plainText(item.Title), plainText(cmp.Or(item.Summary, item.HTML, item.Text))
		if f.link(item.URL, at) || f.link(item.External, at) {
			found = append(found, f)
		}
	}
	return found, err
}
