package frontiertest

import (
	"reflect"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

func testShared(t *testing.T, b Backend) {
	c := begin(t, b, frontier.Manners{})
	for _, path := range []string{"1", "2", "3"} {
		c.push(link("a", path, 1))
	}
	if sums, err := c.Counters(); len(sums) != 0 || err != nil {
		t.Errorf("nothing was counted: %v, %v", sums, err)
	}
	c.done(c.pop().ID, frontier.Outcome{Counters: map[string]int64{"pages": 1, "refused: robots": 2}, Lesson: []byte("one")})
	c.done(c.pop().ID, frontier.Outcome{Counters: map[string]int64{"pages": 1, "bytes": 7}})
	if c.Done(99, frontier.Outcome{Counters: map[string]int64{"pages": 1}}) == nil {
		t.Error("an outcome of nothing was taken")
	}
	want := map[string]int64{"pages": 2, "bytes": 7, "refused: robots": 2}
	if sums, err := c.Counters(); !reflect.DeepEqual(sums, want) || err != nil {
		t.Errorf("counted %v, %v, want %v", sums, err, want)
	}
	if told, err := c.Hear(); len(told) != 0 || err != nil {
		t.Errorf("who is alone heard %q, %v", told, err)
	}
	for _, command := range []frontier.Command{frontier.GoOn, frontier.Pause, frontier.Stop, frontier.GoOn} {
		if err := c.Command(command); err != nil {
			t.Fatal(err)
		}
		if got, err := c.Commanded(); got != command || err != nil {
			t.Errorf("told to %v, and heard %v, %v", command, got, err)
		}
	}
}
