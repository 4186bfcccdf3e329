package crawlfile

import (
	"bufio"
	"crypto/x509"
	"errors"
	"fmt"
	"maps"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// AccessConfig is how a crawl gets to pages that are not wide open. Names and passwords of it are taken out when it is read, as those of
// start pages (Config.Logins), and stand in no run folder.
type AccessConfig struct {
	Proxies []string          `yaml:"proxies,omitempty" called:"proxy" doc:"proxies that take turns (http://, https://, socks5://); one that cannot be used rests for a while; where it is left out HTTP_PROXY, HTTPS_PROXY and NO_PROXY count"`
	Headers map[string]string `yaml:"headers,omitempty" doc:"headers that every request has, such as {Accept-Language: de}; none of them is a secret, since they stand in the run folder"`
	Cookies string            `yaml:"cookies,omitempty" doc:"a cookies.txt of a browser, a file of mode 0600; each cookie goes to its own host, and links that log out are not followed with it"`
	Logins  []string          `yaml:"logins,omitempty" called:"auth basic_auth password" doc:"basic auth by origin, for proxies too: files of mode 0600 with an address a line (https://name:password@www.example.org/), or such addresses themselves"`
	CA      string            `yaml:"ca,omitempty" doc:"a file of certificates (PEM) whose issuers are trusted beside those of the system"`
	Key     string            `yaml:"key,omitempty" doc:"an Ed25519 key (PEM, mode 0600) that signs each request, so that hosts can tell who asks (Web Bot Auth); thresher identity FILE prints what to publish"`
	Agent   string            `yaml:"key_at,omitempty" doc:"the https address below which the public half of fetch.key is published; it goes along as Signature-Agent"`
	Render  string            `yaml:"render,omitempty" called:"javascript js browser headless" doc:"a service that renders pages which only a script fills: browserless (http://127.0.0.1:3000/content) or Splash (http://127.0.0.1:8050/render.html); promising pages alone, and at most a tenth of budget.pages; a token in its query (?token=) is not written down"`
}

// paths are the files that it names.
func (a *AccessConfig) paths() []*string {
	paths := []*string{&a.Cookies, &a.CA, &a.Key}
	for i := range a.Logins {
		if !strings.Contains(a.Logins[i], "://") {
			paths = append(paths, &a.Logins[i])
		}
	}
	return paths
}

// own are the headers that something else of the crawl file says, or that are secrets.
var own = map[string]string{
	"User-Agent": "polite.agent says it", "Host": "it is that of the address", "Cookie": "fetch.cookies keeps them, in a file of mode 0600",
	"Authorization": "fetch.logins keeps it, in a file of mode 0600", "Proxy-Authorization": "fetch.logins keeps it, in a file of mode 0600",
	"Accept-Encoding": "the transport undoes what it asks for", "Connection": "it is the transport's", "Content-Length": "nothing is sent", "Transfer-Encoding": "nothing is sent",
}

// access finds what is wrong with the ways to pages.
func (k *checker) access() {
	a := &k.c.Fetch.AccessConfig
	for i, p := range a.Proxies {
		u, err := url.Parse(p)
		if err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme) {
			k.Wrong(fmt.Sprintf("fetch.proxies[%d]", i), "%s, want the address of a proxy, such as http://proxy.example:3128 or socks5://proxy.example:1080", unlike(p))
		}
	}
	sent := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(a.Headers)) {
		value, is := a.Headers[name], textproto.CanonicalMIMEHeaderKey(name)
		whose, taken := own[is]
		twice, also := sent[is]
		sent[is] = name
		switch {
		case also:
			k.Wrong("fetch.headers."+name, "is the same header as %s, and has one value: keep one of the two", twice)
		case !httpguts.ValidHeaderFieldName(name):
			k.Wrong("fetch.headers", "%q is no name of a header", name)
		case taken:
			k.Wrong("fetch.headers."+name, "does not belong here: %s", whose)
		case !httpguts.ValidHeaderFieldValue(value):
			k.Wrong("fetch.headers."+name, "has characters that no header may have")
		}
	}
	if a.Cookies != "" {
		if _, err := a.ReadCookies(); err != nil {
			cure := ""
			if filepath.Base(a.Cookies) == "true" {
				cure = "; to keep those that hosts set write cookies: true, outside of fetch"
			}
			k.Wrong("fetch.cookies", "%v%s", err, cure)
		}
	}
	if _, err := a.Authorities(); err != nil {
		k.Wrong("fetch.ca", "%v", err)
	}
	switch u, err := url.Parse(a.Agent); {
	case a.Agent != "" && a.Key == "":
		k.Wrong("fetch.key_at", "says where a key is published, and there is none: give fetch.key, which signs, or take this out")
	case a.Agent != "" && (err != nil || u.Scheme != "https" || u.Host == "" || strings.ContainsAny(a.Agent, "\"\\ \t\r\n")):
		k.Wrong("fetch.key_at", "%s, want an https address such as https://bot.example.org", unlike(a.Agent))
	}
	if u, err := url.Parse(a.Render); a.Render != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil) {
		k.Wrong("fetch.render", "%s, want the address of a service, such as http://127.0.0.1:3000/content of browserless or http://127.0.0.1:8050/render.html of Splash", unlike(withoutPasswords(a.Render)))
	}
}

// unlike says that something is no address that is wanted. It is shown where it can have no password: what has one may be so written that
// nobody can tell where that ends.
func unlike(address string) string {
	if strings.Contains(address, "@") {
		return "cannot be read (write %2F, %3F and %23 for /, ? and # in a password)"
	}
	return fmt.Sprintf("is %q", address)
}

// ReadCookies reads the cookies of the browser; nil where there are none.
func (a *AccessConfig) ReadCookies() (*wire.Cookies, error) {
	if a.Cookies == "" {
		return nil, nil
	}
	f, err := secret(a.Cookies)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	cookies, err := wire.ReadCookies(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.Cookies, err)
	}
	return cookies, nil
}

// Authorities are those of the system and of the file; nil where no file is named.
func (a *AccessConfig) Authorities() (*x509.CertPool, error) {
	if a.CA == "" {
		return nil, nil
	}
	text, err := ReadText(a.CA)
	if err != nil {
		return nil, err
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate: want a PEM file, with -----BEGIN CERTIFICATE-----", a.CA)
	}
	return pool, nil
}

// ProxyList are the proxies, as addresses.
func (a *AccessConfig) ProxyList() []*url.URL {
	var all []*url.URL
	for _, p := range a.Proxies {
		if u, err := url.Parse(p); err == nil {
			all = append(all, u)
		}
	}
	return all
}

// secret opens a file that only its owner may read.
func secret(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := private(f, path); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func private(f *os.File, path string) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.IsDir() {
		return fmt.Errorf("%s %w", path, errFolder)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 { // there modes say nothing
		return fmt.Errorf("%s holds secrets, and others may read it: chmod 600 %s", path, path)
	}
	return nil
}

// ReadLogins reads the files of logins.
func (a *AccessConfig) ReadLogins() ([]Login, error) {
	var all []Login
	for _, path := range a.Logins {
		logins, err := loginsOf(path)
		if err != nil {
			return nil, err
		}
		all = append(all, logins...)
	}
	return all, nil
}

// loginsOf reads a file of addresses with names and passwords.
func loginsOf(path string) ([]Login, error) {
	f, err := secret(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []Login
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if n == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		plain, user, password, ok := page.Login(line)
		if !ok || !isHost(plain) {
			return nil, fmt.Errorf("%s line %d: want an address with a name and a password: https://name:password@www.example.org/", path, n)
		}
		all = append(all, Login{plain, user, password})
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s has a line that is no address", path)
	}
	return all, lines.Err()
}

// Withheld tells of logins that stay at home: over plain http a proxy would read them.
func (c *Config) Withheld() []strict.Problem {
	k := checker{c: c}
	logins, err := c.Fetch.ReadLogins()
	if err != nil {
		return nil // a mistake, which is told as that
	}
	proxies, told := c.Fetch.ProxyList(), map[string]bool{}
	for _, login := range append(logins, c.Logins...) {
		u, err := url.Parse(login.Address)
		if err != nil || told[u.Host] || !wire.ProxyReads(proxies, u) || slices.ContainsFunc(proxies, func(p *url.URL) bool { return p.Host == u.Host }) {
			continue
		}
		told[u.Host] = true
		k.Wrong("fetch.logins", "the login of http://%s is not sent, because a proxy would read it; ask there by https, or straight: by HTTP_PROXY in the place of fetch.proxies, and NO_PROXY=%s", u.Host, u.Hostname())
	}
	return k.problems
}
