package focus_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
)

// BenchmarkArchive is what it costs to keep pages for the second look: the processor time of a page beyond that of a crawl without
// them, at the least of three crawls each, and how many bytes they take beside those of the WARC files. It is a crawl of a
// recorded web, with everything that can be reached. Run it with -benchtime 1x.
func BenchmarkArchive(b *testing.B) {
	crawl := func(mode string) (cpu, look, archive float64) {
		for range 3 {
			config := focus.DefaultSetting()
			config.Name, config.Store, config.Web = "archive", filepath.Join(b.TempDir(), "run"), "../testdata/webs/quickstart"
			config.Seeds = []string{"http://daily.test/", "http://gazette.test/"}
			config.Topic.Language = "en"
			for _, term := range []string{"sailing", "yacht", "regatta", "skipper", "keel", "mast"} {
				config.Topic.Terms = append(config.Topic.Terms, crawlfile.TermConfig{Term: term, Weight: 1})
			}
			config.Sinks = []crawlfile.SinkConfig{{To: "jsonl", Rotate: 1 << 30}, {To: "warc", Rotate: 1 << 30}}
			config.SecondLook, config.MinFree = mode, 0
			before := cpuTime()
			pages := float64(crawlWith(b, config).Counts.Pages)
			if took := float64((cpuTime() - before).Microseconds()) / pages; cpu == 0 || took < cpu {
				cpu = took
			}
			look, archive = bytesOf(b, config.Store, "look*.jsonl")/pages, bytesOf(b, config.Store, "*.warc.gz")/pages
		}
		return cpu, look, archive
	}
	for b.Loop() {
		without, _, archive := crawl("off")
		b.ReportMetric(archive, "warc-bytes/page")
		for _, mode := range []string{"likely", "all"} {
			with, look, now := crawl(mode)
			if now != archive {
				b.Errorf("second_look: %s makes WARC files of %v bytes a page, and they have %v without", mode, now, archive)
			}
			b.ReportMetric(with-without, "cpu-µs/page-"+mode)
			b.ReportMetric(look, "bytes/page-"+mode)
		}
	}
}

// bytesOf is how much room files of a folder take.
func bytesOf(b *testing.B, dir, pattern string) (all float64) {
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			all += float64(info.Size())
		}
	}
	return all
}
