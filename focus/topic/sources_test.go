package topic

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/text"
)

func TestAModelKnowsWhatItWasTrainedOn(t *testing.T) {
	long := strings.Repeat("a sentence long enough to tell a page by it ", 2)
	var relevant, other []*text.Doc
	for i := range 6 {
		relevant = append(relevant, doc(fmt.Sprintf("%s football %d", long, i)))
		other = append(other, doc(fmt.Sprintf("%s cooking %d", long, i)))
	}
	m, _, err := Train(relevant, other, TrainOptions{Hosts: []string{"a.example", "b.example:8080", "a.example", ""}})
	if err != nil {
		t.Fatal(err)
	}
	back, err := LoadModel(save(t, m))
	if err != nil {
		t.Fatal(err)
	}
	s := back.Sources
	if s.Pages.Count != 12 || s.Hosts.Count != 2 {
		t.Errorf("%d pages, %d hosts", s.Pages.Count, s.Hosts.Count)
	}
	for _, d := range slices.Concat(relevant, other) {
		if !s.HasPage(d) {
			t.Errorf("it does not know %+v again", d.Segments)
		}
	}
	framed := &text.Doc{Main: []bool{false, true}, Segments: []text.Segment{{Text: "Menu, News, Login", Block: 0},
		{Text: strings.ToUpper(long) + " —  football,", Block: 1}, {Text: "3.", Block: 1}, {Text: "Copyright", Block: 0}}}
	if !s.HasPage(framed) {
		t.Error("it does not know a page again in another frame")
	}
	if s.HasPage(doc(long+"football 7")) || s.HasPage(doc("")) || s.HasPage(doc("cooking")) {
		t.Error("it knows pages that it has not seen")
	}
	if !s.HasHost("a.example") || !s.HasHost("b.example:8080") || s.HasHost("c.example") || s.HasHost("") {
		t.Error("hosts")
	}
}

func TestSketchesAreBounded(t *testing.T) {
	set := map[uint64]bool{}
	for i := range uint64(1000) {
		set[hashOf(fmt.Sprint(i))] = true
	}
	s := sketchOf(set, 100)
	if s.Count != 1000 || len(s.Hashes) != 100*hashSize {
		t.Fatalf("%d members, %d bytes", s.Count, len(s.Hashes))
	}
	known := 0
	for h := range set {
		if s.has(h) {
			known++
		}
	}
	if known != 100 {
		t.Errorf("%d of 100 are known", known)
	}
	clear(set)
	for i := range uint64(1000) {
		set[hashOf(fmt.Sprint(i+500))] = true
	}
	with := sketchOf(set, 100)
	if n := s.shared(&with); n < 20 || n > 80 {
		t.Errorf("half of the members are shared, and %d of 100 hashes are", n)
	}
}
