package focus

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Whoever gives manners that several shards do not keep is told, by check and by crawl, and nobody else is.
func TestWarnsOfMannersThatShardsDoNotKeep(t *testing.T) {
	const polite = "polite: {contact: you@example.org, per_ip: 4, share: 0.2}\n"
	for _, told := range []struct {
		store, polite string
		want          []string
	}{
		{"redis://localhost?shards=8", polite, []string{
			"crawl.yaml:3:44: polite.per_ip: is 4, and is not kept in 8 shards, which do not know of each other's hosts: leave shards out of store",
			"crawl.yaml:3:54: polite.share: is 0.2 of the last hundred pages of each of 8 shards, and not of the crawl: leave shards out of store"}},
		{"redis://localhost?shards=8", "polite: {contact: you@example.org}\n", nil},
		{"redis://localhost?shards=8", "polite: {contact: you@example.org, per_ip: 0}\n", nil},
		{"redis://localhost?shards=1", polite, nil},
		{"redis://localhost", polite, nil},
		{"runs/x", polite, nil},
	} {
		config := mustLoad(t, crawlFile(t, plainCrawl+"store: \""+told.store+"\"\n"+told.polite))
		s, err := config.LoadStrategy(nil)
		if err != nil {
			t.Fatal(err)
		}
		var checked, crawled []string
		for _, w := range config.Warnings(s) {
			checked = append(checked, strings.TrimPrefix(w.String(), filepath.Dir(config.File)+string(filepath.Separator)))
		}
		c := &Crawler{config: config}
		if IsShared(config.Store) {
			c.shared = &shared{address: config.Store}
		}
		for _, w := range c.Warnings() {
			crawled = append(crawled, strings.TrimPrefix(w, filepath.Dir(config.File)+string(filepath.Separator)))
		}
		if !slices.Equal(checked, told.want) || !slices.Equal(crawled, told.want) {
			t.Errorf("%s, %s: check warns\n%s\ncrawl\n%s", told.store, told.polite, strings.Join(checked, "\n"), strings.Join(crawled, "\n"))
		}
	}
	config := mustLoad(t, crawlFile(t, plainCrawl+"store: \"redis://localhost?shards=2\"\n"), Override{Key: "polite.per_ip", Value: "3", From: "--per-ip"})
	if w := config.sharded(config.Store); len(w) != 1 || !strings.HasPrefix(w[0].String(), "--per-ip: polite.per_ip: is 3") {
		t.Errorf("of a flag: %v", w)
	}
}
