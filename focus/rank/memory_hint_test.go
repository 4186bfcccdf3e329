package rank

import (
	"bytes"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// hinting tells a memory of links with these words around them, one a page, all to one address.
func hinting(t *testing.T, s *Strategy, m *Memory, links ...page.Link) {
	t.Helper()
	about, err := topic.New(topic.Spec{Judge: "vsm-restricted", Calibrate: "off", Relative: true,
		Terms: []topic.Term{{Term: "alpha", Weight: 1}, {Term: "beta", Weight: 0.8}, {Term: "gamma", Weight: 0.5}}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range links {
		e := &Evidence{Topic: about, Link: &links[i], Parent: uint64(1 + i), Item: 10, Memory: m,
			Judgement: topic.Judgement{Raw: 0.5 - 0.1*float64(i)}}
		s.Score(e, nil)
		m.Linked(10, e)
	}
}

// A link that was found first, on the better page, is worth more by what a later one says; the words around links are
// merged apart from their anchors, as far as the window reaches.
func TestHintsOfSeveralLinksAreMerged(t *testing.T) {
	s, m := load(t, "rank: {use: fitness, with: {window: 2}}\n"), NewMemory()
	hinting(t, s, m, page.Link{Anchor: "alpha"}, page.Link{Anchor: "more", Before: "alpha beta boat ship", After: "gamma"}, page.Link{Anchor: "beta gamma"})
	numbers, ok := s.Rescore(10, m)
	if !ok {
		t.Fatal("too little is remembered")
	}
	near(t, "the best page, and all three keywords in the anchors", float64(numbers[0]), 0.51)
	if hints := m.at(m.index[10]).hints.words; len(hints.Anchor) != 3 || len(hints.Around) != 1 {
		t.Errorf("the hints are %v", hints)
	}
	for page, want := range map[uint64]float64{1: 0.51, 2: 0.41, 3: 0.31} {
		of, ok := s.From(page, 10, m)
		if !ok {
			t.Fatalf("the link of page %d is not kept", page)
		}
		near(t, "by one page", float64(of[0]), want)
	}
	if _, ok := s.From(4, 10, m); ok {
		t.Error("a page that does not link to it speaks for it")
	}
	if m.Fetched(10, 1, true, 10); m.at(m.index[10]).hints != nil {
		t.Error("the hints of a fetched page are kept")
	}
}

// What was merged outlives the process to the byte: by the state, and by lessons told again.
func TestMergedHintsResume(t *testing.T) {
	links := []page.Link{{Anchor: "alpha"}, {Anchor: "beta", Before: "gamma"}, {Anchor: "gamma alpha"}}
	s, m := load(t, "rank: {use: fitness}\n"), NewMemory()
	m.Record()
	hinting(t, s, m, links...)
	again, told := NewMemory(), NewMemory()
	again.Serve(s)
	told.Serve(s)
	if err := again.Restore(m.State()); err != nil {
		t.Fatal(err)
	}
	if err := told.Relearn(m.Lesson()); err != nil {
		t.Fatal(err)
	}
	want, _ := s.Rescore(10, m)
	for name, back := range map[string]*Memory{"state": again, "lesson": told} {
		if have, ok := s.Rescore(10, back); !ok || have[0] != want[0] {
			t.Errorf("%s: %v, want %v", name, have, want)
		}
		if !bytes.Equal(back.State(), m.State()) {
			t.Errorf("%s: another state", name)
		}
	}
	hinting(t, s, m, links...)
	hinting(t, s, again, links...)
	if !bytes.Equal(again.State(), m.State()) {
		t.Error("what is learned after it differs")
	}
}

func TestHintsAreMergedByOneWindow(t *testing.T) {
	_, err := Load("s.yaml", []byte("rank: {mix: [{use: fitness}, {use: fitness, with: {window: 3}}]}\n"), nil)
	if err == nil || !bytes.Contains([]byte(err.Error()), []byte("make them alike")) {
		t.Errorf("two windows: %v", err)
	}
}
