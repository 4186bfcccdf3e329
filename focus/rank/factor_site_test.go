package rank

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
)

func TestWilsonInterval(t *testing.T) {
	for _, test := range []struct{ k, n, low, high float64 }{{3, 4, 0.300636, 0.954414}, {0, 10, 0, 0.277540}} {
		low, high := Wilson(test.k, test.n, 1.96)
		near(t, "lower end", low, test.low)
		near(t, "upper end", high, test.high)
	}
}

// harvest is a crawl of one link after the other, each to a page of one host.
type harvest struct {
	s *Strategy
	m *Memory
	n uint64
}

// link is the evidence for a link to an address.
func (h *harvest) link(address string) *Evidence {
	host, _ := split(address)
	e := judged(linked(0.4, none), 0.6)
	e.Memory, e.Parent = h.m, 1
	e.Page.URL = "http://start.example/"
	e.Link.URL, e.Link.Host = address, host
	e.Trail.Depth = 1
	return e
}

// fetch ranks a link and tells how its page turned out.
func (h *harvest) fetch(address string, relevance float64) {
	h.n++
	e := h.link(address)
	h.s.Score(e, nil)
	h.m.Linked(100+h.n, e)
	h.m.Fetched(100+h.n, relevance, relevance >= 0.3, 0)
}

func harvesting(s *Strategy) *harvest { return &harvest{s: s, m: NewMemory()} }

func TestSiteWeight(t *testing.T) {
	s := tree(t, "{use: site}")
	tests := []struct {
		name               string
		weight, confidence float64
		pages              []float64
		want               float64
	}{
		{"a picked site before the first page", 0.8, 4, nil, 0.8},
		{"a picked site after two pages", 0.8, 4, []float64{0.5, 0.7}, 0.7333333},
		{"an unknown site after six irrelevant pages", 0.5, 2, []float64{0, 0, 0, 0, 0, 0}, 0.125},
	}
	for _, test := range tests {
		h := harvesting(s)
		h.m.Site("sports.sina.com.cn", test.weight, test.confidence)
		for _, relevance := range test.pages {
			h.fetch("http://sports.sina.com.cn/g/premierleague/", relevance)
		}
		near(t, test.name, score(s, h.link("http://sports.sina.com.cn/nba/")), test.want)
		near(t, test.name+": another sub-domain is another site", score(s, h.link("http://news.sina.com.cn/g/premierleague/")), 0.5)
	}
}

func TestSiteWithItsDirectory(t *testing.T) {
	s := tree(t, "{use: site, with: {key: host+dir}}")
	h := harvesting(s)
	h.m.Site("portal.example/finance", 0.1, 10)
	for range 4 {
		h.fetch("http://portal.example/sports/football/1.html", 1)
	}
	near(t, "a directory that did well", score(s, h.link("http://portal.example/sports/2.html")), 5.0/6)
	near(t, "another directory", score(s, h.link("http://portal.example/cars/2.html")), 0.5)
	near(t, "a directory of the start table", score(s, h.link("http://portal.example/finance/x/2.html")), 0.1)
	h.m.Site("news.example", 0.9, 8)
	near(t, "a directory of a host of the start table", score(s, h.link("http://news.example/world/1.html")), 0.9)
	h.fetch("http://news.example/world/2.html", 0)
	near(t, "the same after a page", score(s, h.link("http://news.example/world/3.html")), 8*0.9/9)
	near(t, "another directory of the host", score(s, h.link("http://news.example/sports/1.html")), 0.9)
	h.m.Site("news.example/sports", 0.2, 8)
	near(t, "what is said of the directory itself comes first", score(s, h.link("http://news.example/sports/1.html")), 0.2)
	e := h.link("http://news.example/world/4.html")
	h.s.Score(e, nil)
	h.m.Linked(999, e)
	near(t, "scored again", again(t, s, h.m, 999), 8*0.9/9)
}

func TestEndsOfTheInterval(t *testing.T) {
	lower := tree(t, "{use: site, with: {score: lower, weight: 0.75, confidence: 4}}")
	upper := tree(t, "{use: site, with: {score: upper, weight: 0, confidence: 10}}")
	near(t, "lower", score(lower, harvesting(lower).link("http://a.example/")), 0.300636)
	near(t, "upper", score(upper, harvesting(upper).link("http://a.example/")), 0.277540)
}

func TestSitesOfStartPagesAreTrusted(t *testing.T) {
	s := tree(t, "{use: site}")
	h := harvesting(s)
	h.m.Fetched(1, 0.6, true, 0)
	e := h.link("http://start.example/deeper/")
	e.Trail.Depth = 0
	near(t, "the start page's own site, with its own page counted", score(s, e), (4*0.8+0.6)/5)
	near(t, "another site", score(s, h.link("http://other.example/")), 0.5)
	h.m.Site("start.example", 0.2, 1)
	near(t, "the start table has the last word", score(s, e), (0.2+0.6)/2)
}

func TestTunnelLinkRank(t *testing.T) {
	s := shipped(t, "tunnel")
	h := harvesting(s)
	h.m.Site("sports.sina.com.cn", 0.8, 4)
	h.fetch("http://sports.sina.com.cn/a/1.html", 0.5)
	h.fetch("http://sports.sina.com.cn/a/2.html", 0.7)
	near(t, "0.5 · 0.4 + 0.3 · 0.6 + 0.2 · 0.733333", score(s, h.link("http://sports.sina.com.cn/a/3.html")), 0.5266667)
	if want := (Tunnel{Depth: 5, Max: 10, Step: 1, Raise: "inc", Spent: "judge"}); s.Admit.Tunnel != want {
		t.Errorf("tunnel %+v, want %+v", s.Admit.Tunnel, want)
	}
}

func TestSharkSiteFollowsTheSite(t *testing.T) {
	s := shipped(t, "shark-site")
	h := harvesting(s)
	before := score(s, h.link("http://good.example/1"))
	for range 5 {
		h.fetch("http://good.example/x", 1)
		h.fetch("http://bad.example/x", 0)
	}
	good, bad := score(s, h.link("http://good.example/1")), score(s, h.link("http://bad.example/1"))
	if !(good > before && before > bad) {
		t.Errorf("good site %v, unknown %v, bad %v", good, before, bad)
	}
	near(t, "difference of the two", good-bad, 0.4*(6.0/7-1.0/7))
}

func TestAddressesTakenApart(t *testing.T) {
	tests := []struct{ address, host, path, first, third string }{
		{"http://sports.sina.com.cn/g/premierleague/", "sports.sina.com.cn", "/g/premierleague/", "/g/", "/g/premierleague/"},
		{"https://a.example:8080", "a.example:8080", "/", "/", "/"},
		{"http://a.example/x.html?y=/z/#w", "a.example", "/x.html", "/", "/"},
		{"http://a.example/a/b/c/d/e.html", "a.example", "/a/b/c/d/e.html", "/a/", "/a/b/c/"},
		{"", "", "/", "/", "/"},
	}
	for _, test := range tests {
		host, path := split(test.address)
		if host != test.host || path != test.path || directories(path, 1) != test.first || directories(path, 3) != test.third {
			t.Errorf("%q: host %q, path %q, directories %q and %q", test.address, host, path, directories(path, 1), directories(path, 3))
		}
	}
}

func TestShapes(t *testing.T) {
	same := [][2]string{
		{"http://a.example/sports/2019-10-07/doc-ab12.html", "http://a.example/sports/2020-1-31/news-zz9.html"},
		{"http://a.example/n/1.html", "http://a.example/n/22.html?page=3"},
	}
	differ := [][2]string{
		{"http://a.example/n/1.html", "http://b.example/n/1.html"}, {"http://a.example/n/1.html", "http://a.example/m/1.html"},
		{"http://a.example/n/1.html", "http://a.example/n/1.php"}, {"http://a.example/n/1.html", "http://a.example/n/"},
	}
	for _, pair := range same {
		if addressKey(byShape, pair[0]) != addressKey(byShape, pair[1]) {
			t.Errorf("%s and %s have different shapes", pair[0], pair[1])
		}
	}
	for _, pair := range differ {
		if addressKey(byShape, pair[0]) == addressKey(byShape, pair[1]) {
			t.Errorf("%s and %s have the same shape", pair[0], pair[1])
		}
	}
}

func TestYieldLeansOnTheWider(t *testing.T) {
	near(t, "three links of 0.6, .1 believed, as one", Tally{Fetched: 3, Sum: 1.8}.Toward(0.1, 1), 0.475)
	near(t, "three links of 0.6, .1 believed, as three", Tally{Fetched: 3, Sum: 1.8}.Toward(0.1, 3), 0.35)
	s := tree(t, "{mix: [{use: yield, with: {of: host, wider: true}}, {use: yield, weight: 0, with: {of: directory, wider: true}}]}")
	h := harvesting(s)
	near(t, "before the first page", score(s, h.link("http://a.example/x/1")), 0.2)
	h.fetch("http://a.example/x/1", 1)
	all := (1 + 0.2*2) / (1 + 2.0)
	host := (1 + 3*all) / (1 + 3.0)
	_, numbers := s.Score(h.link("http://a.example/x/2"), nil)
	near(t, "the host", float64(numbers[1]), host)
	near(t, "the directory", float64(numbers[2]), (1+2*host)/(1+2.0))
	_, numbers = s.Score(h.link("http://b.example/x/2"), nil)
	near(t, "another host", float64(numbers[1]), all)
}

// What the crawl file says of a site counts as so many of its pages, where a yield leans on the wider.
func TestYieldBeginsWithWhatIsSaidOfSites(t *testing.T) {
	s := tree(t, "{mix: [{use: yield, with: {of: host, wider: true}}, {use: yield, weight: 0, with: {of: directory, wider: true}}, {use: yield, weight: 0, with: {of: host}}]}")
	h := harvesting(s)
	h.m.Site("good.example", 0.8, 4)
	h.m.Site("portal.example/finance", 0.1, 6)
	_, numbers := s.Score(h.link("http://good.example/x/1"), nil)
	near(t, "a site before its first page", float64(numbers[1]), (4*0.8+3*0.2)/(4+3.0))
	if numbers[3] == numbers[3] {
		t.Errorf("a yield that does not lean on anything has %v before the first page", numbers[3])
	}
	h.fetch("http://good.example/x/1", 0)
	all := 0.2 * 2 / (1 + 2.0)
	host := (4*0.8 + 3*all) / (1 + 4 + 3.0)
	_, numbers = s.Score(h.link("http://good.example/y/2"), nil)
	near(t, "a site of which a page was fetched", float64(numbers[1]), host)
	near(t, "its directory leans on it", float64(numbers[2]), host)
	_, numbers = s.Score(h.link("http://portal.example/finance/2"), nil)
	near(t, "a site of which nothing is said", float64(numbers[1]), all)
	near(t, "a directory of which something is said", float64(numbers[2]), (6*0.1+2*all)/(6+2.0))
}

func TestYieldOfEachKind(t *testing.T) {
	for _, of := range []string{"block", "page", "path", "host", "directory", "shape"} {
		s := tree(t, "{use: yield, with: {of: "+of+", count: share}}")
		p := tellPage(page.Links, linkTold{2, 0, 0}, linkTold{2, 0, 0}, linkTold{3, 0, 0})
		for i := range p.page.Links { // all on one host, one directory and one shape
			p.page.Links[i].URL = "http://a.example/d/" + string(rune('a'+i)) + ".html"
		}
		for i, v := range p.rank(s) {
			if v != 0 {
				t.Errorf("yield of %s: link %d scores %v before the first fetch", of, i, v)
			}
		}
		p.fetch(map[int]float64{0: 0.5})
		near(t, "yield of "+of+" beside the link", p.again(t, s, 1), 1)
		want := 1.0
		if of == "block" || of == "path" {
			want = 0
		}
		near(t, "yield of "+of+" in the other block", p.again(t, s, 2), want)
	}
}

func TestIndegreeCountsLinks(t *testing.T) {
	s := shipped(t, "in-degree")
	h := harvesting(s)
	last := 0.0
	for i := range 50 {
		e := h.link("http://a.example/")
		e.Parent = uint64(i + 1)
		if i > 0 {
			e.Item = 7
		}
		v := score(s, e)
		if !(v > last) {
			t.Fatalf("link %d scores %v, the one before it %v", i+1, v, last)
		}
		last = v
		h.m.Linked(7, e)
		if numbers, ok := s.Rescore(7, h.m); !ok || float64(numbers[0]) != v {
			t.Fatalf("scored again %v, want %v", numbers, v)
		}
	}
}

// An example page counts as one that was fetched and is wholly relevant, for its host, its directory and the shape of its address,
// where a yield leans on the wider.
func TestYieldCountsExamplesAsFetched(t *testing.T) {
	s := tree(t, "{mix: [{use: yield, with: {of: host, wider: true}}, {use: yield, weight: 0, with: {of: directory, wider: true}}, {use: yield, weight: 0, with: {of: shape, wider: true}}, {use: yield, weight: 0, with: {of: host}}]}")
	h := harvesting(s)
	h.m.Examples([]string{"http://good.example/tea/p1.html", "http://good.example/tea/p2.html", "examples/tea.html", "tea", "good.example/tea/p3.html"})
	const all = 0.2
	host := (2 + 3*all) / (2 + 3.0)
	directory := (2 + 2*host) / (2 + 2.0)
	_, numbers := s.Score(h.link("http://good.example/coffee/index"), nil)
	near(t, "their host", float64(numbers[1]), host)
	near(t, "another directory of it", float64(numbers[2]), host)
	if numbers[4] == numbers[4] {
		t.Errorf("a yield that does not lean on anything has %v before the first page", numbers[4])
	}
	_, numbers = s.Score(h.link("http://good.example/tea/p3.html"), nil)
	near(t, "their directory", float64(numbers[2]), directory)
	if !(float64(numbers[3]) > directory) {
		t.Errorf("addresses of their shape have %v, those of their directory %v: want more", numbers[3], directory)
	}
	_, numbers = s.Score(h.link("http://other.example/tea/p3.html"), nil)
	near(t, "another host", float64(numbers[1]), all)
	h.m.Site("good.example", 0.1, 5)
	_, numbers = s.Score(h.link("http://good.example/coffee/index"), nil)
	near(t, "beside what is said of the site", float64(numbers[1]), (2+5*0.1+3*all)/(2+5+3.0))
	if err := h.m.Restore(h.m.State()); err != nil {
		t.Fatal(err)
	}
	_, numbers = s.Score(h.link("http://good.example/coffee/index"), nil)
	near(t, "after an interruption", float64(numbers[1]), (2+5*0.1+3*all)/(2+5+3.0))
}
