package etiquette

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// TestWhatIsCounted: requests for pages, with their pauses, and nothing that was not asked for.
func TestWhatIsCounted(t *testing.T) {
	noon := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	g := &gathered{Host: &Host{Host: "a.example"}, notAsked: map[string]int{}, notKept: map[string]int{}}
	for _, d := range []struct {
		at       int // seconds after noon
		decision string
		reason   admit.Refused
		status   int
	}{
		{0, "push", "", 0}, {0, "refuse", "nofollow", 0}, {0, "refuse", "trap", 0},
		{1, "keep", "", 200}, {5, "drop", "not relevant", 200}, {2, "drop", "redirect", 301}, {9, "drop", "status: 404 Not Found", 404},
		{11, "again", "put off: status: 503 Service Unavailable", 503}, {40, "drop", "failed: timeout", 0},
		{12, "again", "put off: robots.txt: status 503", 0}, {13, "drop", "robots: line 2: Disallow: /x", 0}, {14, "drop", "robots: line 2: Disallow: /x", 0},
		{15, "drop", "robots: line 3: Disallow: /y", 0}, {16, "drop", "host down", 0}, {17, "drop", "host budget", 0},
		{50, "drop", "failed: no such host", 0}, {50, "drop", "failed: no answer from the DNS", 0}, {51, "drop", "veto: a callback aborted the request", 0}, {52, "drop", "failed: not a public address; fetch.private lets it be visited", 0},
		{42, "drop", "reserved: training", 200}, {44, "drop", "noindex", 200}, {46, "drop", "paid: USD 1", 402},
	} {
		g.take(&run.Decision{Time: noon.Add(time.Duration(d.at) * time.Second), Decision: d.decision, Reason: d.reason, Status: d.status, Bytes: int64(d.status)})
	}
	want := &Host{Host: "a.example", Pages: 9, Again: 1, First: noon.Add(time.Second), Last: noon.Add(46 * time.Second), Least: time.Second, Median: 2 * time.Second,
		Answers: Answers{4, 1, 2, 1, 1}, Bytes: 4*200 + 301 + 404 + 503 + 402, Kept: 1, NotFollowed: 1,
		NotAsked: []Count{{"line 2: Disallow: /x", 2}, {"line 3: Disallow: /y", 1}},
		NotKept:  []Count{{"noindex", 1}, {"paid: USD 1", 1}, {"reserved: training", 1}}}
	got := g.host()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("have\n%+v\nwant\n%+v", got, want)
	}
	p := &Page{Hosts: []*Host{got}}
	p.Config.Polite = crawlfile.PoliteConfig{Delay: strict.Pace(time.Second), Agent: "shark", Contact: "mailto:a@example.org", PerHost: 1, Robots: "obey"}
	got.Asked, got.Known, got.NotAsked[0].Says = 2*time.Hour, true, "line 2: Disallow: /`x`\n# evil\x1b[31m"
	page := p.Markdown()
	for _, want := range []string{"# What was asked of `a.example`\n", "| pages asked for | 9 |", "at least 1s, half of them 2s or more", "1s by the crawl, 7200s by robots.txt",
		"- 2 × `line 2: Disallow: /'x' # evil [31m`\n", "- 1 × `reserved: training`"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not in\n%s", want, page)
		}
	}
	if p.Pause(got) != time.Hour || !strings.Contains(p.Table(), "3600s") {
		t.Errorf("it was left alone for %v:\n%s", p.Pause(got), p.Table())
	}
}

// A pause of hours is told in figures that people read.
func TestPauses(t *testing.T) {
	for d, want := range map[time.Duration]string{1234567 * time.Microsecond: "1.235s", 61 * time.Second: "61s", 5*time.Hour + 1234*time.Second: "19234s", 40 * time.Hour: "144000s"} {
		if got := pause(d, true); got != want {
			t.Errorf("%v is told as %s, want %s", d, got, want)
		}
	}
}
