package robots

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

var _ = debug.SetGCPercent(400) // tests allocate much and hold little

// TestRobotsConformance goes through RFC 9309 and through what Google publishes about its reading of robots.txt. Each
// case is written from those texts.
func TestRobotsConformance(t *testing.T) {
	type ask map[string]bool // path: allowed
	cases := []struct {
		name   string
		robots string
		asks   ask
	}{
		// RFC 9309 section 2.2.1: the user-agent line.
		{"the name is compared without case", "User-Agent: ThReShEr\nDisallow: /", ask{"/": false}},
		{"key in any case, spaces anywhere", "  uSeR-aGeNt :thresher  \n\tDISALLOW:\t/x", ask{"/x": false, "/y": true}},
		{"a version behind the name is ignored", "User-agent: thresher/2.1\nDisallow: /", ask{"/": false}},
		{"a name that only begins like ours", "User-agent: thresherbot\nDisallow: /", ask{"/": true}},
		{"a name ours only begins like", "User-agent: thresh\nDisallow: /", ask{"/": true}},
		{"groups of our name are joined", "User-agent: thresher\nDisallow: /a\n\nUser-agent: other\nDisallow: /b\n\nUser-agent: thresher\nDisallow: /c",
			ask{"/a": false, "/b": true, "/c": false}},
		{"our group beats everybody's", "User-agent: *\nDisallow: /\n\nUser-agent: thresher\nDisallow: /x", ask{"/": true, "/x": false}},
		{"also when it comes first and is empty", "User-agent: thresher\nDisallow:\n\nUser-agent: *\nDisallow: /", ask{"/": true}},
		{"everybody's group where ours is missing", "User-agent: other\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", ask{"/a": true, "/b": false}},
		{"groups for everybody are joined", "User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", ask{"/a": false, "/b": false}},
		{"no group for us or everybody", "User-agent: other\nDisallow: /", ask{"/": true}},
		{"no group at all", "", ask{"/": true}},
		{"rules before any group", "Disallow: /\nUser-agent: *\nDisallow: /a", ask{"/": true, "/a": false}},
		{"several names, one group", "User-agent: other\nUser-agent: thresher\nUser-agent: third\nDisallow: /a", ask{"/a": false}},
		{"a star with words behind it is for everybody", "User-agent: * (all)\nDisallow: /a", ask{"/a": false}},
		{"a star inside a name is none", "User-agent: thr*\nDisallow: /a", ask{"/a": true}},
		// Google: "a group is terminated by …"; other lines do not end it.
		{"empty lines do not end a group", "User-agent: thresher\n\n\nDisallow: /a", ask{"/a": false}},
		{"a sitemap line does not end a group", "User-agent: other\nSitemap: https://x.example/s.xml\n\nUser-agent: thresher\nDisallow: /a", ask{"/a": false}},
		{"the rules after it go to both", "User-agent: thresher\nSitemap: https://x.example/s.xml\n\nUser-agent: other\nDisallow: /a", ask{"/a": false}},
		{"a crawl-delay does not end a group", "User-agent: thresher\nCrawl-delay: 5\n\nUser-agent: other\nDisallow: /a", ask{"/a": false}},
		{"an unknown line does not end a group", "User-agent: thresher\nNoodle: yes\nUser-agent: other\nDisallow: /a", ask{"/a": false}},

		// RFC 9309 section 2.2.2: allow and disallow lines.
		{"a path matches what begins with it", "User-agent: *\nDisallow: /fish", ask{
			"/fish": false, "/fish.html": false, "/fish/salmon.html": false, "/fishheads": false, "/fishheads/yummy.html": false, "/fish.php?id=anything": false,
			"/Fish.asp": true, "/catfish": true, "/?id=fish": true, "/desert/fish": true}},
		{"a path with a slash", "User-agent: *\nDisallow: /fish/", ask{
			"/fish/": false, "/fish/?id=anything": false, "/fish/salmon.htm": false, "/fish": true, "/fish.html": true, "/animals/fish/": true, "/Fish/Salmon.asp": true}},
		{"a star at the end is nothing", "User-agent: *\nDisallow: /fish*", ask{"/fish": false, "/fish.html": false, "/catfish": true}},
		{"a star inside", "User-agent: *\nDisallow: /*.php", ask{
			"/index.php": false, "/filename.php": false, "/folder/filename.php": false, "/folder/filename.php?parameters": false,
			"/folder/any.php.file.html": false, "/filename.php/": false, "/": true, "/windows.PHP": true}},
		{"a star and an end", "User-agent: *\nDisallow: /*.php$", ask{
			"/filename.php": false, "/folder/filename.php": false, "/filename.php?parameters": true, "/filename.php/": true, "/filename.php5": true, "/windows.PHP": true}},
		{"a piece between", "User-agent: *\nDisallow: /fish*.php", ask{
			"/fish.php": false, "/fishheads/catfish.php?parameters": false, "/Fish.PHP": true}},
		{"pieces do not overlap", "User-agent: *\nDisallow: /aba*ba$", ask{"/aba": true, "/ababa": false, "/abaXba": false}},
		{"many stars", "User-agent: *\nDisallow: /a**b***c", ask{"/abc": false, "/aXbYc": false, "/acb": true}},
		{"only a star", "User-agent: *\nDisallow: *", ask{"/": false, "/a?b": false}},
		{"a star first", "User-agent: *\nDisallow: *.gif$", ask{"/a.gif": false, "/a.gif?x": true}},
		{"only an end", "User-agent: *\nDisallow: /$", ask{"/": false, "/a": true}},
		{"a dollar that is not at the end", "User-agent: *\nDisallow: /a$b", ask{"/a$b": false, "/a": true, "/a%24b": false}},
		{"an empty disallow rules nothing", "User-agent: *\nDisallow:", ask{"/": true}},
		{"a path that does not begin with a slash", "User-agent: *\nDisallow: fish", ask{"/fish": true, "/": true}},
		{"a query", "User-agent: *\nDisallow: /s?q=", ask{"/s?q=1": false, "/s": true, "/s?p=1&q=2": true}},
		{"a star spans the query", "User-agent: *\nDisallow: /*/print", ask{"/a?x=/print": false, "/a/print": false, "/print": true}},

		// RFC 9309 section 2.2.2: the longest match; Google's table of precedence.
		{"the longest match", "User-agent: *\nAllow: /p\nDisallow: /", ask{"/page": true, "/other": false}},
		{"the order does not matter", "User-agent: *\nDisallow: /\nAllow: /p", ask{"/page": true, "/other": false}},
		{"allow where both are equally long", "User-agent: *\nDisallow: /folder\nAllow: /folder", ask{"/folder/page": true}},
		{"length counts stars too", "User-agent: *\nAllow: /page\nDisallow: /*.htm", ask{"/page.htm": false, "/page": true}},
		{"Google: /page and /*.ph", "User-agent: *\nAllow: /page\nDisallow: /*.ph", ask{"/page.php5": true}},
		{"Google: /$ and /", "User-agent: *\nAllow: /$\nDisallow: /", ask{"/": true, "/page.htm": false}},
		{"RFC section 5.2: the longest match", "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n\n" +
			"User-agent: thresher\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif",
			ask{"/example/page/": true, "/example/page/disallowed.gif": false}},
		{"RFC section 5.1: a simple example", "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n" +
			"User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n" +
			"User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\nUser-Agent: quxbot",
			ask{"/example/x": false, "/publications/a": true, "/a.gif": false, "/publications/a.gif": true, "/other": true}},

		// RFC 9309 section 2.2.2: octets, and its table of encodings.
		{"no encoding needed", "User-agent: *\nDisallow: /foo/bar?baz=quz", ask{"/foo/bar?baz=quz": false, "/foo/bar?baz=q": true}},
		{"delimiters in a query", "User-agent: *\nDisallow: /foo/bar?baz=https://foo.bar", ask{
			"/foo/bar?baz=https%3A%2F%2Ffoo.bar": false, "/foo/bar?baz=https://foo.bar": false}},
		{"the same, encoded in the rule", "User-agent: *\nDisallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar", ask{
			"/foo/bar?baz=https%3A%2F%2Ffoo.bar": false, "/foo/bar?baz=https://foo.bar": false}},
		{"UTF-8 in the rule", "User-agent: *\nDisallow: /foo/bar/ツ", ask{"/foo/bar/%E3%83%84": false, "/foo/bar/%e3%83%84": false, "/foo/bar/ツ": false}},
		{"UTF-8 encoded in the rule", "User-agent: *\nDisallow: /foo/bar/%E3%83%84", ask{"/foo/bar/%E3%83%84": false, "/foo/bar/ツ": false}},
		{"letters that need no encoding", "User-agent: *\nDisallow: /foo/bar/%62%61%7A", ask{"/foo/bar/baz": false, "/foo/bar/%62%61%7A": false}},
		{"encoding does not get round a rule", "User-agent: *\nDisallow: /private", ask{"/%70rivate": false, "/%70%72ivate/x": false}},
		{"an encoded slash is no slash", "User-agent: *\nDisallow: /a/b", ask{"/a%2Fb": true, "/a/b": false}},
		{"an encoded star is a star of the address", "User-agent: *\nDisallow: /path/file-with-a-%2A.html", ask{
			"/path/file-with-a-*.html": false, "/path/file-with-a-%2A.html": false, "/path/file-with-a-X.html": true}},
		{"an encoded dollar is a dollar of the address", "User-agent: *\nDisallow: /path/foo-%24", ask{"/path/foo-$": false, "/path/foo-": true}},
		{"a percent that encodes nothing", "User-agent: *\nDisallow: /100%", ask{"/100%": false, "/100%25": false, "/100": true}},

		// RFC 9309 sections 2.2 and 2.3: lines, comments, errors.
		{"comments", "# all\nUser-agent: * # everybody\nDisallow: /a # not this\n#Disallow: /b", ask{"/a": false, "/b": true}},
		{"lines end by CR, LF or both", "User-agent: *\rDisallow: /a\r\nDisallow: /b\n\rDisallow: /c", ask{"/a": false, "/b": false, "/c": false}},
		{"a byte order mark", "\xef\xbb\xbfUser-agent: *\nDisallow: /a", ask{"/a": false}},
		{"a forgotten colon", "User-agent *\nDisallow /a", ask{"/a": false}},
		{"misspelled disallow", "User-agent: *\nDissallow: /a\nDisalow: /b", ask{"/a": false, "/b": false}},
		{"noise is passed over", "<html>\x00\xff: :\nUser-agent: *\n::::\nDisallow: /a\n\x80\x81", ask{"/a": false, "/b": true}},
		{"robots.txt itself is always allowed", "User-agent: *\nDisallow: /", ask{"/robots.txt": true, "/robots.txt?x": false}},
		{"no path is the root", "User-agent: *\nDisallow: /$", ask{"": false, "?x=1": true}},
		{"a fragment is no part of it", "User-agent: *\nDisallow: /*secret", ask{"/a#secret": true}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			rules := Parse([]byte(c.robots), "thresher")
			for path, want := range c.asks {
				if got, line := rules.Allowed(path); got != want {
					t.Errorf("%q: allowed %v by %q, want %v", path, got, line, want)
				}
			}
		})
	}
}

func TestRobotsSaysWhichLineDecided(t *testing.T) {
	rules := Parse([]byte("User-agent: *\nDisallow: /a # why\n\nAllow: /a/b"), "thresher")
	for path, want := range map[string]string{"/a": "line 2: Disallow: /a # why", "/a/b": "line 4: Allow: /a/b", "/c": ""} {
		if _, line := rules.Allowed(path); line != want {
			t.Errorf("%s: decided by %q, want %q", path, line, want)
		}
	}
}

// What a server says in the place of a robots.txt is kept with its host: a line of it.
// TestRobotsInAnotherCharset holds a path to its bytes and to what they say: links write it as either.
func TestRobotsInAnotherCharset(t *testing.T) {
	said := "# 本站不允许抓取下列目录\nUser-agent: *\nDisallow: /禁止/\nAllow: /禁止/公开\nDisallow: /x\nContent-Usage: /登录 search=n\n"
	body, err := simplifiedchinese.GBK.NewEncoder().String(said)
	if err != nil {
		t.Fatal(err)
	}
	r := Parse([]byte(body), "thresher")
	for path, want := range map[string]bool{
		"/%BD%FB%D6%B9/a": false, "/%E7%A6%81%E6%AD%A2/a": false, "/禁止/a": false, "/禁止/公开": true, "/x": false, "/": true,
	} {
		if allowed, line := r.Allowed(path); allowed != want || strings.HasPrefix(path, "/禁止/a") && line != "line 3: Disallow: /禁止/" {
			t.Errorf("%s: allowed %v by %q", path, allowed, line)
		}
	}
	for _, path := range []string{"/%B5%C7%C2%BC", "/登录?x"} {
		if got := r.Said(path); len(got) != 1 || got[0].Value != "search=n" {
			t.Errorf("%s: %+v", path, got)
		}
	}
}

// TestAShortRobotsInAnotherCharset: of a few letters alone nobody can tell which charset they are in.
func TestAShortRobotsInAnotherCharset(t *testing.T) {
	for name, e := range map[string]encoding.Encoding{"gbk": simplifiedchinese.GBK, "big5": traditionalchinese.Big5, "latin": charmap.ISO8859_1} {
		folder := map[string]string{"gbk": "禁止", "big5": "禁止", "latin": "été"}[name]
		body, err := e.NewEncoder().String("User-agent: *\nDisallow: /" + folder + "/\nAllow: /\n")
		if err != nil {
			t.Fatal(err)
		}
		allowed, line := Parse([]byte(body), "thresher").Allowed("/" + folder + "/a")
		if allowed || name != "big5" && line != "line 2: Disallow: /"+folder+"/" {
			t.Errorf("%s: allowed %v by %q", name, allowed, line)
		}
	}
}

func TestRobotsFailureIsALine(t *testing.T) {
	rules := For(0, nil, fmt.Errorf("get: %w", errors.New("malformed HTTP status code \""+strings.Repeat("é\n", 50_000))), "thresher")
	if _, said := rules.Allowed("/x"); len(said) > 150 || !strings.HasPrefix(said, "robots.txt: malformed HTTP status code") || strings.Contains(said, "\n") || !utf8.ValidString(said) {
		t.Errorf("%d bytes: %.200q", len(said), said)
	}
}

func TestRobotsStatus(t *testing.T) {
	cases := []struct {
		status  int
		err     error
		allowed bool
		again   bool
		line    string
	}{
		{status: 200, allowed: false, line: "line 2: Disallow: /"},
		{status: 206, allowed: false, line: "line 2: Disallow: /"},
		{status: 301, allowed: true, line: "robots.txt: status 301"},
		{status: 401, allowed: true, line: "robots.txt: status 401"},
		{status: 403, allowed: true, line: "robots.txt: status 403"},
		{status: 404, allowed: true, line: "robots.txt: status 404"},
		{status: 410, allowed: true, line: "robots.txt: status 410"},
		{status: 429, allowed: false, again: true, line: "robots.txt: status 429"},
		{status: 500, allowed: false, again: true, line: "robots.txt: status 500"},
		{status: 503, allowed: false, again: true, line: "robots.txt: status 503"},
		{status: 0, err: fmt.Errorf("get: %w", context.DeadlineExceeded), allowed: false, again: true, line: "robots.txt: timeout"},
		{status: 200, err: errors.New("cut off"), allowed: false, again: true, line: "robots.txt: cut off"},
		{status: 0, allowed: false, again: true, line: "robots.txt: status 0"},
	}
	for _, c := range cases {
		rules := For(c.status, []byte("User-agent: *\nDisallow: /"), c.err, "thresher")
		allowed, line := rules.Allowed("/x")
		if allowed != c.allowed || line != c.line || rules.Unreachable() != c.again {
			t.Errorf("status %d, %v: allowed %v by %q, again %v; want %v, %q, %v", c.status, c.err, allowed, line, rules.Unreachable(), c.allowed, c.line, c.again)
		}
		if short := rules.Life() < time.Hour; short != c.again {
			t.Errorf("status %d, %v: holds for %v", c.status, c.err, rules.Life())
		}
	}
}

func TestRobotsDelaySitemapsSignals(t *testing.T) {
	rules := Parse([]byte(`Sitemap: https://a.example/one.xml
User-agent: *
Crawl-delay: 9
Content-Signal: search=yes
User-agent: other
User-agent: thresher
Crawl-delay: 2.5
Content-Signal: search=yes, ai-train=no
Disallow: /a
Sitemap: https://a.example/two.xml
Sitemap: /three.xml
Sitemap: //b.example/four.xml
Sitemap: maps/five.xml`), "thresher")
	if rules.Delay() != 2500*time.Millisecond {
		t.Errorf("delay %v", rules.Delay())
	}
	want := []string{"https://a.example/one.xml", "https://a.example/two.xml", "https://a.example:8443/three.xml", "https://b.example/four.xml", "https://a.example:8443/maps/five.xml"}
	if have := rules.Sitemaps("https://a.example:8443"); !slices.Equal(have, want) {
		t.Errorf("sitemaps %q", have)
	}
	if want := []string{"search=yes, ai-train=no"}; !slices.Equal(signalsOf(rules), want) {
		t.Errorf("signals %q", signalsOf(rules))
	}
	for _, value := range []string{"x", "-1", "NaN", "Inf", "1e300", "0", ""} {
		if d := Parse([]byte("User-agent: *\nCrawl-delay: "+value), "thresher").Delay(); d != 0 {
			t.Errorf("Crawl-delay: %s became %v", value, d)
		}
	}
}

func TestRobotsLengthLimit(t *testing.T) {
	head := "User-agent: *\nDisallow: /early\n"
	fill := strings.Repeat("#"+strings.Repeat("x", 98)+"\n", (most-len(head))/100)
	room := most - len(head) - len(fill)
	cut := "Disallow: /" + strings.Repeat("y", room) // the limit falls into this line
	rules := Parse([]byte(head+fill+cut+"\nDisallow: /late\n"), "thresher")
	for path, want := range map[string]bool{"/early": false, "/y": true, "/other": true, "/late": true} {
		if got, line := rules.Allowed(path); got != want {
			t.Errorf("%s: allowed %v by %q", path, got, line)
		}
	}
}

func TestRobotsToken(t *testing.T) {
	for agent, want := range map[string]string{
		"thresher/1.0 (+https://x.example; a@x.example)":             "thresher",
		"Mozilla/5.0 (compatible; FocusBot/1.0; +https://x.example)": "FocusBot",
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36":         "Mozilla",
		"my_own-bot": "my_own-bot",
		"":           "",
		"123":        "",
	} {
		if got := Token(agent); got != want {
			t.Errorf("%q: %q, want %q", agent, got, want)
		}
	}
}

func FuzzRobots(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /a*b$\nAllow: /%41\nCrawl-delay: 3", "/a%2fb?x=*$")
	f.Add("User-agent thresher\rdisallow *\r\n\xff\x00", "")
	f.Fuzz(func(t *testing.T, body, path string) {
		rules := Parse([]byte(body), "thresher")
		first, line := rules.Allowed(path)
		again, same := Parse([]byte(body), "THRESHER").Allowed(path)
		if first != again || line != same {
			t.Fatalf("%q: %v by %q, then %v by %q", path, first, line, again, same)
		}
		query := false
		if once := normalPath(path); normalOctets(once, &query) != once {
			t.Fatalf("%q: the normal form %q has another normal form", path, once)
		}
		if rules.Delay() < 0 {
			t.Fatal("a delay below zero")
		}
	})
}

// Rules that were saved with a delay or a life below zero are damaged: the one would be no delay at all.
func TestSavedRulesBelowZeroAreDamaged(t *testing.T) {
	for _, r := range []Rules{{delay: -1}, {life: -1}} {
		b, err := r.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if err := new(Rules).UnmarshalBinary(b); err == nil {
			t.Errorf("%+v was taken", r)
		}
	}
}

func signalsOf(r *Rules) (values []string) {
	for _, s := range r.Said("/") {
		values = append(values, s.Value)
	}
	return values
}
