package outlet

import (
	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// Clusters puts near duplicates together. A cluster is called by the number of its first page.
type Clusters struct {
	seen *junk.Duplicates
	of   map[string]uint64 // by address
}

// mostPages is how many pages are remembered: of more, the first are forgotten.
const mostPages = 2_000_000

// NewClusters knows no pages yet.
func NewClusters() *Clusters {
	return &Clusters{seen: junk.NewDuplicates(mostPages), of: map[string]uint64{}}
}

// Add answers the cluster of a page.
func (c *Clusters) Add(r *sink.Record) uint64 {
	cluster := r.ID
	if first, _ := c.seen.FindText(r.FinalURL, r.Saying()); first != "" && first != r.FinalURL {
		cluster = c.of[first]
	}
	if _, twice := c.of[r.FinalURL]; !twice {
		c.of[r.FinalURL] = cluster
	}
	return cluster
}
