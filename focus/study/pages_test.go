package study

import (
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// about is a topic whose words are cut in full.
func about(t *testing.T, term string) *topic.Topic {
	t.Helper()
	spec := topic.Defaults()
	spec.Examples = []*text.Doc{{Segments: []text.Segment{{Text: term}}}} // of a topic of terms alone only these are looked for
	about, err := topic.New(spec)
	noError(t, err)
	return about
}

// TestPagesAreReadAndCutOnce: the second crawl over them gets the same pages and words as the first, reads nothing,
// and is told what the words cost the first; words that are forgotten are cut again, pages stay.
func TestPagesAreReadAndCutOnce(t *testing.T) {
	web, err := replay.Open(filepath.Join("..", "..", "testdata", "webs", "small"))
	noError(t, err)
	defer web.Close()
	var read atomic.Int64
	s := NewPages(web, func(*page.Page) { read.Add(1) })
	ticks := time.Duration(0)
	s.Clock(func() time.Duration { ticks += time.Millisecond; return ticks })
	crawl := func(about *topic.Topic) (words []string, spared int) {
		for address := range web.Addresses() {
			p, err := s.Page(address)
			if err != nil {
				continue
			}
			d := Document(p)
			switch cost := s.Cut(about, address, d); cost {
			case time.Millisecond:
				spared++
			case 0:
			default:
				t.Errorf("%s: %v were spared, and cutting it cost %v", address, cost, time.Millisecond)
			}
			words = append(words, fmt.Sprint(about.Cutter().Tokens(d)))
		}
		return words, spared
	}
	first, spared := crawl(about(t, "tea"))
	pages := len(first)
	if pages < 50 || spared != 0 || int(read.Load()) != pages {
		t.Fatalf("%d pages, %d of them read, %d spared", pages, read.Load(), spared)
	}
	second, spared := crawl(about(t, "tea"))
	if spared != pages || int(read.Load()) != pages {
		t.Errorf("the second time %d of %d pages were spared, and %d read in all", spared, pages, read.Load())
	}
	if fmt.Sprint(second) != fmt.Sprint(first) {
		t.Error("the words that were kept are others than those that were cut")
	}
	s.ForgetWords()
	if again, spared := crawl(about(t, "tea")); spared != 0 || int(read.Load()) != pages || fmt.Sprint(again) != fmt.Sprint(first) {
		t.Errorf("words that were let go of: %d were spared, and %d pages read in all", spared, read.Load())
	}
}
