package focus_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
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

// A link to a page of its own host that says nofollow is the word of that site: reply, edit, history, a listing in another order. Of another
// host the mark vouches for nothing and forbids nothing, and where the page has a link to the same address without it, that is followed.
func TestALinkThatItsOwnSiteMarksIsNotFollowed(t *testing.T) {
	crawl := func(obey string) (asked []string, refused int) {
		w := solarWeb()
		w.pages["http://a.example/"] = answer{status: 200, body: `<p>solar panels</p><a rel=nofollow href="/reply">reply</a>
			<a rel="nofollow" href="/panel">a picture</a> <a href="/panel">solar panel</a> <a rel="nofollow ugc" href="http://b.example/off">solar energy</a>`}
		for _, at := range []string{"http://a.example/reply", "http://b.example/off"} {
			w.pages[at] = answer{status: 200, body: "<p>solar energy</p>"}
		}
		config := solarConfig(t, w)
		config.Polite.Robots = obey
		report := crawlWith(t, config)
		for _, at := range []string{"http://a.example/reply", "http://a.example/panel", "http://b.example/off"} {
			if w.count(at) > 0 {
				asked = append(asked, at)
			}
		}
		return asked, report.Counts.Refused[admit.RefusedNoFollow]
	}
	if asked, refused := crawl("obey"); !slices.Equal(asked, []string{"http://a.example/panel", "http://b.example/off"}) || refused != 1 {
		t.Errorf("asked for %q, %d refused", asked, refused)
	}
	if asked, refused := crawl("ignore"); len(asked) != 3 || refused != 0 {
		t.Errorf("against the file's word: asked for %q, %d refused", asked, refused)
	}
}

// What its author keeps out is no find, however much it speaks of the topic, and a copy is none: they count for no budget, and a strategy
// that learns does not go for more of them. Wikis and blogs have such pages beside each of theirs: to edit it, its history, an answer to
// a comment, all of it for printing.
func TestAStrategyDoesNotGoForWhatIsNoFind(t *testing.T) {
	const pages = 60
	for reason, head := range map[string]string{"noindex": `<meta name=robots content=noindex>`, "duplicate": ""} {
		w := solarWeb()
		var list strings.Builder
		for i := range pages {
			fmt.Fprintf(&list, `<p><a href="/notes/%d">solar panel %d</a></p><p><a href="/form/%d/all">solar panel, energy %d</a></p>`, i, i, i, i)
			body := w.pages["http://a.example/panel"].body
			for word := range 60 {
				body += fmt.Sprintf(" word%dof%d", word, i)
			}
			w.pages[fmt.Sprintf("http://a.example/notes/%d", i)] = answer{status: 200, body: body}
			if head == "" {
				body = w.pages["http://a.example/notes/0"].body
			}
			w.pages[fmt.Sprintf("http://a.example/form/%d/all", i)] = answer{status: 200, body: head + body}
		}
		w.pages["http://a.example/"] = answer{status: 200, body: list.String()}
		config := solarConfig(t, w)
		config.Budget.Pages, config.Polite.Parallel, config.Polite.PerHost = pages+1, 1, 1
		report, lost := crawlWith(t, config), 0
		for said, n := range report.Counts.Dropped {
			if strings.HasPrefix(string(said), reason) {
				lost += n
			}
		}
		if c := report.Counts; c.Relevant != c.Kept || lost == 0 || lost > 20 {
			t.Errorf("%s: %d relevant pages, %d kept; %d visits of what is no find", reason, c.Relevant, c.Kept, lost)
		}
	}
}

// Nor does one that takes links in groups and learns from the addresses of pages.
func TestGroupsDoNotGoForWhatIsNoFind(t *testing.T) {
	w := solarWeb()
	said := w.pages["http://a.example/panel"].body
	for i := range 200 {
		var links strings.Builder
		for _, next := range []int{2*i + 1, 2*i + 2} {
			fmt.Fprintf(&links, `<p><a href="/notes/%d">solar panel %[1]d</a><p><a href="/form/%[1]d/edit">solar panel %[1]d</a><p><a href="/form/%[1]d/all">solar panel %[1]d</a>`, next)
		}
		w.pages[fmt.Sprintf("http://a.example/notes/%d", i)] = answer{status: 200, body: said + links.String()}
		for _, form := range []string{"edit", "all"} {
			w.pages[fmt.Sprintf("http://a.example/form/%d/%s", i, form)] = answer{status: 200, body: "<meta name=robots content=noindex>" + said}
		}
	}
	w.pages["http://a.example/"] = answer{status: 200, body: `<a href="/notes/0">notes</a>`}
	config := solarConfig(t, w)
	config.Strategy.Name, config.Duplicates = "bandit", "keep"
	config.Budget.Pages, config.Polite.Parallel, config.Polite.PerHost = 120, 1, 1
	if c := crawlWith(t, config).Counts; c.Kept < 30 || c.Relevant != c.Kept {
		t.Errorf("%d pages kept, %d relevant; want more: %v", c.Kept, c.Relevant, c.Dropped)
	}
}

// What authors reserve stands in the record of every page, and keeps pages out unless the crawl file says otherwise; such a page is
// judged, and its links are followed.
func TestReservationsAreRecordedAndObeyed(t *testing.T) {
	w := solarWeb()
	w.pages["http://a.example/robots.txt"] = answer{status: 200, header: "Content-Type: text/plain",
		body: "User-agent: *\nContent-Signal: ai-input=yes, search=yes\nAllow: /\n"}
	w.pages["http://a.example/.well-known/tdmrep.json"] = answer{status: 200, header: "Content-Type: application/json",
		body: `[{"location": "/roof", "tdm-reservation": 1}]`}
	panel := w.pages["http://a.example/panel"]
	panel.body = `<link rel=license href="/terms"><meta name=robots content=noai>` + panel.body
	w.pages["http://a.example/panel"] = panel
	crawl := func(training, mining crawlfile.Obey) (focus.Report, map[string][]string) {
		config := solarConfig(t, w)
		config.Obey.Training, config.Obey.Mining = training, mining
		report, said := crawlWith(t, config), map[string][]string{}
		for _, r := range harvest(t, config) {
			said[strings.TrimPrefix(r.URL, "http://a.example")] = r.OptOuts
		}
		return report, said
	}
	report, all := crawl(crawlfile.Record, crawlfile.Record)
	site := []string{"ai-input=yes (robots.txt)", "search=yes (robots.txt)"}
	for path, said := range all {
		want := site
		switch path {
		case "/panel":
			want = slices.Concat([]string{"noai (page)"}, site, []string{"license=http://a.example/terms (page)"})
		case "/roof":
			want = slices.Concat(site, []string{"tdm-reservation=1 (tdmrep.json)"})
		}
		if !slices.Equal(said, want) {
			t.Errorf("%s: %q, want %q", path, said, want)
		}
	}
	if all["/panel"] == nil || all["/roof"] == nil || len(all) < 3 || report.Counts.Dropped["reserved: training"] != 0 {
		t.Errorf("%d kept: %v", len(all), all)
	}
	obeyed, some := crawl(crawlfile.KeepOut, crawlfile.KeepOut)
	if some["/panel"] != nil || some["/roof"] != nil || len(some) != len(all)-2 || obeyed.Counts.Dropped["reserved: training"] != 2 {
		t.Errorf("by default %v kept, %v", some, obeyed.Counts.Dropped)
	}
	if obeyed.Counts.Pages != report.Counts.Pages || obeyed.Counts.Relevant != report.Counts.Relevant-2 {
		t.Errorf("%d pages, %d relevant; want %d and %d: what is reserved is followed, and is no find", obeyed.Counts.Pages, obeyed.Counts.Relevant, report.Counts.Pages, report.Counts.Relevant-2)
	}
	if mined, _ := crawl(crawlfile.Record, crawlfile.KeepOut); mined.Counts.Dropped["reserved: mining"] != 2 {
		t.Errorf("where pages may be trained on: %v", mined.Counts.Dropped)
	}
}

// TestHostsThatWantToBePaid are refused by name, and given up like hosts that fail: nothing is paid, and the crawl ends.
func TestHostsThatWantToBePaid(t *testing.T) {
	for header, want := range map[string]admit.Refused{"Crawler-Price: USD 0.01": "paid: USD 0.01", "Www-Authenticate: License": "licence: License"} {
		w := solarWeb()
		status := 402
		if strings.HasPrefix(header, "Www") {
			status = 401
		}
		config := solarConfig(t, w)
		for i := range 20 {
			address := fmt.Sprintf("http://b.example/toll%d", i)
			w.pages[address] = answer{status: status, header: header, body: "<p>solar panels for sale</p>"}
			config.Seeds = append(config.Seeds, address)
		}
		config.Polite.PerHost, config.Polite.GiveUp, config.Polite.Park = 1, 3, 0
		report := crawlWith(t, config)
		asked := w.count("http://b.example/toll0")
		for i := 1; i < 20; i++ {
			asked += w.count(fmt.Sprintf("http://b.example/toll%d", i))
		}
		if report.Counts.Dropped[want] != asked || asked != 3 || !report.Finished {
			t.Errorf("%s: asked %d times, %v", header, asked, report.Counts.Dropped)
		}
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
		config.SecondLook, config.Duplicates = "all", "keep"
		if !obey {
			config.Obey.Training, config.Obey.Mining = crawlfile.Record, crawlfile.Record
		}
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

// ofHost tells of an address, or of its path, that it says something of the whole host: a crawl asks for it on its own account.
func ofHost(address string) bool {
	return strings.HasSuffix(address, "/robots.txt") || strings.HasSuffix(address, "/.well-known/tdmrep.json")
}
