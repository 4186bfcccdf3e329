package frontiertest

import (
	"reflect"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

func testResume(t *testing.T, b Backend) {
	if b.Reopen == nil {
		t.Skip("nothing of this backend persists")
	}
	m := frontier.Manners{Delay: time.Second}
	c := begin(t, b, m)
	m.Clock = c.clock
	keeper := func() frontier.Keeper { return c.Full.(frontier.Keeper) }
	if r := keeper().Restored(); r.Items != 0 || !r.At.IsZero() || r.Learned != nil {
		t.Errorf("a new frontier has restored %+v", r)
	}
	for _, it := range []frontier.Item{link("a", "1", 9), link("b", "1", 8), link("c", "1", 7), link("a", "2", 3), link("d", "1", 1)} {
		it.Numbers, it.Note = []float32{it.Score}, []byte(it.URL)
		c.push(it)
	}
	a, bb, cc := c.pop(), c.pop(), c.pop()
	c.clock.Advance(time.Second)
	c.done(bb.ID, frontier.Outcome{Wait: time.Hour, Counters: map[string]int64{"pages": 1, "bytes": 10},
		Lesson: []byte("first"), Files: map[string]int64{"harvest": 10}})
	if err := keeper().Snapshot([]byte("learned")); err != nil {
		t.Fatal(err)
	}
	c.clock.Advance(time.Second)
	e := c.pop()
	c.done(e.ID, frontier.Outcome{Counters: map[string]int64{"pages": 1}, Lesson: []byte("second"),
		Files: map[string]int64{"harvest": 25, "log": 3}})
	c.push(link("b", "2", 100))

	c.Full = b.Reopen(t, c.Full, m)
	defer c.Close()
	want := frontier.Restored{Items: 6, Waiting: 4, At: Start.Add(2 * time.Second),
		Counters: map[string]int64{"pages": 2, "bytes": 10}, Files: map[string]int64{"harvest": 25, "log": 3},
		Learned: []byte("learned"), Lessons: [][]byte{[]byte("second")},
		Leases: []frontier.Lease{{ID: a.ID, Host: "a", At: Start}, {ID: cc.ID, Host: "c", At: Start}}}
	got := keeper().Restored()
	got.At = got.At.UTC()
	for i := range got.Leases {
		got.Leases[i].At = got.Leases[i].At.UTC()
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("restored %+v\nwant     %+v", got, want)
	}
	c.wantAt(3 * time.Second) // nobody knows when what was interrupted was asked for
	c.clock.Advance(time.Second)
	for i, again := range []frontier.Item{a, cc} {
		if it := c.pop(); !reflect.DeepEqual(it, again) {
			t.Errorf("lease %d came back as %+v, was %+v", i, it, again)
		}
	}
	c.wantAt(time.Hour + time.Second)
}

// testClockAhead: a clock that ran ahead, and was set right while the process was away, holds up nobody.
func testClockAhead(t *testing.T, b Backend) {
	if b.Reopen == nil {
		t.Skip("nothing of this backend persists")
	}
	m := frontier.Manners{Delay: time.Second}
	c := begin(t, b, m)
	ahead := frontier.NewManual(Start.Add(24 * time.Hour))
	m.Clock = ahead
	c.Full = b.Reopen(t, c.Full, m)
	for _, path := range []string{"1", "2"} {
		c.push(link("a", path, 2))
		c.push(link("b", path, 1))
	}
	a, other := c.pop(), frontier.Item{}
	c.done(a.ID, frontier.Outcome{Wait: 10 * time.Minute})
	if other = c.pop(); other.Host != "b" {
		t.Fatalf("popped %s", other.URL)
	}
	c.done(other.ID, frontier.Outcome{})
	m.Clock = c.clock
	c.Full = b.Reopen(t, c.Full, m)
	defer c.Close()
	c.wantAt(time.Second)
	c.clock.Advance(time.Second)
	b2 := c.pop()
	if b2.Host != "b" {
		t.Errorf("popped %s", b2.URL)
	}
	c.done(b2.ID, frontier.Outcome{}) // so that something is written by the right clock
	c.Full = b.Reopen(t, c.Full, m)
	c.wantAt(10*time.Minute + time.Second) // what the host itself asked for is kept, as far as anybody can tell
}
