package sink

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

func seenPage(n int, relevance float64) *Seen {
	r := &Record{ID: uint64(n), URL: fmt.Sprintf("http://a.test/%d", n), FinalURL: fmt.Sprintf("http://a.test/%d", n), Time: time.Unix(1e9, 0).UTC(), Title: "a \"title\"", Text: strings.Repeat("text\n", 50),
		Relevance: relevance, Terms: []Term{{"tea", .5}}}
	return &Seen{Kept: relevance >= .3, Keys: []uint64{Key(r.URL)}, Links: []Pointer{{1<<63 + 5, 3, "an \"anchor\"\n"}, {2, -1, "茶"}}, Record: r}
}

func TestLooksAreReadBackAsTheyWereTaken(t *testing.T) {
	dir := t.TempDir()
	l, err := OpenLooks(dir, LooksOptions{Mode: "all", Threshold: .3, Most: 1 << 20, Rotate: 2000})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 9 {
		if err := l.Take(seenPage(n+1, .1*float64(n))); err != nil {
			t.Fatal(err)
		}
	}
	lengths := l.Lengths()
	if err := l.Close(); err != nil || len(lengths) < 2 {
		t.Fatal(err, lengths)
	}
	n := 0
	for s, err := range ReadLooks(dir) {
		if err != nil {
			t.Fatal(err)
		}
		want := seenPage(n+1, .1*float64(n))
		n++
		if s.Kept != want.Kept || !reflect.DeepEqual(s.Keys, want.Keys) || !reflect.DeepEqual(s.Links, want.Links) || s.Record.Text != want.Record.Text || s.Record.Relevance != want.Record.Relevance {
			t.Errorf("have %+v, want %+v", s, want)
		}
	}
	if n != 9 {
		t.Errorf("%d pages", n)
	}
	lengths["look.jsonl"] = 0
	if err := Cut(dir, map[string]int64{}); err != nil || HasLooks(dir) {
		t.Errorf("what was never committed stays: %v", err)
	}
}

// Where room runs out the least likely pages are left out first, and it never takes more than it may.
func TestLooksStayWithinTheirRoom(t *testing.T) {
	dir := t.TempDir()
	l, err := OpenLooks(dir, LooksOptions{Mode: "all", Threshold: .3, Most: 20_000, Rotate: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	taken := map[float64]int{}
	for n := range 400 {
		relevance := []float64{.01, .1, .2, .5}[n%4]
		if l.Wants(relevance, fmt.Sprint(n)) {
			taken[relevance]++
			if err := l.Take(seenPage(n, relevance)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !(taken[.01] < taken[.1] && taken[.1] < taken[.2] && taken[.2] < taken[.5]) || l.used() > 22_000 || !l.Full() {
		t.Errorf("by relevance %v, %d bytes", taken, l.used())
	}
	var none *Looks
	if none.Wants(1, "") || none.Full() || none.Close() != nil {
		t.Error("no looks want something")
	}
}

// Of what is clearly foreign a few pages are enough, always the same ones.
func TestWhatIsLikely(t *testing.T) {
	few := 0
	for n := range 1000 {
		if Likely(.01, .3, fmt.Sprint(n)) {
			few++
		}
	}
	if few < 80 || few > 180 || !Likely(.06, .3, "") {
		t.Errorf("%d of 1000 foreign pages", few)
	}
}

func BenchmarkTake(b *testing.B) {
	l, err := OpenLooks(b.TempDir(), LooksOptions{Mode: "all", Threshold: .3, Most: 1 << 40, Rotate: 1 << 30})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	s := seenPage(1, .5)
	s.Record.Text, s.Record.Markdown = strings.Repeat("some words of a page ", 250), strings.Repeat("some words of a page ", 250)
	for range 80 {
		s.Links = append(s.Links, Pointer{Key(fmt.Sprint(len(s.Links))), 7, "what a link says"})
	}
	for b.Loop() {
		if err := l.Take(s); err != nil {
			b.Fatal(err)
		}
	}
}
