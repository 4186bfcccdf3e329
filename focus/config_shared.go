package focus

import (
	"net/url"
	"strconv"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// sharded warns of manners that a crawl in several shards of a Redis does not keep as they are given: no shard knows of the
// hosts of another.
func (c *Config) sharded(store string) []strict.Problem {
	if !IsShared(store) {
		return nil
	}
	address, err := url.Parse(store)
	if err != nil {
		return nil // the crawl will be refused
	}
	shards, err := strconv.Atoi(address.Query().Get("shards"))
	if err != nil || shards < 2 {
		return nil
	}
	k := checker{c: c}
	if c.says("polite.per_ip") && c.Polite.PerIP > 0 {
		k.wrong("polite.per_ip", "is %d, and is not kept in %d shards, which do not know of each other's hosts: leave shards out of store", c.Polite.PerIP, shards)
	}
	if c.Polite.Share > 0 {
		k.wrong("polite.share", "is %g of the last hundred pages of each of %d shards, and not of the crawl: leave shards out of store", c.Polite.Share, shards)
	}
	return k.problems
}
