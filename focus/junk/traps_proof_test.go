package junk

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
)

// However many addresses are found, or have their turn, before one of them was visited to see whether what has been learned is so: three are
// refused, and no more until a visit has shown it; of one that is found on every page none but the first time counts.
func TestNoMoreIsRefusedThanVisitsHaveShown(t *testing.T) {
	name := func(i int) string { return fmt.Sprintf("s-4f%dc1%da2b7e", i, i) }
	for _, c := range []struct {
		of      string
		learn   func(w *TrapWatch, pages *Duplicates, i int)
		address func(i int) string
		shown   func(w *TrapWatch, pages *Duplicates, address string) // by a visit: the same again
	}{
		{"a parameter", func(w *TrapWatch, pages *Duplicates, i int) {
			pages.Compare(fmt.Sprintf("http://talk.example/thread.php?id=%d", i), says("who are you?"))
		}, func(i int) string { return fmt.Sprintf("http://talk.example/thread.php?id=%d", i) },
			func(w *TrapWatch, pages *Duplicates, address string) { pages.Compare(address, says("who are you?")) }},
		{"twins", func(w *TrapWatch, pages *Duplicates, i int) {
			for _, scheme := range []string{"http", "https"} {
				pages.Compare(fmt.Sprintf("%s://both.example/a%c", scheme, 'a'+i), says(fmt.Sprint("article", i)))
			}
			for n := 100 * i; n < 100*i+100; n++ {
				pages.Compare(fmt.Sprintf("http://both.example/item/%d", n), says(fmt.Sprint("item", n)))
			}
		}, func(i int) string { return fmt.Sprintf("https://both.example/item/%d", i) },
			func(w *TrapWatch, pages *Duplicates, address string) {
				pages.Compare(address, says("item"+strings.TrimPrefix(address, "https://both.example/item/")))
			}},
		{"what brings nothing", func(w *TrapWatch, pages *Duplicates, i int) {
			w.Visited(fmt.Sprintf("http://wiki.example/item/%d", i), false)
		}, func(i int) string { return fmt.Sprintf("http://wiki.example/item/%d", i) },
			func(w *TrapWatch, pages *Duplicates, address string) { w.Visited(address, false) }},
		{"sessions", func(w *TrapWatch, pages *Duplicates, i int) {
			pages.Compare("http://shop.example/"+name(i)+"/offer.html", says("the offer"))
		}, func(i int) string { return "http://shop.example/" + name(i) + "/offer.html" },
			func(w *TrapWatch, pages *Duplicates, address string) { pages.Compare(address, says("the offer")) }},
	} {
		w := NewTrapWatch(TrapConfig{})
		pages := w.Duplicates()
		for i := range 14 {
			c.learn(w, pages, i)
		}
		from := 100
		refused := func() (n int, open string) {
			from += 100
			for range 20 {
				w.Check(c.address(from))
			}
			for i := from; i < from+100; i++ {
				if w.Check(c.address(i)) != "" {
					n++
				} else {
					open = c.address(i)
				}
			}
			return n, open
		}
		for _, want := range []int{4, 4, 8, 16} {
			n, open := refused()
			if more, _ := refused(); n != want || more > 0 {
				t.Errorf("%s: %d of a hundred are refused, want %d, and then %d", c.of, n, want, more)
			}
			for range 2 { // of those that are under way together one counts
				c.shown(w, pages, open)
			}
		}
	}
}

// What is known of some values, of one section or of one end of a path is not thought so of others that have been seen to change something,
// or have hardly been seen.
func TestWhatIsKnownOfOneIsNotThoughtOfAnother(t *testing.T) {
	w := NewTrapWatch(TrapConfig{})
	pages := w.Duplicates()
	both := func(say string, addresses ...string) {
		for _, address := range addresses {
			pages.Compare(address, says(say))
		}
	}
	for i := range 40 {
		name := fmt.Sprintf("%c%c", 'a'+i%26, 'a'+i/26)
		news := "http://news.example/item-" + name
		if both("item"+name, news, news+"?lang=en"); i == 7 { // one was not translated yet
			both("item"+name, news+"?lang=us")
		}
		thread := "http://talk.example/thread-" + name
		if both("thread"+name, thread, thread+"?page=1", thread+"?page=new", thread+"?page=last"); i == 30 {
			both("more of thread"+name, thread+"?page=2")
		}
		post := "http://blog.example/post-" + name + "/"
		if both("post"+name, post, post+"?s="+name); i == 0 {
			both("the shelf", "http://blog.example/shelf/")
			both("a book", "http://blog.example/shelf/?s=book")
		}
		index := "http://index.example/" + name
		if both("index"+name, index, index+"/"); i%2 == 0 {
			both("index"+name, index+"/index.html")
		}
		if i == 9 {
			both("index"+name, index+"/index.old.html", index+"/index.php")
		}
	}
	for address, refused := range map[string]bool{
		"http://news.example/item-aa?lang=en": true, "http://news.example/item-aa?lang=us": false,
		"http://talk.example/thread-aa?page=new": true, "http://talk.example/thread-aa?page=8": true, "http://talk.example/thread-aa?page=2": false,
		"http://blog.example/post-aa/?s=other": true, "http://blog.example/shelf/?s=other": false,
		"http://index.example/aa/index.html": true, "http://index.example/aa/index.php": false, "http://index.example/aa/index.old.html": false,
	} {
		if said := w.Check(address); (said != "") != refused {
			t.Errorf("%s: %q", address, said)
		}
	}
}

// So do the parts of an album, which is not of the topic and shows pictures without a word, all of them with what was asked in their addresses.
func TestPartsOfAnAlbum(t *testing.T) {
	w := NewTrapWatch(TrapConfig{})
	for i := range 20 {
		p := page.Page{URL: fmt.Sprintf("http://a.example/album.php?of=sea&part=%d", i), Title: "t", Runs: []page.Run{{Text: "all pictures of the sea"}}}
		picture := fmt.Sprintf("http://a.example/picture.php?of=sea&id=%dx", i)
		p.Links = []page.Link{{URL: picture}}
		w.Shown(p.URL, ShownBy(&p))
		w.LeadsOn(p.URL, picture)
		p.URL, p.Links = fmt.Sprintf("http://a.example/login.php?back=%d", i), []page.Link{{URL: "http://a.example/"}}
		w.Shown(p.URL, ShownBy(&p))
		w.LeadsOn(p.URL, fmt.Sprintf("http://a.example/register.php?back=%d", i))
	}
	for address, refused := range map[string]bool{"http://a.example/album.php?of=sea&part=99": false, "http://a.example/login.php?back=99": true} {
		if said := w.Check(address); (said != "") != refused {
			t.Errorf("%s: %q", address, said)
		}
	}
}

// The parts of a list say the same, where that is the words above them, and lead elsewhere; a print version and a session lead nowhere but by
// what was asked.
func TestWhatLeadsElsewhereIsAnother(t *testing.T) {
	w := NewTrapWatch(TrapConfig{})
	w.Record()
	pages := w.Duplicates()
	compared := func(say, address string, links ...string) {
		pages.Compare(address, says(say))
		for _, to := range links {
			w.LeadsOn(address, to)
		}
	}
	for i := range 20 {
		list, story := fmt.Sprintf("http://news.example/list?year=%d", 2000+i), fmt.Sprintf("http://news.example/story-%c", 'a'+i)
		for part := range 4 {
			at, item := list, fmt.Sprintf("http://news.example/item-%d-%d", i, part)
			if part > 0 {
				at += fmt.Sprint("&part=", part)
			}
			compared("all the news of this year", at, item, item+"0", fmt.Sprint(list, "&part=", part+1))
			compared(story, fmt.Sprintf("%s?sid=%d%d", story, i, part), fmt.Sprintf("%s-x?sid=%d%d", story, i, part))
		}
		compared(story, story+"?view=wide", fmt.Sprintf("http://news.example/story-%c?sid=%dx", 'a'+i/2, i))
		compared(story, story+"?show=all", fmt.Sprintf("http://news.example/tale-%d?sid=%dx", i, i))
		compared(story, story, story+"-x")
		compared(story, story+"?print=1", story+"-x?print=1")
		w.LeadsOn(story, "http://news.example/later") // it was not compared last
	}
	again := NewTrapWatch(TrapConfig{})
	if err := again.Relearn(w.Lesson()); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*TrapWatch{w, again} {
		for address, refused := range map[string]bool{
			"http://news.example/list?year=2000&part=7": false, "http://news.example/story-a?sid=99": true, "http://news.example/story-a?print=1": true,
			"http://news.example/story-a?view=wide": true, "http://news.example/story-a?show=all": false,
		} {
			if said := w.Check(address); (said != "") != refused {
				t.Errorf("%s: %q", address, said)
			}
		}
	}
	(*TrapWatch)(nil).LeadsOn("http://news.example/", "http://news.example/a")
}

// A parameter that has the same value wherever it stands is no reason to refuse an address, and cannot be borne out: it keeps no other one
// from being known.
func TestWhatAllAddressesHaveKeepsNothingFromBeingKnown(t *testing.T) {
	for _, learned := range []string{"ab", "b"} {
		w := NewTrapWatch(TrapConfig{})
		pages := w.Duplicates()
		visit := func(i int, query string) {
			pages.Compare(fmt.Sprintf("http://shop.example/tea?id=%d%s", i, query), says(fmt.Sprint("tea", i)))
		}
		for i := range 40 {
			visit(i, "")
			for _, key := range learned {
				visit(i, fmt.Sprintf("&%c=%d", key, i%5))
			}
		}
		passed := 0
		for i := 100; i < 1100; i++ {
			visit(i, "&a=1&b=1")
			if query := fmt.Sprintf("&a=1&b=%d", 2+i%3); w.Check(fmt.Sprintf("http://shop.example/tea?id=%d%s", i, query)) == "" {
				passed++
				visit(i, query)
			}
		}
		if passed == 0 || passed > 10 {
			t.Errorf("%s: %d second addresses of 1000 are let pass", learned, passed)
		}
		visit(2000, "&a=1&b=1")
		if said := w.Check("http://shop.example/tea?id=2000&a=1&b=3"); !strings.Contains(said, `"b"`) {
			t.Errorf("%s: why it is refused: %q", learned, said)
		}
	}
}

// What a rule rests on is not forgotten while addresses are refused for it, however much else is counted meanwhile; one that refuses nothing any more
// is.
func TestARuleThatRefusesIsNotForgotten(t *testing.T) {
	for _, c := range []struct {
		of      string
		learn   func(w *TrapWatch, pages *Duplicates, i int)
		address func(i int) string
	}{
		{"a parameter", func(w *TrapWatch, pages *Duplicates, i int) {
			pages.Compare(fmt.Sprintf("http://talk.example/thread.php?id=%d", i), says("who are you?"))
		}, func(i int) string { return fmt.Sprintf("http://talk.example/thread.php?id=%d", i) }},
		{"what brings nothing", func(w *TrapWatch, _ *Duplicates, i int) {
			w.Visited(fmt.Sprintf("http://wiki.example/item/%d", i), false)
		}, func(i int) string { return fmt.Sprintf("http://wiki.example/item/%d", i) }},
		{"sessions", func(w *TrapWatch, pages *Duplicates, i int) {
			pages.Compare(fmt.Sprintf("http://shop.example/s-4f%dc1%da2b7e/offer.html", i, i), says("the offer"))
		}, func(i int) string { return fmt.Sprintf("http://shop.example/s-4f%dc1%da2b7e/offer.html", i, i) }},
	} {
		for _, used := range []bool{true, false} {
			w := NewTrapWatch(TrapConfig{Remember: 4000})
			w.Record()
			pages := w.Duplicates()
			for i := range 14 {
				c.learn(w, pages, i)
			}
			refused := 0
			for i := 100; i < 400; i++ {
				if used && w.Check(c.address(i)) != "" {
					refused++
				} else if used {
					c.learn(w, pages, i)
				}
				for n := range 30 {
					w.Check(fmt.Sprintf("http://other%d.example/%d/%c", i, i, 'a'+n))
				}
			}
			again := NewTrapWatch(TrapConfig{Remember: 4000})
			if err := again.Relearn(w.Lesson()); err != nil {
				t.Fatal(err)
			}
			for _, w := range []*TrapWatch{w, again} {
				said := w.Check(c.address(1000))
				for i := 1001; said == "" && i < 1004; i++ { // one of which is visited all the same
					said = w.Check(c.address(i))
				}
				if (said != "") != used || used && refused < 280 {
					t.Errorf("%s: used %v: %d of 300 were refused, and then %q", c.of, used, refused, said)
				}
			}
		}
	}
}
