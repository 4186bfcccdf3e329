package crawlfile

import "github.com/thresher-crawler/thresher/focus/admit"

// Rules is the scope as it is asked.
func (s *ScopeConfig) Rules() admit.Scope {
	return admit.Scope{Hosts: s.Hosts, NotHosts: s.NotHosts, Paths: s.Paths, NotPaths: s.NotPaths, Depth: s.Depth, PerHost: s.PerHost,
		Languages: s.Languages, AllTypes: s.Types == "all", PDF: s.Types == "pdf", Lists: s.Sitemaps, MaxAddress: s.MaxAddress}
}
