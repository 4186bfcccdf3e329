package crawlfile

import (
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/page"
)

// Rules is the scope as it is asked.
func (s *ScopeConfig) Rules() admit.Scope {
	return admit.Scope{Hosts: s.Hosts, NotHosts: s.NotHosts, Paths: s.Paths, NotPaths: s.NotPaths, Depth: s.Depth, PerHost: s.PerHost,
		Languages: s.Languages, AllTypes: s.Types == "all", PDF: s.Types == "pdf", Lists: s.Sitemaps, MaxAddress: s.MaxAddress}
}

// Inside tells of an address whether a crawl may begin there.
func (s *ScopeConfig) Inside() (func(address string) bool, error) {
	rules := s.Rules()
	err := rules.Compile()
	return func(address string) bool {
		l := page.LinkTo(address)
		return rules.Admit(&l, 0) == ""
	}, err
}
