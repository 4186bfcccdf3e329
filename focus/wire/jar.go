package wire

import (
	"cmp"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/publicsuffix"
)

// As many cookies are kept of a site, and as long ones, as browsers keep: a host may set others with every page, of which each would
// stay in memory, and be sent with every request.
const (
	mostCookies   = 180
	longestCookie = 4096 // bytes of name and value
)

// Jar keeps the cookies of each site, of too many those that were set last, and those that it began with.
type Jar struct {
	jar *cookiejar.Jar

	mu    sync.Mutex
	sites map[string][]cookie // those that were set last are last
}

// cookie is what a jar tells one cookie from another by, and where it was set.
type cookie struct {
	name, domain, path string
	at                 url.URL
	given              bool // by who crawls: a login may hang on it
}

// Bounded are as many cookies of a host as are kept, of those that were set last, which come first.
func Bounded(cookies []*http.Cookie) []*http.Cookie {
	short := slices.DeleteFunc(slices.Clone(cookies), tooLong)
	return short[:min(len(short), mostCookies)]
}

func tooLong(c *http.Cookie) bool { return len(c.Name)+len(c.Value) > longestCookie }

// NewJar makes a jar, in memory.
func NewJar() *Jar {
	jar, _ := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List}) // it fails for no options
	return &Jar{jar: jar, sites: map[string][]cookie{}}
}

// Cookies are those that an address is asked for with.
func (j *Jar) Cookies(u *url.URL) []*http.Cookie { return j.jar.Cookies(u) }

// SetCookies takes cookies that an address has set.
func (j *Jar) SetCookies(u *url.URL, cookies []*http.Cookie) {
	j.mu.Lock()
	defer j.mu.Unlock()
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	site := siteOf(net.JoinHostPort(host, ""))
	for _, c := range cookies {
		is := cookie{name: c.Name, domain: host, path: c.Path, at: url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}}
		if c.Domain != "" {
			is.domain = strings.ToLower(strings.TrimPrefix(c.Domain, "."))
		}
		if tooLong(c) || is.domain != host && !(strings.HasSuffix(host, "."+is.domain) && len(is.domain) >= len(site)) {
			continue
		}
		if !strings.HasPrefix(is.path, "/") { // that of the folder, as jars have it
			is.path = cmp.Or(u.Path[:max(0, strings.LastIndexByte(u.Path, '/'))], "/")
		}
		j.jar.SetCookies(u, []*http.Cookie{c})
		all := slices.DeleteFunc(j.sites[site], func(o cookie) bool {
			same := o.name == is.name && o.domain == is.domain && o.path == is.path
			is.given = is.given || same && o.given
			return same
		})
		if c.MaxAge > 0 || c.MaxAge == 0 && (c.Expires.IsZero() || c.Expires.After(time.Now())) {
			all = append(all, is)
		}
		if len(all) > mostCookies {
			i := max(0, slices.IndexFunc(all, func(o cookie) bool { return !o.given }))
			j.drop(all[i])
			all = slices.Delete(all, i, i+1)
		}
		j.sites[site] = all
	}
}

// give notes that the cookies that are there are those of who crawls: hosts put out others first.
func (j *Jar) give() {
	for _, all := range j.sites {
		for i := range all {
			all[i].given = true
		}
	}
}

// drop takes a cookie out, as the host that has set it could.
func (j *Jar) drop(c cookie) {
	gone := &http.Cookie{Name: c.name, Path: c.path, MaxAge: -1}
	if c.domain != strings.TrimSuffix(strings.ToLower(c.at.Hostname()), ".") {
		gone.Domain = c.domain
	}
	j.jar.SetCookies(&c.at, []*http.Cookie{gone})
}
