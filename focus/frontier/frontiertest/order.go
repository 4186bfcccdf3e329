package frontiertest

import (
	"math"
	"reflect"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

func testOrder(t *testing.T, b Backend) {
	t.Run("tier, then score, then arrival", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{})
		for i, it := range []frontier.Item{
			link("a", "late", 1), link("b", "best", 3), link("a", "second", 2), link("c", "same", 1),
			link("d", "below", -2), link("d", "zero", 0), link("e", "minus zero", float32(math.Copysign(0, -1))),
			{URL: "tier 1", Host: "a", Tier: 1, Score: 99},
		} {
			if id := c.push(it); id != uint64(i+1) {
				t.Errorf("item %d got the id %d", i+1, id)
			}
		}
		c.want("https://b/best", "https://a/second", "https://a/late", "https://c/same", "https://d/zero",
			"https://e/minus zero", "https://d/below", "tier 1")
	})
	t.Run("two lanes over one set", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{PerHost: 9})
		c.push(frontier.Item{URL: "x", Host: "a", Score: 3, Alt: 1})
		c.push(frontier.Item{URL: "y", Host: "b", Score: 2, Alt: 3})
		c.push(frontier.Item{URL: "z", Host: "a", Score: 1, Alt: 2})
		for i, want := range []string{"y", "z", "x"} {
			if it, _, err := c.TryPop(1); err != nil || it.URL != want {
				t.Errorf("item %d of lane 1 is %q, %v, want %q", i, it.URL, err, want)
			}
		}
		c.push(frontier.Item{URL: "v", Host: "a", Score: 1, Alt: 5})
		c.push(frontier.Item{URL: "w", Host: "b", Score: 4, Alt: 4})
		if it, _, _ := c.TryPop(0); it.URL != "w" {
			t.Errorf("after lane 1 was used, lane 0 gives %q", it.URL)
		}
		if it, _, _ := c.TryPop(1); it.URL != "v" {
			t.Errorf("after lane 0 was used, lane 1 gives %q", it.URL)
		}
		if _, _, err := c.TryPop(2); err == nil {
			t.Error("there is a lane 2")
		}
	})
	t.Run("rescored up and down", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{})
		up, down := c.push(link("a", "up", 1)), c.push(link("b", "down", 3))
		c.push(link("b", "stays", 2))
		c.Rescore(up, 4, 0, []float32{4, 1}, nil)
		c.Rescore(down, 1, 0, nil, nil)
		c.Rescore(99, 1, 0, nil, nil)
		if it, st := c.Get(up); st != frontier.Waiting || it.Score != 4 || len(it.Numbers) != 2 || it.Numbers[1] != 1 {
			t.Errorf("rescored item is %+v, %v", it, st)
		}
		c.want("https://a/up", "https://b/stays", "https://b/down")
	})
	t.Run("another note", func(t *testing.T) { testAnotherNote(t, b) })
	t.Run("held tiers", func(t *testing.T) { testHolding(t, b) })
	t.Run("what cannot be ordered", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{})
		id := c.push(link("a", "x", 1))
		for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
			if _, _, err := c.Push(frontier.Item{URL: "u", Host: "a", Score: bad}); err == nil {
				t.Errorf("score %v was taken", bad)
			}
			if _, _, err := c.Push(frontier.Item{URL: "u", Host: "a", Alt: bad}); err == nil {
				t.Errorf("second score %v was taken", bad)
			}
			if c.Rescore(id, bad, 0, nil, nil) == nil || c.Rescore(id, 0, bad, nil, nil) == nil || c.Promote(id, 0, bad) == nil {
				t.Errorf("%v was taken as a new score", bad)
			}
		}
		if _, _, err := c.Push(frontier.Item{Host: "a"}); err == nil {
			t.Error("an item without an address was taken")
		}
		if c.Len() != 1 {
			t.Errorf("%d items wait, want 1", c.Len())
		}
		c.want("https://a/x")
	})
}

// testAnotherNote holds that a note can be changed without the score, and the score without the note.
func testAnotherNote(t *testing.T, b Backend) {
	c := begin(t, b, frontier.Manners{})
	c.push(link("a", "first", 2))
	it := link("b", "second", 2)
	it.Via, it.Depth, it.Alt, it.Numbers, it.Note = 1<<40+7, 300, 1, []float32{2, 1}, []byte("before")
	id := c.push(it)
	c.push(link("c", "third", 2))
	want := func(what, note string, numbers ...float32) {
		t.Helper()
		got, st := c.Get(id)
		w := it
		w.ID, w.Numbers, w.Note = id, numbers, nil
		if note != "" {
			w.Note = []byte(note)
		}
		if st != frontier.Waiting || !reflect.DeepEqual(got, w) {
			t.Errorf("%s: the item is %+v, %v\nwant %+v", what, got, st, w)
		}
	}
	rescore := func(note []byte, numbers ...float32) {
		t.Helper()
		if err := c.Rescore(id, 2, 1, numbers, note); err != nil {
			t.Fatal(err)
		}
	}
	note := []byte("a longer note than before")
	rescore(note, 2, 1)
	note[0] = '!'
	want("another note", "a longer note than before", 2, 1)
	rescore(nil, 4)
	want("other numbers", "a longer note than before", 4)
	rescore([]byte{})
	want("neither", "")
	rescore([]byte("after"), 2, 1)
	if b.Reopen != nil {
		c.Full = b.Reopen(t, c.Full, frontier.Manners{Clock: c.clock})
		defer c.Close()
	}
	want("at last", "after", 2, 1)
	if err := c.Rescore(99, 1, 1, nil, []byte("nobody's")); err != nil {
		t.Errorf("of an item that is not there: %v", err)
	}
	c.want("https://a/first", "https://b/second", "https://c/third")
}

func testHolding(t *testing.T, b Backend) {
	c := begin(t, b, frontier.Manners{})
	open := c.push(link("a", "open", 0))
	var ids []uint64
	for _, it := range []frontier.Item{link("a", "h1", 1), link("b", "h2", 3), link("b", "h3", 2), link("c", "h4", 2)} {
		it.Tier = frontier.Held + 7
		ids = append(ids, c.push(it))
	}
	if it := c.pop(); it.ID != open {
		t.Fatalf("a held item was handed over: %s", it.URL)
	}
	c.wantErr(frontier.ErrIdle)
	c.done(open, frontier.Outcome{})
	c.wantErr(frontier.ErrHeld)

	var got []uint64
	c.Each(frontier.Held+7, func(id uint64) bool {
		got = append(got, id)
		return len(got) < 3
	})
	if len(got) != 3 || got[0] != ids[1] || got[1] != ids[2] || got[2] != ids[3] {
		t.Errorf("Each gave %v of %v", got, ids)
	}
	c.Drop(ids[1])
	c.Promote(ids[0], 1, 5)
	c.Promote(ids[2], 0, -5)
	if it, st := c.Get(ids[1]); st != frontier.Dropped || it.URL != "https://b/h2" {
		t.Errorf("dropped item is %q, %v", it.URL, st)
	}
	if c.Len() != 3 {
		t.Errorf("%d items wait, want 3", c.Len())
	}
	for _, want := range []string{"https://b/h3", "https://a/h1"} {
		it := c.pop()
		if it.URL != want {
			t.Errorf("popped %s, want %s", it.URL, want)
		}
		c.done(it.ID, frontier.Outcome{})
	}
	c.wantErr(frontier.ErrHeld)
	c.Drop(ids[3])
	c.wantErr(frontier.ErrEmpty)
	if id, fresh, _ := c.Push(link("b", "h2", 1)); id != ids[1] || !fresh {
		t.Errorf("a dropped item pushed again got the id %d (had %d), fresh %v", id, ids[1], fresh)
	}
	c.want("https://b/h2")
}
