package wire

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"
)

// Cookies are those of a browser, as it or one of its extensions writes them into a cookies.txt. They are held in memory alone.
type Cookies struct{ jar http.CookieJar }

// ReadCookies reads a cookies.txt: a line of seven columns with tabs between them for each cookie.
func ReadCookies(r io.Reader) (*Cookies, error) {
	jar, err := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List})
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimRight(lines.Text(), "\r\n")
		line, private := strings.CutPrefix(line, "#HttpOnly_")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(line, "\t")
		if len(columns) != 7 {
			return nil, fmt.Errorf("line %d has %d columns, want the seven of a cookies.txt, with tabs between them", n, len(columns))
		}
		expires, err := strconv.ParseFloat(columns[4], 64)
		if err != nil {
			return nil, fmt.Errorf("line %d: column 5 is no time in seconds", n)
		}
		host := strings.TrimPrefix(columns[0], ".")
		c := &http.Cookie{Path: columns[2], Secure: strings.EqualFold(columns[3], "true"), Name: columns[5], Value: columns[6], HttpOnly: private}
		if strings.EqualFold(columns[1], "true") {
			c.Domain = host
		}
		if expires > 0 {
			c.Expires = time.Unix(int64(expires), 0)
		}
		jar.SetCookies(&url.URL{Scheme: "https", Host: host, Path: "/"}, []*http.Cookie{c})
	}
	return &Cookies{jar}, lines.Err()
}

// Has tells whether an address is asked for with cookies.
func (c *Cookies) Has(u *url.URL) bool { return c != nil && u != nil && len(c.jar.Cookies(u)) > 0 }

// Layer sends to each host its own cookies, where the request has none of that name, and takes those that it sets in their place. It stands
// below everything that writes down what is sent, and what such a host sets is not shown to those above: it is as good as what was
// sent. No cookies change nothing.
func (c *Cookies) Layer() Layer {
	return NewLayer("Cookies", AtLogins, func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			if !c.Has(r.URL) {
				return next.RoundTrip(r)
			}
			with := r.Clone(r.Context())
			for _, own := range c.jar.Cookies(r.URL) {
				if _, err := r.Cookie(own.Name); err != nil {
					with.AddCookie(own)
				}
			}
			resp, err := next.RoundTrip(bare(with, r))
			if resp != nil {
				resp.Request = r
				c.jar.SetCookies(r.URL, resp.Cookies())
				resp.Header.Del("Set-Cookie")
			}
			return resp, err
		})
	})
}
