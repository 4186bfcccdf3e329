package rank

import (
	"errors"
	"math"
	"strings"
)

// siteParams are the parameters of site.
type siteParams struct {
	Key            string  `yaml:"key" doc:"what a site is: the host with its sub-domain, or the host with its first directory: host+dir" check:"host|host+dir"`
	Score          string  `yaml:"score" doc:"the mean, or the lower or upper end of its confidence interval" check:"mean|lower|upper"`
	Weight         float64 `yaml:"weight" doc:"what is believed of a site of which nothing is known" check:"0..1"`
	Confidence     float64 `yaml:"confidence" doc:"how many pages that belief counts as" check:"0..1000000"`
	SeedWeight     float64 `yaml:"seed_weight" doc:"what is believed of the site of a start page" check:"0..1"`
	SeedConfidence float64 `yaml:"seed_confidence" doc:"how many pages that belief counts as" check:"0..1000000"`
	Z              float64 `yaml:"z" doc:"how wide the interval is: 1.96 standard deviations hold 95 %" check:"0..10"`
}

func registerSite(r *Registry) {
	Register(r, "site", "the weight of the site the link leads to: the relevance of its pages, and what was believed of it before",
		siteParams{Key: "host", Score: "mean", Weight: 0.5, Confidence: 2, SeedWeight: 0.8, SeedConfidence: 4, Z: 1.96}, newSite)
}

func newSite(p siteParams) (Factor, error) {
	if p.Score == "upper" && p.Z == 0 {
		return nil, errors.New("z is 0, which makes the upper end the mean; write score: mean")
	}
	s := site{siteParams: p, of: byHost}
	if p.Key == "host+dir" {
		s.of = byDirectory
	}
	return s, nil
}

type site struct {
	siteParams
	of reach
}

func (s site) Score(e *Evidence) float64 { return s.Recall(e.Trace()) }

// reads tells that all is kept that it asks for.
func (s site) reads(m *Memory) bool {
	return m.keeps(s.of) && (len(m.priors) == 0 || m.keeps(byHost))
}

// Recall answers for the pages of the site that were fetched since.
func (s site) Recall(t Trace) float64 {
	if t.memory == nil {
		return none
	}
	g, key := t.group(s.of)
	p := s.prior(t, g, key)
	n := float64(g.Fetched) + p.confidence
	if n == 0 {
		return none
	}
	if s.siteParams.Score == "mean" {
		return (g.Sum + p.confidence*p.weight) / n
	}
	low, high := Wilson(float64(g.Relevant)+p.confidence*p.weight, n, s.Z)
	if s.siteParams.Score == "lower" {
		return low
	}
	return high
}

// prior is what is believed of a site before anything of it was fetched.
type prior struct{ weight, confidence float64 }

// prior is what the start table says of the site, or of the host it stands on, or else what the strategy says.
func (s site) prior(t Trace, g *group, key uint64) prior {
	if priors := t.memory.priors; len(priors) > 0 {
		p, ok := priors[key]
		if !ok && s.of != byHost {
			_, host := t.group(byHost)
			p, ok = priors[host]
		}
		if ok {
			return p
		}
	}
	if g.seed {
		return prior{s.SeedWeight, s.SeedConfidence}
	}
	return prior{s.Weight, s.Confidence}
}

// LooksUpSites tells what the strategy looks up in the start table: hosts, and hosts with a directory.
func (s *Strategy) LooksUpSites() (hosts, directories bool) {
	for i := range s.nodes {
		switch f := s.nodes[i].factor.(type) {
		case site:
			hosts, directories = true, directories || f.of == byDirectory
		case yield:
			for r := f.of; f.wider && r != reaches; r = steps[r].on {
				hosts, directories = hosts || r == byHost, directories || r == byDirectory
			}
		}
	}
	return hosts, directories
}

// Wilson is the interval in which a share lies that was seen to be k of n.
func Wilson(k, n, z float64) (low, high float64) {
	p, z2 := k/n, z*z
	middle := p + z2/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z2/(4*n*n))
	return unit((middle - half) / (1 + z2/n)), unit((middle + half) / (1 + z2/n))
}

// Site tells what is believed of a site, a host or a host with a directory, before anything of it was fetched: its
// weight, and how many pages that belief counts as. It holds against what a strategy believes of start pages.
func (m *Memory) Site(name string, weight, confidence float64) {
	host, directory, ok := strings.Cut(name, "/")
	r, address := byHost, host
	if ok && strings.Trim(directory, "/") != "" {
		r, address = byDirectory, host+"/"+strings.Trim(directory, "/")+"/"
	}
	m.priors[addressKey(r, address)] = prior{weight, confidence}
}

// Examples tells of pages that are known to be of the topic before anything was fetched. Yields that lean on the wider count each
// as one that was fetched, so that a crawl begins where its examples stand; a file among them is on no host, and counts for none.
// It comes before the first link.
func (m *Memory) Examples(addresses []string) {
	for _, address := range addresses {
		if !strings.Contains(address, "://") {
			continue
		}
		for r := byShape; r < reaches; r++ {
			m.shown[addressKey(r, address)]++
		}
	}
}
