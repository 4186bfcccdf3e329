package wire

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"golang.org/x/net/idna"
)

// Logins are the names and passwords that origins ask for. They are held in memory alone; its zero value knows none, and it
// may be used by many goroutines.
type Logins struct {
	mu     sync.RWMutex
	header map[string]string // by origin
}

// mostLogins is how many origins are remembered: links of pages may bring more.
const mostLogins = 10_000

// Add keeps a name and a password for the origin of an address. An origin keeps those that were added first: what a page says
// later does not replace them.
func (l *Logins) Add(address, user, password string) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.header == nil {
		l.header = map[string]string{}
	}
	at := originOf(u)
	if l.header[at] == "" && len(l.header) < mostLogins {
		l.header[at] = "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
	}
}

// Of is what a request to an address says in its Authorization header; nothing where no login is known for its origin.
func (l *Logins) Of(u *url.URL) string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if len(l.header) == 0 || u == nil {
		return ""
	}
	return l.header[originOf(u)]
}

// User is the name and password of an origin, such as that of a proxy; nil where none are known.
func (l *Logins) User(u *url.URL) *url.Userinfo {
	r := http.Request{Header: http.Header{"Authorization": {l.Of(u)}}}
	if user, password, ok := r.BasicAuth(); ok {
		return url.UserPassword(user, password)
	}
	return nil
}

// Layer sends to each origin its own login, and to no other: a redirect that leads elsewhere takes none along. It stands below
// everything that writes down what is sent.
func (l *Logins) Layer() Layer {
	return NewLayer("Logins", AtLogins, trips(func(next http.RoundTripper, r *http.Request) (*http.Response, error) {
		said := l.Of(r.URL)
		if said == "" || r.Header.Get("Authorization") != "" {
			return next.RoundTrip(r)
		}
		with := r.Clone(r.Context())
		with.Header.Set("Authorization", said)
		resp, err := next.RoundTrip(bare(with, r))
		if resp != nil {
			resp.Request = r
		}
		return resp, err
	}))
}

// originOf is scheme, host and port of an address, however it is written.
func originOf(u *url.URL) string {
	host, port := strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), u.Port()
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	scheme := strings.ToLower(u.Scheme)
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	}
	return scheme + "://" + host + ":" + port
}
