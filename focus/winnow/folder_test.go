package winnow

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// Where the first look stands, what a label or a cut takes in has a number of the second look all the same: the first one's is not
// why it is kept.
func TestWhatIsTakenInHasANumber(t *testing.T) {
	dir, address := t.TempDir(), func(id uint64) string { return fmt.Sprintf("http://www.example.org/%d", id) }
	looks, err := sink.OpenLooks(dir, sink.LooksOptions{Mode: "all", Threshold: .3, Most: 1 << 30, Rotate: 1 << 30})
	noError(t, err)
	for i, relevance := range []float64{.5, .1, .25, .2} {
		id := uint64(i + 1)
		noError(t, looks.Take(&sink.Seen{Kept: relevance >= .3, Record: &sink.Record{ID: id, URL: address(id), FinalURL: address(id), Digest: address(id), Relevance: relevance}}))
	}
	noError(t, looks.Close())
	s, err := linked([]string{dir}, &Options{})
	noError(t, err)
	trained := Options{own: true}
	if s.settle(&trained); trained.Threshold != .5 { // the least of what was kept
		t.Errorf("the threshold of a judge that is not there any more: %v", trained.Threshold)
	}
	o := Options{Threshold: .3, Labels: map[string]bool{address(2): true}}
	for _, c := range []struct {
		cut  Cut
		want string
	}{{Cut{}, "map[1:0 2:0.3]"}, {Cut{Threshold: .22}, "map[1:0 2:0.22 3:0.25]"}} {
		r := Report{}
		if r.Result, err = s.look(&o); err == nil {
			err = r.cut(s, c.cut, &o)
		}
		if err == nil {
			_, err = r.write(dir, s, nil)
		}
		have := map[uint64]float64{}
		for record, err := range sink.Kept(dir) {
			noError(t, err)
			have[record.ID] = record.Second
		}
		if err != nil || r.Refused == "" || fmt.Sprint(have) != c.want {
			t.Errorf("%+v: %v, refused %q, %v; want %s", c.cut, have, r.Refused, err, c.want)
		}
	}
}

// Of the links of pages those are held that lead to another page of the run, to one that stands in the harvest alone as well.
func TestLinksThatLeadNowhereAreNotHeld(t *testing.T) {
	dir, address := t.TempDir(), func(id uint64) string { return fmt.Sprintf("http://www.example.org/%d", id) }
	looks, err := sink.OpenLooks(dir, sink.LooksOptions{Mode: "all", Threshold: .3, Most: 1 << 30, Rotate: 1 << 30})
	noError(t, err)
	harvest := ""
	for id := uint64(1); id <= 3; id++ {
		record := &sink.Record{ID: id, URL: address(id), FinalURL: address(id), Relevance: .5}
		harvest += fmt.Sprintf("{\"id\":%d,\"url\":%q,\"final_url\":%q,\"relevance\":0.5}\n", id, record.URL, record.URL)
		if id == 3 {
			break // there was no room for it
		}
		var links []sink.Pointer
		for n := uint64(1); n < 6; n++ {
			links = append(links, sink.Pointer{To: keyOf(address(n)), Block: int32(n), Anchor: fmt.Sprint("to ", n)})
		}
		noError(t, looks.Take(&sink.Seen{Keys: []uint64{keyOf(address(id))}, Links: links, Record: record}))
	}
	noError(t, errors.Join(looks.Close(), os.WriteFile(filepath.Join(dir, "harvest.jsonl"), []byte(harvest), 0o600)))
	s, err := gather([]string{dir}, &Options{})
	if err != nil || len(s.pages) != 2 || len(s.rest) != 1 || s.rest[0].ID != 3 || s.links != nil {
		t.Fatalf("%+v, %v", s, err)
	}
	noError(t, s.link())
	for i, links := range s.links {
		if len(links) != 3 || links[2] != (link{s.keys[keyOf(address(3))], 3, links[2].said}) || s.pages[i].Links != nil {
			t.Errorf("page %d has the links %+v", i+1, links)
		} else if _, said := s.wordings.at(links[2].said); string(said) != "to 3" {
			t.Errorf("a link says %q", said)
		}
	}
}

// TestAPageThatCameMeanwhileHasNoVerdict: a crawl that goes on beside a look adds pages of which the look knows nothing: none of them is
// kept for what is said of another.
func TestAPageThatCameMeanwhileHasNoVerdict(t *testing.T) {
	dir := t.TempDir()
	take := func(id uint64, relevance float64) {
		looks, err := sink.OpenLooks(dir, sink.LooksOptions{Mode: "all", Threshold: .3, Most: 1 << 30, Rotate: 1 << 30})
		noError(t, err)
		address := fmt.Sprintf("http://www.example.org/%d", id)
		noError(t, errors.Join(looks.Take(&sink.Seen{Kept: relevance >= .3, Keys: []uint64{keyOf(address)},
			Record: &sink.Record{ID: id, URL: address, FinalURL: address, Relevance: relevance}}), looks.Close()))
	}
	take(1, .5)
	o := Options{Threshold: .3}
	s, err := linked([]string{dir}, &o)
	noError(t, err)
	r := Report{}
	r.Result, err = s.look(&o)
	noError(t, err)
	take(2, .1)
	n, err := r.write(dir, s, nil)
	if err != nil || n != 1 || len(r.told) != 1 {
		t.Errorf("%d pages are kept and %d were told of, want the one that was looked at: %v", n, len(r.told), err)
	}
}

func TestACutOfOnesOwn(t *testing.T) {
	pages, _ := drawn(5, 200)
	r := lookAt(t, pages, Options{})
	kept := func() (n int) {
		for _, v := range r.Verdicts {
			if v.Kept {
				n++
			}
		}
		return n
	}
	usual := kept()
	if r.Cut(.05, pages, nil); kept() <= usual {
		t.Error("a lower threshold keeps no more")
	}
	if r.Top(7, pages, nil); kept() != 7 {
		t.Errorf("the best 7 are %d", kept())
	}
}

// The labels of a run are read as whoever trains a judge on them reads them: a page that is labelled twice counts once, also
// behind a byte order mark, and what is no label, or contradicts one, is a mistake with its line.
func TestTheLabelsOfARunAreReadAsALists(t *testing.T) {
	dir := t.TempDir()
	read := func(list string) (map[string]bool, error) {
		noError(t, os.WriteFile(filepath.Join(dir, "labels.tsv"), []byte(list), 0o600))
		got := map[string]bool{}
		return got, readLabels(dir, got)
	}
	got, err := read("\uFEFFhttp://a.example/\trelevant\nhttp://b.example/\tother\nhttp://a.example/\trelevant\tlater\n")
	if err != nil || len(got) != 2 || !got["http://a.example/"] || got["http://b.example/"] {
		t.Errorf("%v: %v", err, got)
	}
	for list, says := range map[string]string{
		"http://a.example/\tother\nhttp://b.example/ relevant\n": `labels.tsv:2:1: "http://b.example/ relevant" has no tab`,
		"\thttp://a.example/\trelevant\n":                        `labels.tsv:1:1: begins with a tab: want an address before it`,
		"http://a.example/\tother\nhttp://A.example\trelevant\n": `labels.tsv:2:1: is labelled relevant, and other on line 1: take one of the two lines out`,
		"http://a.example/\trelvant\n":                           `labels.tsv:1:1: is labelled "relvant", want relevant or other`,
	} {
		if _, err := read(list); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %s", list, err, says)
		}
	}
}

// TestAnArchiveHoldsNoTexts: a run may keep more for its second look than there is memory.
func TestAnArchiveHoldsNoTexts(t *testing.T) {
	const pages, bytes = 200, 50_000
	dir := t.TempDir()
	looks, err := sink.OpenLooks(dir, sink.LooksOptions{Mode: "all", Threshold: .3, Most: 1 << 30, Rotate: 1 << 30})
	noError(t, err)
	for n := range uint64(pages) {
		s := &sink.Seen{Keys: []uint64{n}, Record: &sink.Record{ID: n + 1, URL: fmt.Sprint("http://a.test/", n), FinalURL: fmt.Sprint("http://a.test/", n), Text: strings.Repeat("because ", bytes/8), Relevance: .5}}
		for range 1000 {
			s.Links = append(s.Links, sink.Pointer{To: 1 << 40, Anchor: "to a page that nobody has seen"})
		}
		noError(t, looks.Take(s))
	}
	noError(t, looks.Close())
	heap := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	s, err := gather([]string{dir}, &Options{})
	noError(t, err)
	archive := Archive{s.pages, Options{Threshold: .3}, s}
	if grew := heap() - before; len(archive.Pages) != pages || grew > pages*bytes/20 {
		t.Errorf("%d pages hold %d bytes", len(archive.Pages), grew)
	}
	n := 0
	noError(t, archive.Texts(func(i int, text string) error { n += len(text); return nil }))
	if n != pages*bytes {
		t.Errorf("%d bytes of text are read", n)
	}
	runtime.KeepAlive(s)
}
