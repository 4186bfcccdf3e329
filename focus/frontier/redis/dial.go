package redis

import (
	"fmt"
	"net/url"
	"strings"

	goredis "github.com/redis/go-redis/v9"
)

// Dial makes a client from an address, and answers the crawl's name in it, empty if there is none:
//
//	redis://user:password@host:6379/0?crawl=NAME                              one server
//	rediss://…                                                                the same over TLS
//	redis://host:26379?master_name=NAME&addr=other:26379&crawl=NAME            servers watched by Sentinel
//	redis://host:6379?addr=other:6379&addr=third:6379&crawl=NAME               a cluster
//
// The other parameters are those of go-redis (dial_timeout, pool_size, …). Nothing is connected yet.
func Dial(address string) (client goredis.UniversalClient, crawl string, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "redis" && u.Scheme != "rediss" {
		return nil, "", fmt.Errorf("redis: %q is no address: write redis://host:6379/0?crawl=NAME", hidden(address))
	}
	query := u.Query()
	crawl = query.Get("crawl")
	query.Del("crawl")
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
		return nil, "", fmt.Errorf("redis: address %q: %w", hidden(address), err)
	}
	return client, crawl, nil
}

// hidden is an address without its password.
func hidden(address string) string {
	before, rest, ok := strings.Cut(address, "://")
	if i := strings.LastIndex(rest, "@"); ok && i >= 0 {
		return before + "://…@" + rest[i+1:]
	}
	return address
}
