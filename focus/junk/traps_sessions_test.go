package junk

import (
	"fmt"
	"strings"
	"testing"
)

// A server that writes the name of a session into its paths gives each page an address with each visit. Where pages differ, though
// their addresses differ in nothing but such a name, the names are those of articles.
func TestSessionsInPaths(t *testing.T) {
	name := func(i int) string { return fmt.Sprintf("s-4f%dc1%da2b7e", i, i) }
	says := func(page string) Print {
		text := strings.Repeat(page+" ", 40)
		return PrintOf([]byte("<p>"+text), text)
	}
	w := NewTrapWatch(TrapConfig{})
	w.Record()
	pages := w.Duplicates()
	link := func(w *TrapWatch, address string) string { return w.Check(address) }
	for i := range 60 {
		page := i % 4
		pages.Compare(fmt.Sprintf("http://shop.example/%s/p/%d.html", name(i), page), says(fmt.Sprint("offer", page)))
		pages.Compare(fmt.Sprintf("http://news.example/%s/index.html", name(i)), says(fmt.Sprint("article", i)))
		for sort := range 12 { // one page in many orders is no page of many sessions
			pages.Compare(fmt.Sprintf("http://forum.example/%s?sort=%d", name(i), sort), says(fmt.Sprint("thread", i)))
		}
		pages.Compare(fmt.Sprintf("http://mirror.example/%s/index.html", name(i)), says(fmt.Sprint("article", i))) // of another site, nor its copies
		if i == 8 {
			if said := link(w, "http://shop.example/"+name(99)+"/p/1.html"); said != "" {
				t.Errorf("after %d pages: %s", i, said)
			}
		}
	}
	again := NewTrapWatch(TrapConfig{})
	if err := again.Relearn(w.Lesson()); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*TrapWatch{w, again} {
		for _, c := range []struct {
			address string
			refused bool
		}{
			{"http://shop.example/" + name(100) + "/p/1.html", true}, // it was found
			{"http://shop.example/" + name(100) + "/p/7.html", false},
			{"http://shop.example/" + name(101) + "/p/7.html", true}, // it waits, or was refused
			{"http://shop.example/help/p/1.html", false},
			{"http://shop.example/help/" + name(100) + ".html", false},
			{"http://other.example/" + name(100) + "/p/1.html", false},
			{"http://news.example/" + name(100) + "/index.html", false},
			{"http://forum.example/" + name(100) + "?sort=1", false},
			{"http://mirror.example/" + name(100) + "/index.html", false},
		} {
			if said := link(w, c.address); (said == "session ids: segment 1 of the path") != c.refused || said != "" && !c.refused {
				t.Errorf("%s: %q", c.address, said)
			}
		}
	}
	if said := (*TrapWatch)(nil).Duplicates(); said == nil {
		t.Error("without a watch there is no memory of pages")
	}
}

func TestDrawnNames(t *testing.T) {
	for name, want := range map[string]bool{
		"s-46bdc07f6689224c": true, "(S(lit3py55t21z5v55vlm25s55))": true, "9f8a7c6e-1b2d-4c3a": true,
		"solar-panels-2024": false, "2024-03-15": false, "10-best-inverters-of-2024": false, "a1b2c3": false, "abcdefghijkl": false, "123456789012": false,
		"iphone15promax": false, "": false,
	} {
		if drawn(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
