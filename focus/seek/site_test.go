package seek

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// TestSitesKeepTheirSubDomains.
func TestSitesKeepTheirSubDomains(t *testing.T) {
	for address, want := range map[string]string{
		"http://sports.sina.com.cn/g/premierleague/": "sports.sina.com.cn g",
		"https://WWW.Example.org:443/index.html":     "www.example.org ",
		"http://example.org:8080/a/b/c.html?x=/y/":   "example.org:8080 a",
		"https://example.org":                        "example.org ",
		"https://example.org/travel":                 "example.org ",
	} {
		if have := hostOf(address) + " " + directoryOf(address); have != want {
			t.Errorf("%s: have %q, want %q", address, have, want)
		}
	}
	if family("news.bbc.co.uk") != "bbc.co.uk" || family("127.0.0.1:80") != "127.0.0.1:80" {
		t.Errorf("%s, %s", family("news.bbc.co.uk"), family("127.0.0.1:80"))
	}
}

func findOf(address string, relevance float64) *find {
	f := &find{url: address, host: hostOf(address), dir: directoryOf(address), visited: true, judged: relevance >= 0,
		relevance: max(relevance, 0), relevant: relevance >= 0.3}
	f.frontPage = f.url == front(f.url, f.host, f.dir)
	return f
}

func namesOf(list []*group) string {
	var names []string
	for _, g := range list {
		names = append(names, siteName(g.host, g.dir))
	}
	return strings.Join(names, " ")
}

// TestADirectoryIsASiteWhereOneHostCarriesManyTopics: only where the host's own front page is not of the topic, and the
// relevant pages stand together.
func TestADirectoryIsASiteWhereOneHostCarriesManyTopics(t *testing.T) {
	const h = "https://portal.example/"
	for what, c := range map[string]struct {
		finds []*find
		want  string
	}{
		"together":              {[]*find{findOf(h, 0.1), findOf(h+"travel/a", 0.8), findOf(h+"travel/b", 0.7), findOf(h+"money/c", 0.1)}, "portal.example/travel"},
		"front of a directory":  {[]*find{findOf(h, 0.1), findOf(h+"travel/", 0.8)}, "portal.example/travel"},
		"two directories":       {[]*find{findOf(h, 0), findOf(h+"a/", 0.8), findOf(h+"b/1", 0.8), findOf(h+"b/2", 0.8)}, "portal.example/a portal.example/b"},
		"the host is of it":     {[]*find{findOf(h, 0.9), findOf(h+"travel/a", 0.8), findOf(h+"travel/b", 0.7)}, "portal.example"},
		"nobody saw its front":  {[]*find{findOf(h, -1), findOf(h+"travel/a", 0.8), findOf(h+"travel/b", 0.7)}, "portal.example"},
		"one page is not much":  {[]*find{findOf(h, 0.1), findOf(h+"travel/a", 0.8)}, "portal.example"},
		"scattered":             {[]*find{findOf(h, 0.1), findOf(h+"a/1", 0.8), findOf(h+"a/2", 0.8), findOf(h+"x.html", 0.8), findOf(h+"y.html", 0.8), findOf(h+"z.html", 0.8)}, "portal.example"},
		"mostly other":          {[]*find{findOf(h, 0.1), findOf(h+"a/1", 0.8), findOf(h+"a/2", 0.8), findOf(h+"a/3", 0), findOf(h+"a/4", 0), findOf(h+"a/5", 0)}, "portal.example"},
		"hosts are never mixed": {[]*find{findOf("https://a.sina.example/", 0.9), findOf("https://b.sina.example/", 0.9)}, "a.sina.example b.sina.example"},
	} {
		if have := namesOf(groups(c.finds)); have != c.want {
			t.Errorf("%s: have %s, want %s", what, have, c.want)
		}
	}
}

// TestAgreementOfSources: the same question to the same engine counts once, by its best rank; independent votes add up.
func TestAgreementOfSources(t *testing.T) {
	said := func(engine, query string, rank int) Evidence {
		return Evidence{Kind: "search", Engine: engine, Query: query, Rank: rank}
	}
	for _, c := range []struct {
		all  []Evidence
		want float64
	}{
		{nil, 0},
		{[]Evidence{said("a", "x", 1)}, .5},
		{[]Evidence{said("a", "x", 1), said("a", "x", 6)}, .5},
		{[]Evidence{said("a", "x", 6)}, .25},
		{[]Evidence{said("a", "x", 1), said("a", "y", 1)}, .75},
		{[]Evidence{said("a", "x", 1), said("b", "x", 6)}, .625},
		{[]Evidence{{Kind: "directory", From: "d"}, {Kind: "directory", From: "d", Block: "other"}}, .5},
		{[]Evidence{{Kind: "feed", From: "f", Matched: 5, Of: 10}, {Kind: "page", Relevance: 1}}, .25},
	} {
		if have := agreement(c.all); math.Abs(have-c.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", c.all, have, c.want)
		}
	}
}

// TestConfidenceIsTheWeightASiteBeginsWith: that of a hand-picked site where all agree, that of any other where nothing
// does, moved by the pages that were judged.
func TestConfidenceIsTheWeightASiteBeginsWith(t *testing.T) {
	for _, c := range []struct {
		agreement, sum float64
		pages          int
		want           float64
	}{{0, 0, 0, .5}, {1, 0, 0, .8}, {.5, 0, 0, .65}, {1, 2, 2, .87}, {1, 0, 2, .53}, {0, 0, 4, .25}} {
		if have := confidence(c.agreement, c.sum, c.pages); have != c.want {
			t.Errorf("%+v: %v", c, have)
		}
	}
}

// TestProposalsOfASite: seeds are the front page where it is relevant, else the best pages; none without a relevant one.
func TestProposalsOfASite(t *testing.T) {
	const h = "https://a.example/"
	hub := findOf(h+"links.html", 0.5)
	hub.page = &page.Page{Kind: page.Hub}
	for _, c := range []struct {
		finds []*find
		want  string
	}{
		{[]*find{findOf(h+"x.html", 0.9), findOf(h, 0.4)}, h},
		{[]*find{findOf(h+"x.html", 0.9), findOf(h, 0.1), hub, findOf(h+"y.html", 0.6)}, h + "x.html " + h + "links.html"},
		{[]*find{findOf(h+"x.html", 0.1), findOf(h, 0.1)}, ""},
	} {
		p := groups(c.finds)[0].proposal()
		have := ""
		if p != nil {
			have = strings.Join(p.Seeds, " ")
		}
		if have != c.want {
			t.Errorf("have %s, want %s", have, c.want)
		}
	}
	earlier := &group{host: "a.example", earlier: &run.SiteRow{Site: "a.example", Weight: 0.9, Pages: 40, Relevant: 30, Best: h + "best"}}
	if p := earlier.proposal(); p == nil || p.Seeds[0] != h+"best" || p.Pages != mostEarlier || p.Relevant != 15 || p.Confidence != .83 {
		t.Errorf("of an earlier run: %+v", p)
	}
}

// TestQuestions: the heaviest word, pairs, then words alone; phrases are quoted where they stand with others; nothing twice.
func TestQuestions(t *testing.T) {
	q := newQueries([]topic.Term{{Term: "panel", Weight: .5}, {Term: "solar energy", Weight: 1}, {Term: "photovoltaic", Weight: .8}})
	have := strings.Join(q.first(4), " | ")
	if want := `solar energy | "solar energy" photovoltaic | "solar energy" panel | photovoltaic panel`; have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
	if q.with("panels") != "" || q.with("inverter") != `"solar energy" inverter` || q.with("inverters") != "" {
		t.Error("a word that was used is asked again")
	}
	if have := strings.Join(q.first(9), " | "); have != "photovoltaic | panel" {
		t.Errorf("what is left: %s", have)
	}
}

// TestTheNextQuestionComesFromTheBestPages: a word that they share, and that the others have not.
func TestTheNextQuestionComesFromTheBestPages(t *testing.T) {
	pageOf := func(address, body string, relevance float64) *find {
		f := findOf(address, relevance)
		f.doc = &text.Doc{Segments: []text.Segment{{Text: body}}}
		return f
	}
	q := newQueries([]topic.Term{{Term: "sailing", Weight: 1}})
	q.first(1)
	pages := []*find{
		pageOf("https://a.example/1", "Sailing with a spinnaker in the wind", 0.9), pageOf("https://b.example/1", "spinnaker, sailing, wind", 0.8),
		pageOf("https://c.example/1", "The spinnaker and sailing; wind again", 0.7),
		pageOf("https://d.example/1", "wind power and turbines", 0.1), pageOf("https://e.example/1", "wind turbines", 0), pageOf("https://f.example/1", "wind and turbines", 0),
	}
	if have := q.better(pages); have != "sailing spinnaker" {
		t.Errorf("have %q", have)
	}
	if have := q.better(pages[:1]); have != "" {
		t.Errorf("of one page: %q", have)
	}
}

// TestDirectoriesAreReadByBlock: all of a block whose heading matches or whose links mostly do, single links of others;
// no advertisements, nothing of the directory's own host.
func TestDirectoriesAreReadByBlock(t *testing.T) {
	about, err := topic.New(topic.Spec{Terms: []topic.Term{{Term: "旅游", Weight: 1}, {Term: "travel", Weight: 1}, {Term: "hotel", Weight: 1}}})
	noError(t, err)
	p := page.Parse([]byte(`<body><div><h2>旅游</h2><ul><li><a href="http://a.example/">携程</a><li><a href="http://b.example/">去哪儿</a></ul></div>
<div><h2>体育</h2><ul><li><a href="http://c.example/">虎扑</a><li><a href="http://d.example/">体育旅游 travel</a><li><a href="http://e.example/">直播吧</a></ul></div>
<div><h2>More</h2><ul><li><a href="http://f.example/">travel agents</a><li><a href="http://g.example/">hotel guide</a><li><a href="http://h.example/">Xyz</a></ul></div>
<div><h2>Travel here</h2><a href="/travel/">travel</a> <a rel=sponsored href="http://ad.example/">travel ad</a></div>`), "http://dir.example/", page.Options{})
	var have []string
	for _, found := range directory(p, about) {
		have = append(have, strings.TrimSuffix(strings.TrimPrefix(found.url, "http://"), ".example/"))
		if found.evidence.From != "http://dir.example/" || found.evidence.Kind != "directory" {
			t.Errorf("%+v", found.evidence)
		}
	}
	slices.Sort(have)
	if want := "a b d f g h"; strings.Join(have, " ") != want {
		t.Errorf("have %v, want %s", have, want)
	}
}

// TestListsTellOfTheirSite: entries are matched by title, or by the words of their address.
func TestListsTellOfTheirSite(t *testing.T) {
	about, err := topic.New(topic.Spec{Terms: []topic.Term{{Term: "solar energy", Weight: 1}}})
	noError(t, err)
	p := &page.Page{URL: "https://a.example/map.xml", Links: []page.Link{
		{URL: "https://a.example/x", Anchor: "Solar energy for all"}, {URL: "https://a.example/solar-energy/roofs"}, {URL: "https://a.example/other"}, {URL: "https://a.example/solar"}}}
	e, matching := entries(p, about)
	if e.Kind != "sitemap" || e.Matched != 2 || e.Of != 4 || len(matching) != 2 {
		t.Errorf("%+v", e)
	}
}
