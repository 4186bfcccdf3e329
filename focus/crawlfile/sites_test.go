package crawlfile

import (
	"fmt"
	"strings"
	"testing"
)

// A start table that the strategy does not look up would be believed in vain.
func TestSitesThatNobodyLooksUp(t *testing.T) {
	const sites = "sites: [{site: a.example, weight: 0.9}, {site: b.example/x/, weight: 0.9}]\n"
	for strategy, want := range map[string]string{
		"strategy: tunnel\n":     "sites[1].site: is b.example/x/, and tunnel counts whole hosts: it is not used; write b.example, or give the strategy's factor site key: host+dir",
		"strategy: apprentice\n": "",
		"strategy: {name: own, rank: {use: yield, with: {of: host}}}\n":              "sites: counts nothing in this crawl: own does not ask",
		"strategy: {name: own, rank: {use: yield, with: {of: host, wider: true}}}\n": "sites[1].site: is b.example/x/, and own counts whole hosts",
		"strategy: breadth\n": "sites: counts nothing in this crawl: breadth does not ask what its sites are worth",
		"strategy: {name: own, rank: {use: site, with: {key: host+dir}}}\n":                       "",
		"strategy: {name: own, rank: {mix: [{use: site}, {use: site, with: {key: host+dir}}]}}\n": "",
	} {
		config := mustLoad(t, crawlFile(t, plainCrawl+sites+strategy))
		s, err := config.LoadStrategy(nil)
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, w := range config.Warnings(s) {
			if strings.HasPrefix(w.Path, "sites") {
				have = append(have, fmt.Sprint(w.Path, ": ", w.Want))
			}
		}
		if said := strings.Join(have, "\n"); !strings.HasPrefix(said, want) || (said == "") != (want == "") || len(have) > 1 {
			t.Errorf("%s: have %q, want %q", strategy, said, want)
		}
	}
}
