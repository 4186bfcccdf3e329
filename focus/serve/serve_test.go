package serve

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/index"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// hostile is a page that tries what pages try.
const hostile = `<html><head><title>Hostile & <b>tea</b></title><script>document.title='ran'</script><base href="javascript:"><meta http-equiv=refresh content="0;url=http://evil.test/">
<link rel=stylesheet href=http://evil.test/x.css></head><body onload="document.title='ran'"><p onclick="x()" style="background:url(http://evil.test/)">Green tea, said the hostile page.</p>
<img src=http://evil.test/p.png alt="a picture" onerror="document.title='ran'"><a href="javascript:document.title='ran'">bad link</a> <a href="/good">good link</a>
<iframe src=http://evil.test/></iframe><svg onload="document.title='ran'"><script>document.title='ran'</script></svg><form action=http://evil.test/><input name=a><button>send</button></form>
<style>@import "http://evil.test/y.css"</style><object data=http://evil.test/></object><math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></table></mtext></math><noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript></body></html>`

// served is a harvest of some pages, served.
func served(t *testing.T, listen string) *Server {
	t.Helper()
	c := indexed(t, copied(t, "tea", func(dir string) { keepTea(t, dir) }))
	s, err := New(Options{Collections: func() []*index.Collection { return []*index.Collection{c} }, Weights: index.DefaultWeights(), Listen: listen})
	noError(t, err)
	return s
}

// keepTea keeps some pages in a folder, and indexes them.
func keepTea(t *testing.T, dir string) {
	t.Helper()
	var sinks []sink.Sink
	for _, to := range []string{"jsonl", "warc"} {
		s, err := sink.Open(dir, sink.Options{To: to})
		noError(t, err)
		defer s.Close()
		sinks = append(sinks, s)
	}
	keep := func(id int, address, title, text, language, date, body string) {
		r := &sink.Record{ID: uint64(id), URL: address, FinalURL: address, Status: 200, Time: time.Unix(1700000000+int64(id), 0).UTC(), Language: language,
			Title: title, Text: text, Imprint: sink.Imprint{Date: date}, Relevance: 0.7,
			Exchange: sink.Exchange{Body: []byte(body), Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}},
			Digest:   fmt.Sprint(id),
			Way: sink.Way{Trail: []sink.Step{{URL: "http://start.test/", Anchor: "<i>leaves</i>", Relevance: 0.5}},
				Why: []sink.Number{{Name: "mix", Value: 0.5}, {Name: "anchor", Depth: 1, Value: 0.25}}}, Terms: []sink.Term{{Term: "tea", Weight: 1}},
			Data: map[string]json.RawMessage{"price": json.RawMessage(fmt.Sprint(id)), "maker": json.RawMessage(`"<script>document.title='ran'</script>"`)}}
		for _, s := range sinks {
			noError(t, s.Write(r))
			noError(t, s.Sync())
		}
	}
	keep(1, "http://hostile.test/", `Hostile "tea" <script>document.title='ran'</script>`, "Green tea, said the hostile page. <img src=x onerror=alert(1)>", "en", "2024-01-02", hostile)
	keep(2, "http://tea.test/zh", "西湖龙井茶的采摘", "西湖龙井茶在清明前后采摘，茶叶以嫩为贵。张益唐也喝茶。", "zh", "2023-04-05", "<title>茶</title><p>西湖龙井茶在清明前后采摘。")
	for i := range 25 {
		site := i
		if i >= 20 {
			site = 0 // of which there are six pages
		}
		keep(10+i, fmt.Sprintf("http://site%d.test/%d", site, i), fmt.Sprintf("Oolong number %d", i), fmt.Sprintf("Oolong of the garden with number %d is dried on the %dth day, green or dark.", i, i*3), "en", "", "<p>oolong")
	}
	for i := range 12 {
		keep(50+i, fmt.Sprintf("http://yuan%d.test/", i), fmt.Sprintf("第%d座茶园的乌龙茶", i+1), fmt.Sprintf("第%d座茶园的乌龙茶在海拔%d米的山坡上采摘，半发酵，香气清远，冲泡七次仍有余味。", i+1, 500+30*i), "zh",
			fmt.Sprintf("2024-%02d-15", i+1), "<title>乌龙茶</title><p>乌龙茶在山坡上采摘。")
	}
	indexed(t, dir).Close()
}

func got(s *Server, target string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	r.Host = "127.0.0.1:7700"
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return asFollowed(w, r)
}

// asFollowed is an answer that says where it leads as a browser takes it.
func asFollowed(w *httptest.ResponseRecorder, r *http.Request) *httptest.ResponseRecorder {
	if to, err := r.URL.Parse(w.Header().Get("Location")); err == nil && w.Header().Get("Location") != "" {
		w.Header().Set("Location", to.String())
	}
	return w
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

func TestPages(t *testing.T) {
	s := served(t, "127.0.0.1:7700")
	for target, wants := range map[string][]string{
		"/":                                    {"39 pages", "Search"},
		"/?q=green+tea":                        {"<mark>Green</mark> <mark>tea</mark>", "Hostile &#34;tea&#34; &lt;script&gt;", `<h2 dir="auto" lang="en">`, `<p class="snippet" dir="auto" lang="en">`, `href="page?c=tea&amp;id=1"`, "Latest"},
		"/?q=oolong":                           {"25 found", `rel="next"`, "site1.test"},
		"/?q=oolong&from=20":                   {`rel="prev"`},
		"/?q=oolong&site=site3.test":           {"1 found", `aria-current="true"`, `href="feed?q=oolong&amp;site=site3.test"`},
		"/?q=oolong+site:test&site=site3.test": {"1 found", `aria-current="true"`},
		"/?q=%22open":                          {"quotation mark is open"},
		"/?q=qqqq":                             {"Nothing was found"},
		"/?q=oologn&site=site3.test":           {`Did you mean <a href="?q=oolong&amp;site=site3.test"><bdi>oolong</bdi></a>?`},
		"/?q=after:10/10/2019":                 {"was left out: it wants a date", "Nothing was found"},
		"/page?c=tea&id=1":                     {"Why is this here?", "http://start.test/", "“<bdi>&lt;i&gt;leaves", `<h1 dir="auto" lang="en">`, "anchor", `sandbox="allow-popups`},
		"/like?c=tea&id=10":                    {"Pages like", "Oolong"},
		"/api/v1/":                             {"/api/v1/search"},
		"/assets/style.css":                    {"prefers-color-scheme"},
	} {
		w := got(s, target)
		for _, want := range wants {
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: %d, want %s in\n%s", target, w.Code, want, w.Body)
			}
		}
	}
	if w := got(s, "/?q=西湖", header("Accept-Language", "zh-CN,zh;q=0.9,en;q=0.8")); !strings.Contains(w.Body.String(), "条结果") || !strings.Contains(w.Body.String(), "<mark>西湖</mark>") {
		t.Errorf("not in Chinese: %s", w.Body)
	}
	for target, want := range map[string]string{"/?q=%22西湖": "引号没有闭合", "/?q=西湖+qqqq+after:x": "没有网页含有“qqqq”", "/?q=西湖+after:x": "已忽略 after:x"} {
		if w := got(s, target, header("Accept-Language", "zh")); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: want %s in\n%s", target, want, w.Body)
		}
	}
	for target, status := range map[string]int{"/page?c=tea&id=999": 404, "/page?c=no&id=1": 404, "/copy?c=tea&id=x": 404, "/like?c=tea&id=999": 404, "/../../etc/passwd": 404, "/nothing": 404} {
		if w := got(s, target); w.Code != status && w.Code != http.StatusMovedPermanently && w.Code != http.StatusTemporaryRedirect {
			t.Errorf("%s: %d, want %d", target, w.Code, status)
		}
	}
}

// TestHitsSayWhichRunTheyAreOf: where several runs are searched each result names its own, which a click searches alone.
func TestHitsSayWhichRunTheyAreOf(t *testing.T) {
	green := indexed(t, copied(t, "tea", func(dir string) { keepTea(t, dir) }))
	dir := filepath.Join(t.TempDir(), "black")
	keepTea(t, dir)
	all := []*index.Collection{green, indexed(t, dir)}
	s, err := New(Options{Collections: func() []*index.Collection { return all }, Weights: index.DefaultWeights(), Listen: "127.0.0.1:7700"})
	noError(t, err)
	for target, want := range map[string]bool{"/?q=oolong&site=site1.test": true, "/?q=oolong&site=site1.test&c=tea": false} {
		page := got(s, target).Body.String()
		if strings.Contains(page, `<a href="?c=tea&amp;q=oolong&amp;site=site1.test">tea</a>`) != want || strings.Contains(page, "http://site1.test/1</a> (black)") != want {
			t.Errorf("%s: want %v: %s", target, want, page)
		}
	}
	if page := got(s, "/like?c=tea&id=10").Body.String(); !strings.Contains(page, "<span>tea</span>") {
		t.Error("pages like one do not say it:", page)
	}
}

func TestPrograms(t *testing.T) {
	s := served(t, "127.0.0.1:7700")
	var reply index.Reply
	w := got(s, "/api/v1/search?q=oolong&limit=3&why=1")
	if err := json.Unmarshal(w.Body.Bytes(), &reply); err != nil || reply.Total != 25 || len(reply.Results) != 3 || len(reply.Results[0].Why) == 0 {
		t.Errorf("%v: %s", err, w.Body)
	}
	for wrong, says := range map[string]string{"limit=101": `limit is "101", want 1 to 100`, "limit=0": `limit is "0"`, "limit=abc": `limit is "abc"`, "from=-1": `from is "-1", want 0 to 10000`,
		"sort=nope": `sort is "nope", want best or date`, "why=2": `why is "2", want 0 to 1`, "per_site=-1": `per_site is "-1", want 0 to 1000`, "limt=3": `there is no parameter "limt" here, want q, site, lang,`, "limit=3;from=1": "cannot be read"} {
		if w := got(s, "/api/v1/search?q=oolong&"+wrong); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%s: %d %s", wrong, w.Code, w.Body)
		}
	}
	for wrong, says := range map[string]string{"page?c=tea&id=abc": `id is "abc", want the number of a page`, "page?c=tea": `id is ""`, "complete?s=oo": `no parameter "s" here, want q`, "runs?all=1": "want none"} {
		if w := got(s, "/api/v1/"+wrong); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%s: %d %s", wrong, w.Code, w.Body)
		}
	}
	if w := got(s, "/api/v1/page?id=2"); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), `there is no collection ""`) {
		t.Errorf("%d %s, want the collection that is not there", w.Code, w.Body)
	}
	for _, right := range []string{"search?q=oolong&sort=date&why=0&site=&lang=zh&year=2024&kind=html&c=tea&from=0", "search?q=oolong&sort=best", "page?c=tea&id=2&token=x"} {
		if w := got(s, "/api/v1/"+right); w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", right, w.Code, w.Body)
		}
	}
	for shown, asked := range map[int]string{25: "oolong&per_site=0", 1: "oolong+site:test&site=site3.test&year=&kind="} {
		reply = index.Reply{}
		if err := json.Unmarshal(got(s, "/api/v1/search?limit=100&q="+asked).Body.Bytes(), &reply); err != nil || reply.Total != shown || len(reply.Results) != shown {
			t.Errorf("%s: %v: %d of %d, want %d", asked, err, len(reply.Results), reply.Total, shown)
		}
	}
	for perSite, shown := range map[int]int{1: 20, 2: 21} {
		reply = index.Reply{}
		if err := json.Unmarshal(got(s, fmt.Sprintf("/api/v1/search?limit=100&q=oolong&per_site=%d", perSite)).Body.Bytes(), &reply); err != nil || len(reply.Results) != shown {
			t.Errorf("%d of a site: %v: %d are shown, want %d", perSite, err, len(reply.Results), shown)
		}
	}
	w = got(s, "/api/v1/search?q=price:>30+oolong")
	if err := json.Unmarshal(w.Body.Bytes(), &reply); err != nil || reply.Total != 4 || string(reply.Results[0].Data["price"]) <= "30" {
		t.Errorf("%v: %s, want the four pages with a price above 30", err, w.Body)
	}
	if w = got(s, "/page?c=tea&id=1"); !strings.Contains(w.Body.String(), `<dt>price</dt><dd dir="auto">1</dd>`) || !strings.Contains(w.Body.String(), `<dd dir="auto">&lt;script&gt;document`) || strings.Contains(w.Body.String(), "<script>document") {
		t.Errorf("%s, want the values of the page, and no script of its own", w.Body)
	}
	var complete map[string][]string
	w = got(s, "/api/v1/complete?q=ool")
	if err := json.Unmarshal(w.Body.Bytes(), &complete); err != nil || len(complete["completions"]) != 1 || complete["completions"][0] != "oolong" {
		t.Errorf("%v: %s", err, w.Body)
	}
	var record sink.Record
	w = got(s, "/api/v1/page?c=tea&id=2")
	if err := json.Unmarshal(w.Body.Bytes(), &record); err != nil || record.Title != "西湖龙井茶的采摘" {
		t.Errorf("%v: %s", err, w.Body)
	}
	if w = got(s, "/feed?q=after:10/10/2019"); strings.Contains(w.Body.String(), "<entry>") {
		t.Errorf("where all of a query was left out a feed has %s", w.Body)
	}
	for target, first := range map[string]string{"/feed": "第12座茶园的乌龙茶", "/feed?q=oolong": "Oolong number 24", "/feed?q=西湖": "西湖龙井茶的采摘"} {
		var f feed
		w = got(s, target)
		if err := xml.Unmarshal(w.Body.Bytes(), &f); err != nil || len(f.Entries) == 0 || f.Entries[0].Title != first {
			t.Errorf("%s: %v: %s", target, err, w.Body)
		}
		for _, e := range f.Entries { // and not by its number, which another page gets where the run is crawled anew
			if !strings.HasSuffix(e.ID, ":"+url.QueryEscape(e.Link.Href)) {
				t.Errorf("%s is known as %s", e.Link.Href, e.ID)
			}
		}
	}
}

// TestOnlyWhoMayIsAnswered holds who gets an answer.
func TestOnlyWhoMayIsAnswered(t *testing.T) {
	s := served(t, "127.0.0.1:7700")
	name := func(host string) func(*http.Request) { return func(r *http.Request) { r.Host = host } }
	for what, c := range map[string]struct {
		change []func(*http.Request)
		status int
	}{
		"plain":                  {nil, 200},
		"localhost":              {[]func(*http.Request){name("localhost:7700")}, 200},
		"IPv6":                   {[]func(*http.Request){name("[::1]:7700")}, 200},
		"a name pointed here":    {[]func(*http.Request){name("evil.test:7700")}, 421},
		"localhost.evil.test":    {[]func(*http.Request){name("localhost.evil.test")}, 421},
		"another origin":         {[]func(*http.Request){header("Origin", "http://evil.test")}, 403},
		"no origin":              {[]func(*http.Request){header("Origin", "null")}, 403},
		"behind a proxy":         {[]func(*http.Request){header("Origin", "https://search.test"), header("Sec-Fetch-Site", "same-origin")}, 200},
		"a form of another site": {[]func(*http.Request){header("Origin", "https://search.test"), header("Sec-Fetch-Site", "cross-site")}, 403},
		"behind a plain proxy":   {[]func(*http.Request){header("Origin", "http://search.test:8080"), header("X-Forwarded-Host", "search.test:8080")}, 200},
		"past a plain proxy":     {[]func(*http.Request){header("Origin", "http://evil.test"), header("X-Forwarded-Host", "search.test:8080")}, 403},
		"proxied without a name": {[]func(*http.Request){header("Origin", "null"), header("X-Forwarded-Host", "")}, 403},
		"a proxy's name for one": {[]func(*http.Request){name("evil.test"), header("X-Forwarded-Host", "127.0.0.1:7700")}, 421},
		"own origin":             {[]func(*http.Request){header("Origin", "http://127.0.0.1:7700")}, 200},
		"loaded by another site": {[]func(*http.Request){header("Sec-Fetch-Site", "cross-site"), header("Sec-Fetch-Mode", "no-cors"), header("Sec-Fetch-Dest", "script")}, 403},
		"framed by another site": {[]func(*http.Request){header("Sec-Fetch-Site", "cross-site"), header("Sec-Fetch-Mode", "navigate"), header("Sec-Fetch-Dest", "iframe")}, 403},
		"a link on another site": {[]func(*http.Request){header("Sec-Fetch-Site", "cross-site"), header("Sec-Fetch-Mode", "navigate"), header("Sec-Fetch-Dest", "document")}, 200},
		"POST":                   {[]func(*http.Request){func(r *http.Request) { r.Method = http.MethodPost }}, 405},
	} {
		if w := got(s, "/?q=tea", c.change...); w.Code != c.status {
			t.Errorf("%s: %d, want %d", what, w.Code, c.status)
		}
	}
	open := served(t, "0.0.0.0:7700")
	if len(open.Token) < 20 {
		t.Fatalf("the token is %q", open.Token)
	}
	here := name("192.0.2.7:7700")
	if w := got(open, "/?q=tea", here); w.Code != 401 {
		t.Errorf("without a token: %d", w.Code)
	}
	if w := got(open, "/?q=tea&token=wrong", here); w.Code != 401 {
		t.Errorf("with a wrong token: %d", w.Code)
	}
	w := got(open, "/?q=tea&token="+open.Token, here)
	if w.Code != 303 || strings.Contains(w.Header().Get("Location"), open.Token) || len(w.Result().Cookies()) != 1 {
		t.Fatalf("with the token: %d %v", w.Code, w.Header())
	}
	for _, path := range []string{"//evil.test/", `/\evil.test/`} {
		if to := got(open, path+"?token="+open.Token, here).Header().Get("Location"); to != "/evil.test/" {
			t.Errorf("%s leads to %q", path, to)
		}
	}
	if w := got(open, "/?q=tea&token="+open.Token, here, func(r *http.Request) { r.Method = http.MethodPost }); w.Code != 405 {
		t.Errorf("what is posted with the token: %d, want the answer of whom it was sent to", w.Code)
	}
	cookie := w.Result().Cookies()[0]
	if w := got(open, "/?q=tea", here, func(r *http.Request) { r.AddCookie(cookie) }); w.Code != 200 || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Secure {
		t.Errorf("with the cookie: %d %v", w.Code, cookie)
	}
	if w := got(open, "/api/v1/search?q=tea", here, header("Authorization", "Bearer "+open.Token)); w.Code != 200 {
		t.Errorf("with the header: %d", w.Code)
	}
	if w := got(open, "/", name("evil.test")); w.Code != 401 {
		t.Errorf("a name pointed here, without a token: %d", w.Code)
	}
	proxied := got(open, "/?token="+open.Token, name("search.test"), header("X-Forwarded-Proto", "https")).Result().Cookies()
	if len(proxied) != 1 || !proxied[0].Secure {
		t.Errorf("behind a proxy with TLS the cookie is %v", proxied)
	} else if w := got(open, "/?q=tea", name("search.test"), func(r *http.Request) { r.AddCookie(proxied[0]) }); w.Code != 200 {
		t.Errorf("by the name of a proxy: %d", w.Code)
	}
	if other := served(t, "0.0.0.0:7701"); other.cookieName() == cookie.Name {
		t.Errorf("servers at two ports have one cookie, %s", cookie.Name)
	}
	for _, path := range []string{"/feed?q=tea&token=", "/api/v1/search?q=tea&token="} {
		if w := got(open, path+open.Token, here); w.Code != 200 || strings.Contains(w.Body.String(), open.Token) {
			t.Errorf("%s: %d %s, want an answer at once, without the token in it", path, w.Code, w.Body)
		}
	}
}

// TestCopiesDoNothing holds that nothing in a kept copy runs or loads anything, whatever the browser would make of it.
func TestCopiesDoNothing(t *testing.T) {
	s := served(t, "127.0.0.1:7700")
	w := got(s, "/copy?c=tea&id=1")
	body := strings.ToLower(w.Body.String())
	for _, bad := range []string{"<script", "onload", "onerror", "onclick", "javascript:", "<img", "<iframe", "<svg", "<form", "<style", "style=", "<object", "<meta http", "<base", "evil.test"} {
		if strings.Contains(body, bad) {
			t.Errorf("%s in %s", bad, body)
		}
	}
	for _, good := range []string{"green tea, said the hostile page.", "[a picture]", `href="http://hostile.test/good"`, "noopener", `<html lang="en">`, "<body dir=auto>"} {
		if !strings.Contains(body, good) {
			t.Errorf("%s is not in %s", good, body)
		}
	}
	if copied := string(harmless([]byte(`<base target=x><base href="/x/"><a href=p.html>p</a>`), "http://a.test/d/e/")); !strings.Contains(copied, `href="http://a.test/x/p.html"`) {
		t.Errorf("%s does not lead where the page does", copied)
	}
	if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "sandbox") || strings.Contains(policy, "allow-scripts") {
		t.Errorf("policy %s", policy)
	}
}

// TestNothingForeignIsLoaded holds that every answer forbids the browser to run or load anything but our own files, and that
// these are all a page names.
func TestNothingForeignIsLoaded(t *testing.T) {
	s := served(t, "127.0.0.1:7700")
	for _, target := range []string{"/", "/?q=tea", "/page?c=tea&id=1", "/like?c=tea&id=10", "/feed", "/api/v1/search?q=tea", "/nothing", "/assets/style.css"} {
		w := got(s, target)
		policy := w.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: policy %q", target, policy)
		}
		for _, loaded := range []string{`src="`, `<link rel="stylesheet" href="`} {
			for _, after := range strings.Split(w.Body.String(), loaded)[1:] {
				if !strings.HasPrefix(after, "assets/") && !strings.HasPrefix(after, "copy?") {
					t.Errorf("%s loads %.40q", target, after)
				}
			}
		}
	}
}

// FuzzHarmless holds that whatever a page is, nothing of its copy is an element or attribute that does something.
func FuzzHarmless(f *testing.F) {
	f.Add([]byte(hostile))
	f.Add([]byte("<a href='java\tscript:x'>y<math><annotation-xml encoding=text/html><script>"))
	f.Fuzz(func(t *testing.T, page []byte) {
		out := strings.ToLower(string(harmless(page, "http://a.test/")))
		for _, bad := range []string{"<script", "<img", "<iframe", "<svg", "<form", "<style", "<link", "<object", "<meta", "<base"} {
			if strings.Contains(out, bad) {
				t.Errorf("%s in %q of %q", bad, out, page)
			}
		}
	})
}
