package redis

import (
	"context"
	"crypto/tls"
	"net/url"
	"strconv"

	goredis "github.com/redis/go-redis/v9"
)

// Client is what Dial answers, and what a frontier asks of any of go-redis's clients. It is no more than that, because whoever sees
// UniversalClient has the 1,500 methods of go-redis's own types compiled once more: two seconds for each package on the way.
type Client interface {
	goredis.Cmdable
	Close() error
}

// Server is a single server that needs no user: what clients of older Redis can reach, too.
type Server struct {
	Network, Address, Password string
	Database                   int
	TLS                        *tls.Config // nil without
}

// SingleServer is the server of a client; ok is false for clusters, for servers that Sentinel watches, and with users.
func SingleServer(client Client) (s Server, ok bool) {
	single, ok := client.(*goredis.Client)
	if !ok || single.Options().Username != "" || single.Options().Addr == failover {
		return s, false
	}
	o := single.Options()
	s = Server{o.Network, o.Addr, o.Password, o.DB, nil}
	if o.TLSConfig != nil {
		s.TLS = o.TLSConfig.Clone()
	}
	return s, true
}

// failover is the address that go-redis gives to clients that Sentinel leads.
const failover = "FailoverClient"

// VisitsPrefix is what the keys of Colly's storage begin with.
func VisitsPrefix(crawl string) string { return "thresher:{" + crawl + "}" }

// Visits is a storage for Colly (storage.Storage) that keeps the same as gocolly/redisstorage under the same keys, and
// reaches every Redis that Dial reaches.
type Visits struct {
	client Client
	prefix string
}

// NewVisits is Colly's storage of a crawl.
func NewVisits(client Client, crawl string) *Visits { return &Visits{client, VisitsPrefix(crawl)} }

// Init does nothing: the client is there.
func (s *Visits) Init() error { return nil }

func (s *Visits) request(id uint64) string {
	return s.prefix + ":request:" + strconv.FormatUint(id, 10)
}
func (s *Visits) cookie(host string) string { return s.prefix + ":cookie:" + host }

// Visited notes a request.
func (s *Visits) Visited(id uint64) error {
	return s.client.Set(context.Background(), s.request(id), "1", 0).Err()
}

// IsVisited tells whether a request was noted.
func (s *Visits) IsVisited(id uint64) (bool, error) {
	n, err := s.client.Exists(context.Background(), s.request(id)).Result()
	return n > 0, err
}

// Cookies are those of an address, none if Redis does not answer.
func (s *Visits) Cookies(u *url.URL) string {
	cookies, _ := s.client.Get(context.Background(), s.cookie(u.Host)).Result()
	return cookies
}

// SetCookies keeps the cookies of an address.
func (s *Visits) SetCookies(u *url.URL, cookies string) {
	s.client.Set(context.Background(), s.cookie(u.Host), cookies, 0)
}
