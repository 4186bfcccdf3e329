package seek

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
)

// A site is a host with its sub-domain: sports.sina.com.cn, not sina.com.cn, which carries everything. Where one host
// carries many topics in its directories, a site is the host with its first directory: www.example.org/travel.

// hostOf is the site of an address at the level of hosts: lower case, sub-domain kept.
func hostOf(address string) string { return page.Host(address) }

// directoryOf is the first directory of an address, without slashes; empty for pages that stand right below the host.
func directoryOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	first, _, deeper := strings.Cut(strings.TrimPrefix(u.EscapedPath(), "/"), "/")
	if !deeper {
		return ""
	}
	return first
}

// siteName is the name of a site: a host, or a host with a directory.
func siteName(host, directory string) string {
	if directory == "" {
		return host
	}
	return host + "/" + directory
}

// front is the front page of a site, by the scheme of a page of it.
func front(like, host, directory string) string {
	scheme := "https"
	if u, err := url.Parse(like); err == nil && u.Scheme != "" {
		scheme = u.Scheme
	}
	if directory == "" {
		return scheme + "://" + host + "/"
	}
	return scheme + "://" + host + "/" + directory + "/"
}

// family is what belongs together by its registered name: search.example.co.uk and www.example.co.uk.
func family(host string) string {
	name, _, _ := strings.Cut(host, ":")
	return cmp.Or(page.Site(name), host)
}
