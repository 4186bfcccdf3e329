package crawlfile

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/page"
)

// ScopeConfig says which addresses may enter at all. In patterns * stands for any characters; *.a.com is a.com too.
type ScopeConfig struct {
	Hosts      []string `yaml:"hosts" called:"domains domain allowed_domains include" doc:"patterns of the hosts that may enter, in which * stands for any characters; every host where it is empty; a host without a port is that host at any port"`
	NotHosts   []string `yaml:"not_hosts" called:"disallowed_domains exclude exclude_domains" doc:"patterns of hosts that are refused all the same"`
	Paths      []string `yaml:"paths" doc:"patterns of the paths (with what follows the ?) that may enter; every path where it is empty"`
	NotPaths   []string `yaml:"not_paths" doc:"patterns of paths that are refused all the same"`
	Depth      int      `yaml:"depth" called:"max_depth depth_limit" doc:"links away from a start page; 0: no bound" check:"0..65535"`
	PerHost    int      `yaml:"per_host" doc:"pages of one host; 0: no bound" check:"0.."`
	Languages  []string `yaml:"languages" called:"lang langs" doc:"languages of pages that are kept (zh, en, …); all where it is empty"`
	Types      string   `yaml:"types" doc:"pages: addresses that end like documents, pictures, archives or films are refused; pdf: those of PDF are asked for; all: everything is" check:"pages|pdf|all"`
	Traps      string   `yaml:"traps" doc:"watch: addresses that a server makes up without end (calendars, facets, growing paths, more than 2,000 of one query, 20,000 of one path or 2,000 hosts of one site, and 20 more for each of them that was kept) are refused, unless a sitemap or a feed lists them; ignore: they are not looked for" check:"watch|ignore"`
	Soft404    string   `yaml:"soft_404" doc:"watch: a host of more than five pages is asked once, and again when the crawl is started again, for an address that nobody can have, and pages like what it answers with 200 are refused; ignore: it is not asked" check:"watch|ignore"`
	Sitemaps   bool     `yaml:"sitemaps" doc:"sitemaps that robots.txt files name, and feeds, are read for their links"`
	MaxAddress int      `yaml:"max_address" doc:"bytes of an address; a longer one counts as a trap" check:"20..100000"`
}

// scope finds patterns that can never match, those of rules for values included, and what is the name of no language.
func (k *checker) scope() {
	s := &k.c.Scope
	k.hostPatterns("scope.hosts", s.Hosts)
	k.hostPatterns("scope.not_hosts", s.NotHosts)
	k.pathPatterns("scope.paths", s.Paths)
	k.pathPatterns("scope.not_paths", s.NotPaths)
	for i, l := range s.Languages {
		if len(l) < 2 || len(l) > 3 || strings.Trim(l, "abcdefghijklmnopqrstuvwxyz") != "" {
			k.Wrong(fmt.Sprintf("scope.languages[%d]", i), "is %q, want the short name of a language, such as zh or en", l)
		}
	}
	for _, name := range k.c.Extract.Names() {
		rules := k.c.Extract[name]
		for i := range rules {
			at := "extract." + name
			if len(rules) > 1 {
				at += fmt.Sprintf("[%d]", i)
			}
			k.hostPatterns(at+".hosts", rules[i].Hosts)
			k.pathPatterns(at+".paths", rules[i].Paths)
		}
	}
}

func (k *checker) hostPatterns(key string, patterns []string) {
	for i, p := range patterns {
		at, name := fmt.Sprintf("%s[%d]", key, i), page.Portless(p)
		switch port := strings.TrimPrefix(p[len(name):], ":"); {
		case !couldBeHost(name), name != p && (port == "" || strings.Trim(port, "0123456789") != ""):
			k.Wrong(at, "is %q, want a host or a pattern of hosts, such as www.a.com or *.a.com", p)
		case strings.ContainsFunc(page.HostPattern(p), func(r rune) bool { return r >= utf8.RuneSelf }):
			k.Wrong(at, "is %q, which no host is like: in other letters than ASCII, want all that stands between two dots, and no * in it", p)
		case port == "80" || port == "443":
			k.Wrong(at, "is %q, want %s, which is that host at every port", p, name)
		}
	}
}

func (k *checker) pathPatterns(key string, patterns []string) {
	for i, p := range patterns {
		at := fmt.Sprintf("%s[%d]", key, i)
		switch {
		case strings.HasPrefix(p, "?"):
			k.Wrong(at, "is %q, which is no path: want *%[1]s, since paths begin with /", p)
		case p == "" || p[0] != '/' && p[0] != '*':
			k.Wrong(at, "is %q, want a path or a pattern of paths, such as /news/* or *.html", p)
		}
	}
}
