package focus

import (
	"fmt"
	"net/http"
	"time"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// heard takes the end of a visit into what is known of its host: failures in a row. The turn must be held.
func (c *Crawler) heard(v *Visit) {
	switch {
	case v.panicked, v.Err != nil && failure(v.Err) == "cancelled":
	case v.Err != nil && v.Status == 0 && v.redirect == "", v.Status >= http.StatusInternalServerError:
		c.steps.happen(&heard{v.Item.Host, true})
	case c.failures[v.Item.Host] > 0 && (v.Status != 0 || v.redirect != ""):
		c.steps.happen(&heard{v.Item.Host, false})
	}
}

// down tells whether a host has failed so often, time after time, that it is left alone for the rest of the crawl.
func (c *Crawler) down(host string) bool {
	return c.config.Polite.GiveUp > 0 && c.failures[host] >= c.config.Polite.GiveUp
}

// lookEvery is how often, on the wall, the disk is looked at.
const lookEvery = time.Second

// guardDisk stops the crawl before the disk of its run folder is full. What was written stays as it is. The turn must be
// held.
func (c *Crawler) guardDisk() {
	least := c.config.MinFree
	if least == 0 || c.config.Store == "" || time.Since(c.looked) < lookEvery {
		return
	}
	c.looked = time.Now()
	free := c.config.Free
	if free == nil {
		free = freeBytes
	}
	left, err := free(c.config.Store)
	if err != nil || left >= uint64(least) { // where nobody can tell, writing will
		return
	}
	c.cutShort = true
	c.stop(fmt.Sprintf("the disk of %s has only %v left, less than min_free: %v; make room, or give another folder with --store DIR",
		c.config.Store, strict.Size(left), least))
}
