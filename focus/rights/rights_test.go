package rights

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/robots"
)

var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// said is a page and all that is said of it.
type said struct {
	header []string // "Name: value"
	page   string
	robots string
	path   string // /dir/page where it is empty
}

func (s said) reserved(t *testing.T) *Reserved {
	t.Helper()
	path := s.path
	if path == "" {
		path = "/dir/page"
	}
	at, err := url.Parse("https://a.example" + path)
	if err != nil {
		t.Fatal(err)
	}
	header := http.Header{"Content-Type": {"text/html"}}
	for _, line := range s.header {
		name, value, _ := strings.Cut(line, ": ")
		header.Add(name, value)
	}
	var rules *robots.Rules
	if s.robots != "" {
		rules = robots.Parse([]byte(s.robots), "shark")
	}
	return Of(header, []byte(s.page), at, rules, "shark", noon)
}

// against are the uses that are reserved, and noindex, which is told apart from them: it is obeyed together with robots.txt.
func (r *Reserved) against() (uses []string) {
	if r.Tags.NoIndex {
		uses = append(uses, "noindex")
	}
	for use, name := range Uses {
		if _, reserved := r.Against(Use(use)); reserved {
			uses = append(uses, name)
		}
	}
	return uses
}

// TestEverySignalInEveryPlace: what is said, where, and what it reserves.
func TestEverySignalInEveryPlace(t *testing.T) {
	const all = "User-agent: *\n"
	for _, c := range []struct {
		name     string
		said     said
		words    string
		reserves string
	}{
		{"nothing", said{}, "", ""},
		{"noindex of a page", said{page: `<meta name=robots content=noindex>`}, "noindex (page)", "noindex"},
		{"none of a header", said{header: []string{"X-Robots-Tag: none"}}, "none (header)", "noindex"},
		{"noai of a page", said{page: `<meta name=ROBOTS content="NoAI, NoImageAI">`}, "noai (page); noimageai (page)", "training mining"},
		{"noai to us", said{header: []string{"X-Robots-Tag: shark: noai"}}, "noai (header)", "training mining"},
		{"noai to another", said{header: []string{"X-Robots-Tag: whale: noai"}}, "", ""},
		{"noml", said{header: []string{"X-Robots-Tag: noml"}}, "noml (header)", "training"},
		{"noimageai alone", said{header: []string{"X-Robots-Tag: noimageai"}}, "noimageai (header)", ""},
		{"noarchive", said{header: []string{"X-Robots-Tag: noarchive, nofollow"}}, "noarchive (header); nofollow (header)", ""},
		{"past its time", said{header: []string{"X-Robots-Tag: unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, noarchive"}},
			"unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT (header); noarchive (header)", "noindex"},
		{"past its time, for all", said{header: []string{"X-Robots-Tag: *: unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, noai"}},
			"unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT (header); noai (header)", "noindex training mining"},
		{"past its time, for another, then for us", said{header: []string{"X-Robots-Tag: whale: unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, shark: noml"}}, "noml (header)", "training"},
		{"within its time", said{page: `<meta name=robots content="unavailable_after: 2030-01-02">`}, "unavailable_after: 2030-01-02 (page)", ""},
		{"a time that nobody can read", said{page: `<meta name=robots content="unavailable_after: when I die 1">`}, "unavailable_after: when I die 1 (page)", ""},
		{"Content-Usage of a header", said{header: []string{"Content-Usage: train-ai=n, search=y"}}, "train-ai=n (header); search=y (header)", "training"},
		{"Content-Usage of robots.txt", said{robots: all + "Content-Usage: train-ai=n\nAllow: /"}, "train-ai=n (robots.txt)", "training"},
		{"… before any group", said{robots: "Content-Usage: train-ai=n"}, "train-ai=n (robots.txt)", "training"},
		{"… for another", said{robots: "User-agent: whale\nContent-Usage: train-ai=n"}, "", ""},
		{"… for us, not for all", said{robots: "User-agent: *\nContent-Usage: search=n\nUser-agent: shark\nContent-Usage: train-ai=n"}, "train-ai=n (robots.txt)", "training"},
		{"… for a path", said{robots: all + "Content-Usage: train-ai=n\nContent-Usage: /dir/ train-ai=y"}, "train-ai=y (robots.txt)", ""},
		{"… for another path", said{robots: all + "Content-Usage: /other/ train-ai=n"}, "", ""},
		{"… for a pattern", said{robots: all + "Content-Usage: /*/page$ search=n"}, "search=n (robots.txt)", "search"},
		{"… a path that says nothing", said{robots: all + "Content-Usage: /dir/"}, "", ""},
		{"two lines that contradict", said{robots: all + "Content-Usage: train-ai=y\nContent-Usage: train-ai=n"}, "train-ai=y (robots.txt); train-ai=n (robots.txt)", "training"},
		{"all use by machines", said{header: []string{"Content-Usage: bots=n"}}, "bots=n (header)", "training mining search"},
		{"all but search", said{header: []string{"Content-Usage: bots=n;x=1, search=y"}}, "bots=n (header); search=y (header)", "training mining"},
		{"mining of the drafts", said{header: []string{"Content-Usage: tdm=n"}}, "tdm=n (header)", "training mining"},
		{"words that nobody knows", said{header: []string{`Content-Usage: x="a, train-ai=n", foo=n, train-ai=maybe, nonsense`}}, "foo=n (header); train-ai=maybe (header)", ""},
		{"Content-Signal of a header", said{header: []string{"Content-Signal: AI-Train=no"}}, "ai-train=no (header)", "training"},
		{"Content-Signal of robots.txt", said{robots: all + "Content-Signal: search=yes, ai-train = no, ai-input=no"},
			"search=yes (robots.txt); ai-train=no (robots.txt); ai-input=no (robots.txt)", "training mining"},
		{"y of one is no yes of the other", said{header: []string{"Content-Signal: search=n", "Content-Usage: search=no"}}, "search=no (header); search=n (header)", ""},
		{"TDM of a header", said{header: []string{"Tdm-Reservation: 1", "Tdm-Policy: https://a.example/tdm"}},
			"tdm-reservation=1 (header); tdm-policy=https://a.example/tdm (header)", "training mining"},
		{"TDM of a page", said{page: `<meta name="tdm-reservation" content="1"><meta name="tdm-policy" content="/p">`}, "tdm-reservation=1 (page); tdm-policy=/p (page)", "training mining"},
		{"TDM of 0", said{header: []string{"Tdm-Reservation: 0"}}, "tdm-reservation=0 (header)", ""},
		{"licences", said{header: []string{`Link: <https://cc.example/by>; rel="license", </style>; rel=stylesheet`}, page: `<link rel=license href="../l">`,
			robots: "License: https://a.example/rsl.xml\n" + all + "Disallow: /x"},
			"license=https://a.example/rsl.xml (robots.txt); license=https://cc.example/by (header); license=https://a.example/l (page)", ""},
		{"a licence that is spoken of", said{page: "rel=license"}, "", ""},
		{"licences in the text", said{page: `<body><p>Which license? <!-- <a rel="license" href="/comment"> --><script>s = '<a rel="license" href="/script">'</script>
<a class=button href="https://cc.example/by" rel="noopener license"><img></a> <A HREF=/by rel='license'>CC</A> <a rel=license href="https://cc.example/by">BY</a>
<b rel=license href=/b> <a rel=sublicense href=/c> <a rel=nofollow href=/license> <a rel="license">`}, "license=https://cc.example/by (page); license=https://a.example/by (page)", ""},

		{"the page is nearer than the header", said{page: `<meta name="tdm-reservation" content="0">`, header: []string{"Tdm-Reservation: 1"}},
			"tdm-reservation=0 (page); tdm-reservation=1 (header)", ""},
		{"the header is nearer than robots.txt", said{header: []string{"Content-Usage: train-ai=y"}, robots: all + "Content-Signal: ai-train=no, search=no"},
			"train-ai=y (header); ai-train=no (robots.txt); search=no (robots.txt)", "search"},
		{"a wide word near and a narrow one far", said{header: []string{"Content-Usage: bots=n"}, robots: all + "Content-Usage: search=y"},
			"bots=n (header); search=y (robots.txt)", "training mining search"},
		{"equally near, the stricter", said{header: []string{"Content-Usage: train-ai=y", "Content-Signal: ai-train=no"}}, "train-ai=y (header); ai-train=no (header)", "training"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := c.said.reserved(t)
			if got := strings.Join(r.Words(), "; "); got != c.words {
				t.Errorf("said is %q, want %q", got, c.words)
			}
			if got := strings.Join(r.against(), " "); got != c.reserves {
				t.Errorf("reserved is %q, want %q", got, c.reserves)
			}
		})
	}
}

// TestStatementsAreBounded: what a hostile server sends is neither kept nor read without end.
func TestStatementsAreBounded(t *testing.T) {
	header := []string{"Content-Usage: " + strings.Repeat("x", 5000) + "=n, train-ai=n"}
	for i := range 500 {
		header = append(header, "Content-Usage: a"+strings.Repeat("b", i)+"=n")
	}
	r := said{header: header}.reserved(t)
	if len(r.Said) > most || !slices.Equal(r.against(), []string{"training"}) {
		t.Errorf("%d statements, reserved %v", len(r.Said), r.against())
	}
	var none *Reserved
	if _, reserved := none.Against(Training); reserved || none.Words() != nil {
		t.Error("nobody said something")
	}
}
