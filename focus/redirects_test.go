package focus_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// sameAddress are other forms of an address that is taken for one.
var sameAddress = []string{";jsessionid=A1", "?utm_source=x", "?PHPSESSID=0123456789abcdef0123456789abcdef", "?sid=0123456789abcdef0123456789abcdef", "?fbclid=x"}

// A redirect to another form of the same address is a request like any other: robots.txt is asked for it.
func TestNoRedirectGoesPastRobots(t *testing.T) {
	w := &web{pages: map[string]answer{}}
	var forbidden strings.Builder
	for _, form := range sameAddress {
		fmt.Fprintf(&forbidden, "Disallow: /*%.4s\n", form)
	}
	w.pages["http://a.example/robots.txt"] = answer{status: 200, body: "User-agent: *\n" + forbidden.String()}
	w.pages["http://a.example./robots.txt"] = answer{status: 404}
	config := solarConfig(t, w)
	config.Seeds = nil
	var led []string
	for i, form := range sameAddress {
		for _, status := range []int{301, 302, 303, 307, 308} {
			from := fmt.Sprintf("http://a.example/%d/%d", i, status)
			for _, to := range []string{from + form, strings.Replace(from, "a.example/", "a.example./", 1) + form} {
				w.pages[from+"/"+fmt.Sprint(len(led))] = answer{status: status, header: "Location: " + strings.Replace(to, from, from+"/"+fmt.Sprint(len(led)), 1)}
				config.Seeds = append(config.Seeds, from+"/"+fmt.Sprint(len(led)))
				led = append(led, to)
			}
		}
	}
	report := crawlWith(t, config)
	for _, asked := range w.asked {
		if slices.ContainsFunc(sameAddress, func(form string) bool { return strings.Contains(asked, form[:4]) }) {
			t.Errorf("%s was asked for, which robots.txt forbids", asked)
		}
	}
	if n := report.Counts.Dropped[admit.RefusedRedirect]; n != len(led) {
		t.Errorf("%d of %d redirects were met: the test shows nothing", n, len(led))
	}
}

// Where robots.txt allows it, another form of the same address is visited: once, with the better promise, and however often
// the host goes on like that it ends.
func TestARedirectToAnotherFormOfTheSameAddress(t *testing.T) {
	w := &web{pages: map[string]answer{}}
	body := "<title>Solar</title><p>" + strings.Repeat("Solar energy panel. ", 30)
	config := solarConfig(t, w)
	config.Seeds = nil
	for i, form := range sameAddress {
		from := fmt.Sprintf("http://a.example/%d", i)
		w.pages[from] = answer{status: 302, header: "Location: " + from + form}
		w.pages[from+form] = answer{status: 200, body: fmt.Sprint(body, strings.Repeat(fmt.Sprintf("word%d ", i), 300))}
		config.Seeds = append(config.Seeds, from)
	}
	w.pages["http://a.example/dot"] = answer{status: 302, header: "Location: http://a.example./dot"}
	w.pages["http://a.example./dot"] = answer{status: 200, body: body + strings.Repeat("dotted word ", 200)}
	w.pages["http://a.example/back"] = answer{status: 302, header: "Location: /back?utm_source=x"}
	w.pages["http://a.example/back?utm_source=x"] = answer{status: 302, header: "Location: /back"}
	for i := range 20 {
		w.pages[fmt.Sprintf("http://a.example/long?utm_source=%d", i)] = answer{status: 302, header: fmt.Sprintf("Location: /long?utm_source=%d", i+1)}
	}
	config.Seeds = append(config.Seeds, "http://a.example/dot", "http://a.example/back", "http://a.example/long?utm_source=0")
	report := crawlWith(t, config)
	for address := range w.pages {
		if n := w.count(address); n > 1 {
			t.Errorf("%s was asked for %d times", address, n)
		}
	}
	if kept := len(harvest(t, config)); kept != len(sameAddress)+1 {
		t.Errorf("%d pages were kept, want %d", kept, len(sameAddress)+1)
	}
	if n := w.count(fmt.Sprintf("http://a.example/long?utm_source=%d", config.Fetch.Redirects)); n != 1 || report.Counts.Refused[admit.RefusedRedirects] != 2 {
		t.Errorf("the last redirect was followed %d times, refused %v", n, report.Counts.Refused)
	}
}

// A second look knows a page by the addresses that led to it, too: links name these where a host adds a slash to all of them.
func TestALinkToWhatLeadsToAPageIsOneToThatPage(t *testing.T) {
	w := &web{pages: map[string]answer{}}
	w.pages["http://a.example/start/"] = answer{status: 200, body: "<title>Solar</title><p>" + strings.Repeat("Solar energy panel. ", 30) + `<p><a href="/panel">Panels</a>`}
	w.pages["http://a.example/panel"] = answer{status: 301, header: "Location: /panel/new"}
	w.pages["http://a.example/panel/new"] = answer{status: 302, header: "Location: /panel/new/"}
	w.pages["http://a.example/panel/new/"] = answer{status: 200, body: "<title>Panels</title><p>" + strings.Repeat("A solar panel of another kind. ", 30)}
	config := solarConfig(t, w)
	config.Seeds, config.SecondLook = []string{"http://a.example/start/"}, "all"
	crawlWith(t, config)
	keys, called := map[string][]uint64{}, []sink.Pointer{}
	for seen, err := range sink.ReadLooks(config.Store) {
		if err != nil {
			t.Fatal(err)
		}
		keys[seen.Record.FinalURL] = seen.Keys
		called = append(called, seen.Links...)
	}
	if len(called) != 1 {
		t.Fatalf("links %v", called)
	}
	for _, address := range []string{"http://a.example/panel", "http://a.example/panel/new", "http://a.example/panel/new/"} {
		if !slices.Contains(keys["http://a.example/panel/new/"], sink.Key(address)) {
			t.Errorf("%s is no name of the page it leads to", address)
		}
	}
	if to := called[0].To; slices.Contains(keys["http://a.example/start/"], to) || !slices.Contains(keys["http://a.example/panel/new/"], to) {
		t.Errorf("the link leads to %d, and the pages are called %v", to, keys)
	}
}

// Where cookies are kept, a page is asked for again that a redirect leads back to: the host may have wanted to see its cookie. It is
// once, whether the cookie comes with the redirect or from an address between, and once more where the cookie was lost with the session.
func TestARedirectBackToTheSamePageForItsCookie(t *testing.T) {
	w := &web{pages: map[string]answer{}}
	config := solarConfig(t, w)
	config.Cookies, config.Seeds = true, nil
	w.wall = func(r *http.Request) (answer, bool) {
		_, none := r.Cookie("seen")
		switch host := r.URL.Host; {
		case r.URL.Path == "/check":
			return answer{status: 302, header: "Location: " + r.URL.Query().Get("back") + "\r\nSet-Cookie: seen=1; Path=/"}, true
		case none == nil && host != "never.example" || r.URL.Path == "/robots.txt" || strings.HasPrefix(r.URL.Path, "/.well-known/"):
			return answer{}, false
		case host == "between.example":
			return answer{status: 302, header: "Location: /check?back=" + r.URL.Path}, true
		}
		return answer{status: 302, header: "Location: " + r.URL.Path + "\r\nSet-Cookie: seen=1; Path=/"}, true
	}
	for i, host := range []string{"at-once.example", "between.example", "never.example"} {
		for j, path := range []string{"/", "/more"} {
			w.pages["http://"+host+path] = answer{status: 200, body: fmt.Sprintf("<title>Solar %d</title><p>%s %s<a href=/more>solar energy</a>", i, strings.Repeat("Solar energy panel. ", 30), strings.Repeat(fmt.Sprintf("word%d ", 2*i+j), 200))}
		}
		config.Seeds = append(config.Seeds, "http://"+host+"/")
	}
	report := crawlWith(t, config)
	for address, want := range map[string]int{"http://at-once.example/": 2, "http://at-once.example/more": 1, "http://between.example/": 2, "http://between.example/check?back=/": 1, "http://between.example/more": 1, "http://never.example/": 2} {
		if n := w.count(address); n != want {
			t.Errorf("%s was asked for %d times, want %d", address, n, want)
		}
	}
	if kept := len(harvest(t, config)); kept != 4 || report.Counts.Refused[admit.RefusedRedirects] != 1 {
		t.Errorf("%d pages were kept, want 4; refused %v", kept, report.Counts.Refused)
	}
	for host, want := range map[string]int{"at-once.example": 2, "never.example": 0} {
		config.Store, config.Seeds, config.Budget.Pages = t.TempDir(), []string{"http://" + host + "/"}, 1
		if report := crawlWith(t, config); report.Counts.Redirects != 1 || len(report.Counts.Refused) != 0 {
			t.Fatalf("%+v, want a crawl that ends between redirect and page", report.Counts)
		}
		config.Budget.Pages = 10
		w.asked = nil
		crawlWith(t, config) // which begins without cookies
		if kept := len(harvest(t, config)); kept != want || w.count(config.Seeds[0]) != 2 {
			t.Errorf("%s: gone on, it kept %d pages, want %d; asked %q", host, kept, want, w.asked)
		}
	}
	config.Store, config.Seeds = t.TempDir(), []string{"http://at-once.example/"}
	config.Cookies, config.Fetch.Cookies = false, filepath.Join(config.Store, "cookies.txt") // a host may change those of a browser, too
	if err := os.WriteFile(config.Fetch.Cookies, []byte("at-once.example\tFALSE\t/\tFALSE\t0\tlanguage\ten\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	config.Store = filepath.Join(config.Store, "run")
	crawlWith(t, config)
	if kept := len(harvest(t, config)); kept != 2 {
		t.Errorf("with the cookies of a browser %d pages were kept, want 2", kept)
	}
}

// A wall may ask first, and set its cookie where one goes on: the page that it stands before is asked for again when its link leads back there,
// by itself or by a redirect, and no other page is. Without cookies nobody is asked again.
func TestALinkBackToThePageForItsCookie(t *testing.T) {
	for name, onward := range map[string]string{"a link": "/", "a link and a redirect": "/yes?back=/"} {
		for _, cookies := range []bool{true, false} {
			w := &web{pages: map[string]answer{}}
			config := solarConfig(t, w)
			config.Cookies, config.Seeds = cookies, []string{"http://a.example/"}
			w.wall = func(r *http.Request) (answer, bool) {
				_, none := r.Cookie("seen")
				switch path := r.URL.Path; {
				case path == "/wall":
					return answer{status: 200, header: "Set-Cookie: seen=1; Path=/", body: "<title>Cookies</title><p>We use cookies. <a href='" + onward + "'>Go on</a> <a href=/wall>Why</a>"}, true
				case path == "/slash": // and what stands there leads back to it, too, but is no wall
					return answer{status: 301, header: "Location: /slash/\r\nSet-Cookie: seen=1; Path=/"}, true
				case path == "/old": // what leads to a page that is one, and links back, is asked for no more than without cookies
					return answer{status: 302, header: "Location: /new"}, true
				case path == "/yes", path == "/language": // which is asked for on a page that is none of the wall's
					return answer{status: 302, header: "Location: " + r.URL.Query().Get("back")}, true
				case none == nil || path == "/robots.txt" || strings.HasPrefix(path, "/.well-known/"):
					return answer{}, false
				}
				return answer{status: 302, header: "Location: /wall"}, true
			}
			for i, path := range []string{"/", "/more", "/slash/", "/new"} {
				w.pages["http://a.example"+path] = answer{status: 200, header: "Set-Cookie: other=1; Path=/", body: fmt.Sprintf("<title>Solar</title><p>%s %s<a href=/more>solar energy</a> <a href=/slash>solar</a> <a href=/old>solar</a> <a href='/language?back=%s'>solar</a>",
					strings.Repeat("Solar energy panel. ", 30), strings.Repeat(fmt.Sprintf("word%d ", i), 200), path)}
			}
			crawlWith(t, config)
			want := map[string]int{"/": 2, "/wall": 1, "/more": 1, "/language?back=/more": 1, "/slash": 1, "/slash/": 1, "/old": 1, "/new": 1}
			if !cookies {
				want = map[string]int{"/": 1, "/wall": 1, "/more": 0}
			}
			for path, n := range want {
				if asked := w.count("http://a.example" + path); asked != n {
					t.Errorf("%s, cookies %v: %s was asked for %d times, want %d", name, cookies, path, asked, n)
				}
			}
		}
	}
}

// A crawl that goes on begins without the cookies of before. Who then stands before a wall that was gone through already goes through it again,
// wherever it leads, and has the page that was asked for; pages that were kept are asked for no more.
func TestAWallOnceMoreWhenItsCookieIsLost(t *testing.T) {
	for name, on := range map[string]answer{
		"it leads on":         {status: 302, header: "Location: /\r\nSet-Cookie: seen=1; Path=/"},
		"it has a link":       {status: 200, header: "Set-Cookie: seen=1; Path=/", body: "<title>Cookies</title><p>We use cookies. <a href=/>Go on</a> <a href=/wall>Why</a>"},
		"it lets nobody pass": {status: 302, header: "Location: /\r\nSet-Cookie: other=1; Path=/"},
	} {
		w := &web{pages: map[string]answer{}}
		config := solarConfig(t, w)
		config.Cookies, config.Seeds = true, []string{"http://a.example/"}
		closed := false
		w.wall = func(r *http.Request) (answer, bool) {
			_, none := r.Cookie("seen")
			switch path := r.URL.Path; {
			case path == "/wall" && closed:
				return on, true
			case path == "/wall":
				return answer{status: on.status, header: strings.Replace(on.header, "other", "seen", 1), body: on.body}, true
			case none == nil || path == "/robots.txt" || strings.HasPrefix(path, "/.well-known/"):
				return answer{}, false
			}
			return answer{status: 302, header: "Location: /wall"}, true
		}
		for i := range 9 {
			path := strings.TrimSuffix(fmt.Sprint("/", i), "0")
			w.pages["http://a.example"+path] = answer{status: 200, body: fmt.Sprintf("<title>Solar %d</title><p>%s %s<a href=/%d>solar energy</a> <a href=/%d>solar panel</a>",
				i, strings.Repeat("Solar energy panel. ", 30), strings.Repeat(fmt.Sprintf("word%d ", i), 200), 2*i+1, 2*i+2)}
		}
		want, budgets := 9, []int{4, 7, 100} // it is stopped twice
		if name == "it lets nobody pass" {
			want, budgets = 2, []int{4, 100}
		}
		for _, pages := range budgets {
			config.Budget.Pages = pages
			crawlWith(t, config)
			closed = want == 2
		}
		kept := map[string]int{}
		for _, r := range harvest(t, config) {
			if kept[r.URL]++; kept[r.URL] > 1 {
				t.Errorf("%s: %s was kept twice", name, r.URL)
			}
		}
		if len(kept) != want || len(w.asked) > 40 {
			t.Errorf("%s: %d pages were kept, want %d; asked %q", name, len(kept), want, w.asked)
		}
	}
}

// The target of a redirect that waits with a better promise than the alias has keeps it; one with less is raised.
func TestTheTargetOfARedirectHasTheBetterScore(t *testing.T) {
	for name, links := range map[string]string{
		"its own":     "<a href=/target>solar energy panel</a> <a href=/alias>words</a>",
		"the alias's": "<a href=/alias>solar energy panel</a> <a href=/target>words</a>",
	} {
		t.Run(name, func(t *testing.T) {
			w := &web{pages: map[string]answer{}}
			w.pages["http://a.example/"] = answer{status: 200, body: "<title>Solar</title><p>Solar energy. " + links}
			w.pages["http://a.example/alias"] = answer{status: 302, header: "Location: /target"}
			w.pages["http://a.example/target"] = answer{status: 200, body: "<title>Solar</title><p>Solar energy panel."}
			config := solarConfig(t, w)
			config.Polite.Parallel, config.Polite.PerHost = 1, 1
			var got, alias, own float32
			crawlWith(t, config, func(crawl *focus.Crawler) {
				crawl.OnLink(func(_ *focus.Visit, l *focus.Candidate) string {
					switch l.Link.URL {
					case "http://a.example/alias":
						alias = l.Score
					case "http://a.example/target":
						own = l.Score
					}
					return ""
				})
				crawl.OnDone(func(v *focus.Visit) {
					if v.Item.URL == "http://a.example/target" {
						got = v.Item.Score
					}
				})
			})
			if alias == own {
				t.Fatalf("both links promise %v: the test shows nothing", own)
			}
			if want := max(alias, own); got != want {
				t.Errorf("the target was visited with %v, want %v: the alias had %v, itself %v", got, want, alias, own)
			}
		})
	}
}
