package focus

// rules is the scope as it is asked.
func (s *ScopeConfig) rules() Scope {
	return Scope{Hosts: s.Hosts, NotHosts: s.NotHosts, Paths: s.Paths, NotPaths: s.NotPaths, Depth: s.Depth, PerHost: s.PerHost,
		Languages: s.Languages, AllTypes: s.Types == "all", MaxAddress: s.MaxAddress}
}
