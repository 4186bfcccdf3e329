package junk

import (
	"fmt"
	"strings"
	"testing"
)

// A kind of addresses that has brought nothing a dozen times is refused, found or waiting; one that now and then brings something is not,
// nor is an address that has no kind.
func TestKindsThatBringNothing(t *testing.T) {
	w := NewTrapWatch(TrapConfig{})
	w.Record()
	for i := range 12 {
		if said := w.Check(fmt.Sprintf("http://wiki.example/doku.php?id=a%d&do=edit", i)); said != "" {
			t.Errorf("after %d pages: %s", i, said)
		}
		w.Visited(fmt.Sprintf("http://wiki.example/doku.php?id=page%c&do=edit", 'a'+i), false)
		w.Visited(fmt.Sprintf("http://wiki.example/w/page%c?do=edit", 'a'+i), false)
		w.Visited(fmt.Sprintf("http://wiki.example/user/%d/talk", i), false)
		w.Visited(fmt.Sprintf("http://wiki.example/m/search?at=%d", i), false)
		w.Visited(fmt.Sprintf("http://wiki.example/about%c", 'a'+i), false)
		w.Visited(fmt.Sprintf("http://wiki.example/index.php/Special:Links/page%c", 'a'+i), false)
		w.Visited(fmt.Sprintf("http://wiki.example/index.php/page%c", 'a'+i), i != 5)
		w.Visited(fmt.Sprintf("http://shop.example/goods/thing-%c_%d/reviews/add/", 'a'+i, i), false)
		w.Visited(fmt.Sprintf("http://shop.example/goods/thing-%c_%d/reviews/", 'a'+i, i), i != 5)
		w.Visited(fmt.Sprintf("http://shop.example/goods/thing-a_0/offers/rate/%d", i), false)
		w.Visited(fmt.Sprintf("http://talk.example/topic/%d/about-%c/%d", i, 'a'+i, i%3), false, fmt.Sprintf("http://talk.example/post/%d", i), fmt.Sprintf("http://talk.example/p/%d", i))
		w.Visited(fmt.Sprintf("http://talk.example/topic/%d/about-%c/", i, 'a'+i), true, fmt.Sprintf("http://talk.example/topic/%d/about-%c", i, 'a'+i))
		w.Led(fmt.Sprintf("http://talk.example/s/%d", i), "http://talk.example/topic/1/about-b/1", i%2 == 0)
		w.Visited(fmt.Sprintf("http://talk.example/topic/%d/about-%c/new", i, 'a'+i), i%2 == 0, fmt.Sprintf("http://talk.example/s/%d", i))
		w.Led(fmt.Sprintf("http://talk.example/comment/%d/reply/", i), fmt.Sprintf("http://talk.example/login/?next=/comment/%d/reply/", i), true)
		w.Led(fmt.Sprintf("http://talk.example/edit?of=%d", i), fmt.Sprintf("http://talk.example/login?back=http%%3A%%2F%%2Ftalk.example%%2Fedit%%3Fof%%3D%d&f=1", i), true)
		w.Led(fmt.Sprintf("http://talk.example/topic/%d/", i), fmt.Sprintf("http://talk.example/topic/%d/about-it/?from=/topic/%d/99", i, i), true)
		w.Visited(fmt.Sprintf("http://wiki.example/list?page=%d", i), i != 5)
		w.Led(fmt.Sprintf("http://talk.example/go?post=%d", i), "http://talk.example/thread?id=1", false)
		w.Led(fmt.Sprintf("http://talk.example/out?to=%d", i), "http://other.example/", i%2 == 0)
		w.Led(fmt.Sprintf("http://www.talk.example/thread?id=%d", i), fmt.Sprintf("http://talk.example/thread?id=%d", i), false)
	}
	again := NewTrapWatch(TrapConfig{})
	if err := again.Relearn(w.Lesson()); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*TrapWatch{w, again} {
		for _, c := range []struct{ address, said string }{
			{"http://wiki.example/doku.php?id=other&do=edit", "the pages of /doku.php?id&do bring nothing"},
			{"http://wiki.example/w/other?do=edit", "the pages of /w/?do bring nothing"},
			{"http://wiki.example/user/77/talk", "the pages of /user/#/talk bring nothing"},
			{"http://wiki.example/doku.php?id=other", ""},
			{"http://wiki.example/user/77/", ""},
			{"http://wiki.example/m/search?at=77", "the pages of /m/search?at bring nothing"},
			{"http://wiki.example/m/news?at=77", ""},
			{"http://wiki.example/aboutz", ""},
			{"http://wiki.example/index.php/Special:Links/other", "the pages of /index.php/Special:Links/* bring nothing"},
			{"http://wiki.example/index.php/other", ""},
			{"http://wiki.example/index.php/Special:Links", ""},
			{"http://shop.example/goods/other_77/reviews/add/", "the pages of /goods/*/add/ bring nothing"},
			{"http://shop.example/goods/other_77/reviews/", ""},
			{"http://shop.example/goods/other_77/", ""},
			{"http://shop.example/goods/other_77/offers/rate/77", ""}, // one thing alone has shown it
			{"http://talk.example/topic/77/other/2", "the pages of /topic/*/# bring nothing"},
			{"http://talk.example/topic/77/other/", ""},
			{"http://talk.example/post/77", "the pages of /post/# bring nothing"},
			{"http://talk.example/p/77", "the pages of /p/# bring nothing"},
			{"http://talk.example/s/77", ""}, // now and then it leads to something
			{"http://talk.example/comment/77/reply/", "the pages of /comment/#/reply/ bring nothing"},
			{"http://talk.example/edit?of=77", "the pages of /edit?of bring nothing"},
			{"http://talk.example/topic/77/", ""},
			{"http://wiki.example/list?page=77", ""},
			{"http://else.example/doku.php?id=other&do=edit", ""},
			{"http://talk.example/go?post=77", "the pages of /go?post bring nothing"},
			{"http://talk.example/out?to=77", ""},
			{"http://www.talk.example/thread?id=77", ""}, // its page has another name on another host
		} {
			if said := w.Check(c.address); said != c.said {
				t.Errorf("%s, found: %q, want %q", c.address, said, c.said)
			}
			if said := w.CheckWaiting(c.address, 0); said != c.said {
				t.Errorf("%s, waiting: %q, want %q", c.address, said, c.said)
			}
		}
	}
}

// Of a kind that has brought nothing some are visited all the same; one that brings something sets the others free.
func TestWhatBroughtNothingIsLookedAtAgain(t *testing.T) {
	waiting := func(w *TrapWatch, address string) string { return w.CheckWaiting(address, 0) }
	for name, check := range map[string]func(*TrapWatch, string) string{"found": (*TrapWatch).Check, "waiting": waiting} {
		w := NewTrapWatch(TrapConfig{})
		for i := range 20 {
			w.Visited(fmt.Sprintf("http://wiki.example/item/%d", i), false)
		}
		passed := 0
		for i := range 1000 {
			address := fmt.Sprintf("http://wiki.example/item/%d", 100+i)
			if check(w, address) != "" {
				continue
			}
			if said := w.CheckWaiting(address, 0); said != "" {
				t.Errorf("%s: it was let pass, and is refused when its turn comes: %s", name, said)
			}
			passed++
			w.Visited(address, false)
		}
		if passed != 8 { // after 4, 8, 16, … and 512
			t.Fatalf("%s: %d of 1000 were let pass", name, passed)
		}
		w.Visited("http://wiki.example/item/100", true)
		if said := check(w, "http://wiki.example/item/5000"); said != "" {
			t.Errorf("%s: it brought something: %s", name, said)
		}
	}
}

// A page of no topic that leads to nothing new says nothing of its kind, but where there are more of them than of copies the kind is none that
// brings nothing; one that leads on does.
func TestPagesOfNoTopicSayLittleOfTheirKind(t *testing.T) {
	for name, c := range map[string]struct {
		aside int
		leads bool
		said  string
	}{
		"a few":           {11, false, "the pages of /post/# bring nothing"},
		"as many":         {13, false, ""},
		"one that leads":  {1, true, ""},
		"none that leads": {1, false, "the pages of /post/# bring nothing"},
	} {
		w := NewTrapWatch(TrapConfig{})
		for i := range 13 {
			w.Visited(fmt.Sprintf("http://talk.example/post/%d", i), false)
		}
		for i := range c.aside {
			address := fmt.Sprintf("http://talk.example/post/%d", 100+i)
			w.Shown(address, 0)
			if w.Visited(address, true); c.leads {
				w.LeadsOn(address, "http://talk.example/news")
			}
			w.Back(1, false)
		}
		if said := w.Check("http://talk.example/post/999"); said != c.said {
			t.Errorf("%s: %q, want %q", name, said, c.said)
		}
	}
}

// What waits when a parameter or a session is found out is refused if its page is known, and only then: of addresses of one page the first
// whose turn comes is visited.
func TestWhatWaitsWhenATrapIsLearned(t *testing.T) {
	w := NewTrapWatch(TrapConfig{})
	pages := w.Duplicates()
	waits := func(address, why string) {
		t.Helper()
		if said := w.CheckWaiting(address, 0); (said == "") != (why == "") || !strings.HasPrefix(said, why) {
			t.Errorf("%s: %q", address, said)
		}
	}
	waits("http://news.example/itema?print=1", "")
	for i := range 20 {
		pages.Compare(fmt.Sprintf("http://news.example/item%c", 'a'+i), says(fmt.Sprint("item", i)))
		pages.Compare(fmt.Sprintf("http://news.example/item%c?print=1", 'a'+i), says(fmt.Sprint("item", i)))
		pages.Compare(fmt.Sprintf("http://shop.example/s-4f%dc1%da2b7e/p/%d.html", i, i, i%4), says(fmt.Sprint("offer", i%4)))
	}
	for range 2 { // that it was asked about changes nothing
		waits("http://news.example/itema?print=1", "facets")
		waits("http://news.example/itemz?print=1", "")
		waits("http://news.example/itema", "")
		waits("http://shop.example/s-4f77c177a2b7e/p/1.html", "session ids")
		waits("http://shop.example/s-4f77c177a2b7e/p/9.html", "")
	}
}

// A page that repeats one of another kind of addresses brings nothing, where it leads to nothing new; one that a parameter alone tells apart
// says something of that parameter.
func TestCopiesOfAnotherKindBringNothing(t *testing.T) {
	w := NewTrapWatch(TrapConfig{})
	w.Record()
	pages := w.Duplicates()
	visit := func(address, say, leads string) {
		pages.Compare(address, says(say))
		w.Visited(address, true)
		if leads != "" {
			w.LeadsOn(address, leads)
		}
		w.Back(1, false)
	}
	for i := range 20 {
		thread, say := fmt.Sprintf("http://talk.example/view?t=%d", i), fmt.Sprint("thread", i)
		visit(thread, say, fmt.Sprintf("http://talk.example/post/%d", i))
		visit(fmt.Sprintf("http://talk.example/view?p=%d", i), say, "")
		visit(fmt.Sprintf("http://talk.example/post/%d", i), say, fmt.Sprintf("http://talk.example/post/%d?page=1", i))
		visit(fmt.Sprintf("http://talk.example/more/%d", i), say, fmt.Sprintf("http://talk.example/news/%d", i))
		visit(fmt.Sprintf("%s&page=%d", thread, i%3), say, "")
		visit(fmt.Sprintf("http://talk.example/item/%d", i), fmt.Sprint("item", i), "")
		for feed, leads := range map[string]string{fmt.Sprintf("http://talk.example/view.rss?t=%d", i): "", fmt.Sprintf("http://talk.example/day/%d.rss", i): fmt.Sprintf("http://talk.example/story/%d", i)} {
			if w.Listed(feed, feed); leads != "" {
				w.LeadsOn(feed, leads)
			}
			w.Back(1, false)
		}
	}
	again := NewTrapWatch(TrapConfig{})
	if err := again.Relearn(w.Lesson()); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*TrapWatch{w, again} {
		for address, why := range map[string]string{
			"view?p=99": "the pages of /view?p bring nothing", "post/99": "the pages of /post/# bring nothing", "more/99": "", "item/99": "",
			"view.rss?t=99": "the pages of /view.rss?t bring nothing", "day/99.rss": "", "view?t=99": "",
			"view?t=7&page=9": `facets: parameter "page" changes nothing`,
		} {
			if said := w.CheckWaiting("http://talk.example/"+address, 0); said != why {
				t.Errorf("%s: %q, want %q", address, said, why)
			}
		}
	}
}
