package focus

import (
	"fmt"
	"net/http"
	"time"

	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// heard takes the end of a visit into what is known of its host: failures in a row. The turn must be held.
func (c *Crawler) heard(v *Visit) {
	switch {
	case v.panicked, v.Err != nil && failure(v.Err) == "cancelled":
	case failed(v):
		c.ledger.Happen(&ledger.HostHeard{Host: v.Item.Host, Failed: true})
	case c.ledger.Failures(v.Item.Host) > 0 && (v.Status != 0 || v.redirect != ""):
		c.ledger.Happen(&ledger.HostHeard{Host: v.Item.Host})
	}
}

// failed tells whether a visit counts against its host: it did not answer, or said that it cannot.
func failed(v *Visit) bool {
	if v.panicked || v.Err != nil && failure(v.Err) == "cancelled" {
		return false
	}
	return v.Err != nil && v.Status == 0 && v.redirect == "" || v.Status >= http.StatusInternalServerError
}

// down tells whether a host has failed so often, time after time, that it is left alone for the rest of the crawl: the
// frontier counts, so that it is known to all machines and after a restart.
func (c *Crawler) down(host string) bool {
	return c.can.examine != nil && c.can.examine.Health(host).GivenUp
}

// lookEvery is how often, on the wall, the disk is looked at.
const lookEvery = time.Second

// guardDisk lets the crawl stand still before the disk of its run folder is full, until there is room again. The turn
// must be held.
func (c *Crawler) guardDisk() {
	if c.config.MinFree == 0 || c.config.Store == "" || time.Since(c.looked) < c.with.every() {
		return
	}
	c.looked = time.Now()
	left, short := c.short()
	if !short {
		return
	}
	if c.keeper != nil {
		c.steps.fail(c.keeper.Sync())
	}
	c.standStill(fmt.Sprintf("the disk of %s has only %v left, less than min_free: %v; make room, and it goes on",
		c.config.Store, strict.Size(left), c.config.MinFree), func() bool { _, short := c.short(); return short })
}

// short tells how much is left on the disk of the run folder, and whether that is too little. Where nobody can tell,
// writing will.
func (c *Crawler) short() (left uint64, short bool) {
	free := c.with.free
	if free == nil {
		free = freeBytes
	}
	left, err := free(c.config.Store)
	return left, err == nil && left < uint64(c.config.MinFree)
}
