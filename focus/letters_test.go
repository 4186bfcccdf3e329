package focus_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/study"
)

// TestHostsAreAskedInTheLettersOfTheirPages: what stands in the query of a link is asked for as the page has it, by a crawl and whoever
// reads its archive.
func TestHostsAreAskedInTheLettersOfTheirPages(t *testing.T) {
	const links = `<a href="/帆?%s=帆船">solar energy</a> <a href="/%[1]s?q=滙">solar panel</a>`
	said := func(letters encoding.Encoding, text string) []byte {
		page, err := letters.NewEncoder().String("<title>Solar energy</title><p>太阳 solar panel " + text)
		if err != nil {
			t.Fatal(err)
		}
		return []byte(page)
	}
	pages := map[string][]byte{
		"/":     said(encoding.Nop, fmt.Sprintf(links, "utf")+` <a href="/gbk">solar</a> <a href="/big5">solar</a>`),
		"/gbk":  said(simplifiedchinese.GBK, fmt.Sprintf(links, "g")+` <a href="/?q=&#128578;船">solar</a>`),
		"/big5": said(traditionalchinese.Big5, `<a href="/帆?b=帆船">solar energy</a>`),
	}
	var mu sync.Mutex
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.RequestURI)
		mu.Unlock()
		switch w.Header().Set("Content-Type", "text/html"); r.URL.Path {
		case "/gbk", "/big5":
			w.Header().Set("Content-Type", "text/html; charset="+r.URL.Path[1:])
		}
		w.Write(pages[r.RequestURI])
	}))
	defer s.Close()
	config := solarConfig(t, nil)
	config.Seeds, config.Fetch.Private = []string{s.URL + "/"}, []string{"127.0.0.1"}
	config.Sinks = []crawlfile.SinkConfig{{To: "jsonl", Rotate: 1 << 30}, {To: "warc", Rotate: 1 << 30}}
	crawlWith(t, config)
	want := map[string][]string{
		"/":     {"/%E5%B8%86?utf=%E5%B8%86%E8%88%B9", "/utf?q=%E6%BB%99", "/gbk", "/big5"},
		"/gbk":  {"/%E5%B8%86?g=%B7%AB%B4%AC", "/g?q=%9C%F3", "/?q=%26%23128578%3B%B4%AC"},
		"/big5": {"/%E5%B8%86?b=%A6|%B2%EE"},
	}
	web, err := replay.Open(config.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	archive := study.NewPages(web, nil)
	mu.Lock()
	defer mu.Unlock()
	for path, links := range want {
		p, err := archive.Page(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		var read []string
		for i := range p.Links {
			read = append(read, p.Links[i].URL[len(s.URL):])
		}
		if !slices.Equal(read, links) {
			t.Errorf("%s asks in the archive for %q, want %q", path, read, links)
		}
		for _, link := range links {
			if !slices.Contains(asked, link) {
				t.Errorf("%s was not asked for; asked for were %q", link, asked)
			}
		}
	}
}
