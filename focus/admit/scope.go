package admit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
)

// Scope says which addresses may enter at all. It is asked before anything is ranked. The zero value lets every page of
// the web in.
type Scope struct {
	Hosts      []string // globs; empty means every host
	NotHosts   []string // globs that are refused all the same
	Paths      []string // globs over path and query; empty means every path
	NotPaths   []string // globs that are refused all the same
	Depth      int      // links away from a seed; 0 means no bound
	PerHost    int      // pages of one host; 0 means no bound
	Languages  []string // languages of kept pages; empty means all
	AllTypes   bool     // follow addresses with endings that are not pages, too
	PDF        bool     // follow those that end in .pdf
	Lists      bool     // follow packed sitemaps
	MaxAddress int      // bytes of an address; 0 means 2000

	hosts, notHosts, paths, notPaths *regexp.Regexp
}

// Compile turns the globs into expressions. A scope is compiled before it is asked.
func (s *Scope) Compile() error {
	for _, g := range []struct {
		globs []string
		into  **regexp.Regexp
		where string
	}{
		{s.Hosts, &s.hosts, "scope.hosts"}, {s.NotHosts, &s.notHosts, "scope.not_hosts"},
		{s.Paths, &s.paths, "scope.paths"}, {s.NotPaths, &s.notPaths, "scope.not_paths"},
	} {
		if len(g.globs) == 0 {
			continue
		}
		e, err := globs(g.globs, strings.HasSuffix(g.where, "hosts"))
		if err != nil {
			return fmt.Errorf("%s: %w", g.where, err)
		}
		*g.into = e
	}
	if s.MaxAddress == 0 {
		s.MaxAddress = 2000
	}
	return nil
}

// globs makes one expression of many globs, in which * stands for any characters. A host glob that starts with *. stands for the domain
// itself, too, and one without a port for every port.
func globs(patterns []string, hosts bool) (*regexp.Regexp, error) {
	parts := make([]string, len(patterns))
	for i, g := range patterns {
		if strings.TrimSpace(g) == "" {
			return nil, fmt.Errorf("pattern %d is empty", i+1)
		}
		prefix, port := "", ""
		if !hosts {
			g = page.PathPattern(g)
		} else {
			if page.Portless(g) == g {
				port = `(?::\d+)?`
			}
			g = page.HostPattern(g)
			if strings.HasPrefix(g, "*.") {
				g, prefix = g[2:], `(?:.*\.)?`
			}
		}
		parts[i] = prefix + strings.ReplaceAll(regexp.QuoteMeta(g), `\*`, `.*`) + port
	}
	return regexp.Compile(`^(?:` + strings.Join(parts, "|") + `)$`)
}

// Admit asks the questions about an address in their fixed order: scheme, scope, type, length. The first that speaks against it is the
// reason that is told, so that the same link has the same reason in every crawl. What only the crawl knows (traps, seen, tunnel,
// budget) is asked after them. It may be asked by many goroutines at once.
func (s *Scope) Admit(l *page.Link, depth int) Refused {
	scheme, rest, ok := strings.Cut(l.URL, "://")
	if !ok || l.Host == "" {
		return RefusedScheme
	}
	if scheme = strings.ToLower(scheme); scheme != "http" && scheme != "https" {
		return RefusedScheme
	}
	if (s.hosts != nil && !s.hosts.MatchString(l.Host)) || (s.notHosts != nil && s.notHosts.MatchString(l.Host)) {
		return RefusedHost
	}
	if (s.paths != nil || s.notPaths != nil) && !s.ofPath(rest) {
		return RefusedPath
	}
	if s.Depth > 0 && depth > s.Depth {
		return RefusedDepth
	}
	if !s.AllTypes && page.Binary(l.URL) && !(s.PDF && page.Ends(l.URL, ".pdf")) && !(s.Lists && packedSitemap(l)) {
		return RefusedType
	}
	if len(l.URL) > s.MaxAddress {
		return RefusedTrap
	}
	return ""
}

// ofPath asks the patterns of paths about an address without its scheme: about its path with the query, and with the tracking parameters
// that its identity is without, because patterns are about addresses as people see them.
func (s *Scope) ofPath(rest string) bool {
	path := "/"
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		path = page.PathPattern(rest[i:])
	}
	return (s.paths == nil || s.paths.MatchString(path)) && (s.notPaths == nil || !s.notPaths.MatchString(path))
}

// packedSitemap tells of an address that it is that of a sitemap: a sitemap or a robots.txt names it, or it is called so. Packed XML to
// which a page links is data.
func packedSitemap(l *page.Link) bool {
	return page.Ends(l.URL, ".xml.gz") && (l.Source == page.Sitemap || strings.Contains(strings.ToLower(l.URL), "sitemap"))
}

// Speaks tells whether a language is one of those the crawl keeps.
func (s *Scope) Speaks(language string) bool {
	return len(s.Languages) == 0 || slices.Contains(s.Languages, language)
}
