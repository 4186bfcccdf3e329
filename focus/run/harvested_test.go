package run

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// TestWhatStandsInAHarvest: a page is known by its number or by its address, as the crawl file has chosen; where a harvest ought to be
// and is not, no page is kept; and of records that say neither it is known how many are missing.
func TestWhatStandsInAHarvest(t *testing.T) {
	visits := []*Decision{{ID: 1, URL: "http://a.example/"}, {ID: 2, URL: "http://b.example/"}, {ID: 3, URL: "http://c.example/"}}
	for _, c := range []struct {
		harvest string // none: there is no file
		sink    string
		lost    int
		missing int
	}{
		{`{"id":1}` + "\n" + `{"id":3}` + "\n", "jsonl", 1, 0},
		{`{"url":"http://b.example/","title":"b"}` + "\n", "jsonl", 2, 0},
		{`{"final_url":"http://b.example/"}` + "\n", "csv", 2, 0},
		{`{"title":"b"}` + "\n", "jsonl", 0, 2},
		{"\n", "jsonl", 3, 0},
		{"", "jsonl", 3, 0},
		{"", "opensearch", 3, 0}, // which is sent from a harvest
		{"", "csv", 0, 0},
	} {
		dir, config := t.TempDir(), &crawlfile.Config{}
		config.Sinks = []crawlfile.SinkConfig{{To: sink.Form(c.sink)}}
		if c.harvest != "" {
			noError(t, os.WriteFile(filepath.Join(dir, "harvest.jsonl"), []byte(c.harvest), 0o600))
		}
		var h harvested
		noError(t, h.read(dir, config))
		lost := 0
		for _, d := range visits {
			if h.take(d) == nil && h.lacks() {
				lost++
			}
		}
		if lost != c.lost || h.missing() != c.missing {
			t.Errorf("%q in %s: %d pages are lost, and %d that nobody can name; want %d and %d", c.harvest, c.sink, lost, h.missing(), c.lost, c.missing)
		}
	}
}
