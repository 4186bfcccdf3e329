package extensions

import (
	"net/http"
	"net/url"
	"reflect"
	"testing"

	"github.com/gocolly/colly/v2"
)

func TestOptOutOf(t *testing.T) {
	at, _ := url.Parse("https://a.example/dir/page")
	rules := ParseRobots([]byte("User-agent: *\nContent-Signal: search=yes, ai-train = no"), "shark")
	html := http.Header{"Content-Type": {"text/html"}}
	with := func(key, value string) http.Header {
		h := html.Clone()
		h.Set(key, value)
		return h
	}
	cases := []struct {
		name   string
		header http.Header
		body   string
		rules  *RobotsRules
		want   OptOut
		uses   string // what is refused
	}{
		{"nothing", html, "<p>", nil, OptOut{}, ""},
		{"meta", html, `<meta name=robots content="noindex">`, nil, OptOut{Robots: RobotsTags{NoIndex: true}}, "index "},
		{"noai", with("X-Robots-Tag", "noai"), "", nil, OptOut{Robots: RobotsTags{NoAI: true}}, "train mine "},
		{"signal of the header", with("Content-Signal", "AI-Train=no"), "", nil, OptOut{Signals: []string{"ai-train=no"}}, "train mine "},
		{"signals of robots.txt", html, "", rules, OptOut{Signals: []string{"search=yes", "ai-train=no"}}, "train mine "},
		{"search=no", with("Content-Signal", "search=no"), "", nil, OptOut{Signals: []string{"search=no"}}, "index "},
		{"TDM header", http.Header{"Tdm-Reservation": {"1"}, "Tdm-Policy": {"https://a.example/tdm.json"}}, "", nil,
			OptOut{Reserved: true, Policy: "https://a.example/tdm.json"}, "train mine "},
		{"TDM meta", html, `<meta name="tdm-reservation" content="1"><meta name="tdm-policy" content="/p">`, nil, OptOut{Reserved: true, Policy: "/p"}, "train mine "},
		{"TDM of 0", with("Tdm-Reservation", "0"), "", nil, OptOut{}, ""},
		{"licences", with("Link", `<https://cc.example/by>; rel="license", </style>; rel=stylesheet`), `<link rel=license href="../l"><link rel=license href="../l">`, nil,
			OptOut{Licences: []string{"https://cc.example/by", "https://a.example/l"}}, ""},
	}
	for _, c := range cases {
		got := OptOutOf(c.header, []byte(c.body), at, c.rules, "shark")
		if !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, *got, c.want)
		}
		uses := ""
		for _, use := range []string{"index", "train", "mine", "frame"} {
			if got.Refuses(use) {
				uses += use + " "
			}
		}
		if uses != c.uses {
			t.Errorf("%s: refuses %q, want %q", c.name, uses, c.uses)
		}
	}
}

func TestOptOutsInCallbacks(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{
		"/robots.txt": plain("User-agent: *\nContent-Signal: ai-train=no"),
		"/":           hyper(`<link rel=license href="/l"><body><a href="/b">`), "/b": hyper("b"),
	})
	c := colly.NewCollector()
	OptOuts(c, Robots(c))
	got := map[string]OptOut{}
	c.OnHTML("a", func(e *colly.HTMLElement) {
		e.Request.Visit(e.Attr("href")) // shares the context with this page, and must not share the note
		got[e.Request.URL.Path] = *OptOutsOf(e.Request)
	})
	c.OnHTML("body", func(e *colly.HTMLElement) { got[e.Request.URL.Path] = *OptOutsOf(e.Request) })
	if err := c.Visit(s.URL + "/"); err != nil {
		t.Fatal(err)
	}
	want := map[string]OptOut{"/": {Signals: []string{"ai-train=no"}, Licences: []string{s.URL + "/l"}}, "/b": {Signals: []string{"ai-train=no"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
