package junk

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
)

// says is a page that says something.
func says(page string) Print {
	text := strings.Repeat(page+" ", 40)
	return PrintOf([]byte("<p>"+text), text)
}

// A page that is kept in no case tells what its parameters change, and stands for no other: neither is one refused as its copy, nor an address
// as leading to what is known by it alone.
func TestPagesAsideTellOfTheirParameters(t *testing.T) {
	w := NewTrapWatch(TrapConfig{})
	pages := w.Duplicates()
	aside := func(address, say string) {
		w.Aside(address, "", pages.Like(address, says(say)))
	}
	for i := range 40 {
		bare, say := fmt.Sprintf("http://blog.example/post?p=%d", i), fmt.Sprint("article", i)
		if i%2 == 0 { // of the others nothing is known beside
			pages.Compare(bare, says(say))
		}
		aside(bare+fmt.Sprintf("&reply=%d", i%3), say)
		aside(bare+"&lang=de", "Artikel "+say)
		if i < 20 {
			aside(bare+"&print=1", say)
		} else {
			aside(bare+"&print=1", "a preview of "+say)
		}
	}
	for address, refused := range map[string]bool{
		"http://blog.example/post?p=2&reply=7":  true,
		"http://blog.example/post?p=3&reply=1":  false, // a copy alone was seen of it
		"http://blog.example/post?p=2&lang=fr":  false,
		"http://blog.example/post?p=2&print=1":  false,
		"http://blog.example/post?p=99&reply=7": false,
	} {
		if said := w.Check(address); (said != "") != refused {
			t.Errorf("%s: %q", address, said)
		}
	}
	if first, _ := pages.Compare("http://blog.example/other", says("article1")); first != "" {
		t.Errorf("a page that is kept in no case is repeated: %s", first)
	}
	if first := pages.Like("http://blog.example/post?p=2", says("article2")); first != "" {
		t.Errorf("a page repeats itself: %s", first)
	}
}

// A parameter that changes nothing is found out by the pages that are the same with and without it, also where another one that does is
// beside it; numbers of articles, of pages and of orders that show something else are none.
func TestParametersThatChangeNothing(t *testing.T) {
	w := NewTrapWatch(TrapConfig{})
	w.Record()
	pages := w.Duplicates()
	for i := range 40 {
		pages.Compare(fmt.Sprintf("http://code.example/app/commit/?id=%da", i), says(fmt.Sprint("change", i)))
		if i == 11 {
			if said := w.Check("http://code.example/app/commit/?h=main&id=3a"); said != "" {
				t.Errorf("after %d pages: %s", i, said)
			}
		}
		pages.Compare(fmt.Sprintf("http://code.example/app/commit/?h=b%d&id=%da", i%3, i), says(fmt.Sprint("change", i)))
		pages.Compare(fmt.Sprintf("http://code.example/app/refs/?id=%da", i), says("branches"))
		pages.Compare(fmt.Sprintf("http://code.example/app/refs/?h=b%d&id=%da", i%3, i), says("branches"))
		pages.Compare(fmt.Sprintf("http://wiki.example/name%c", 'a'+i), says(fmt.Sprint("name", i)))
		pages.Compare(fmt.Sprintf("http://wiki.example/name%c?print=1", 'a'+i), says(fmt.Sprint("name", i)))
		pages.Compare(fmt.Sprintf("http://wiki.example/show.php?id=%d", i), says(fmt.Sprint("picture", i)))
		pages.Compare(fmt.Sprintf("http://wiki.example/show.php?id=%d&print=1", i), says(fmt.Sprint("another picture", i)))
		pages.Compare(fmt.Sprintf("http://shop.example/list?page=%d", i), says(fmt.Sprint("offers", i/2))) // every other one as the one before
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
			{"http://code.example/app/commit/?h=main&id=7a", true}, // it was found without the branch
			{"http://code.example/app/commit/?id=7a&h=main", true},
			{"http://code.example/app/commit/?h=main&id=99a", false},
			{"http://code.example/app/commit/?h=other&id=99a", true}, // it waits, or was refused
			{"http://code.example/app/commit/?id=100a", false},
			{"http://code.example/app/refs/?h=new&id=99a", true},
			{"http://code.example/app/log/?h=main&id=7a", false}, // nobody knows there
			{"http://other.example/app/commit/?h=main&id=7a", false},
			{"http://wiki.example/namec?print=1", true},
			{"http://wiki.example/show.php?id=3&print=1", false},
			{"http://shop.example/list?page=77", false},
		} {
			if said := w.Check(c.address); (said != "") != c.refused {
				t.Errorf("%s: %q", c.address, said)
			}
		}
	}
}

// Where a list is the same however it is sorted, shown and cut, and each page of it links to all that can be chosen next, few addresses have
// one of these parameters alone.
func TestSeveralParametersThatChangeNothing(t *testing.T) {
	w := NewTrapWatch(TrapConfig{})
	pages := w.Duplicates()
	for i := range 6 {
		list := fmt.Sprintf("http://shop.example/list?kind=%d", i)
		pages.Compare(list, says(fmt.Sprint("kind", i)))
		for _, asked := range []string{"&sort=name&view=grid", "&sort=price&view=rows", "&sort=date&most=20&view=rows"} {
			pages.Compare(list+asked, says(fmt.Sprint("kind", i)))
		}
		for _, asked := range []string{"&colour=red", "&colour=blue&size=5", "&colour=green&size=7"} { // which show a part
			pages.Compare(list+asked, says(fmt.Sprint("kind", i, asked)))
		}
	}
	for address, refused := range map[string]bool{
		"http://shop.example/list?kind=3&sort=name&view=rows": true, "http://shop.example/list?kind=3&sort=price": true,
		"http://shop.example/list?kind=3&colour=grey": false, "http://shop.example/list?kind=9": false, "http://shop.example/list?kind=9&sort=name": false,
	} {
		if said := w.Check(address); (said != "") != refused {
			t.Errorf("%s: %q", address, said)
		}
	}
}

// The page in the language of the house, and the first of a list, are the same without saying so; others are not.
func TestAValueThatChangesNothing(t *testing.T) {
	w := NewTrapWatch(TrapConfig{})
	pages := w.Duplicates()
	for i := range 40 {
		pages.Compare(fmt.Sprintf("http://news.example/item%c", 'a'+i), says(fmt.Sprint("item", i)))
		pages.Compare(fmt.Sprintf("http://news.example/item%c?lang=en", 'a'+i), says(fmt.Sprint("item", i)))
	}
	for address, refused := range map[string]bool{"http://news.example/itemc?lang=en": true, "http://news.example/itemc?lang=de": false} {
		if said := w.Check(address); (said != "") != refused {
			t.Errorf("%s: %q", address, said)
		}
	}
}

// Where the first pages of a kind were the same because who asked was not let in, or because nothing was there yet, others are looked at
// all the same now and then, and let pass when they show something.
func TestWhatChangedNothingIsLookedAtAgain(t *testing.T) {
	w := NewTrapWatch(TrapConfig{})
	pages := w.Duplicates()
	for i := range 20 {
		pages.Compare(fmt.Sprintf("http://talk.example/thread.php?id=%d", i), says("who are you?"))
	}
	passed := 0
	for i := 100; i < 1100; i++ {
		if address := fmt.Sprintf("http://talk.example/thread.php?id=%d", i); w.Check(address) == "" {
			passed++
			pages.Compare(address, says("who are you?"))
		}
	}
	if passed == 0 || passed > 10 {
		t.Errorf("%d of 1000 were let pass", passed)
	}
	pages.Compare("http://talk.example/thread.php?id=131", says("how do you make tea"))
	if said := w.Check("http://talk.example/thread.php?id=2000"); said != "" {
		t.Error("there is something: ", said)
	}
}

// Pages that are no part of the topic are compared by all that they show, but for links that pass on what they were asked: the form by which
// one logs in is the same from wherever one comes, and pictures without a word lead elsewhere.
func TestPagesOfNoTopicThatShowTheSame(t *testing.T) {
	w := NewTrapWatch(TrapConfig{})
	w.Record()
	show := func(address, text string, links ...string) string {
		p := page.Page{URL: address, Title: "t", Runs: []page.Run{{Text: text}}}
		for _, to := range links {
			p.Links = append(p.Links, page.Link{URL: to})
		}
		w.Shown(address, ShownBy(&p))
		return address
	}
	for i := range 14 {
		show(fmt.Sprintf("http://a.example/login?back=/p%d", i), "tell us who you are, please", "http://a.example/", fmt.Sprintf("http://a.example/register?back=/p%d", i))
		show(fmt.Sprintf("http://a.example/enter/?next=/p%d", i), "tell us who you are, please", "http://a.example/", fmt.Sprintf("http://a.example/register/?next=/enter/%%3Fnext%%3D/p%d", i))
		show(fmt.Sprintf("http://a.example/sign?next=/p/%d", i), "tell us who you are, please", fmt.Sprintf("http://a.example/join?next=%%2Fp%%2F%d", i))
		to := map[bool]string{true: "/in", false: fmt.Sprint("/p", i)}[i == 0] // a menu leads to the form to log in from there, too
		in := page.Page{URL: "http://a.example/in?to=" + to, Title: "t", Runs: []page.Run{{Text: "tell us who you are, please"}}, Links: []page.Link{
			{URL: "http://a.example/in?to=/in", Anchor: "Sign in"}, {URL: "http://a.example/join?to=/in", Anchor: "Join"}, {URL: "http://a.example/join?to=" + to, Anchor: "join us"}}}
		w.Shown(in.URL, ShownBy(&in))
		show(fmt.Sprintf("http://a.example/photo.php?id=%d", i), "", fmt.Sprintf("http://a.example/photo.php?id=%d&size=large", i), fmt.Sprintf("http://a.example/photo.php?id=%d", i+50))
		show(fmt.Sprintf("http://a.example/thread.php?id=%d", i), fmt.Sprint("thread ", i), "http://a.example/")
		show(fmt.Sprintf("http://a.example/album?of=%d", i), "", fmt.Sprintf("http://a.example/picture?of=%d&n=1", i))
		show(fmt.Sprintf("http://a.example/list?page=%d", i), "all of our offers in one list", fmt.Sprintf("http://a.example/offer?n=%d0", i))
		show("http://a.example/front", "the same each time", "http://a.example/")
		var replies, parts []string // each of which stands on all of them
		for n := range 3 {
			replies = append(replies, fmt.Sprintf("http://blog.example/post-%c/?reply=%d%d", 'a'+i, i, n))
			parts = append(parts, fmt.Sprintf("http://blog.example/part-%c/?n=%d%d", 'a'+i, i, n))
		}
		for n := range 3 {
			show(replies[n], fmt.Sprint("what the post says is this: ", i), replies...)
			show(parts[n], fmt.Sprint("what the part says is this: ", i, n), parts...)
		}
	}
	again := NewTrapWatch(TrapConfig{})
	if err := again.Relearn(w.Lesson()); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*TrapWatch{w, again} {
		for address, refused := range map[string]bool{
			"http://a.example/login?back=/p99": true, "http://a.example/enter/?next=/p99": true, "http://a.example/sign?next=/p/99": true, "http://a.example/in?to=/p99": true, "http://a.example/login": false, "http://a.example/photo.php?id=99": false,
			"http://blog.example/post-c/?reply=99": true, "http://blog.example/part-c/?n=99": false,
			"http://a.example/album?of=99": false, "http://a.example/list?page=99": false,
			"http://a.example/thread.php?id=99": false, "http://b.example/login?back=/p99": false,
		} {
			if said := w.Check(address); (said != "") != refused {
				t.Errorf("%s: %q", address, said)
			}
		}
	}
}

// A table that is sorted by each of its columns, and by those before it, has an address for each order and on each links to more of them: its
// rows are the same. An album whose pictures ask for what it asks itself has pictures of its own.
func TestATableInEachOrder(t *testing.T) {
	w := NewTrapWatch(TrapConfig{})
	columns, rows := []string{"name", "size", "date", "author"}, []string{"the first of the files that are here", "another file", "a third one of them"}
	sorted := func(by []string) string { return "http://a.example/files?sort=" + strings.Join(by, ",") }
	passed, by := 0, []string{}
	for i := range 600 {
		by = append([]string{columns[i*7%4] + []string{"", ":desc"}[i%2]}, by[:min(len(by), 3)]...)
		p := page.Page{URL: sorted(by), Title: "files"}
		for n := range rows {
			p.Runs = append(p.Runs, page.Run{Text: rows[(n+i)%3]})
		}
		for _, c := range columns {
			p.Links = append(p.Links, page.Link{URL: sorted(append([]string{c}, by...)), Anchor: c})
		}
		if w.Check(p.URL) == "" {
			passed++
			w.Shown(p.URL, ShownBy(&p))
			w.LeadsOn(p.URL, p.Links[0].URL)
		}
		p = page.Page{URL: fmt.Sprintf("http://b.example/album?id=%d", i), Title: "t", Runs: []page.Run{{Text: "pictures of the sea, and of ships"}}}
		p.Links = []page.Link{{URL: fmt.Sprintf("http://b.example/album?id=%d1", i)}, {URL: fmt.Sprintf("http://b.example/album?id=%d2", i), Anchor: fmt.Sprint("picture ", i)}}
		if w.Shown(p.URL, ShownBy(&p)); w.Check(p.URL+"9") != "" {
			t.Fatal("no album is looked at beyond ", p.URL)
		}
	}
	if passed > 40 {
		t.Errorf("%d orders of one table were let pass", passed)
	}
}

// Where pages of the topic are not compared, as duplicates are kept, each that is kept is another: offers of which many are gone have their
// numbers.
func TestPagesThatAreKeptAreOthers(t *testing.T) {
	w := NewTrapWatch(TrapConfig{})
	w.Record()
	gone := page.Page{Title: "gone", Runs: []page.Run{{Text: "this offer is not there any more"}}}
	for i := range 20 {
		gone.URL = fmt.Sprintf("http://shop.example/offer?id=%d", i)
		w.Shown(gone.URL, ShownBy(&gone))
		w.Kept(fmt.Sprintf("http://shop.example/offer?id=%d", i+100))
	}
	again := NewTrapWatch(TrapConfig{})
	if err := again.Relearn(w.Lesson()); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*TrapWatch{w, again} {
		if said := w.Check("http://shop.example/offer?id=99"); said != "" {
			t.Error(said)
		}
	}
}
