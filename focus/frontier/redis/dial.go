package redis

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// Target is what an address says of the crawl in it, empty or 0 where it says nothing.
type Target struct {
	Crawl  string        // its name
	Shards int           // see Options
	Seen   Seen          // see Options
	Lease  time.Duration // after which the links of a worker that died wait again
}

// Dial makes a client from an address, and answers what it says of the crawl:
//
//	redis://user:password@host:6379/0?crawl=NAME                              one server
//	rediss://…                                                                the same over TLS
//	redis://host:26379?master_name=NAME&addr=other:26379&crawl=NAME            servers watched by Sentinel
//	redis://host:6379?addr=other:6379&addr=third:6379&crawl=NAME&shards=8      a cluster
//
// shards, seen (digest, short or whole) and lease (1m) say how the crawl is kept; the other parameters are those of
// go-redis (dial_timeout, pool_size, …). Nothing is connected yet.
func Dial(address string) (client goredis.UniversalClient, to Target, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "redis" && u.Scheme != "rediss" {
		return nil, to, fmt.Errorf("redis: %q is no address: write redis://host:6379/0?crawl=NAME", Hidden(address))
	}
	query := u.Query()
	if to, err = cutTarget(query); err != nil {
		return nil, to, fmt.Errorf("redis: address %q: %w", Hidden(address), err)
	}
	u.RawQuery = query.Encode()
	switch {
	case query.Has("master_name"):
		var o *goredis.FailoverOptions
		if o, err = goredis.ParseFailoverURL(u.String()); err == nil {
			client = goredis.NewFailoverClient(o)
		}
	case query.Has("addr"):
		var o *goredis.ClusterOptions
		if o, err = goredis.ParseClusterURL(u.String()); err == nil {
			client = goredis.NewClusterClient(o)
		}
	default:
		var o *goredis.Options
		if o, err = goredis.ParseURL(u.String()); err == nil {
			client = goredis.NewClient(o)
		}
	}
	if err != nil {
		return nil, to, fmt.Errorf("redis: address %q: %w", Hidden(address), err)
	}
	return client, to, nil
}

// cutTarget takes what is ours out of an address's parameters.
func cutTarget(query url.Values) (to Target, err error) {
	to.Crawl, to.Seen = query.Get("crawl"), Seen(query.Get("seen"))
	if s := query.Get("shards"); s != "" {
		if to.Shards, err = strconv.Atoi(s); err != nil || to.Shards < 1 {
			return to, fmt.Errorf("shards=%s: it is a number from 1 on", s)
		}
	}
	if s := query.Get("lease"); s != "" {
		if to.Lease, err = time.ParseDuration(s); err != nil || to.Lease <= 0 {
			return to, fmt.Errorf("lease=%s: it is a time, such as 1m", s)
		}
	}
	for _, ours := range []string{"crawl", "seen", "shards", "lease"} {
		query.Del(ours)
	}
	return to, nil
}

// Hidden is an address without its password, for messages.
func Hidden(address string) string {
	before, rest, ok := strings.Cut(address, "://")
	if i := strings.LastIndex(rest, "@"); ok && i >= 0 {
		return before + "://…@" + rest[i+1:]
	}
	return address
}
