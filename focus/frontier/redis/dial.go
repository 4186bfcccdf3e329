package redis

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// Target is what an address says of the crawl in it, empty or 0 where it says nothing.
type Target struct {
	Crawl string        // its name
	CA    string        // a file of certificates that stand for the server; empty means those of the system
	Lease time.Duration // after which the links of a worker that died wait again
}

// Dial makes a client from an address, and answers what it says of the crawl:
//
//	redis://user:password@host:6379/0?crawl=NAME                              one server
//	rediss://…                                                                the same over TLS
//	redis://host:26379?master_name=NAME&addr=other:26379&crawl=NAME            servers watched by Sentinel
//	redis://host:6379?addr=other:6379&addr=third:6379&crawl=NAME               a cluster
//
// lease (1m) says when the links of a worker that died wait again, and ca names a file of certificates (PEM) in the place of the
// system's for rediss://; the other parameters are those of go-redis (dial_timeout, pool_size, …). Nothing is connected yet.
func Dial(address string) (client Client, to Target, err error) {
	silence()
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "redis" && u.Scheme != "rediss" {
		return nil, to, fmt.Errorf("%q is no address: write redis://host:6379/0?crawl=NAME", Hidden(address))
	}
	query := u.Query()
	if to, err = cutTarget(query); err != nil {
		return nil, to, fmt.Errorf("the address %q of Redis: %w", Hidden(address), err)
	}
	u.RawQuery = query.Encode()
	trusted, err := to.trusted(u.Scheme)
	if err != nil {
		return nil, to, fmt.Errorf("the address %q of Redis: %w", Hidden(address), err)
	}
	switch {
	case query.Has("master_name"):
		var o *goredis.FailoverOptions
		if o, err = goredis.ParseFailoverURL(u.String()); err == nil {
			trusted(o.TLSConfig)
			client = goredis.NewFailoverClient(o)
		}
	case query.Has("addr"):
		var o *goredis.ClusterOptions
		if o, err = goredis.ParseClusterURL(u.String()); err == nil {
			trusted(o.TLSConfig)
			client = goredis.NewClusterClient(o)
		}
	default:
		var o *goredis.Options
		if o, err = goredis.ParseURL(u.String()); err == nil {
			trusted(o.TLSConfig)
			client = goredis.NewClient(o)
		}
	}
	if err != nil {
		return nil, to, fmt.Errorf("the address %q of Redis: %w", Hidden(address), err)
	}
	return client, to, nil
}

// trusted lets a client believe a server for which the target's own certificates stand.
func (to *Target) trusted(scheme string) (func(*tls.Config), error) {
	if to.CA == "" {
		return func(*tls.Config) {}, nil
	}
	if scheme != "rediss" {
		return nil, fmt.Errorf("ca=%s: certificates are for rediss://", to.CA)
	}
	pem, err := os.ReadFile(to.CA)
	if err != nil {
		return nil, fmt.Errorf("ca: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("ca=%s: there is no certificate in it, want PEM", to.CA)
	}
	return func(c *tls.Config) { c.RootCAs = pool }, nil
}

// cutTarget takes what is ours out of an address's parameters.
func cutTarget(query url.Values) (to Target, err error) {
	to.Crawl, to.CA = query.Get("crawl"), query.Get("ca")
	if strings.ContainsAny(to.Crawl, "/\\") || to.Crawl == "." || to.Crawl == ".." {
		return to, fmt.Errorf("crawl=%s: a name is a word; folders are named after it", to.Crawl)
	}
	if s := query.Get("lease"); s != "" {
		if to.Lease, err = time.ParseDuration(s); err != nil || to.Lease <= 0 {
			return to, fmt.Errorf("lease=%s: it is a time, such as 1m", s)
		}
	}
	for _, ours := range []string{"crawl", "ca", "lease"} {
		query.Del(ours)
	}
	return to, nil
}

// silence keeps go-redis, whose logger is one for the whole process, from writing lines of its own to stderr: what goes wrong
// is an error of whoever asked, or is told to Options.Away.
var silence = sync.OnceFunc(func() { goredis.SetLogger(silent{}) })

type silent struct{}

func (silent) Printf(context.Context, string, ...any) {}

// Hidden is an address without its passwords, for messages.
func Hidden(address string) string {
	before, rest, ok := strings.Cut(address, "://")
	if i := strings.LastIndex(rest, "@"); ok && i >= 0 {
		address = before + "://…@" + rest[i+1:]
	}
	return secrets.ReplaceAllString(address, "${1}…")
}

// secrets are passwords among the parameters of an address.
var secrets = regexp.MustCompile(`(?i)([?&][^=&]*password=)[^&]*`)

// patience is how long the first answer of a Redis is waited for.
const patience = 10 * time.Second

// knock asks a Redis for a sign of life. What is wrong with the address is told with what to do about it.
func knock(ctx context.Context, client Client) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answered := make(chan error, 1)
	go func() { answered <- client.Ping(ctx).Err() }() // it goes on dialling when ctx is done
	var err error
	select {
	case err = <-answered:
	case <-ctx.Done():
		err = ctx.Err()
	}
	return remedied(err)
}

// remedied is an error with what to do about it behind, where that is known.
func remedied(err error) error {
	if err == nil {
		return nil
	}
	said := err.Error()
	for _, known := range remedies {
		if strings.Contains(said, known.says) && !strings.HasSuffix(said, known.do) {
			return fmt.Errorf("%w: %s", err, known.do)
		}
	}
	return err
}

// rights is what to do for a user who may not do all that a crawl asks for.
const rights = "the user in the address may not do that: ACL SETUSER NAME +@all -@admin -@dangerous +info ~thresher:*"

// thrown is what it means that parts of a crawl are missing.
const thrown = "parts of the crawl are missing in Redis: did it throw them away (maxmemory-policy allkeys-…), or did somebody delete keys? Put a snapshot of it back, or begin anew with --fresh"

// remedies are what to do about what a Redis says that cannot be reached by an address, or not any more.
var remedies = []struct{ says, do string }{
	{"WRONGPASS", "the user or the password in the address is wrong, or has been changed: start again with the right one, in the same folder"},
	{"NOAUTH", "it wants a password: redis://:PASSWORD@host:6379/0, or redis://USER:PASSWORD@…"},
	{"without any password configured", "it has no password: leave it out of the address"},
	{"NOPERM", rights},
	{"The user executing the script can't", rights},
	{"cluster support disabled", "it is no cluster: leave addr= out of the address"},
	{"get-master-addr-by-name", "it is no Sentinel: leave master_name= out of the address, or give that of Sentinel"},
	{"MOVED", "it is a cluster: name another of its servers in the address, too, with addr=host:6379"},
	{"(a nil value)", thrown},
	{"DB index is out of range", "it has no database of that number: the address ends with it, mostly /0"},
	{"HTTP", "what answers there is no Redis"},
	{"certificate signed by unknown authority", "nothing on this machine stands for its certificate: name a file of certificates with ca=FILE"},
	{"first record does not look like a TLS handshake", "it does not speak TLS: write redis://"},
	{"context deadline exceeded", "nothing that is understood came back: is it a Redis, and does it speak TLS where the address says rediss://, and only there?"},
	{"EOF", "it hung up: does it speak TLS? Write rediss:// then"},
}
