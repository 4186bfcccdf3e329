package focus_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/thresher-crawler/thresher/focus/run"
)

// TestPlainTextIsAPage: plain text is judged and kept as a page is, in whatever charset it comes; what only calls itself so is not, a
// sitemap is followed as before, and a crawl file can have it refused.
func TestPlainTextIsAPage(t *testing.T) {
	chinese, err := simplifiedchinese.GBK.NewEncoder().String("太阳能电池板\n\n　　太阳能是一种能源，屋顶上的电池板把阳光变成电，供一家人使用。\n　　solar energy，solar panel。\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, plain := range []bool{true, false} {
		w := solarWeb()
		start := w.pages["http://a.example/"]
		start.body += `<a href="/notes.txt">solar energy notes</a> <a href="/zh.txt">solar energy 太阳能</a> <a href="/odd.txt">solar panel</a> <a href="/list.txt">solar panels</a>`
		w.pages["http://a.example/"] = start
		for path, body := range map[string]string{
			"/notes.txt": "Solar notes\n\nSolar energy needs a solar panel. Every panel\nturns <energy> of the sun into energy.\nhttp://a.example/unseen\n",
			"/zh.txt":    chinese, "/odd.txt": "solar\x00\x01\x02 energy panel", "/list.txt": `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://a.example/listed-1</loc></url></urlset>`,
		} {
			w.pages["http://a.example"+path] = answer{status: http.StatusOK, header: "Content-Type: text/plain", body: body}
		}
		config := solarConfig(t, w)
		config.Reading.Plain = plain
		crawlWith(t, config)
		kept := map[string]string{}
		for _, r := range harvest(t, config) {
			if strings.HasSuffix(r.FinalURL, ".txt") {
				kept[strings.TrimPrefix(r.FinalURL, "http://a.example/")] = r.Type + " " + r.Title + "|" + r.Text
			}
		}
		refused := map[string]string{}
		if err := run.ReadLog(filepath.Join(config.Store, run.FileLog), func(d *run.Decision) bool {
			if d.Decision == "drop" {
				refused[strings.TrimPrefix(d.URL, "http://a.example/")] = string(d.Reason)
			}
			return true
		}); err != nil {
			t.Fatal(err)
		}
		if !plain {
			if len(kept) > 0 || !strings.HasPrefix(refused["notes.txt"], "type") {
				t.Errorf("plain: false: kept %q, refused %q", kept, refused)
			}
			continue
		}
		for name, want := range map[string]string{
			"notes.txt": "text/plain Solar notes|Solar notes\nSolar energy needs a solar panel. Every panel turns <energy> of the sun into energy. http://a.example/unseen",
			"zh.txt":    "text/plain 太阳能电池板|太阳能电池板\n太阳能是一种能源，屋顶上的电池板把阳光变成电，供一家人使用。\nsolar energy，solar panel。",
		} {
			if kept[name] != want {
				t.Errorf("%s: %q, want %q", name, kept[name], want)
			}
		}
		if len(kept) != 2 || !strings.HasPrefix(refused["odd.txt"], "type") || refused["list.txt"] != "list" {
			t.Errorf("kept %q, refused %q", kept, refused)
		}
		if w.count("http://a.example/unseen") != 0 || w.count("http://a.example/listed-1") != 1 {
			t.Error("an address in a text was asked for, or one in a list was not")
		}
	}
}
