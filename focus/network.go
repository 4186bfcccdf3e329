package focus

import (
	"net/http"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
)

// limitsOf are the bounds on what one answer may cost.
func limitsOf(f crawlfile.FetchConfig) extensions.Layer {
	return extensions.Limits(extensions.MaxBody(int64(f.MaxBody)), extensions.MaxHeader(int64(f.MaxHeader)),
		extensions.ConnectWithin(f.Connect.Duration()), extensions.AnswerWithin(f.Answer.Duration()),
		extensions.WholeWithin(f.Timeout.Duration()))
}

// openNetwork is the live web: only its public part, unless the crawl file allows more, and each name looked up once in
// a while.
func (c *Crawler) openNetwork(limits extensions.Layer) http.RoundTripper {
	known := []extensions.Option{extensions.Lookup(c.lookUp)}
	layers := []extensions.Layer{limits, extensions.PrivateNetworks(extensions.Allow(c.config.Fetch.Private...))}
	if c.figures != nil {
		known = append(known, extensions.OnLookup(c.figures.meters.Lookup))
		layers = append(layers, c.figures.meters.Layer())
	}
	return extensions.Stack(nil, append(layers, extensions.Resolver(known...))...)
}
