package serve

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/watch"
)

// TestFollowersShareOneDrawing holds that a story is drawn once, however many follow, that a follower is sent what has changed since
// he was sent something last, and that nothing is sent twice.
func TestFollowersShareOneDrawing(t *testing.T) {
	f := &followed{drawn: map[string]*drawn{}, story: &watch.Story{}}
	times := 0
	text := map[string]json.RawMessage{"a": []byte(`"1"`), "b": []byte(`"1"`)}
	draw := func(*watch.Story) (map[string]json.RawMessage, error) { times++; return text, nil }
	sent := func(since, want int, parts ...string) {
		t.Helper()
		object, now, err := f.changed(since, "x", draw)
		if err != nil || now != f.version {
			t.Fatalf("version %d, %v", now, err)
		}
		got := map[string]string{}
		if len(object) > 0 {
			if err := json.Unmarshal(object, &got); err != nil {
				t.Fatalf("%s: %v", object, err)
			}
		}
		if len(got) != len(parts) || times != want {
			t.Errorf("since %d it was sent %s, want %q; drawn %d times, want %d", since, object, parts, times, want)
		}
		for _, name := range parts {
			if got[name] == "" {
				t.Errorf("since %d it was sent %s, want %q", since, object, parts)
			}
		}
	}
	f.version = 1
	for range 3 {
		sent(0, 1, "a", "b")
		sent(1, 1)
	}
	f.version, text = 2, map[string]json.RawMessage{"a": []byte(`"2"`), "b": []byte(`"1"`)}
	for range 3 {
		sent(1, 2, "a")
	}
	sent(0, 2, "a", "b") // one that comes late
	f.version = 3
	sent(2, 3)
	sent(1, 3, "a")
	sent(7, 3, "a", "b") // one whose story was let go while the machine slept, and is read anew
}

// TestTheDearerALookTheRarer holds that looking takes at most one part in five hundred of the time, as far as the page still follows.
func TestTheDearerALookTheRarer(t *testing.T) {
	for took, want := range map[time.Duration]time.Duration{
		time.Millisecond: time.Second, 2 * time.Millisecond: time.Second, 6 * time.Millisecond: 3 * time.Second, time.Second: 5 * time.Second,
	} {
		f := &followed{took: took}
		if got := f.rests(); got != want {
			t.Errorf("after a look of %v it rests %v, want %v", took, got, want)
		}
		f.story = &watch.Story{Run: watch.Run{State: watch.Finished}}
		if got := f.rests(); got != lookAtLeast {
			t.Errorf("where nobody crawls it rests %v", got)
		}
	}
}
