package frontiertest

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

func testAddresses(t *testing.T, b Backend) {
	t.Run("kept whole", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{})
		want := frontier.Item{URL: "HTTP://A/?b=1&a=2", Identity: "http://a/?a=2&b=1", Host: "the host", Via: 7, Depth: 65535,
			Tier: 3, Score: -1.5, Alt: 2.25, Numbers: []float32{1, 0, -3}, Note: []byte("carried\x00along")}
		given := want
		given.Numbers, given.Note = append([]float32{}, want.Numbers...), append([]byte{}, want.Note...)
		want.ID = c.push(given)
		given.Numbers[0], given.Note[0] = 9, 'X'
		if got, st := c.Get(want.ID); st != frontier.Waiting || !reflect.DeepEqual(got, want) {
			t.Errorf("Get: %+v, %v\nwant %+v", got, st, want)
		}
		if got := c.pop(); !reflect.DeepEqual(got, want) {
			t.Errorf("popped %+v\nwant %+v", got, want)
		}
		if got, st := c.Get(want.ID); st != frontier.Leased || !reflect.DeepEqual(got, want) {
			t.Errorf("Get while leased: %+v, %v", got, st)
		}
		c.done(want.ID, frontier.Outcome{})
		if got, st := c.Get(want.ID); st != frontier.Finished || !reflect.DeepEqual(got, want) {
			t.Errorf("Get when finished: %+v, %v", got, st)
		}
		if c.Find(want.Identity) != want.ID || c.Find(want.URL) != 0 {
			t.Error("an item is found by something else than its identity")
		}
		if _, st := c.Get(0); st != frontier.Unknown {
			t.Errorf("item 0 is %v", st)
		}
		if _, st := c.Get(99); st != frontier.Unknown {
			t.Errorf("item 99 is %v", st)
		}
	})
	t.Run("numbers may be no numbers", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{})
		it := link("a", "x", 1)
		it.Numbers = []float32{float32(math.NaN()), 1}
		id := c.push(it)
		if got, _ := c.Get(id); len(got.Numbers) != 2 || got.Numbers[0] == got.Numbers[0] || got.Numbers[1] != 1 {
			t.Errorf("numbers became %v", got.Numbers)
		}
	})
	t.Run("raised, never lowered", func(t *testing.T) { testRaise(t, b) })
	t.Run("no duplicates", func(t *testing.T) {
		c := begin(t, b, frontier.Manners{PerHost: 1000})
		for round := range 3 {
			for i := range 200 {
				_, fresh, err := c.Push(link("a", fmt.Sprint(i), float32(i%7)))
				if err != nil || fresh != (round == 0) {
					t.Fatalf("round %d, item %d: fresh %v, %v", round, i, fresh, err)
				}
			}
		}
		seen := map[string]bool{}
		for c.Len() > 0 {
			it := c.pop()
			if seen[it.URL] {
				t.Fatalf("%s was handed over twice", it.URL)
			}
			seen[it.URL] = true
		}
		if len(seen) != 200 {
			t.Errorf("%d items of 200", len(seen))
		}
	})
}

func testRaise(t *testing.T, b Backend) {
	c := begin(t, b, frontier.Manners{})
	first := frontier.Item{URL: "as written", Identity: "x", Host: "a", Via: 1, Depth: 5, Tier: 2, Score: 2, Alt: 2,
		Numbers: []float32{2}, Note: []byte("two")}
	id := c.push(first)
	again := func(tier uint32, score, alt float32, via uint64) frontier.Item {
		t.Helper()
		got, fresh, err := c.Push(frontier.Item{URL: "otherwise", Identity: "x", Host: "b", Via: via, Depth: uint16(via),
			Tier: tier, Score: score, Alt: alt, Numbers: []float32{score}, Note: []byte{byte(via)}})
		if got != id || fresh || err != nil {
			t.Fatalf("pushed again: id %d (had %d), fresh %v, %v", got, id, fresh, err)
		}
		it, _ := c.Get(id)
		return it
	}
	want := first
	want.ID = id
	for _, step := range []struct {
		why   string
		tier  uint32
		score float32
		alt   float32
		raise bool
	}{
		{"lower", 2, 1, 1, false},
		{"equal", 2, 2, 2, false},
		{"higher in a later tier", 3, 9, 1, false},
		{"only the second score", 2, 1, 4, false},
		{"higher, lower second", 2, 3, 1, true},
		{"earlier tier, lower score", 1, 0, 5, true},
		{"higher again", 1, 7, 7, true},
	} {
		via := uint64(10 + step.score)
		got := again(step.tier, step.score, step.alt, via)
		if step.raise {
			want.Tier, want.Score, want.Via, want.Depth = step.tier, step.score, via, uint16(via)
			want.Numbers, want.Note = []float32{step.score}, []byte{byte(via)}
		}
		want.Alt = max(want.Alt, step.alt)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: now %+v\nwant %+v", step.why, got, want)
		}
	}
	popped := c.pop()
	if got := again(0, 100, 100, 3); !reflect.DeepEqual(got, popped) {
		t.Errorf("pushed while leased it became %+v", got)
	}
	c.done(id, frontier.Outcome{})
	if got := again(0, 200, 200, 4); !reflect.DeepEqual(got, popped) {
		t.Errorf("pushed when finished it became %+v", got)
	}
	c.wantErr(frontier.ErrEmpty)
}
