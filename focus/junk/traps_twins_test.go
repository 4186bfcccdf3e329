package junk

import (
	"fmt"
	"testing"
)

// A site that answers by http and https, with www or m before its name and without, with a slash or the name of a file at the end of a path, and
// in capitals, has each page several times. Which of these make no difference is found out by the pages; where pages differ they pass.
func TestTwinsOfPages(t *testing.T) {
	w := NewTrapWatch(TrapConfig{})
	w.Record()
	pages := w.Duplicates()
	same := func(text string, addresses ...string) {
		for _, address := range addresses {
			pages.Compare(address, says(text))
		}
	}
	for i := range 14 {
		n := fmt.Sprint(i)
		same("secure"+n, "http://both.example/a/"+n, "https://both.example/a/"+n)
		if i == 10 {
			if said := w.Check("https://both.example/a/3"); said != "" {
				t.Errorf("after %d pages: %s", i, said)
			}
		}
		same("named"+n, "http://www.bees.example/a?id="+n, "http://bees.example/a?id="+n)
		same("hand"+n, "http://www.hand.example/a/"+n, "http://m.hand.example/a/"+n)
		same("slash"+n, "http://slash.example/a/"+n, "http://slash.example/a/"+n+"/")
		same("index"+n, "http://index.example/a"+n+"/", "http://index.example/a"+n+"/index.html")
		same("case"+n, "http://case.example/art/"+n, "http://case.example/Art/"+n)
		same("wiki"+n, "http://wiki.example/polish"+n)
		same("name"+n, "http://wiki.example/Polish"+n)
		same("printed"+n, "http://print.example/a"+n, "http://print.example/a"+n+"?print=1")
		same("shop"+n, "http://shop.example/a/"+n)
		same("other"+n, "http://m.shop.example/a/"+n)
		same("two"+n, "http://www.two.example/a/"+n, "https://two.example/a/"+n) // which of both differences makes none nobody knows
	}
	again := NewTrapWatch(TrapConfig{})
	if err := again.Relearn(w.Lesson()); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*TrapWatch{w, again} {
		for _, c := range []struct{ address, refused string }{
			{"https://both.example/a/3", "twins: http or https changes nothing"},
			{"https://both.example/a/99", ""},
			{"http://bees.example/a?id=5", "twins: www or m before the host changes nothing"},
			{"http://bees.example/b?id=5", ""},
			{"http://m.hand.example/a/5", "twins: www or m before the host changes nothing"},
			{"http://slash.example/a/7/", "twins: the end of the path changes nothing"},
			{"http://index.example/a7/index.html", "twins: the end of the path changes nothing"},
			{"http://case.example/ART/7", "twins: capitals of the path change nothing"},
			{"http://wiki.example/POLISH3", ""},
			{"https://print.example/a3", ""},
			{"http://m.shop.example/a/3", ""},
			{"https://www.two.example/a/3", ""},
		} {
			if said := w.Check(c.address); said != c.refused {
				t.Errorf("%s: %q, want %q", c.address, said, c.refused)
			}
		}
	}
	// Of a page that nobody has seen the first link passes, whichever it is.
	if first, second := w.Check("https://both.example/b/1"), w.Check("http://both.example/b/1"); first != "" || second == "" {
		t.Errorf("the first link has %q, its twin %q", first, second)
	}
	if first, second := w.Check("http://both.example/b/2"), w.Check("https://both.example/b/2"); first != "" || second == "" {
		t.Errorf("the first link has %q, its twin %q", first, second)
	}
}
