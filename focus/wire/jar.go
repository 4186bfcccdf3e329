package wire

import (
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/publicsuffix"
)

// As many cookies are kept of a site, and as long ones, as browsers keep: a host may set others with every page, of which each would
// stay in memory, and be sent with every request.
const (
	mostCookies   = 180
	longestCookie = 4096 // bytes of name and value
)

// Jar keeps the cookies of each site, of too many those that were set last.
type Jar struct {
	jar *cookiejar.Jar

	mu    sync.Mutex
	sites map[string][]cookie // those that were set last are last
}

// cookie is what a jar tells one cookie from another by, and where it was set.
type cookie struct {
	name, domain, path string
	at                 url.URL
}

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
	host := strings.ToLower(u.Hostname())
	site := siteOf(net.JoinHostPort(host, ""))
	for _, c := range cookies {
		if len(c.Name)+len(c.Value) > longestCookie {
			continue
		}
		is := cookie{c.Name, strings.ToLower(strings.TrimPrefix(c.Domain, ".")), c.Path, url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}}
		if is.domain == "" {
			is.domain = host
		}
		if !strings.HasPrefix(is.path, "/") { // that of the folder, as jars have it
			is.path = u.Path[:max(0, strings.LastIndexByte(u.Path, '/'))]
		}
		all := slices.DeleteFunc(j.sites[site], func(o cookie) bool { return o.name == is.name && o.domain == is.domain && o.path == is.path })
		if c.MaxAge >= 0 {
			all = append(all, is)
		}
		if len(all) > mostCookies {
			j.drop(all[0])
			all = all[1:]
		}
		j.sites[site] = all
		j.jar.SetCookies(u, []*http.Cookie{c})
	}
}

// drop takes a cookie out, as the host that has set it could.
func (j *Jar) drop(c cookie) {
	gone := &http.Cookie{Name: c.name, Path: c.path, MaxAge: -1}
	if c.domain != strings.ToLower(c.at.Hostname()) {
		gone.Domain = c.domain
	}
	j.jar.SetCookies(&c.at, []*http.Cookie{gone})
}
