package extensions

import (
	"net/http"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/junk"
)

// NearDuplicatesConfig tunes NearDuplicates; the zero value is the default.
type NearDuplicatesConfig struct {
	Remember  int           // pages at most; 0 means 200,000
	OnRefusal func(Refusal) // hears of every page that repeats another, possibly from many goroutines at once; nil is nobody
}

// NearDuplicates finds pages that were there before at another address: byte for byte, or nearly word for word, by a
// fingerprint of 64 bits. A page is not parsed for it, so its menus count as much as what stands between them (a focused crawl
// compares main texts). The page keeps its callbacks, with the address of the first one in DuplicateHeader, and OnRefusal hears of it. Hosts that have the same pages in the same places are noticed as mirrors: MirrorOf of what it
// answers.
func NearDuplicates(c *colly.Collector, o NearDuplicatesConfig) *junk.Duplicates {
	d := junk.NewDuplicates(setting("NearDuplicatesConfig.Remember", o.Remember, 0))
	c.OnResponse(func(r *colly.Response) {
		if r.StatusCode != http.StatusOK || !junk.IsHTML(*r.Headers) {
			return
		}
		address := addressOf(r.Request.URL)
		if first, reason := d.Find(address, r.Body, ""); first != "" {
			r.Headers.Set(DuplicateHeader, first)
			refusing(o.OnRefusal).refused(address, "NearDuplicates", reason)
		}
	})
	return d
}
