package redis

import (
	"bytes"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Much was learned: it is kept in parts, and who joins finds it whole, also where less was learned after it.
func TestMuchThatWasLearnedIsFoundWhole(t *testing.T) {
	client := server(t)
	f := open(t, client, frontier.Manners{}, Options{})
	for _, size := range []int{learnedPart + 5, 7} {
		learned := bytes.Repeat([]byte("learned a lot "), size/14+1)[:size]
		if err := f.Snapshot(learned); err != nil {
			t.Fatal(err)
		}
		if found := open(t, client, frontier.Manners{}, Options{}).Restored().Learned; !bytes.Equal(found, learned) {
			t.Errorf("%d bytes were learned, and %d are found", size, len(found))
		}
	}
	if keys, err := client.Keys(t.Context(), "*learning*").Result(); err != nil || len(keys) > 0 {
		t.Errorf("left: %v, %v", keys, err)
	}
	if life, err := client.TTL(t.Context(), f.prefix+"learned").Result(); err != nil || life > 0 {
		t.Errorf("what was learned lives for %v, %v", life, err)
	}
	if err := f.Commit(make([]byte, mostTold+1), nil); err == nil {
		t.Error("a lesson was taken that Redis takes from nobody")
	}
}
