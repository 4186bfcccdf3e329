package focus

import (
	"net/http"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// limitsOf are the bounds on what one answer may cost.
func limitsOf(f crawlfile.FetchConfig) wire.Layer {
	return wire.Limits(wire.LimitsConfig{MaxBody: int64(f.MaxBody), MaxHeader: int64(f.MaxHeader),
		Connect: f.Connect.Duration(), Answer: f.Answer.Duration(), Whole: f.Timeout.Duration()})
}

// openNetwork is the live web: only its public part, unless the crawl file allows more, and each name looked up once in
// a while.
func (c *Crawler) openNetwork(limits wire.Layer) http.RoundTripper {
	known := wire.ResolverConfig{Lookup: c.lookUp}
	layers := []wire.Layer{limits, wire.PrivateNetworks(wire.PrivateNetworksConfig{Allow: c.config.Fetch.Private})}
	if c.figures != nil {
		known.OnLookup = c.figures.meters.Lookup
		layers = append(layers, c.figures.meters.Layer())
	}
	return wire.Stack(nil, append(layers, wire.Resolver(known))...)
}
