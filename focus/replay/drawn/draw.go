package drawn

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/replay"
)

// Knobs say what web is drawn. The same knobs give the same web on every machine.
//
// A drawn web is of two languages and 2×Topics topics. Pages of a topic stand on sites of their own, in the channels of
// portals and scattered among pages about nothing in particular; every second site of a topic is hidden at the end of
// tunnels. Menus, advertisements and chance lead from everywhere to everywhere.
type Knobs struct {
	Seed     uint64
	Hosts    int
	Pages    int     // robots.txt files are not counted
	Topics   int     // per language, 1 to 4
	Relevant float64 // share of all pages that is relevant to each topic
	Tunnel   int     // longest way of irrelevant pages to a hidden site; 0 hides none
	Menu     int     // links in the navigation bar of a site, about
	Ads      int     // links in the advertisement block of a page
	Noise    float64 // share of links whose words say nothing of what they lead to, or something wrong
	Purity   float64 // share of the links of a topic's page, beside menu and advertisements, that stay on the topic
	Hubs     int     // pages per topic that collect links across sites
	Dead     float64 // dead links per link of a list
	Copies   float64 // share of all pages that nearly repeat another
	Redirect float64 // share of links that use an old address, where there is one
	Broken   float64 // share of pages whose HTML is broken
	Calendar int     // months of a calendar that leads nowhere, each under two addresses
	Almanac  int     // links of one page of 46 KB; 0 for no such page
	Gallery  int     // sites, up to so many, that one page shows by pictures alone, where crawls start then; 0 for no such page
}

// Quickstart are the knobs of testdata/webs/quickstart.
func Quickstart() Knobs {
	return Knobs{
		Seed: 1, Hosts: 40, Pages: 2200, Topics: 4, Relevant: 0.065, Tunnel: 4, Menu: 9, Ads: 4, Noise: 0.3, Purity: 0.7, Hubs: 2,
		Dead: 0.04, Copies: 0.03, Redirect: 0.25, Broken: 0.15, Calendar: 36, Almanac: 80,
	}
}

// Small are the knobs of testdata/webs/small.
func Small() Knobs {
	return Knobs{
		Seed: 2, Hosts: 6, Pages: 60, Topics: 1, Relevant: 0.2, Menu: 6, Ads: 2, Noise: 0.2, Purity: 0.8, Hubs: 1,
		Dead: 0.04, Copies: 0.03, Redirect: 0.25, Broken: 0.15, Calendar: 3,
	}
}

// check states what may be drawn.
func (k Knobs) check() error {
	for _, c := range []struct {
		name      string
		v         float64
		low, high float64
	}{
		{"hosts", float64(k.Hosts), 2, 10_000}, {"pages", float64(k.Pages), 20, 1_000_000}, {"topics", float64(k.Topics), 1, 4},
		{"relevant", k.Relevant, 0, 0.5}, {"tunnel", float64(k.Tunnel), 0, 20}, {"menu", float64(k.Menu), 0, 100},
		{"ads", float64(k.Ads), 0, 100}, {"noise", k.Noise, 0, 1}, {"purity", k.Purity, 0, 1}, {"hubs", float64(k.Hubs), 0, 1000},
		{"dead", k.Dead, 0, 1}, {"copies", k.Copies, 0, 0.5}, {"redirect", k.Redirect, 0, 1},
		{"broken", k.Broken, 0, 1}, {"calendar", float64(k.Calendar), 0, 1000}, {"almanac", float64(k.Almanac), 0, 1000},
		{"gallery", float64(k.Gallery), 0, 10_000},
	} {
		if !(c.low <= c.v && c.v <= c.high) {
			return fmt.Errorf("%s is %v, want %v to %v", c.name, c.v, c.low, c.high)
		}
	}
	return nil
}

// Draw draws a web into a folder, which is made where it is not there: pages, redirects, labels (topic, kind of page,
// language) and a web.yaml with every topic, whose start pages are the homes of two portals, or the gallery.
func Draw(dir string, k Knobs) error {
	err := k.check()
	if err == nil {
		err = draw(dir, k)
	}
	if err != nil {
		return fmt.Errorf("draw web into %q: %w", dir, err)
	}
	return nil
}

func newDrawing(k Knobs) *drawing {
	w := &drawing{k: k, d: &dice{state: k.Seed}, open: map[*lexicon][]*drawn{}, untold: map[*lexicon][]telling{}}
	w.tongues = []*tongue{readWords("en", english), readWords("zh", chinese)}
	for _, t := range w.tongues {
		t.topics = t.topics[:k.Topics]
	}
	return w
}

func draw(dir string, k Knobs) error {
	w := newDrawing(k)
	if err := w.plan(); err != nil {
		return err
	}
	w.connect()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := w.writePages(filepath.Join(dir, "pages.warc.gz")); err != nil {
		return err
	}
	for name, text := range map[string][]byte{"labels.tsv": w.labels(), "redirects.tsv": w.redirects(), "web.yaml": w.yaml(filepath.Base(dir))} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// yaml is the drawn web's web.yaml.
func (w *drawing) yaml(name string) []byte {
	var topics []replay.Topic
	for _, t := range w.tongues {
		var seeds []string
		for _, s := range w.sites {
			if s.t == t && s.role == portal && len(seeds) < 2 {
				seeds = append(seeds, s.home.address())
			}
		}
		if w.k.Gallery > 0 {
			seeds = []string{w.gallery().address()}
		}
		for _, topic := range t.topics {
			topics = append(topics, replay.Topic{
				Name: topic.name, Seeds: seeds, Relevant: "^" + topic.name + "\t(home|hub|article)\t", Terms: w.terms(topic),
			})
		}
	}
	return (&replay.Description{Name: name, Language: "auto", Topics: topics}).YAML()
}

// terms are what a user would write for a topic; in both scripts, where a site of the topic uses the other one.
func (w *drawing) terms(topic *lexicon) []string {
	terms := topic.words["terms"]
	for _, s := range w.sites {
		if s.topic != topic || !charsets[s.charset].traditional {
			continue
		}
		for _, term := range topic.words["terms"] {
			if other := traditional.Replace(term); other != term {
				terms = append(terms[:len(terms):len(terms)], other)
			}
		}
		break
	}
	return terms
}
