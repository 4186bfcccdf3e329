package focus

import (
	"fmt"
	"net/http"

	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// openSince puts what an earlier crawl has kept on the network, or on what stands for it: what has not changed since is
// taken from there, and costs its host no body.
func (c *Crawler) openSince(ground http.RoundTripper) (http.RoundTripper, error) {
	if c.config.Fetch.Since == "" {
		return ground, nil
	}
	earlier, err := replay.Open(c.config.Fetch.Since)
	if err != nil {
		return nil, fmt.Errorf("focus: fetch.since: %w; want the folder of a run with the sink warc, or a recorded web", err)
	}
	c.earlier = earlier
	return wire.Stack(ground, wire.Unchanged(earlier)), nil
}
