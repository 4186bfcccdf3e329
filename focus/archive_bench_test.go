package focus_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// BenchmarkArchive is what it costs to keep pages for the second look: the processor time of keeping, for each page that is
// fetched, and how many bytes they take beside those of the WARC files. It is a crawl of a recorded web, with everything that
// can be reached. Pages that are kept are counted as if no sink wanted their records. One
// processor works, so that nothing else runs meanwhile. Run it with -benchtime 1x.
func BenchmarkArchive(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	crawl := func(mode string) (cpu, look, archive float64) {
		config := focus.DefaultSetting()
		config.Name, config.Store, config.Web = "archive", filepath.Join(b.TempDir(), "run"), "../testdata/webs/quickstart"
		config.Seeds = []string{"http://daily.test/", "http://gazette.test/"}
		config.Topic.Language = "en"
		for _, term := range []string{"sailing", "yacht", "regatta", "skipper", "keel", "mast"} {
			config.Topic.Terms = append(config.Topic.Terms, crawlfile.TermConfig{Term: term, Weight: 1})
		}
		config.Sinks = []crawlfile.SinkConfig{{To: "jsonl", Rotate: 1 << 30}, {To: "warc", Rotate: 1 << 30}}
		config.SecondLook, config.MinFree = mode, 0
		took := time.Duration(0)
		pages := float64(crawlWith(b, config, func(c *focus.Crawler) {
			if mode == "off" {
				return
			}
			looks, err := sink.OpenLooks(b.TempDir(), sink.LooksOptions{Mode: mode, Threshold: config.Topic.Threshold, Most: 1 << 40, Rotate: 1 << 30})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { looks.Close() })
			c.OnDone(func(v *focus.Visit) { took += c.RememberIn(looks, v, cpuTime) })
		}).Counts.Pages)
		cpu = float64(took.Nanoseconds()) / 1000 / pages
		look, archive = bytesOf(b, config.Store, "look*.jsonl")/pages, bytesOf(b, config.Store, "*.warc.gz")/pages
		b.ReportMetric(pages, "pages")
		return cpu, look, archive
	}
	for b.Loop() {
		_, _, archive := crawl("off")
		b.ReportMetric(archive, "warc-bytes/page")
		for _, mode := range []string{"likely", "all"} {
			cpu, look, now := crawl(mode)
			if now != archive {
				b.Errorf("second_look: %s makes WARC files of %v bytes a page, and they have %v without", mode, now, archive)
			}
			b.ReportMetric(cpu, "cpu-µs/page-"+mode)
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
