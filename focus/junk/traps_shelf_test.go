package junk

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/thresher-crawler/thresher/focus/pack"
)

// shelfSite is a site whose addresses have a parameter that changes nothing, as each shows what its page shows without it, or all show one page.
type shelfSite struct{ one bool }

func (s shelfSite) page(i int) string {
	if s.one {
		return "http://talk.example/thread"
	}
	return fmt.Sprintf("http://talk.example/p%c", 'a'+i%14)
}

func (s shelfSite) address(i int) string { return fmt.Sprintf("%s?view=%d", s.page(i), i) }

// visit visits an address, and of the first few what it is without the parameter before.
func (s shelfSite) visit(w *TrapWatch, pages *Duplicates, i int) {
	if i < 14 {
		pages.Compare(s.page(i), says(s.page(i)))
	}
	pages.Compare(s.address(i), says(s.page(i)))
	w.Visited(s.address(i), true)
}

// watch is a watch that has learned of the parameter, and has refused items for it.
func (s shelfSite) watch(t *testing.T, items int) (w *TrapWatch, pages *Duplicates, refused []uint64) {
	w = NewTrapWatch(TrapConfig{})
	w.Record()
	pages = w.Duplicates()
	for i := range 14 {
		s.visit(w, pages, i)
	}
	for i := 100; i < 100+items; i++ {
		if w.CheckWaiting(s.address(i), uint64(i)) != "" {
			refused = append(refused, uint64(i))
		} else {
			s.visit(w, pages, i)
		}
		if back := w.Back(uint64(i), false); len(back) > 0 {
			t.Errorf("%v come back after %d", back, i)
		}
	}
	return w, pages, refused
}

// shelfAgain are watches that know what another does: by its state, and by all that it was told.
func shelfAgain(t *testing.T, w *TrapWatch) []*TrapWatch {
	t.Helper()
	told, restored := NewTrapWatch(TrapConfig{}), NewTrapWatch(TrapConfig{})
	if err := told.Relearn(w.Lesson()); err != nil {
		t.Fatal(err)
	}
	if err := restored.Restore(w.State()); err != nil {
		t.Fatal(err)
	}
	for _, a := range []*TrapWatch{told, restored} {
		if !bytes.Equal(a.State(), w.State()) {
			t.Error("what is known again is not what was known")
		}
	}
	return []*TrapWatch{w, told, restored}
}

// What was refused when its turn came comes back, all of it and once, when a page shows that the rule is untrue, also to who goes on with the
// crawl.
func TestWhatWasRefusedComesBack(t *testing.T) {
	w, _, refused := shelfSite{}.watch(t, 60)
	if len(refused) < 50 {
		t.Fatalf("%d of 60 are refused", len(refused))
	}
	for i, w := range shelfAgain(t, w) {
		if back := w.Back(1, false); len(back) > 0 {
			t.Fatalf("%d: nothing has happened, and %v come back", i, back)
		}
		w.Duplicates().Compare(shelfSite{}.address(7), says("another"))
		if back := w.Back(0, false); !slices.Equal(back, refused) {
			t.Errorf("%d: %v come back, want %v", i, back, refused)
		}
		if back := w.Back(0, false); len(back) > 0 {
			t.Errorf("%d: %v come back twice", i, back)
		}
		if said := w.CheckWaiting(shelfSite{}.address(110), 110); said != "" {
			t.Errorf("%d: %s", i, said)
		}
	}
}

// What another machine has brought back, and what was refused again since, is no more brought back here.
func TestWhatWasRefusedAgainStaysSo(t *testing.T) {
	w, pages, refused := shelfSite{}.watch(t, 60)
	pages.Compare(shelfSite{}.address(7), says("another"))
	back := w.Back(0, false)
	for i := range 30 {
		shelfSite{}.visit(w, pages, i)
	}
	again := refused[0]
	if w.CheckWaiting(shelfSite{}.address(int(again)), again) == "" {
		t.Fatal("it is not learned again")
	}
	other := NewTrapWatch(TrapConfig{})
	if err := other.Relearn(w.Lesson()); err != nil {
		t.Fatal(err)
	}
	if got := other.Back(0, false); !slices.Equal(got, back[1:]) {
		t.Errorf("%v come back, want %v", got, back[1:])
	}
}

// One of what was refused is visited after a thousand pages, and another after two thousand more.
func TestAShelfIsLookedAtNowAndThen(t *testing.T) {
	w, _, refused := shelfSite{}.watch(t, 60)
	var at []int
	for n := range 6000 {
		w.Visited(fmt.Sprintf("http://other.example/%d", n), true)
		for _, item := range w.Back(0, false) {
			at = append(at, n)
			if item != refused[len(refused)-len(at)] || w.CheckWaiting(shelfSite{}.address(int(item)), item) != "" {
				t.Errorf("%d comes back, and is refused", item)
			}
			if back := w.Back(item, false); len(back) > 0 {
				t.Errorf("%v come back when it was visited", back)
			}
		}
	}
	if len(at) != 2 || at[1]-at[0] != 2000 || at[0] > 1000 {
		t.Errorf("one was visited after %v", at)
	}
}

// While one is visited to see whether a rule is true, no other is; when that has ended and says nothing, the next one is.
func TestOneOfARuleIsLookedAtAtATime(t *testing.T) {
	site := shelfSite{one: true}
	w, _, _ := site.watch(t, 0)
	var passed []uint64
	for item := uint64(100); item < 200; item++ {
		if w.CheckWaiting(site.address(int(item)), item) == "" {
			passed = append(passed, item)
		}
		if item == 150 {
			w.Back(passed[0], false)
		}
	}
	if !slices.Equal(passed, []uint64{100 + onTrust, 151}) {
		t.Errorf("%v were let pass", passed)
	}
	if said := w.CheckWaiting(site.address(151), 151); said != "" {
		t.Errorf("it was put off, and is refused when its turn comes again: %s", said)
	}
}

// When nothing else waits, some are visited, one after the other: more of them where a site has shown one page for all, and none where few were
// refused. Then the others are given up.
func TestAShelfIsLookedAtWhenNothingElseWaits(t *testing.T) {
	for _, c := range []struct {
		of          string
		site        shelfSite
		items, want int
	}{{"one page", shelfSite{one: true}, 100, 5}, {"pages", shelfSite{}, 100, 2}, {"one page, of few", shelfSite{one: true}, 3, 0}} {
		w, pages, refused := c.site.watch(t, c.items)
		looked := 0
		for back := w.Back(0, true); len(back) > 0 && looked < 20; back = w.Back(0, true) {
			looked++
			if len(back) > 1 || back[0] != refused[len(refused)-looked] {
				t.Errorf("%s: %v come back", c.of, back)
			}
			if w.CheckWaiting(c.site.address(int(back[0])), back[0]) != "" {
				t.Errorf("%s: %d is refused", c.of, back[0])
			}
			c.site.visit(w, pages, int(back[0]))
			w.Back(back[0], false)
		}
		if looked != c.want {
			t.Errorf("%s: %d of %d are visited, want %d", c.of, looked, len(refused), c.want)
		}
		pages.Compare(c.site.address(7), says("another"))
		if back := w.Back(0, false); len(back) > 0 {
			t.Errorf("%s: %v come back that were given up", c.of, back)
		}
	}
}

// What is remembered is bounded.
func TestShelvesAreBounded(t *testing.T) {
	w := NewTrapWatch(TrapConfig{})
	for of := range 2 * mostShelves {
		w.shelve(putThere, kind(of+1), 7)
	}
	for item := range 2 * mostShelved {
		w.shelve(putThere, 2*mostShelves, uint64(item))
	}
	if n := len(w.shelves); n != mostShelves || w.shelves[n-1].of != 2*mostShelves || len(w.shelves[n-1].items) != mostShelved {
		t.Errorf("%d shelves, the last of %d", n, len(w.shelves[n-1].items))
	}
	for _, lesson := range [][]uint64{{oneBack, 99, 0}, {lastBack, 2 * mostShelves}, {putThere}} { // of a rule that nobody knows, or cut
		k := newLesson(lesson)
		if err := w.Relearn(k); (err == nil) != (len(lesson) == 3) {
			t.Errorf("%v: %v", lesson, err)
		}
	}
	if back := (*TrapWatch)(nil).Back(1, true); back != nil {
		t.Error("a nil watch gives back ", back)
	}
}

func newLesson(numbers []uint64) []byte {
	var k pack.Coder
	for i := range numbers {
		k.Fixed64(&numbers[i])
	}
	return k.Bytes
}

// What had its turn and was refused comes back no sooner than the frontier knows that it is given up: not while another visit ends, nor
// while its own does.
func TestNothingComesBackBeforeItIsGivenUp(t *testing.T) {
	w, _, refused := shelfSite{}.watch(t, 60)
	for i := uint64(200); i < 203; i++ {
		if w.CheckWaiting(shelfSite{}.address(int(i)), i) == "" {
			t.Fatalf("%d is not refused", i)
		}
	}
	w.Duplicates().Compare(shelfSite{}.address(7), says("another"))
	for i, w := range shelfAgain(t, w) {
		for ended, want := range [][]uint64{200: refused, 201: {200}, 202: {201}, 203: {202}, 204: nil} {
			if ended < 200 {
				continue
			}
			if back := w.Back(uint64(ended), false); !slices.Equal(back, want) {
				t.Errorf("%d: when %d has ended %v come back, want %v", i, ended, back, want)
			}
		}
	}
}
