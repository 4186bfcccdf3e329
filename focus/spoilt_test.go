package focus_test

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// Nothing that outlives a page stands in a buffer that others use after it: where all of them are overwritten as soon as they are given
// back, a crawl writes the same bytes.
func TestNobodyReadsWhatWasGivenBack(t *testing.T) {
	for _, strategy := range []string{"shark", "block-shark", "apprentice"} {
		crawl := func(spoil bool) map[string]string {
			pack.Spoiling.Store(spoil)
			defer pack.Spoiling.Store(false)
			config := replayConfig(t)
			config.Strategy.Name, config.Window, config.SecondLook = strategy, 8, "all"
			config.Sinks = []crawlfile.SinkConfig{{To: "jsonl", Rotate: 1 << 20}, {To: "csv", Rotate: 1 << 20}, {To: "warc", Rotate: 1 << 20}}
			crawlWith(t, config)
			return digests(t, config.Store)
		}
		want, have := crawl(false), crawl(true)
		if len(want) < 6 || want["pages-0000.warc.gz"] == "" || want["look.jsonl"] == "" {
			t.Fatalf("the run folder has only %v", want)
		}
		for name, sum := range want {
			if have[name] != sum {
				t.Errorf("%s: %s has bytes of what was given back", strategy, name)
			}
		}
	}
}
