package focus_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// What a page asks in its X-Robots-Tag header counts like its meta elements, and what it says to another crawler does not.
func TestHeadersAskWhatMetaElementsAsk(t *testing.T) {
	tags := map[string]string{"/panel": "noindex", "/solar": "otherbot: noindex, nofollow", "/roof": "thresher: nofollow"}
	crawl := func(obey string) (kept []string, refused int) {
		w := solarWeb()
		w.pages["http://a.example/roof"] = answer{status: 200, body: w.pages["http://a.example/roof"].body + `<a href="/hidden">solar energy</a>`}
		config := solarConfig(t, transport(func(r *http.Request) (*http.Response, error) {
			resp, err := w.RoundTrip(r)
			if tag := tags[r.URL.Path]; err == nil && tag != "" {
				resp.Header.Set("X-Robots-Tag", tag)
			}
			return resp, err
		}))
		config.Polite.Robots = obey
		report := crawlWith(t, config)
		for _, r := range harvest(t, config) {
			kept = append(kept, strings.TrimPrefix(r.URL, "http://a.example"))
		}
		if asked := w.count("http://a.example/hidden") > 0; asked != (obey == "ignore") {
			t.Errorf("%s: the link that may not be followed was followed: %v", obey, asked)
		}
		return kept, report.Counts.Dropped["noindex"]
	}
	kept, refused := crawl("obey")
	if slices.Contains(kept, "/panel") || !slices.Contains(kept, "/roof") || !slices.Contains(kept, "/solar") || refused != 1 {
		t.Errorf("kept %v, %d refused as noindex", kept, refused)
	}
	if kept, refused = crawl("ignore"); !slices.Contains(kept, "/panel") || refused != 0 {
		t.Errorf("against the file's word: kept %v, %d refused as noindex", kept, refused)
	}
}

// What authors reserve stands in the record of every page, and keeps pages out where the crawl file says so.
func TestReservationsAreRecordedAndObeyed(t *testing.T) {
	w := solarWeb()
	w.pages["http://a.example/robots.txt"] = answer{status: 200, header: "Content-Type: text/plain",
		body: "User-agent: *\nContent-Signal: ai-input=no, search=yes\nAllow: /\n"}
	panel := w.pages["http://a.example/panel"]
	panel.body = `<link rel=license href="/terms"><meta name=tdm-reservation content=1>` + panel.body
	w.pages["http://a.example/panel"] = panel
	config := solarConfig(t, w)
	crawlWith(t, config)
	for _, r := range harvest(t, config) {
		want := []string{"ai-input=no", "search=yes"}
		if strings.HasSuffix(r.URL, "/panel") {
			want = []string{"tdm-reservation", "ai-input=no", "search=yes", "license=http://a.example/terms"}
		}
		if !slices.Equal(r.OptOuts, want) {
			t.Errorf("%s: %q, want %q", r.URL, r.OptOuts, want)
		}
	}
	config = solarConfig(t, w)
	config.Obey.NoAI = true
	report := crawlWith(t, config)
	if n := report.Counts.Dropped["reserved: training"]; n != 1 || report.Counts.Kept == 0 {
		t.Errorf("%d reserved, %d kept; want the reserved page alone left out", n, report.Counts.Kept)
	}
	config = solarConfig(t, w)
	config.Obey.TDM = true
	if report = crawlWith(t, config); report.Counts.Kept != 0 || report.Counts.Dropped["reserved: mining"] == 0 {
		t.Errorf("%d kept on a host that allows no mining", report.Counts.Kept)
	}
}

// What an author keeps out of the harvest is in no archive for a second look either, whether the first look found it relevant or
// not; neither are pages that no opt-out lets near a crawl.
func TestWhatIsReservedIsNotLookedAtAgain(t *testing.T) {
	const foreign = `<title>cats</title><p>Nothing but cats and dogs are here, all day long.</p>`
	looked := func(obey bool) map[string]bool {
		w := solarWeb()
		for path, head := range map[string]string{"/noindex": `<meta name=robots content=noindex>`, "/tdm": `<meta name=tdm-reservation content=1>`,
			"/noai": `<meta name=robots content=noai>`, "/free": ""} {
			w.pages["http://a.example"+path+"-solar"] = answer{status: 200, body: head + w.pages["http://a.example/panel"].body}
			w.pages["http://a.example"+path+"-cats"] = answer{status: 200, body: head + foreign}
			start := w.pages["http://a.example/panel"]
			start.body += `<a href="` + path + `-solar">solar energy</a> <a href="` + path + `-cats">solar panels</a>`
			w.pages["http://a.example/panel"] = start
		}
		w.pages["http://a.example/robots.txt"] = answer{status: 200, header: "Content-Type: text/plain", body: "User-agent: *\nDisallow: /free-solar\n"}
		config := solarConfig(t, w)
		config.Obey.NoAI, config.Obey.TDM, config.SecondLook, config.Duplicates = obey, obey, "all", "keep"
		crawlWith(t, config)
		seen := map[string]bool{}
		for s, err := range sink.ReadLooks(config.Store) {
			if err != nil {
				t.Fatal(err)
			}
			seen[strings.TrimPrefix(s.Record.FinalURL, "http://a.example")] = true
		}
		return seen
	}
	for _, obey := range []bool{true, false} {
		seen := looked(obey)
		for path, want := range map[string]bool{"/noindex-solar": false, "/noindex-cats": false, "/tdm-solar": !obey, "/tdm-cats": !obey, "/noai-solar": !obey, "/noai-cats": !obey,
			"/free-solar": false, "/free-cats": true, "/panel": true} {
			if seen[path] != want {
				t.Errorf("obey %v: %s is in the archive: %v, want %v", obey, path, seen[path], want)
			}
		}
	}
}
