package junk

import (
	"fmt"
	"testing"
)

// Where a host leads nearly all addresses is known after a dozen, if pages are there; not of a host that answers itself, nor of two that lead
// to each other.
func TestWhereHostsLead(t *testing.T) {
	w := NewTrapWatch(TrapConfig{})
	w.Record()
	led := func(from, to string, found int) {
		for i := range 12 {
			at := fmt.Sprintf("/p%d?q=%d", i, i)
			w.Led(from+at, to+at, true)
			if i < found {
				w.Visited(to+at, true)
			}
		}
	}
	for i := range 12 {
		w.Led(fmt.Sprintf("http://slash.example/a/p%d", i), fmt.Sprintf("http://slash.example/a/p%d/", i), true)
		w.Visited(fmt.Sprintf("http://slash.example/a/p%d/", i), true)
		w.Visited(fmt.Sprintf("http://slash.example/a/p%d.html", i), true)
		w.Led(fmt.Sprintf("http://less.example:81/p%d/", i), fmt.Sprintf("http://less.example:81/p%d", i), true)
		w.Visited(fmt.Sprintf("http://less.example:81/p%d", i), true)
		w.Led(fmt.Sprintf("http://mixed.example/p%d", i), fmt.Sprintf("http://mixed.example/p%d/", i), true)
		w.Visited(fmt.Sprintf("http://mixed.example/p%d/", i), true)
	}
	w.Visited("http://mixed.example/own", true)
	led("http://old.example", "https://www.old.example", 12)
	led("http://plain.example", "https://plain.example", 11)
	led("https://bare.example", "https://www.bare.example", 12)
	led("http://both.example", "https://both.example", 12)
	led("http://ping.example", "https://ping.example", 0)
	led("https://ping.example", "http://ping.example", 0)
	led("http://other.example", "http://else.example", 12)
	led("http://port.example:8080", "https://port.example:8080", 12)
	w.Visited("http://both.example/own", true)
	again := NewTrapWatch(TrapConfig{})
	if err := again.Relearn(w.Lesson()); err != nil {
		t.Fatal(err)
	}
	var none *TrapWatch
	if to := none.LeadsTo("http://old.example/x") + none.SurelyLeadsTo("http://old.example/x"); to != "" {
		t.Errorf("a watch of nothing says %s", to)
	}
	for _, w := range []*TrapWatch{w, again} {
		for _, c := range []struct {
			from, to string
			sure     bool
		}{
			{"http://old.example/new?a=%e4", "https://www.old.example/new?a=%e4", true},
			{"http://old.example", "https://www.old.example", true},
			{"http://www.old.example/new", "", false},
			{"http://plain.example/new", "https://plain.example/new", false},
			{"https://bare.example/new", "https://www.bare.example/new", true},
			{"http://both.example/new", "https://both.example/new", false},
			{"http://ping.example/new", "https://ping.example/new", false},
			{"http://other.example/new", "", false},
			{"http://port.example:8080/new", "", false},
			{"http://slash.example/b/new", "http://slash.example/b/new/", true},
			{"http://slash.example/b/new/", "", false},
			{"http://slash.example/b/new.html", "", false},
			{"http://slash.example/b?new", "", false},
			{"http://slash.example/", "", false},
			{"http://less.example:81/new/", "http://less.example:81/new", true},
			{"http://less.example:81/", "", false},
			{"http://mixed.example/new", "http://mixed.example/new/", false},
			{"ftp://old.example/new", "", false},
		} {
			to, surely := w.LeadsTo(c.from), w.SurelyLeadsTo(c.from)
			if to != c.to || (surely != "") != c.sure || c.sure && surely != to {
				t.Errorf("%s: %q %q, want %q %v", c.from, to, surely, c.to, c.sure)
			}
		}
	}
	w.Led("http://plain.example/p12", "https://plain.example/p12", true)
	w.Visited("https://plain.example/p12", true)
	if w.SurelyLeadsTo("http://plain.example/new") == "" {
		t.Error("twelve pages are there, and it is not sure")
	}
}

// That a host leads on is looked at again now and then, for sites move by parts; a page that it answers itself ends it.
func TestWhereAHostLeadsIsLookedAtAgain(t *testing.T) {
	w := NewTrapWatch(TrapConfig{})
	at := func(i int) string { return fmt.Sprintf("http://half.example/p%d", i) }
	for i := range 20 {
		to := fmt.Sprintf("https://half.example/p%d", i)
		w.Led(at(i), to, true)
		w.Visited(to, true)
	}
	asked := 0
	for i := 100; i < 1100; i++ {
		if w.SurelyLeadsTo(at(i)) == "" {
			if w.SurelyLeadsTo(at(i)) != "" {
				t.Error("what is asked for is not, when its turn has come")
			}
			asked++
			w.Led(at(i), fmt.Sprintf("https://half.example/p%d", i), true)
		} else if w.LeadsTo(at(i)) == "" { // it is asked again when the visit ends, and that is none more
			t.Error("nobody knows where it leads: ", at(i))
		}
	}
	if asked != 8 { // after 4, 8, 16, … and 512
		t.Fatalf("%d of 1000 are asked for", asked)
	}
	w.Visited(at(100), true)
	if to := w.SurelyLeadsTo(at(2000)); to != "" {
		t.Error("it answers itself, and is thought to lead to ", to)
	}
}
