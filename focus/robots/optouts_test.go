package robots

import (
	"net/http"
	"net/url"
	"reflect"
	"testing"
)

func TestOptOutOf(t *testing.T) {
	at, _ := url.Parse("https://a.example/dir/page")
	rules := Parse([]byte("User-agent: *\nContent-Signal: search=yes, ai-train = no"), "shark")
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
		rules  *Rules
		want   OptOut
		uses   string // what is refused
	}{
		{"nothing", html, "<p>", nil, OptOut{}, ""},
		{"meta", html, `<meta name=robots content="noindex">`, nil, OptOut{Robots: Tags{NoIndex: true}}, "index "},
		{"noai", with("X-Robots-Tag", "noai"), "", nil, OptOut{Robots: Tags{NoAI: true}}, "train mine "},
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
