package wire

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Cookies are those of a browser, as it or one of its extensions writes them into a cookies.txt. They are held in memory alone.
type Cookies struct{ jar *Jar }

// latest is the end of the year 9999, which is for ever.
const latest = 253402300799

// sendable tells whether a cookie can stand in a header as it is. What else the standard library takes out of one, or puts quotes
// around, is what a host has set and wants to have back: quotation marks, blanks, commas, letters of any kind.
func sendable(pair string) bool {
	return !strings.ContainsFunc(pair, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f || r == ';' })
}

// ReadCookies reads a cookies.txt: a line of seven columns with tabs between them for each cookie.
func ReadCookies(r io.Reader) (*Cookies, error) {
	jar := NewJar()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimRight(lines.Text(), "\r\n")
		if n == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		if strings.Contains(line, "\x00") {
			return nil, fmt.Errorf("line %d has a NUL byte: save the file as UTF-8", n)
		}
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
		if !sendable(columns[5] + "=" + columns[6]) {
			return nil, fmt.Errorf("line %d: the cookie %q has a semicolon or a control character in its name or value, and no browser sends such a one", n, columns[5])
		}
		host := strings.TrimPrefix(columns[0], ".")
		c := &http.Cookie{Path: columns[2], Secure: strings.EqualFold(columns[3], "true"), Name: columns[5], Value: columns[6], HttpOnly: private}
		if strings.EqualFold(columns[1], "true") {
			c.Domain = host
		}
		if expires > 0 {
			c.Expires = time.Unix(int64(min(expires, latest)), 0)
		}
		jar.SetCookies(&url.URL{Scheme: "https", Host: host, Path: "/"}, []*http.Cookie{c})
	}
	jar.give()
	return &Cookies{jar}, lines.Err()
}

// Has tells whether an address is asked for with cookies.
func (c *Cookies) Has(u *url.URL) bool { return c != nil && u != nil && len(c.jar.Cookies(u)) > 0 }

// Layer sends to each host its own cookies, where the request has none of that name, and takes those that it sets in their place. It stands
// below everything that writes down what is sent, and what such a host sets is not shown to those above: it is as good as what was
// sent. No cookies change nothing.
func (c *Cookies) Layer() Layer {
	return NewLayer("Cookies", AtLogins, trips(func(next http.RoundTripper, r *http.Request) (*http.Response, error) {
		if !c.Has(r.URL) {
			return next.RoundTrip(r)
		}
		with := r.Clone(r.Context())
		said := with.Header["Cookie"]
		for _, own := range c.jar.Cookies(r.URL) {
			if _, err := r.Cookie(own.Name); err != nil {
				said = append(said, own.Name+"="+own.Value)
			}
		}
		with.Header.Set("Cookie", strings.Join(said, "; "))
		resp, err := next.RoundTrip(bare(with, r))
		if resp != nil {
			resp.Request = r
			c.jar.SetCookies(r.URL, setBy(resp))
			resp.Header.Del("Set-Cookie")
		}
		return resp, err
	}))
}

// setBy are the cookies that an answer sets, each with its value as it stands there.
func setBy(resp *http.Response) []*http.Cookie {
	var all []*http.Cookie
	for _, line := range resp.Header["Set-Cookie"] {
		pair, rest, _ := strings.Cut(line, ";")
		name, value, ok := strings.Cut(pair, "=")
		c, err := http.ParseSetCookie("a=b;" + rest) // which wants less of a name and a value than hosts do
		if !ok || err != nil || !sendable(pair) {
			continue
		}
		c.Name, c.Value = strings.TrimSpace(name), strings.TrimSpace(value)
		all = append(all, c)
	}
	return all
}
