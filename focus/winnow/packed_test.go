package winnow

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/text"
)

// plainVector is a page's vector as it is described, by what its signs say: of each group the logarithms of how often they are there,
// made one long and weighed.
func plainVector(groups [][]string) (signs []string, values []float32) {
	for kind, all := range groups {
		count, order := map[string]float64{}, []string{}
		for _, s := range all {
			if count[s] == 0 {
				order = append(order, s)
			}
			count[s]++
		}
		norm := 0.0
		for _, s := range order {
			norm += math.Log1p(count[s]) * math.Log1p(count[s])
		}
		norm = math.Sqrt(norm)
		for _, s := range order {
			signs, values = append(signs, fmt.Sprint(kind, s)), append(values, float32(kinds[kind].weight*math.Log1p(count[s])/norm))
		}
	}
	return append(signs, "constant"), append(values, 1)
}

// What is held of a page says all of its vector, to the last bit, and a number stands for one sign on all pages.
func TestPackedVectorsSayAll(t *testing.T) {
	pages, _ := drawn(4, 1100) // more than are worked on at once
	pages[3].Text = strings.Repeat("sail ", 300)
	pages[4].Text, pages[4].Title = "", ""
	pages[7].Links = append(pages[7].Links, sink.Pointer{To: pages[9].Keys[0], Block: 70_000, Anchor: strings.Repeat("tide ", 100)}, sink.Pointer{To: pages[7].Keys[0], Anchor: "itself"}, sink.Pointer{To: 5, Anchor: "nowhere"})
	l := newLook(held(pages))
	noError(t, l.read(&Options{}))
	cutter, err := text.NewCutter(text.Options{})
	noError(t, err)
	at, anchors, lists := map[uint64]int{}, make([][]string, len(pages)), make([][]string, len(pages))
	for i, p := range pages {
		at[p.Keys[0]] = i
	}
	for from, p := range pages {
		for _, link := range p.Links {
			if to, ok := at[link.To]; ok && to != from {
				anchors[to], lists[to] = append(anchors[to], wordsOf(cutter, link.Anchor)...), append(lists[to], fmt.Sprint(from, "/", link.Block))
			}
		}
	}
	numbers, of := map[string]uint32{}, map[uint32]string{}
	var u unpacking
	for i, p := range pages {
		title := wordsOf(cutter, p.Title)
		signs, values := plainVector([][]string{append(wordsOf(cutter, p.Text), title...), title, wordsOfAddress(p.URL), directories(p.URL), anchors[i], lists[i]})
		x := u.of(l.x[i])
		if !slices.Equal(x.Value, values) {
			t.Fatalf("page %d: %v, want %v", i, x.Value, values)
		}
		for k, sign := range signs {
			n := x.Index[k]
			if before, known := numbers[sign]; known && before != n || int(n) >= l.size {
				t.Fatalf("%q has the numbers %d and %d, below %d", sign, before, n, l.size)
			}
			if other := of[n]; other != "" && other != sign {
				t.Fatalf("%d is %q and %q", n, other, sign)
			}
			numbers[sign], of[n] = n, sign
		}
	}
	if of[0] != "constant" {
		t.Errorf("number 0 is %q", of[0])
	}
}

// A look at what stands in a run folder, whose texts are read again, says what a look at pages says that are held whole.
func TestWhatIsReadAgainSaysTheSame(t *testing.T) {
	pages, _ := drawn(6, 1300)
	dir := t.TempDir()
	looks, err := sink.OpenLooks(dir, sink.LooksOptions{Mode: "all", Threshold: .3, Most: 1 << 30, Rotate: 200_000})
	noError(t, err)
	for i := range pages {
		p := &pages[i]
		noError(t, looks.Take(&sink.Seen{Keys: p.Keys, Links: p.Links, Record: &sink.Record{ID: p.ID, URL: p.URL, FinalURL: p.URL, Title: p.Title, Text: p.Text, Relevance: p.Relevance}}))
	}
	noError(t, looks.Close())
	s, err := linked([]string{dir, dir}, &Options{})
	noError(t, err)
	o := Options{Threshold: .3}
	again, err := s.look(&o)
	noError(t, err)
	whole := lookAt(t, pages, o)
	if whole.Refused != "" || !slices.Equal(again.Verdicts, whole.Verdicts) {
		t.Errorf("%q, %q: they differ", whole.Refused, again.Refused)
	}
	archive := Archive{s.pages, o, s}
	if again, err = archive.Look(); err != nil || !slices.Equal(again.Verdicts, whole.Verdicts) {
		t.Errorf("%v, %q: an archive says otherwise", err, again.Refused)
	}
	read := 0
	noError(t, archive.Again(func(i int, seen *sink.Seen) error {
		if read++; seen.Record.Text != pages[i].Text || len(seen.Links) != len(pages[i].Links) {
			t.Fatalf("page %d: %+v", i, seen.Record)
		}
		return nil
	}))
	if read != len(pages) || s.pages[0].Text != "" || s.pages[0].Links != nil {
		t.Errorf("%d pages were read again, and of the first %+v is held", read, s.pages[0])
	}
}

// Of many pages of a side a sample is learned from, the same whatever else there is, and what was said of a page always: what comes of it
// is what comes of all. Where there are no more than may be, nothing changes.
func TestOfManyPagesASampleIsLearnedFrom(t *testing.T) {
	pages, truth := drawn(8, 4000)
	all := lookAt(t, pages, Options{})
	if same := lookAt(t, pages, Options{most: len(pages)}); !slices.Equal(same.Verdicts, all.Verdicts) {
		t.Error("there are no more pages than may be, and the verdicts differ")
	}
	some := lookAt(t, pages, Options{most: 150})
	if before, after := f1(all, truth), f1(some, truth); slices.Equal(some.Verdicts, all.Verdicts) || after < before-.01 {
		t.Errorf("F1 %.3f by all, %.3f by a sample", before, after)
	}
	moved := 0.0
	for i := range all.Verdicts {
		moved += math.Abs(all.Chance(i) - some.Chance(i))
	}
	if moved /= float64(len(pages)); moved > .01 {
		t.Errorf("how likely a page is differs by %.3f", moved)
	}
	said := Options{Threshold: .3, most: 150, Labels: map[string]bool{pages[2].URL: true, pages[5].URL: false}}
	l := lookOf(held(pages), &said)
	taught, each := l.taught()
	if sure, foreign := l.sides(); len(taught) != 302 || math.Abs(each-float64(sure+foreign)/302) > 1e-9 {
		t.Fatalf("%d pages, each for %v", len(taught), each)
	}
	if !slices.IsSorted(taught) || !slices.Contains(taught, 2) || !slices.Contains(taught, 5) {
		t.Error("what was said of pages is not learned from")
	}
	later := lookOf(held(pages[100:]), &Options{Threshold: .3, most: 150})
	few, _ := later.taught()
	shared := 0
	for _, i := range few {
		if slices.Contains(taught, i+100) {
			shared++
		}
	}
	if shared < len(few)*9/10 {
		t.Errorf("of %d pages %d are those that are learned from where others stand before them", len(few), shared)
	}
}
